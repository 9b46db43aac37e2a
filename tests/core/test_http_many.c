/* test_http_many.c: many requests at once, and what the caller may do at any
** moment: cancel, wake, free, run out of memory. */
#include "failing.h"
#include "http_world.h"

#include <pthread.h>

/* {====================================================================
** Many at once
** ===================================================================== */

static void test_many_at_once(void **state) {
  enum { MANY = 200 };
  world *w = *state;
  bool seen[MANY] = {false};
  uint64_t tickets[MANY];
  double before = now();
  for (size_t i = 0; i < MANY; i++)
    tickets[i] = start(w, "/wait?ms=300", NULL);
  assert_int_equal(ecrb_http_under_way(w->http), MANY);
  for (size_t left = MANY; left > 0; left--) {
    ecrb_http_response r;
    assert_int_equal(ecrb_http_wait(w->http, 20000, &r, &w->err), ECRB_OK);
    assert_int_equal(r.end, ECRB_HTTP_DONE);
    assert_int_equal(ecrb_http_under_way(w->http), left - 1);
    for (size_t i = 0; i < MANY; i++)
      if (tickets[i] == r.ticket) {
        assert_false(seen[i]);
        seen[i] = true;
      }
  }
  for (size_t i = 0; i < MANY; i++)
    assert_true(seen[i]);
  assert_true(now() - before < 5);
  assert_true(server_count(w, "most") >= MANY);
}

static void test_limit_of_connections(void **state) {
  world *w = *state;
  ecrb_http_limits limits = test_limits();
  ecrb_http_response r;
  limits.connections = 2;
  reopen(w, &limits);
  long before = server_count(w, "connections");
  for (int i = 0; i < 10; i++)
    start(w, "/wait?ms=20", NULL);
  while (ecrb_http_wait(w->http, 20000, &r, &w->err) == ECRB_OK)
    assert_int_equal(r.end, ECRB_HTTP_DONE);
  assert_in_range(server_count(w, "connections") - before, 1, 2);
}

/* One slow body among fast ones, and one that never comes. */
static void test_slow_ones_hold_up_nobody(void **state) {
  world *w = *state;
  ecrb_http_response r;
  ecrb_http_limits limits = test_limits();
  limits.total_ms = 1500;
  reopen(w, &limits);
  start(w, "/hang", NULL);
  start(w, "/trickle", NULL);
  double before = now();
  for (int i = 0; i < 40; i++)
    wait_for(w, start(w, "/echo", "{}"), &r);
  assert_true(now() - before < 1);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(ecrb_http_wait(w->http, 20000, &r, &w->err), ECRB_OK);
    assert_int_equal(r.end, ECRB_HTTP_TOTAL);
  }
}

/* }==================================================================== */

/* {====================================================================
** Cancelling, waking, freeing
** ===================================================================== */

static const char *const busy[] = {"/hang",  "/trickle", "/blanks",
                                   "/stops", "/wait",    "/endless"};

static void pass_time(world *w, long ms) {
  ecrb_http_response r;
  assert_int_equal(ecrb_http_wait(w->http, ms, &r, &w->err), ECRB_ENONE);
}

static void test_cancel(void **state) {
  world *w = *state;
  ecrb_http_response r;
  for (size_t i = 0; i < COUNT(busy); i++)
    ecrb_http_cancel(w->http, start(w, busy[i], NULL));
  assert_int_equal(ecrb_http_under_way(w->http), 0);
  for (size_t i = 0; i + 1 < COUNT(busy); i++) {
    uint64_t ticket = start(w, busy[i], NULL);
    pass_time(w, 60);
    ecrb_http_cancel(w->http, ticket);
    ecrb_http_cancel(w->http, ticket);
  }
  assert_int_equal(ecrb_http_under_way(w->http), 0);
  assert_int_equal(ecrb_http_wait(w->http, -1, &r, &w->err), ECRB_ENONE);
  get(w, "/chunks", &r);
  assert_body(&r, "one piece");
}

static void test_cancel_what_has_ended(void **state) {
  world *w = *state;
  ecrb_http_response r;
  uint64_t tickets[5];
  for (size_t i = 0; i < 5; i++)
    tickets[i] = start(w, "/wait?ms=50", NULL);
  usleep(300000);
  assert_int_equal(ecrb_http_wait(w->http, 20000, &r, &w->err), ECRB_OK);
  for (size_t i = 0; i < 5; i++)
    ecrb_http_cancel(w->http, tickets[i]);
  ecrb_http_cancel(w->http, 0);
  ecrb_http_cancel(w->http, UINT64_MAX);
  assert_body(&r, "{}"); /* still in our hands */
  assert_int_equal(ecrb_http_under_way(w->http), 0);
  assert_int_equal(ecrb_http_wait(w->http, 20000, &r, &w->err), ECRB_ENONE);
  get(w, "/chunks", &r);
}

static void test_cancel_while_the_name_is_sought(void **state) {
  world *w = *state;
  double before = now();
  uint64_t ticket = start_at(w, "http://no-such-name.invalid/", NULL);
  ecrb_http_response r;
  ecrb_http_wait(w->http, 0, &r, &w->err);
  ecrb_http_cancel(w->http, ticket);
  assert_true(now() - before < 1);
}

static void test_time_out_of_wait(void **state) {
  world *w = *state;
  ecrb_http_response r;
  uint64_t ticket = start(w, "/wait?ms=300", NULL);
  assert_int_equal(ecrb_http_wait(w->http, 0, &r, &w->err), ECRB_ENONE);
  double before = now();
  assert_int_equal(ecrb_http_wait(w->http, 80, &r, &w->err), ECRB_ENONE);
  assert_true(now() - before >= 0.08);
  wait_for(w, ticket, &r);
}

static void *wake_later(void *http) {
  usleep(100000);
  ecrb_http_wake(http);
  return NULL;
}

static void test_wake(void **state) {
  world *w = *state;
  ecrb_http_response r;
  pthread_t thread;
  uint64_t ticket = start(w, "/wait?ms=600", NULL);
  double before = now();
  assert_int_equal(pthread_create(&thread, NULL, wake_later, w->http), 0);
  assert_int_equal(ecrb_http_wait(w->http, -1, &r, &w->err), ECRB_ENONE);
  assert_true(now() - before < 0.5);
  pthread_join(thread, NULL);
  ecrb_http_wake(w->http); /* before the wait, and twice */
  ecrb_http_wake(w->http);
  assert_int_equal(ecrb_http_wait(w->http, -1, &r, &w->err), ECRB_ENONE);
  wait_for(w, ticket, &r);
}

/* With nothing under way, too: for a wake-up, or for so long. */
static void test_rest(void **state) {
  world *w = *state;
  pthread_t thread;
  double before = now();
  assert_int_equal(pthread_create(&thread, NULL, wake_later, w->http), 0);
  ecrb_http_rest(w->http, -1);
  pthread_join(thread, NULL);
  ecrb_http_wake(w->http); /* before the rest, and twice */
  ecrb_http_wake(w->http);
  ecrb_http_rest(w->http, -1);
  assert_true(now() - before < 10);
  before = now();
  ecrb_http_rest(w->http, 30);
  assert_true(now() - before >= 0.029);
}

static void test_free_with_all_under_way(void **state) {
  world *w = *state;
  ecrb_http_response r;
  ecrb_http_limits limits = test_limits();
  start(w, "/chunks", NULL);
  start_at(w, "http://no-such-name.invalid/", NULL);
  for (size_t i = 0; i < COUNT(busy); i++)
    start(w, busy[i], NULL);
  assert_int_equal(ecrb_http_wait(w->http, 20000, &r, &w->err), ECRB_OK);
  start(w, "/hang", "{}"); /* not even begun */
  reopen(w, &limits);
  ecrb_http_free(NULL);
}

/* }==================================================================== */

/* {====================================================================
** Without memory
** ===================================================================== */

/* A request whose n-th allocation fails: refused, or ended by whatever words;
** never half under way. */
static enum ecrb_http_end request_without_memory(world *w, long n) {
  char url[128];
  ecrb_span body = ecrb_span_of("{}");
  ecrb_http_limits limits = test_limits();
  ecrb_http_response r = {.end = ECRB_HTTP_OTHER};
  uint64_t ticket;
  snprintf(url, sizeof url, "http://127.0.0.1:%d/echo", w->port);
  ecrb_http_free(w->http);
  w->http = NULL;
  allocations_until_failure = n;
  if (ecrb_http_new(&limits, &w->http, &w->err) == ECRB_OK &&
      ecrb_http_start(w->http, url, NULL, &body, NULL, &ticket, &w->err) ==
          ECRB_OK)
    ecrb_http_wait(w->http, 5000, &r, &w->err);
  allocations_until_failure = 0;
  if (w->http)
    assert_int_equal(ecrb_http_under_way(w->http), 0);
  return r.end;
}

static void test_every_allocation_may_fail(void **state) {
  world *w = *state;
  ecrb_http *keeps_libcurl;
  ecrb_http_response r;
  long n = 1;
  get(w, "/chunks", &r);
  keeps_libcurl = w->http;
  w->http = NULL;
  while (request_without_memory(w, n) != ECRB_HTTP_DONE)
    n++;
  assert_true(n > 20);
  ecrb_http_free(keeps_libcurl);
}

/* }==================================================================== */

/* {====================================================================
** Threads: each with handles of its own, opened and closed all the while
** ===================================================================== */

enum { THREADS = 4, ROUNDS = 10 };

typedef struct worker {
  pthread_t thread;
  world w;
  int answers;
} worker;

/* No assertion here: cmocka's belong to the main thread. */
static void *request_again_and_again(void *data) {
  worker *me = data;
  char url[64];
  snprintf(url, sizeof url, "http://127.0.0.1:%d/chunks", me->w.port);
  for (int i = 0; i < ROUNDS; i++) {
    ecrb_http_limits limits = test_limits();
    ecrb_http *http = NULL;
    ecrb_http_response r;
    uint64_t ticket;
    if (ecrb_http_new(&limits, &http, NULL) == ECRB_OK &&
        ecrb_http_start(http, url, NULL, NULL, NULL, &ticket, NULL) ==
            ECRB_OK &&
        ecrb_http_wait(http, 20000, &r, NULL) == ECRB_OK &&
        r.end == ECRB_HTTP_DONE)
      me->answers++;
    ecrb_http_free(http);
  }
  return NULL;
}

static void test_threads_do_not_meet(void **state) {
  worker workers[THREADS];
  memset(workers, 0, sizeof workers);
  for (int i = 0; i < THREADS; i++) {
    workers[i].w = *(world *)*state;
    assert_int_equal(pthread_create(&workers[i].thread, NULL,
                                    request_again_and_again, &workers[i]),
                     0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(workers[i].thread, NULL);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(workers[i].answers, ROUNDS);
}
/* }==================================================================== */

int main(void) {
  const struct CMUnitTest tests[] = {
      ROW(test_many_at_once),
      ROW(test_limit_of_connections),
      ROW(test_slow_ones_hold_up_nobody),
      ROW(test_cancel),
      ROW(test_cancel_what_has_ended),
      ROW(test_cancel_while_the_name_is_sought),
      ROW(test_time_out_of_wait),
      ROW(test_wake),
      ROW(test_rest),
      ROW(test_free_with_all_under_way),
      ROW(test_every_allocation_may_fail),
      ROW(test_threads_do_not_meet),
  };
  return cmocka_run_group_tests(tests, start_server, stop_server);
}
