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

static set set_new(size_t rows, size_t columns) {
  set made = {calloc(rows * columns, sizeof(float)), rows, columns};
  assert_non_null(made.at);
  return made;
}

static set set_random(ecrb_rng *rng, size_t rows, size_t columns) {
  set made = set_new(rows, columns);
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
** Two sets as files, and a search through them
** ===================================================================== */

typedef struct pair {
  folder in;
  char queries[300], references[300];
  ecrb_npy *query, *reference;
} pair;

static void pair_open(pair *of, const set *queries, const set *references) {
  ecrb_err err;
  of->in = folder_new();
  snprintf(of->queries, sizeof of->queries, "%s/q.npy", of->in.path);
  snprintf(of->references, sizeof of->references, "%s/r.npy", of->in.path);
  assert_true(vectors_write(of->queries, "<f4", queries->at, queries->rows,
                            queries->columns));
  assert_true(vectors_write(of->references, "<f4", references->at,
                            references->rows, references->columns));
  assert_int_equal(ecrb_npy_open(of->queries, &of->query, &err), ECRB_OK);
  assert_int_equal(ecrb_npy_open(of->references, &of->reference, &err),
                   ECRB_OK);
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

static ecrb_nearest_report
check_search(const set *queries, const set *references, size_t k, bool plain) {
  const ecrb_neighbour *best;
  ecrb_err err;
  size_t n;
  pair of;
  pair_open(&of, queries, references);
  ecrb_nearest *search = search_open(&of, k, plain);
  for (size_t q = 0; q < queries->rows; q++) {
    assert_int_equal(ecrb_nearest_next(search, &best, &n, &err), ECRB_OK);
    assert_int_equal(n, k < references->rows ? k : references->rows);
    check_query(queries, references, q, best, n);
  }
  assert_int_equal(ecrb_nearest_next(search, &best, &n, &err), ECRB_ENONE);
  ecrb_nearest_report report = ecrb_nearest_summary(search);
  ecrb_nearest_close(search);
  pair_close(&of);
  return report;
}

/* }==================================================================== */

static void the_nearest_are_found(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(1);
  const size_t widths[] = {1, 3, 8, 33, 100};
  for (size_t i = 0; i < COUNT(widths); i++) {
    set queries = set_random(&rng, 20, widths[i]);
    set references = set_random(&rng, 3000, widths[i]);
    for (int plain = 0; plain <= 1; plain++)
      check_search(&queries, &references, 7, plain);
    free(queries.at);
    free(references.at);
  }
}

static void blocks_join_without_a_seam(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(2);
  set queries = set_random(&rng, 1100, 9);
  set references = set_random(&rng, 2100, 9);
  check_search(&queries, &references, 3, false);
  free(queries.at);
  free(references.at);
}

static void all_can_be_asked_for(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(3);
  set queries = set_random(&rng, 5, 6);
  set references = set_random(&rng, 2500, 6);
  memset(references.at + 6, 0, 6 * sizeof(float));
  assert_int_equal(
      check_search(&queries, &references, 2500, false).zero_references, 1);
  check_search(&queries, &references, 99999, false);
  check_search(&queries, &references, 2499, false);
  free(queries.at);
  free(references.at);
}

/* Doubles of one vector are as near as each other, in the file's order, and
** more of them than a shortlist holds send the query through all again. */
static void doubles_come_by_row(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(4);
  set queries = set_random(&rng, 3, 5);
  set references = set_random(&rng, 4000, 5);
  for (size_t r = 100; r < 3900; r++)
    memcpy(references.at + r * 5, queries.at, 5 * sizeof(float));
  ecrb_nearest_report report = check_search(&queries, &references, 4, false);
  assert_true(report.again >= 1);
  for (size_t r = 100; r < 110; r++)
    memcpy(references.at + r * 5, queries.at + 5, 5 * sizeof(float));
  check_search(&queries, &references, 4, true);
  free(queries.at);
  free(references.at);
}

/* Lengths say nothing, and the last bits of a cosine decide. */
static void near_ties_are_told_apart(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(5);
  set queries = set_random(&rng, 4, 64);
  set references = set_new(900, 64);
  for (size_t r = 0; r < 900; r++) {
    float length = (float)(1 + r % 7) * 1e-3f;
    for (size_t c = 0; c < 64; c++)
      references.at[r * 64 + c] = queries.at[c] * length;
    references.at[r * 64 + r % 64] += (float)r * 1e-8f * length;
  }
  for (int plain = 0; plain <= 1; plain++)
    check_search(&queries, &references, 10, plain);
  free(queries.at);
  free(references.at);
}

static void large_and_small_numbers_have_a_direction(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(6);
  set queries = set_random(&rng, 2, 10);
  set references = set_random(&rng, 50, 10);
  for (size_t c = 0; c < 10; c++) {
    queries.at[c] *= 1e38f;
    references.at[c] *= 1e-40f;
    references.at[10 + c] *= 1e38f;
  }
  check_search(&queries, &references, 5, false);
  free(queries.at);
  free(references.at);
}

static void zeros_are_counted_and_have_cosine_0(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(7);
  set queries = set_random(&rng, 3, 4);
  set references = set_random(&rng, 30, 4);
  memset(queries.at + 4, 0, 4 * sizeof(float));
  memset(references.at + 8, 0, 8 * sizeof(float));
  ecrb_nearest_report report = check_search(&queries, &references, 6, false);
  assert_int_equal(report.zero_queries, 1);
  assert_int_equal(report.zero_references, 2);
  free(queries.at);
  free(references.at);
}

static void both_ways_give_the_same_bits(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(8);
  set queries = set_random(&rng, 30, 70);
  set references = set_random(&rng, 2000, 70);
  pair of;
  ecrb_err err;
  pair_open(&of, &queries, &references);
  ecrb_nearest *blas = search_open(&of, 12, false);
  ecrb_nearest *plain = search_open(&of, 12, true);
  assert_false(ecrb_nearest_summary(plain).blas);
  for (size_t q = 0; q < queries.rows; q++) {
    const ecrb_neighbour *a, *b;
    size_t n, m;
    assert_int_equal(ecrb_nearest_next(blas, &a, &n, &err), ECRB_OK);
    assert_int_equal(ecrb_nearest_next(plain, &b, &m, &err), ECRB_OK);
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++)
      assert_true(a[i].row == b[i].row && a[i].cosine == b[i].cosine);
  }
  ecrb_nearest_close(blas);
  ecrb_nearest_close(plain);
  pair_close(&of);
  free(queries.at);
  free(references.at);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(9);
  set queries = set_random(&rng, 2, 4);
  set references = set_random(&rng, 5, 3);
  ecrb_nearest *search;
  ecrb_err err;
  pair of;
  pair_open(&of, &queries, &references);
  assert_int_equal(
      ecrb_nearest_open(of.query, of.reference, 1, false, &search, &err),
      ECRB_EFORMAT);
  assert_null(search);
  assert_non_null(strstr(err.msg, "q.npy: its vectors have 4 numbers"));
  assert_int_equal(
      ecrb_nearest_open(of.query, of.query, 0, false, &search, &err),
      ECRB_EARG);
  pair_close(&of);
  free(queries.at);
  free(references.at);
}

static void a_failure_ends_the_search(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(10);
  set queries = set_random(&rng, 2, 4);
  set references = set_random(&rng, 5, 4);
  const ecrb_neighbour *best;
  ecrb_err err;
  size_t n;
  pair of;
  references.at[9] = NAN;
  pair_open(&of, &queries, &references);
  ecrb_nearest *search = search_open(&of, 2, false);
  assert_int_equal(ecrb_nearest_next(search, &best, &n, &err), ECRB_EFORMAT);
  assert_non_null(strstr(err.msg, "r.npy: row 2, column 1"));
  assert_int_equal(ecrb_nearest_next(search, &best, &n, &err), ECRB_EARG);
  ecrb_nearest_close(search);
  pair_close(&of);
  free(queries.at);
  free(references.at);
}

static void memory_can_run_out(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(11);
  set queries = set_random(&rng, 2, 4);
  ecrb_nearest *search = NULL;
  ecrb_npy *npy = NULL;
  ecrb_err err;
  pair of;
  needs_failing_allocations();
  pair_open(&of, &queries, &queries);
  for (long n = 1; n <= 2; n++) {
    allocations_until_failure = n;
    assert_int_equal(ecrb_npy_open(of.queries, &npy, &err), ECRB_ENOMEM);
    assert_null(npy);
  }
  for (long n = 1; n <= 8; n++) {
    allocations_until_failure = n;
    assert_int_equal(
        ecrb_nearest_open(of.query, of.reference, 1, true, &search, &err),
        ECRB_ENOMEM);
    assert_null(search);
  }
  allocations_until_failure = 0;
  pair_close(&of);
  free(queries.at);
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
