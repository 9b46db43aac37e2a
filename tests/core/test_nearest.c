/* Nearest vectors against a plain look at every pair; near ties, doubles,
** vectors without a direction, blocks; the same bits with and without
** OpenBLAS. The shortlist by itself. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "ecrb_import.h"
#include "failing.h"
#include "folder.h"
#include "shortlist.h"
#include "vectors.h"

#define BEST_MAX 8192

/* {====================================================================
** Vectors, and what a plain look finds
** ===================================================================== */

typedef struct set {
  float *at;
  size_t rows, columns;
} set;

static set set_random(ecrb_rng *rng, size_t rows, size_t columns) {
  set made = {calloc(rows * columns, sizeof(float)), rows, columns};
  assert_non_null(made.at);
  for (size_t i = 0; i < rows * columns; i++)
    made.at[i] = (float)(ecrb_rng_unit(rng) - 0.5);
  return made;
}

static double cosine(const float *a, const float *b, size_t n) {
  double dot = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < n; i++) {
    dot += (double)a[i] * (double)b[i];
    aa += (double)a[i] * (double)a[i];
    bb += (double)b[i] * (double)b[i];
  }
  return aa > 0 && bb > 0 ? dot / (sqrt(aa) * sqrt(bb)) : 0;
}

static int descending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* }==================================================================== */

/* {====================================================================
** Two sets, as files when they are searched
** ===================================================================== */

typedef struct pair {
  set queries, references;
  folder in;
  ecrb_npy *query, *reference;
} pair;

static pair pair_random(uint64_t seed, size_t queries, size_t references,
                        size_t columns) {
  ecrb_rng rng = ecrb_rng_seed(seed);
  pair made = {.queries = set_random(&rng, queries, columns)};
  made.references = set_random(&rng, references, columns);
  return made;
}

static void pair_free(const pair *of) {
  free(of->queries.at);
  free(of->references.at);
}

static ecrb_npy *file_of(const pair *of, const char *name, const set *rows) {
  char path[300];
  ecrb_npy *npy;
  ecrb_err err;
  snprintf(path, sizeof path, "%s/%s", of->in.path, name);
  assert_true(vectors_write(path, "<f4", rows->at, rows->rows, rows->columns));
  assert_int_equal(ecrb_npy_open(path, &npy, &err), ECRB_OK);
  return npy;
}

static void pair_open(pair *of) {
  of->in = folder_new();
  of->query = file_of(of, "q.npy", &of->queries);
  of->reference = file_of(of, "r.npy", &of->references);
}

static void pair_close(pair *of) {
  ecrb_npy_close(of->query);
  ecrb_npy_close(of->reference);
  folder_remove_file(&of->in, "q.npy");
  folder_remove_file(&of->in, "r.npy");
  folder_free(&of->in);
}

static ecrb_nearest *search_open(const pair *of, size_t k, bool plain) {
  ecrb_nearest *search;
  ecrb_err err;
  assert_int_equal(
      ecrb_nearest_open(of->query, of->reference, k, plain, &search, &err),
      ECRB_OK);
  return search;
}

/* What a query got: descending, each cosine right, none of the best missed. */
static void check_query(const set *queries, const set *references, size_t q,
                        const ecrb_neighbour *best, size_t n) {
  static double all[BEST_MAX];
  size_t width = queries->columns;
  const float *asked = queries->at + q * width;
  for (size_t r = 0; r < references->rows; r++)
    all[r] = cosine(asked, references->at + r * width, width);
  for (size_t i = 0; i < n; i++) {
    assert_near(best[i].cosine, all[best[i].row]);
    if (i > 0)
      assert_true(best[i - 1].cosine > best[i].cosine ||
                  (best[i - 1].cosine == best[i].cosine &&
                   best[i - 1].row < best[i].row));
  }
  qsort(all, references->rows, sizeof *all, descending);
  for (size_t i = 0; i < n; i++)
    assert_near(best[i].cosine, all[i]);
}

static ecrb_nearest_report check_search(pair *of, size_t k, bool plain) {
  size_t n, most = k < of->references.rows ? k : of->references.rows;
  const ecrb_neighbour *best;
  ecrb_err err;
  pair_open(of);
  ecrb_nearest *search = search_open(of, k, plain);
  for (size_t q = 0; q < of->queries.rows; q++) {
    assert_int_equal(ecrb_nearest_next(search, &best, &n, &err), ECRB_OK);
    assert_int_equal(n, most);
    check_query(&of->queries, &of->references, q, best, n);
  }
  assert_int_equal(ecrb_nearest_next(search, &best, &n, &err), ECRB_ENONE);
  ecrb_nearest_report report = ecrb_nearest_summary(search);
  ecrb_nearest_close(search);
  pair_close(of);
  return report;
}

/* }==================================================================== */

static void the_nearest_are_found(void **state) {
  (void)state;
  const size_t widths[] = {1, 3, 8, 33, 100};
  for (size_t i = 0; i < COUNT(widths); i++) {
    pair of = pair_random(1, 20, 3000, widths[i]);
    for (int plain = 0; plain <= 1; plain++)
      check_search(&of, 7, plain);
    pair_free(&of);
  }
}

static void blocks_join_without_a_seam(void **state) {
  (void)state;
  pair of = pair_random(2, 1100, 2100, 9);
  check_search(&of, 3, false);
  pair_free(&of);
}

static void all_can_be_asked_for(void **state) {
  (void)state;
  pair of = pair_random(3, 5, 2500, 6);
  memset(of.references.at + 6, 0, 6 * sizeof(float));
  assert_int_equal(check_search(&of, 2500, false).zero_references, 1);
  check_search(&of, 99999, false);
  check_search(&of, 2499, false);
  pair_free(&of);
}

/* Doubles of one vector are as near as each other, in the file's order, and
** more of them than a shortlist holds send the query through all again. */
static void doubles_come_by_row(void **state) {
  (void)state;
  pair of = pair_random(4, 3, 4000, 5);
  float *asked = of.queries.at, *at = of.references.at;
  for (size_t r = 100; r < 3900; r++)
    memcpy(at + r * 5, asked, 5 * sizeof *at);
  assert_true(check_search(&of, 4, false).again >= 1);
  for (size_t r = 100; r < 110; r++)
    memcpy(at + r * 5, asked + 5, 5 * sizeof *at);
  check_search(&of, 4, true);
  pair_free(&of);
}

/* Lengths say nothing, and the last bits of a cosine decide. */
static void near_ties_are_told_apart(void **state) {
  (void)state;
  pair of = pair_random(5, 4, 900, 64);
  for (size_t r = 0; r < 900; r++) {
    float length = (float)(1 + r % 7) * 1e-3f;
    float *row = of.references.at + r * 64;
    for (size_t c = 0; c < 64; c++)
      row[c] = of.queries.at[c] * length;
    row[r % 64] += (float)r * 1e-8f * length;
  }
  for (int plain = 0; plain <= 1; plain++)
    check_search(&of, 10, plain);
  pair_free(&of);
}

static void large_and_small_numbers_have_a_direction(void **state) {
  (void)state;
  pair of = pair_random(6, 2, 50, 10);
  for (size_t c = 0; c < 10; c++) {
    of.queries.at[c] *= 1e38f;
    of.references.at[c] *= 1e-40f;
    of.references.at[10 + c] *= 1e38f;
  }
  check_search(&of, 5, false);
  pair_free(&of);
}

static void zeros_are_counted_and_have_cosine_0(void **state) {
  (void)state;
  pair of = pair_random(7, 3, 30, 4);
  memset(of.queries.at + 4, 0, 4 * sizeof(float));
  memset(of.references.at + 8, 0, 8 * sizeof(float));
  ecrb_nearest_report report = check_search(&of, 6, false);
  assert_int_equal(report.zero_queries, 1);
  assert_int_equal(report.zero_references, 2);
  pair_free(&of);
}

static void check_same(ecrb_nearest *one, ecrb_nearest *other) {
  const ecrb_neighbour *a, *b;
  ecrb_err err;
  size_t n, m;
  assert_int_equal(ecrb_nearest_next(one, &a, &n, &err), ECRB_OK);
  assert_int_equal(ecrb_nearest_next(other, &b, &m, &err), ECRB_OK);
  assert_int_equal(n, m);
  for (size_t i = 0; i < n; i++)
    assert_true(a[i].row == b[i].row && a[i].cosine == b[i].cosine);
}

static void both_ways_give_the_same_bits(void **state) {
  (void)state;
  pair of = pair_random(8, 30, 2000, 70);
  pair_open(&of);
  ecrb_nearest *blas = search_open(&of, 12, false);
  ecrb_nearest *plain = search_open(&of, 12, true);
  assert_false(ecrb_nearest_summary(plain).blas);
  for (size_t q = 0; q < of.queries.rows; q++)
    check_same(blas, plain);
  ecrb_nearest_close(blas);
  ecrb_nearest_close(plain);
  pair_close(&of);
  pair_free(&of);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  pair of = pair_random(9, 2, 5, 4);
  ecrb_nearest *search;
  ecrb_err err;
  of.references.columns = 3;
  pair_open(&of);
  assert_int_equal(
      ecrb_nearest_open(of.query, of.reference, 1, false, &search, &err),
      ECRB_EFORMAT);
  assert_null(search);
  assert_non_null(strstr(err.msg, "q.npy: its vectors have 4 numbers"));
  assert_int_equal(
      ecrb_nearest_open(of.query, of.query, 0, false, &search, &err),
      ECRB_EARG);
  pair_close(&of);
  pair_free(&of);
}

static void a_failure_ends_the_search(void **state) {
  (void)state;
  pair of = pair_random(10, 2, 5, 4);
  const ecrb_neighbour *best;
  ecrb_err err;
  size_t n;
  of.references.at[9] = NAN;
  pair_open(&of);
  ecrb_nearest *search = search_open(&of, 2, false);
  assert_int_equal(ecrb_nearest_next(search, &best, &n, &err), ECRB_EFORMAT);
  assert_non_null(strstr(err.msg, "r.npy: row 2, column 1"));
  assert_int_equal(ecrb_nearest_next(search, &best, &n, &err), ECRB_EARG);
  ecrb_nearest_close(search);
  pair_close(&of);
  pair_free(&of);
}

static int open_and_search(const char *query, const char *reference) {
  ecrb_nearest *search = NULL;
  ecrb_npy *q = NULL, *r = NULL;
  ecrb_err err;
  int status = ecrb_npy_open(query, &q, &err);
  assert_true((status == ECRB_OK) == (q != NULL));
  if (status == ECRB_OK)
    status = ecrb_npy_open(reference, &r, &err);
  if (status == ECRB_OK)
    status = ecrb_nearest_open(q, r, 1, true, &search, &err);
  assert_true((status == ECRB_OK) == (search != NULL));
  ecrb_nearest_close(search);
  ecrb_npy_close(r);
  ecrb_npy_close(q);
  return status;
}

static void memory_can_run_out(void **state) {
  (void)state;
  pair of = pair_random(11, 2, 3, 4);
  int failures = 0, status = ECRB_ENOMEM;
  pair_open(&of);
  while (status == ECRB_ENOMEM) {
    allocations_until_failure = failures + 1;
    status =
        open_and_search(ecrb_npy_path(of.query), ecrb_npy_path(of.reference));
    allocations_until_failure = 0;
    failures += status == ECRB_ENOMEM;
  }
  assert_int_equal(status, ECRB_OK);
  assert_in_range(failures, 10, 40);
  pair_close(&of);
  pair_free(&of);
}

static void the_shortlist_keeps_what_is_in_question(void **state) {
  (void)state;
  const float scores[] = {0.5f, 0.9f, 0.1f, 0.89f, 0.88f,
                          0.2f, 0.7f, 0.9f, 0.3f,  0.79f};
  ecrb_scored memory[6];
  ecrb_shortlist list;
  ecrb_shortlist_init(&list, memory, COUNT(memory), 3, 0.1f);
  ecrb_shortlist_add(&list, scores, COUNT(scores), 40);
  ecrb_shortlist_finish(&list);
  assert_false(list.overflow);
  const uint32_t rows[] = {41, 43, 44, 47, 49};
  assert_int_equal(list.n, COUNT(rows));
  for (size_t i = 0; i < list.n; i++)
    assert_int_equal(memory[i].row, rows[i]);
}

static void the_shortlist_knows_when_it_is_too_short(void **state) {
  (void)state;
  float scores[100];
  ecrb_scored memory[32];
  ecrb_shortlist list;
  for (size_t i = 0; i < COUNT(scores); i++)
    scores[i] = 0.25f;
  ecrb_shortlist_init(&list, memory, COUNT(memory), 4, 1e-6f);
  ecrb_shortlist_add(&list, scores, COUNT(scores), 0);
  assert_true(list.overflow);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_are_found),
      cmocka_unit_test(blocks_join_without_a_seam),
      cmocka_unit_test(all_can_be_asked_for),
      cmocka_unit_test(doubles_come_by_row),
      cmocka_unit_test(near_ties_are_told_apart),
      cmocka_unit_test(large_and_small_numbers_have_a_direction),
      cmocka_unit_test(zeros_are_counted_and_have_cosine_0),
      cmocka_unit_test(both_ways_give_the_same_bits),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(a_failure_ends_the_search),
      cmocka_unit_test(memory_can_run_out),
      cmocka_unit_test(the_shortlist_keeps_what_is_in_question),
      cmocka_unit_test(the_shortlist_knows_when_it_is_too_short),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
