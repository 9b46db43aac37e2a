/* The choice of hits, the names, failing allocations, and the shared search
** output. */
#include "unit.h"

#include "failing.h"
#include "scratch.h"

#include <math.h>

#define HEAD "qseqid\tsseqid\tpident\tevalue\tbitscore\n"

typedef struct search {
  ecrb_names *items, *train;
  ecrb_hits *hits;
} search;

static void add_names(ecrb_names *names, const char *list) {
  size_t index;
  for (const char *at = list; *at != '\0'; at += strcspn(at, " ")) {
    at += strspn(at, " ");
    ecrb_span name = {at, strcspn(at, " ")};
    assert_int_equal(ecrb_names_add(names, name, &index, NULL), ECRB_OK);
  }
}

static search search_new(double evalue, int most) {
  search s;
  ecrb_hit_limits limits = {evalue, most};
  assert_int_equal(ecrb_names_new(&s.items), ECRB_OK);
  assert_int_equal(ecrb_names_new(&s.train), ECRB_OK);
  add_names(s.items, "q1 q2 q3");
  add_names(s.train, "zB aA t1 t2 t3");
  assert_int_equal(ecrb_hits_new(s.items, s.train, &limits, &s.hits, NULL),
                   ECRB_OK);
  return s;
}

static void search_free(search *s) {
  ecrb_hits_free(s->hits);
  ecrb_names_free(s->items);
  ecrb_names_free(s->train);
}

static void search_read(search *s, const char *text) {
  char path[SCRATCH_PATH_MAX];
  ecrb_hit_layout layout = {.format = ECRB_HITS_TABULAR};
  ecrb_hit_reader *reader;
  ecrb_err err = {0, ""};
  scratch_write(path, text, strlen(text));
  assert_int_equal(ecrb_hit_reader_open(path, &layout, &reader, NULL), 0);
  int status = ecrb_hits_read(s->hits, reader, &err);
  ecrb_hit_reader_close(reader);
  unlink(path);
  assert_string_equal(err.msg, "");
  assert_int_equal(status, ECRB_OK);
}

static void check_chosen(const search *s, size_t item, const char *expected) {
  scratch_dump dump = {.n = 0, .text = ""};
  size_t n;
  const ecrb_chosen *list = ecrb_hits_of(s->hits, item, &n);
  for (size_t i = 0; i < n; i++)
    scratch_say(&dump, "%.*s:%g ",
                SPAN(ecrb_names_at(s->train, list[i].neighbour)),
                list[i].score);
  assert_string_equal(dump.text, expected);
}

typedef struct choice_case {
  const char *rows, *expected;
} choice_case;

static void order_and_ties(void **state) {
  (void)state;
  const choice_case cases[] = {
      {HEAD "q1\tzB\t50\t1e-9\t200\nq1\taA\t50\t1e-9\t200\n", "aA:200 zB:200 "},
      {HEAD "q1\taA\t40\t1e-9\t200\nq1\tzB\t50\t1e-9\t200\n", "zB:200 aA:200 "},
      {HEAD "q1\taA\t40\t1e-9\t199\nq1\tzB\t30\t1e-9\t200\n", "zB:200 aA:199 "},
      {HEAD "q1\taA\t40\t1e-9\t200\nq1\tzB\t30\t1e-10\t100\n",
       "zB:100 aA:200 "},
      /* the best HSP of a neighbour, wherever it stands */
      {HEAD "q1\tt1\t40\t1e-5\t50\nq1\tt2\t40\t1e-6\t60\n"
            "q1\tt1\t40\t1e-9\t90\nq1\tt1\t40\t1e-4\t40\n",
       "t1:90 t2:60 "},
      /* the limit includes its own value; a weak row is nothing */
      {HEAD "q1\tt1\t40\t1e-3\t50\nq1\tt2\t40\t1.01e-3\t60\n", "t1:50 "},
      {HEAD "q2\tt1\t40\t1e-3\t50\n", ""},
      {HEAD "q1\tt1\t4\t1e-4\t1\nq1\tt2\t4\t1e-5\t2\nq1\tt3\t4\t1e-6\t3\n"
            "q1\taA\t4\t1e-7\t4\nq1\tt1\t4\t1e-8\t5\n",
       "t1:5 aA:4 t3:3 "},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    search s = search_new(1e-3, 3);
    search_read(&s, cases[i].rows);
    check_chosen(&s, 0, cases[i].expected);
    search_free(&s);
  }
}

static void without_evalues_the_score_orders(void **state) {
  (void)state;
  search s = search_new(1e-3, 3);
  search_read(&s, "query\ttarget\tbits\nq1\tt1\t0.5\nq1\tt2\t0.9\nq1\tt2\t1\n");
  check_chosen(&s, 0, "t2:1 t1:0.5 ");
  search_free(&s);
}

static void ids_are_known_under_their_coats(void **state) {
  (void)state;
  search s = search_new(1e-3, 3);
  search_read(&s, HEAD "sp|q1|X_Y\tAF-t1-F1-model_v4\t40\t1e-5\t50\n"
                       "models/q1.pdb.gz\td/t2_A.cif\t40\t1e-6\t60\n"
                       "q1\tref|t3|\t40\t1e-7\t70\nq1\t|\t40\t1e-7\t70\n"
                       "q2\tt1\t40\t1e-7\t70\nq2\tx/q1_B\t40\t1e-7\t70\n");
  check_chosen(&s, 0, "t3:70 t2:60 t1:50 ");
  assert_int_equal(ecrb_hits_summary(s.hits).decorated, 3);
  assert_int_equal(ecrb_hits_summary(s.hits).intruders, 2);
  assert_int_equal(ecrb_hits_intruder(s.hits, 0).kind, ECRB_INTRUDER_UNKNOWN);
  assert_int_equal(ecrb_hits_intruder(s.hits, 1).kind, ECRB_INTRUDER_ITEM);
  search_free(&s);
}

/* An id that is known as it stands is not undressed. */
static void exact_ids_go_first(void **state) {
  (void)state;
  search s = search_new(1e-3, 3);
  ecrb_hits_free(s.hits);
  add_names(s.train, "q1_1");
  ecrb_hit_limits limits = {1e-3, 3};
  ecrb_hits_new(s.items, s.train, &limits, &s.hits, NULL);
  search_read(&s, HEAD "q2\tq1_1\t40\t1e-5\t50\n");
  check_chosen(&s, 1, "q1_1:50 ");
  search_free(&s);
}

static void the_report_counts(void **state) {
  (void)state;
  search s = search_new(1e-3, 2);
  search_read(&s, HEAD "q1\tt1\t40\t1e-5\t50\nq1\tt2\t90\t5\t1\n"
                       "q1\tt1\t70\t1e-4\t40\nx\tt1\t9\t0\t9\n"
                       "q1\tt3\t40\t1e-5\t50\nq1\taA\t60\t1e-4\t10\n");
  search_read(&s, "# Query: q2\n# 0 hits found\n");
  ecrb_hits_report r = ecrb_hits_summary(s.hits);
  const size_t got[] = {r.rows,    r.weak,   r.foreign,  r.searched,
                        r.covered, r.chosen, r.intruders};
  const size_t expected[] = {6, 1, 1, 2, 1, 2, 0};
  assert_memory_equal(got, expected, sizeof got);
  /* of all HSPs within the limit, chosen or not */
  assert_true(ecrb_hits_homology(s.hits, 0) == 70);
  assert_true(ecrb_hits_homology(s.hits, 1) == 0);
  search_free(&s);
}

static void intruders_are_named(void **state) {
  (void)state;
  search s = search_new(1e-3, 3);
  search_read(&s, HEAD "q1\tq1\t100\t0\t900\nq1\tq2\t40\t9\t1\n"
                       "q3\tnew\t40\t1e-5\t50\nq2\tnew\t40\t1e-5\t50\n");
  const ecrb_intruder expected[] = {
      {ECRB_INTRUDER_SELF, {"q1", 2}, 0, 2},
      {ECRB_INTRUDER_ITEM, {"q2", 2}, 0, 3},
      {ECRB_INTRUDER_UNKNOWN, {"new", 3}, 2, 4},
  };
  assert_int_equal(ecrb_hits_summary(s.hits).intruders, COUNT(expected));
  for (size_t i = 0; i < COUNT(expected); i++) {
    ecrb_intruder got = ecrb_hits_intruder(s.hits, i);
    assert_int_equal(got.kind, expected[i].kind);
    assert_true(ecrb_span_equal(got.neighbour, expected[i].neighbour));
    assert_int_equal(got.item, expected[i].item);
    assert_int_equal(got.line, expected[i].line);
  }
  check_chosen(&s, 0, "");
  search_free(&s);
}

static void limits_are_checked(void **state) {
  (void)state;
  const ecrb_hit_limits bad[] = {{1e-3, 0}, {1e-3, 1001}, {-1, 10}, {NAN, 10}};
  search s = search_new(1e-3, 3);
  ecrb_hits *hits;
  for (size_t i = 0; i < COUNT(bad); i++)
    assert_int_equal(ecrb_hits_new(s.items, s.train, &bad[i], &hits, NULL),
                     ECRB_EARG);
  search_free(&s);
}

static void names_are_numbered(void **state) {
  (void)state;
  ecrb_names *names;
  char text[16];
  size_t index;
  bool fresh;
  assert_int_equal(ecrb_names_new(&names), ECRB_OK);
  for (size_t i = 0; i < 2000; i++) {
    sprintf(text, "n%zu", i % 1000);
    assert_int_equal(ecrb_names_add(names, ecrb_span_of(text), &index, &fresh),
                     ECRB_OK);
    assert_int_equal(index, i % 1000);
    assert_int_equal(fresh, i < 1000);
  }
  assert_int_equal(ecrb_names_count(names), 1000);
  assert_true(ecrb_span_equal(ecrb_names_at(names, 7), ecrb_span_of("n7")));
  assert_false(ecrb_names_find(names, ecrb_span_of("n1000"), &index));
  assert_int_equal(ecrb_names_add(names, (ecrb_span){"", 0}, &index, &fresh),
                   ECRB_OK);
  assert_true(fresh);
  assert_true(ecrb_names_find(names, ecrb_span_of(""), &index));
  ecrb_names_free(names);
}

/* A whole reading: names, choice, file. */
static int read_once(const char *path) {
  ecrb_names *names = NULL;
  ecrb_hits *hits = NULL;
  ecrb_hit_reader *reader = NULL;
  ecrb_hit_limits limits = ecrb_hit_limits_default();
  ecrb_hit_layout layout = {.format = ECRB_HITS_TABULAR};
  ecrb_err err;
  size_t index;
  int status = ecrb_names_new(&names);
  if (status == ECRB_OK)
    status = ecrb_names_add(names, ecrb_span_of("q1"), &index, NULL);
  if (status == ECRB_OK)
    status = ecrb_hits_new(names, names, &limits, &hits, &err);
  if (status == ECRB_OK)
    status = ecrb_hit_reader_open(path, &layout, &reader, &err);
  if (status == ECRB_OK)
    status = ecrb_hits_read(hits, reader, &err);
  ecrb_hit_reader_close(reader);
  ecrb_hits_free(hits);
  ecrb_names_free(names);
  return status;
}

static void every_failing_allocation_is_told(void **state) {
  (void)state;
  char path[SCRATCH_PATH_MAX];
  const char *text = HEAD "q1\tq1\t100\t0\t900\nq1\tt1\t40\t1e-5\t50\n";
  int status = ECRB_ENOMEM;
  scratch_write(path, text, strlen(text));
  for (long n = 1; status != ECRB_OK; n++) {
    allocations_until_failure = n;
    status = read_once(path);
    allocations_until_failure = 0;
    assert_true(status == ECRB_OK || status == ECRB_ENOMEM);
    assert_true(n < 200);
  }
  unlink(path);
}

/* The first id of every line of a table, from its second line on. */
static void add_column(ecrb_names *names, const char *path,
                       const char *column) {
  ecrb_table *table;
  const ecrb_span *fields;
  size_t at, index;
  assert_int_equal(ecrb_table_open(path, 0, &table, NULL), ECRB_OK);
  assert_int_equal(ecrb_table_find(table, column, &at, NULL), ECRB_OK);
  while (ecrb_table_next(table, &fields, NULL) == ECRB_OK)
    assert_int_equal(ecrb_names_add(names, fields[at], &index, NULL), ECRB_OK);
  ecrb_table_close(table);
}

typedef struct shared_case {
  const char *file;
  ecrb_hit_layout layout;
  size_t rows, covered[4]; /* 30, 30-50, price, promiscuous */
} shared_case;

static void check_shared(const char *folder, const shared_case *c,
                         const ecrb_names *items, const ecrb_names *train,
                         const size_t *ends) {
  char path[4096];
  ecrb_hit_limits limits = ecrb_hit_limits_default();
  ecrb_hits *hits;
  ecrb_hit_reader *reader;
  size_t covered[4] = {0}, n;
  snprintf(path, sizeof path, "%s/data/evidence/%s", folder, c->file);
  assert_int_equal(ecrb_hits_new(items, train, &limits, &hits, NULL), 0);
  assert_int_equal(ecrb_hit_reader_open(path, &c->layout, &reader, NULL), 0);
  assert_int_equal(ecrb_hits_read(hits, reader, NULL), ECRB_OK);
  for (size_t i = 0, split = 0; i < ends[3]; i++) {
    split += i == ends[split];
    ecrb_hits_of(hits, i, &n);
    covered[split] += n > 0;
  }
  assert_memory_equal(covered, c->covered, sizeof covered);
  assert_int_equal(ecrb_hits_summary(hits).rows, c->rows);
  assert_int_equal(ecrb_hits_summary(hits).intruders, 0);
  assert_int_equal(ecrb_hits_summary(hits).foreign, 0);
  ecrb_hit_reader_close(reader);
  ecrb_hits_free(hits);
}

static void the_shared_search_output(void **state) {
  (void)state;
  const char *splits[] = {"30", "30-50", "price", "promiscuous"};
  const shared_case cases[] = {
      {"blastp.tsv.gz",
       {.columns = ECRB_COLUMNS_BLAST " qcovs"},
       13524,
       {359, 543, 144, 209}},
      {"phmmer.tbl.gz",
       {.format = ECRB_HITS_HMMER},
       92822,
       {363, 541, 143, 209}},
      {"phmmer.domtbl.gz",
       {.format = ECRB_HITS_HMMER},
       92822,
       {363, 541, 143, 209}},
  };
  const char *shared = getenv("ECRB_SHARED");
  char path[4096];
  size_t ends[4];
  ecrb_names *items, *train;
  shared = shared == NULL ? "../shared" : shared;
  snprintf(path, sizeof path, "%s/data/train/train.tsv", shared);
  if (access(path, R_OK) != 0) {
    print_message("SKIP no shared data folder\n");
    skip();
  }
  assert_int_equal(ecrb_names_new(&items), ECRB_OK);
  assert_int_equal(ecrb_names_new(&train), ECRB_OK);
  add_column(train, path, "id");
  for (size_t i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s/data/care/splits/task1/%s_protein_test.csv",
             shared, splits[i]);
    add_column(items, path, "Entry");
    ends[i] = ecrb_names_count(items);
  }
  assert_int_equal(ecrb_names_count(train), 52838);
  assert_int_equal(ends[3], 1349);
  for (size_t i = 0; i < COUNT(cases); i++)
    check_shared(shared, &cases[i], items, train, ends);
  ecrb_names_free(items);
  ecrb_names_free(train);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_and_ties),
      cmocka_unit_test(without_evalues_the_score_orders),
      cmocka_unit_test(ids_are_known_under_their_coats),
      cmocka_unit_test(exact_ids_go_first),
      cmocka_unit_test(the_report_counts),
      cmocka_unit_test(intruders_are_named),
      cmocka_unit_test(limits_are_checked),
      cmocka_unit_test(names_are_numbered),
      cmocka_unit_test(every_failing_allocation_is_told),
      cmocka_unit_test(the_shared_search_output),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
