/* test_embedded.c: runs from C: what the program's functions are handed, what
** they can do, questions that are answered in the program's own time, and two
** hosts at work in two threads. */
#include "ecrb_host.h"
#include "unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 3, RESULTS = 64 };

typedef struct world {
  ecrb_host *host;
  const char *says;   /* the model's reply; NULL: it fails */
  const char *reason; /* of the failure; NULL: none is given */
  int questions;
  size_t results, ends_after; /* 0: never */
  char outcome[RESULTS][16];
  char id[RESULTS][32];
  ecrb_result last;
  char message[128];
  char last_role[16], first_request[32];
} world;

static void keep_text(char *out, size_t room, ecrb_span text) {
  snprintf(out, room, "%.*s", (int)text.n, text.at);
}

static int model(void *data, const ecrb_question *question, ecrb_span *reply,
                 ecrb_err *err) {
  world *w = data;
  ecrb_message last = question->messages[question->count - 1];
  w->questions++;
  keep_text(w->last_role, sizeof w->last_role, last.role);
  keep_text(w->first_request, sizeof w->first_request, question->request);
  assert_int_equal(last.content.at[last.content.n], '\0');
  if (w->says) {
    *reply = ecrb_span_of(w->says);
    return ECRB_OK;
  }
  return w->reason ? ecrb_fail(err, ECRB_EIO, "%s", w->reason) : ECRB_EIO;
}

static bool each(void *data, const ecrb_result *result) {
  world *w = data;
  assert_in_range(w->results, 0, RESULTS - 1);
  keep_text(w->outcome[w->results], sizeof *w->outcome, result->outcome);
  keep_text(w->id[w->results], sizeof *w->id, result->item.id);
  keep_text(w->message, sizeof w->message, result->message);
  w->last = *result;
  w->results++;
  return w->results != w->ends_after;
}

static int set_up(void **state) {
  static world w;
  ecrb_err err;
  w = (world){.says = "ANSWER: 1.1.1.1"};
  *state = &w;
  return ecrb_host_new(NULL, &w.host, &err);
}

static int tear_down(void **state) {
  ecrb_host_free(((world *)*state)->host);
  return 0;
}

static ecrb_run_spec spec_for(world *w) {
  return (ecrb_run_spec){.method = "b0",
                         .split = "price",
                         .limit = ITEMS,
                         .model = model,
                         .data = w};
}

static ecrb_run *open_run(world *w, const ecrb_run_spec *spec) {
  ecrb_run *run;
  ecrb_err err;
  if (ecrb_run_open(w->host, spec, &run, &err) != ECRB_OK)
    fail_msg("%s", err.msg);
  return run;
}

static void hands_out_questions_and_results(void **state) {
  world *w = *state;
  ecrb_run_spec spec = spec_for(w);
  ecrb_run *run = open_run(w, &spec);
  ecrb_summary mean;
  ecrb_err err;
  size_t n;
  assert_int_equal(ecrb_run_size(run), ITEMS);
  assert_int_equal(ecrb_run_all(run, each, &err), ECRB_OK);
  assert_int_equal(w->questions, ITEMS);
  assert_int_equal(w->results, ITEMS);
  assert_string_equal(w->last_role, "user");
  assert_string_equal(w->first_request, "{\"messages\":[{\"content\":\"You ar");
  assert_string_equal(w->outcome[0], "answered");
  assert_string_equal(w->id[2], "ADHP-MONOMER"); /* price/3, of 1.1.1.- */
  assert_int_equal(w->last.calls, 1);
  assert_int_equal(w->last.prediction.path.depth, 4);
  assert_true(w->last.prediction.answered);
  assert_true(w->last.labelled && w->last.score.correct[2]);
  assert_int_equal(ecrb_run_score(run, &mean, &n, &err), ECRB_OK);
  assert_int_equal(n, ITEMS);
  assert_near(mean.accuracy[0], 1 / 3.0);
  ecrb_run_close(run);
}

static void a_failing_model_costs_the_item(void **state) {
  static const struct {
    const char *reason, *message;
  } cases[] = {{"the socket closed\33[2J", "the socket closed\\x1B[2J"},
               {NULL, "the program's model failed"}};
  world *w = *state;
  ecrb_run_spec spec = spec_for(w);
  w->says = NULL;
  for (size_t i = 0; i < COUNT(cases); i++) {
    ecrb_run *run = open_run(w, &spec);
    ecrb_err err;
    w->reason = cases[i].reason;
    w->results = 0;
    assert_int_equal(ecrb_run_all(run, each, &err), ECRB_OK);
    assert_int_equal(w->results, ITEMS);
    assert_string_equal(w->outcome[0], "failed");
    assert_non_null(strstr(w->message, cases[i].message));
    ecrb_run_close(run);
  }
}

static void replies_are_not_trusted(void **state) {
  static const struct {
    const char *reply, *outcome;
  } cases[] = {{"", "unreadable"},
               {"no idea \xff\xfe", "unreadable"},
               {"ANSWER: UNSURE", "abstained"},
               {"ANSWER: 9.9.9.9", "invalid"}};
  world *w = *state;
  ecrb_run_spec spec = spec_for(w);
  spec.limit = 1;
  for (size_t i = 0; i < COUNT(cases); i++) {
    ecrb_run *run = open_run(w, &spec);
    ecrb_err err;
    w->says = cases[i].reply;
    w->results = 0;
    assert_int_equal(ecrb_run_all(run, each, &err), ECRB_OK);
    assert_string_equal(w->outcome[0], cases[i].outcome);
    ecrb_run_close(run);
  }
}

static void ends_early_and_goes_on(void **state) {
  char folder[] = "/tmp/ecrb-embedded-XXXXXX", clean[64];
  world *w = *state;
  ecrb_run_spec spec = spec_for(w);
  ecrb_summary mean;
  ecrb_run *run;
  ecrb_err err;
  size_t n;
  assert_non_null(mkdtemp(folder));
  spec.folder = folder;
  w->ends_after = 1;
  run = open_run(w, &spec);
  assert_int_equal(ecrb_run_all(run, each, &err), ECRB_ELIMIT);
  assert_int_equal(ecrb_run_score(run, &mean, &n, &err), ECRB_OK);
  assert_int_equal(n, 1);
  ecrb_run_close(run);
  w->ends_after = w->results = 0;
  run = open_run(w, &spec);
  assert_int_equal(ecrb_run_all(run, each, &err), ECRB_OK);
  assert_int_equal(w->results, ITEMS);
  assert_int_equal(w->questions, ITEMS);
  assert_int_equal(ecrb_run_score(run, &mean, &n, &err), ECRB_OK);
  assert_int_equal(n, ITEMS);
  ecrb_run_close(run);
  snprintf(clean, sizeof clean, "rm -r %s", folder);
  assert_int_equal(system(clean), 0);
}

static void refuses_before_the_first_question(void **state) {
  static const char *const no_option[] = {"temprature=1", NULL};
  world *w = *state;
  const struct {
    ecrb_run_spec spec;
    const char *message;
  } cases[] = {
      {{.method = NULL}, "no method is named"},
      {{.method = "nope"}, "there is no method `nope`"},
      {{.method = "b0", .benchmark = "nowhere"}, "no benchmark `nowhere`"},
      {{.method = "b0", .book = "shut"}, "has no shut-book setting"},
      {{.method = "b0", .split = "prise"}, "no split `prise`"},
      {{.method = "b0", .options = no_option}, "no option `temprature`"},
      {{.method = "b0", .folder = "/proc/x"}, "/proc/x"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    ecrb_run_spec spec = cases[i].spec;
    ecrb_run *run;
    ecrb_err err;
    spec.model = model;
    spec.data = w;
    assert_int_not_equal(ecrb_run_open(w->host, &spec, &run, &err), ECRB_OK);
    assert_null(run);
    if (!strstr(err.msg, cases[i].message))
      fail_msg("%s", err.msg);
  }
  assert_int_equal(w->questions, 0);
}

static void needs_no_functions(void **state) {
  world *w = *state;
  ecrb_run_spec spec = {.method = "m2", .split = "price", .limit = ITEMS};
  ecrb_run *run = open_run(w, &spec);
  ecrb_summary mean;
  ecrb_err err;
  assert_int_equal(ecrb_run_all(run, NULL, &err), ECRB_OK);
  assert_int_equal(ecrb_run_score(run, &mean, NULL, &err), ECRB_OK);
  assert_true(mean.accuracy[0] > 0.5);
  ecrb_run_close(run);
  ecrb_run_close(NULL);
}

/* {====================================================================
** Open questions
** ===================================================================== */

enum { OPEN = 5 };

static ecrb_run_spec open_spec(world *w, const char *method) {
  ecrb_run_spec spec = spec_for(w);
  spec.method = method;
  spec.model = NULL;
  spec.open = OPEN;
  spec.limit = 6;
  return spec;
}

static int next_question(ecrb_run *run, long ms, ecrb_question *question) {
  return ecrb_run_next(run, ms, each, question, NULL);
}

static void say(ecrb_run *run, uint64_t ticket, const char *text) {
  assert_int_equal(ecrb_run_answer(run, ticket, ecrb_span_of(text), NULL),
                   ECRB_OK);
}

/* The first candidate, or an answer for those that get none: it depends on the
** question alone. */
static const char *answer_to(const ecrb_question *question, char text[64]) {
  ecrb_message last = question->messages[question->count - 1];
  const char *word = strstr(last.content.at, "\n- ");
  assert_int_equal(last.content.at[last.content.n], '\0');
  snprintf(text, 64, "ANSWER: %.*s", word ? (int)strcspn(word + 3, " \n") : 7,
           word ? word + 3 : "1.1.1.1");
  return text;
}

static int answering_model(void *data, const ecrb_question *question,
                           ecrb_span *reply, ecrb_err *err) {
  static char text[64];
  (void)data, (void)err;
  *reply = ecrb_span_of(answer_to(question, text));
  return ECRB_OK;
}

/* Collects what may be open, then answers the last of it first. */
static size_t answer_backwards(ecrb_run *run) {
  ecrb_question open[OPEN], question;
  size_t n = 0, most = 0;
  char text[64];
  int status;
  while ((status = next_question(run, 0, &question)) == ECRB_OK) {
    if (question.ticket > 0) {
      assert_in_range(n, 0, OPEN - 1);
      open[n++] = question;
    } else {
      most = n > most ? n : most;
      assert_in_range(n, 1, OPEN);
      while (n > 0) {
        n--;
        say(run, open[n].ticket, answer_to(&open[n], text));
      }
    }
  }
  assert_int_equal(status, ECRB_ENONE);
  return most;
}

static char *records_of(const char *folder) {
  char path[64], *text = calloc(1, 1 << 20);
  FILE *f;
  snprintf(path, sizeof path, "%s/items.jsonl", folder);
  f = fopen(path, "r");
  assert_non_null(f);
  assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
  fclose(f);
  return text;
}

static void remove_folder(const char *folder) {
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

static void any_order_gives_the_same_records(void **state) {
  char folders[2][32] = {"/tmp/ecrb-embedded-XXXXXX",
                         "/tmp/ecrb-embedded-XXXXXX"};
  world *w = *state;
  ecrb_summary means[2];
  char *records[2];
  for (int i = 0; i < 2; i++) {
    ecrb_run_spec spec = open_spec(w, "m4");
    ecrb_run *run;
    assert_non_null(mkdtemp(folders[i]));
    spec.folder = folders[i];
    if (i == 0) {
      spec.open = 0;
      spec.model = answering_model;
    }
    run = open_run(w, &spec);
    if (i == 0)
      assert_int_equal(ecrb_run_all(run, each, NULL), ECRB_OK);
    else
      assert_int_equal(answer_backwards(run), OPEN);
    assert_int_equal(w->results, 6 * (i + 1));
    assert_int_equal(ecrb_run_score(run, &means[i], NULL, NULL), ECRB_OK);
    ecrb_run_close(run);
    records[i] = records_of(folders[i]);
    remove_folder(folders[i]);
  }
  assert_memory_equal(&means[0], &means[1], sizeof means[0]);
  assert_string_equal(records[0], records[1]);
  free(records[0]);
  free(records[1]);
}

static void lost_questions_cost_their_items(void **state) {
  world *w = *state;
  ecrb_run_spec spec = open_spec(w, "b0");
  ecrb_run *run = open_run(w, &spec);
  ecrb_question question;
  while (next_question(run, -1, &question) == ECRB_OK)
    assert_int_equal(ecrb_run_lose(run, question.ticket,
                                   question.ticket % 2 ? "gone\33[2J" : NULL,
                                   NULL),
                     ECRB_OK);
  assert_int_equal(w->results, 6);
  assert_string_equal(w->outcome[0], "failed");
  assert_non_null(strstr(w->message, "the program's model failed"));
  ecrb_run_close(run);
}

static void a_ticket_is_good_for_one_answer(void **state) {
  world *w = *state;
  ecrb_run_spec spec = open_spec(w, "b0");
  ecrb_run *run;
  ecrb_question question, none;
  ecrb_err err;
  spec.limit = 1;
  run = open_run(w, &spec);
  assert_int_equal(next_question(run, 0, &question), ECRB_OK);
  assert_int_equal(ecrb_run_answer(run, question.ticket + 1,
                                   ecrb_span_of("ANSWER: 1.1.1.1"), &err),
                   ECRB_ENONE);
  assert_string_equal(err.msg, "question 2 is not open");
  assert_int_equal(next_question(run, 20, &none), ECRB_OK); /* waits in vain */
  assert_int_equal(none.ticket, 0);
  assert_string_equal(question.messages[question.count - 1].role.at, "user");
  say(run, question.ticket, "ANSWER: 1.1.1.1");
  assert_int_equal(ecrb_run_lose(run, question.ticket, "late", NULL),
                   ECRB_ENONE);
  for (int i = 0; i < 2; i++)
    assert_int_equal(next_question(run, -1, &none), ECRB_ENONE);
  assert_string_equal(w->outcome[0], "answered");
  ecrb_run_close(run);
}

static void each_run_has_one_form(void **state) {
  world *w = *state;
  ecrb_run_spec with_model = spec_for(w), open = open_spec(w, "b0");
  ecrb_question question;
  ecrb_run *run;
  ecrb_err err;
  run = open_run(w, &with_model);
  assert_int_equal(ecrb_run_next(run, 0, NULL, &question, &err), ECRB_EARG);
  assert_int_equal(ecrb_run_lose(run, 1, NULL, &err), ECRB_EARG);
  assert_int_equal(ecrb_run_all(run, each, NULL), ECRB_OK);
  ecrb_run_close(run);
  run = open_run(w, &open);
  assert_int_equal(ecrb_run_all(run, each, &err), ECRB_EARG);
  assert_int_equal(next_question(run, 0, &question), ECRB_OK);
  ecrb_run_close(run);
  with_model.open = OPEN;
  assert_int_not_equal(ecrb_run_open(w->host, &with_model, &run, &err),
                       ECRB_OK);
  assert_non_null(strstr(err.msg, "not both"));
}

static void a_host_goes_through_one_run_at_a_time(void **state) {
  world *w = *state;
  ecrb_run_spec spec = open_spec(w, "b0");
  ecrb_run *first = open_run(w, &spec), *second = open_run(w, &spec);
  ecrb_question question, none;
  ecrb_err err;
  assert_int_equal(next_question(first, 0, &question), ECRB_OK);
  assert_int_not_equal(ecrb_run_next(second, 0, NULL, &none, &err), ECRB_OK);
  assert_non_null(strstr(err.msg, "inside a task or another loop:run"));
  assert_int_not_equal(next_question(second, 0, &none), ECRB_OK);
  ecrb_run_close(second);
  say(first, question.ticket, "ANSWER: 1.1.1.1");
  assert_int_equal(answer_backwards(first), OPEN);
  ecrb_run_close(first);
}

static void is_closed_with_questions_open(void **state) {
  char folder[] = "/tmp/ecrb-embedded-XXXXXX";
  world *w = *state;
  ecrb_run_spec spec = open_spec(w, "b0");
  ecrb_question question;
  ecrb_run *run;
  assert_non_null(mkdtemp(folder));
  spec.folder = folder;
  run = open_run(w, &spec);
  assert_int_equal(next_question(run, 0, &question), ECRB_OK);
  say(run, question.ticket, "ANSWER: 1.1.1.1");
  while (question.ticket > 0)
    assert_int_equal(next_question(run, 0, &question), ECRB_OK);
  ecrb_run_close(run);
  assert_int_equal(w->results, 1);
  run = open_run(w, &spec);
  answer_backwards(run);
  assert_int_equal(w->results, 1 + 6);
  ecrb_run_close(run);
  remove_folder(folder);
}

static void an_interrupted_run_takes_its_answers(void **state) {
  world *w = *state;
  ecrb_run_spec spec = open_spec(w, "b0");
  for (int times = 1; times <= 2; times++) {
    ecrb_run *run = open_run(w, &spec);
    ecrb_question open[OPEN], none;
    w->results = 0;
    for (int i = 0; i < OPEN; i++)
      assert_int_equal(next_question(run, 0, &open[i]), ECRB_OK);
    for (int i = 0; i < times; i++)
      assert_true(ecrb_host_interrupt(w->host));
    if (times == 1) {
      for (int i = 0; i < OPEN; i++) {
        assert_int_equal(next_question(run, 0, &none), ECRB_OK);
        assert_int_equal(none.ticket, 0);
        say(run, open[i].ticket, "ANSWER: 1.1.1.1");
      }
    }
    assert_int_equal(next_question(run, -1, &none), ECRB_ELIMIT);
    assert_int_equal(w->results, times == 1 ? OPEN : 0);
    assert_int_equal(ecrb_run_lose(run, open[0].ticket, NULL, NULL),
                     ECRB_ENONE);
    ecrb_run_close(run);
  }
}
/* }==================================================================== */

/* {====================================================================
** Threads
** ===================================================================== */

typedef struct job {
  ecrb_run *run;
  ecrb_question question;
} job;

static void *answer_job(void *data) {
  job *mine = data;
  char text[64];
  usleep(mine->question.ticket % 3 * 1000);
  say(mine->run, mine->question.ticket, answer_to(&mine->question, text));
  free(mine);
  return NULL;
}

static void *interrupt_soon(void *host) {
  usleep(50000);
  ecrb_host_interrupt(host);
  ecrb_host_interrupt(host);
  return NULL;
}

static void threads_answer_open_questions(void **state) {
  world *w = *state;
  ecrb_run_spec spec = open_spec(w, "m4");
  ecrb_run *run = open_run(w, &spec);
  ecrb_question question;
  ecrb_summary mean;
  pthread_t thread;
  int status;
  while ((status = next_question(run, -1, &question)) == ECRB_OK) {
    job *mine = malloc(sizeof *mine);
    *mine = (job){run, question};
    assert_int_equal(pthread_create(&thread, NULL, answer_job, mine), 0);
    pthread_detach(thread);
  }
  assert_int_equal(status, ECRB_ENONE);
  assert_int_equal(w->results, 6);
  assert_int_equal(ecrb_run_score(run, &mean, NULL, NULL), ECRB_OK);
  ecrb_run_close(run);
}

static void a_thread_interrupts_the_wait(void **state) {
  world *w = *state;
  ecrb_run_spec spec = open_spec(w, "b0");
  ecrb_run *run = open_run(w, &spec);
  ecrb_question question;
  pthread_t thread;
  for (int i = 0; i < OPEN; i++)
    assert_int_equal(next_question(run, -1, &question), ECRB_OK);
  assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, w->host), 0);
  assert_int_equal(next_question(run, -1, &question), ECRB_ELIMIT);
  pthread_join(thread, NULL);
  ecrb_run_close(run);
}

typedef struct worker {
  pthread_t thread;
  const char *method;
  world w;
  ecrb_summary mean;
  int status;
  ecrb_err err;
} worker;

static void *work(void *data) {
  worker *me = data;
  ecrb_run *run = NULL;
  ecrb_run_spec spec = {
      .method = me->method, .split = "price", .limit = 12, .data = &me->w};
  me->status = ecrb_host_new(NULL, &me->w.host, &me->err);
  if (me->status == ECRB_OK)
    me->status = ecrb_run_open(me->w.host, &spec, &run, &me->err);
  if (me->status == ECRB_OK)
    me->status = ecrb_run_all(run, each, &me->err);
  if (me->status == ECRB_OK)
    me->status = ecrb_run_score(run, &me->mean, NULL, &me->err);
  ecrb_run_close(run);
  ecrb_host_free(me->w.host);
  return NULL;
}

static void two_hosts_run_at_once(void **state) {
  worker workers[] = {{.method = "m2"}, {.method = "m2"}, {.method = "vote"}};
  (void)state;
  for (size_t i = 0; i < COUNT(workers); i++)
    assert_int_equal(
        pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  for (size_t i = 0; i < COUNT(workers); i++)
    pthread_join(workers[i].thread, NULL);
  for (size_t i = 0; i < COUNT(workers); i++) {
    if (workers[i].status != ECRB_OK)
      fail_msg("%s", workers[i].err.msg);
    assert_int_equal(workers[i].w.results, 12);
  }
  assert_near(workers[0].mean.hf, workers[1].mean.hf);
}
/* }==================================================================== */

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(hands_out_questions_and_results, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(a_failing_model_costs_the_item, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(replies_are_not_trusted, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(ends_early_and_goes_on, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(refuses_before_the_first_question, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(needs_no_functions, set_up, tear_down),
      cmocka_unit_test_setup_teardown(any_order_gives_the_same_records, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(lost_questions_cost_their_items, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(a_ticket_is_good_for_one_answer, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(each_run_has_one_form, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_host_goes_through_one_run_at_a_time,
                                      set_up, tear_down),
      cmocka_unit_test_setup_teardown(is_closed_with_questions_open, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(an_interrupted_run_takes_its_answers,
                                      set_up, tear_down),
      cmocka_unit_test_setup_teardown(threads_answer_open_questions, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(a_thread_interrupts_the_wait, set_up,
                                      tear_down),
      cmocka_unit_test(two_hosts_run_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
