/* The bootstrap against resamples written down by another program, and
** against itself done plainly; every statistic sees the same draws. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "failing.h"

/* Seed 1, n = 5: the first four replicates, drawn outside this project. */
static const int drawn[4][5] = {
    {2, 3, 4, 2, 2}, {3, 4, 2, 1, 3}, {2, 3, 2, 2, 2}, {0, 3, 4, 3, 4}};

static void the_generator_is_the_documented_one(void **state) {
  (void)state;
  const double rows[] = {0, 1, 2, 3, 4};
  const double expected[] = {2.6, 2.6, 2.2, 2.8};
  double out[4];
  assert_int_equal(ecrb_bootstrap(rows, 5, 1, 4, 1, out, NULL), ECRB_OK);
  for (int r = 0; r < 4; r++)
    assert_true(out[r] == expected[r]);
}

static void resamples_are_the_same_draws(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(1);
  for (int r = 0; r < 4; r++) {
    uint32_t weight[5], expected[5] = {0};
    for (int i = 0; i < 5; i++)
      expected[drawn[r][i]]++;
    ecrb_resample(&rng, weight, 5);
    assert_memory_equal(weight, expected, sizeof weight);
  }
}

enum { N = 301, REPLICATES = 21, COLUMNS_MAX = 27 };

static void plain_bootstrap(const double *rows, size_t columns, double *out) {
  ecrb_rng rng = ecrb_rng_seed(9);
  for (int r = 0; r < REPLICATES; r++) {
    double sum[COLUMNS_MAX] = {0};
    for (int i = 0; i < N; i++) {
      size_t row = ((ecrb_rng_next(&rng) >> 32) * N) >> 32;
      for (size_t c = 0; c < columns; c++)
        sum[c] += rows[row * columns + c];
    }
    for (size_t c = 0; c < columns; c++)
      *out++ = sum[c] / N;
  }
}

static double weighted_sum(const void *data, const uint32_t *weight) {
  const double *value = data;
  double sum = 0;
  for (int i = 0; i < 5; i++)
    sum += value[i] * weight[i];
  return sum;
}

static void kept_draws_are_the_same_draws(void **state) {
  (void)state;
  const double rows[] = {0, 1, 2, 3, 4};
  double means[4], kept[4], sums[4], kept_sums[4];
  ecrb_draws *draws;
  assert_int_equal(ecrb_draws_new(5, 4, 1, &draws, NULL), ECRB_OK);
  assert_int_equal(ecrb_bootstrap(rows, 5, 1, 4, 1, means, NULL), ECRB_OK);
  assert_int_equal(ecrb_draws_means(draws, rows, 1, kept, NULL), ECRB_OK);
  assert_memory_equal(kept, means, sizeof means);
  assert_int_equal(ecrb_bootstrap_statistic(weighted_sum, rows, 5, 4, 1, sums,
                                            NULL),
                   ECRB_OK);
  ecrb_draws_statistic(draws, weighted_sum, rows, kept_sums);
  assert_memory_equal(kept_sums, sums, sizeof sums);
  ecrb_draws_free(draws);
}

static void check_every_width(const double *rows) {
  double ours[REPLICATES * COLUMNS_MAX], plain[REPLICATES * COLUMNS_MAX];
  double kept[REPLICATES * COLUMNS_MAX];
  ecrb_draws *draws;
  ecrb_draws_new(N, REPLICATES, 9, &draws, NULL);
  for (size_t columns = 0; columns <= COLUMNS_MAX; columns++) {
    size_t bytes = REPLICATES * columns * sizeof *ours;
    ecrb_bootstrap(rows, N, columns, REPLICATES, 9, ours, NULL);
    ecrb_draws_means(draws, rows, columns, kept, NULL);
    plain_bootstrap(rows, columns, plain);
    assert_memory_equal(ours, plain, bytes);
    assert_memory_equal(kept, plain, bytes);
  }
  ecrb_draws_free(draws);
}

/* To the last bit, for every width: one draw serves all columns, whether they
** hold numbers, or yes and no. */
static void every_width_equals_the_plain_way(void **state) {
  (void)state;
  static double numbers[N * COLUMNS_MAX], bits[N * COLUMNS_MAX];
  ecrb_rng rng = ecrb_rng_seed(5);
  for (size_t i = 0; i < COUNT(numbers); i++) {
    numbers[i] = ecrb_rng_unit(&rng) - 0.3;
    bits[i] = ecrb_rng_below(&rng, 4) > 0;
  }
  check_every_width(numbers);
  check_every_width(bits);
}

static void columns_of_both_kinds_stand_side_by_side(void **state) {
  (void)state;
  static double rows[N * COLUMNS_MAX];
  double ours[REPLICATES * COLUMNS_MAX], plain[REPLICATES * COLUMNS_MAX];
  ecrb_rng rng = ecrb_rng_seed(6);
  for (size_t i = 0; i < COUNT(rows); i++)
    rows[i] = i % COLUMNS_MAX % 5 < 3 ? (double)ecrb_rng_below(&rng, 2)
                                      : ecrb_rng_unit(&rng);
  ecrb_bootstrap(rows, N, COLUMNS_MAX, REPLICATES, 9, ours, NULL);
  plain_bootstrap(rows, COLUMNS_MAX, plain);
  assert_memory_equal(ours, plain, sizeof ours);
}

static void differences_are_paired(void **state) {
  (void)state;
  double rows[100][3], out[50][3];
  for (int i = 0; i < 100; i++) {
    rows[i][0] = i % 2;
    rows[i][1] = 1 - i % 2;
    rows[i][2] = rows[i][0] + rows[i][1];
  }
  ecrb_bootstrap(&rows[0][0], 100, 3, 50, 1, &out[0][0], NULL);
  for (int r = 0; r < 50; r++)
    assert_near(out[r][2], 1);
}

/* The interval of the mean of 0..99 holds 49.5: a quantile is a share. */
static void the_interval_holds_the_mean(void **state) {
  (void)state;
  double rows[100], out[1000], low, high;
  for (int i = 0; i < 100; i++)
    rows[i] = i;
  ecrb_bootstrap(rows, 100, 1, 1000, 1, out, NULL);
  ecrb_interval(out, 1000, 0.95, &low, &high);
  assert_near(low, 43.92825);
  assert_near(high, 55.37125);
}

/* 148 of 148 right: no width at all, which is why Wilson stands beside. */
static void a_perfect_score_has_no_width(void **state) {
  (void)state;
  double rows[148], out[1000], low, high;
  for (int i = 0; i < 148; i++)
    rows[i] = 1;
  ecrb_bootstrap(rows, 148, 1, 1000, 1, out, NULL);
  ecrb_interval(out, 1000, 0.95, &low, &high);
  assert_true(low == 1 && high == 1);
}

static double weighted_mean(const void *data, const uint32_t *weight) {
  const double *rows = data;
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += weight[i] * rows[i];
  return sum / N;
}

static void any_statistic_sees_the_same_draws(void **state) {
  (void)state;
  double rows[N], means[REPLICATES], statistics[REPLICATES];
  for (int i = 0; i < N; i++)
    rows[i] = i;
  ecrb_bootstrap(rows, N, 1, REPLICATES, 3, means, NULL);
  assert_int_equal(ecrb_bootstrap_statistic(weighted_mean, rows, N, REPLICATES,
                                            3, statistics, NULL),
                   ECRB_OK);
  for (int r = 0; r < REPLICATES; r++)
    assert_near(statistics[r], means[r]);
}

static void no_items_are_refused(void **state) {
  (void)state;
  double out[3] = {0};
  ecrb_err err;
  assert_int_equal(ecrb_bootstrap(out, 0, 1, 3, 1, out, &err), ECRB_EARG);
  assert_string_equal(err.msg, "bootstrap: 0 items; it needs 1 to 4294967295");
  assert_int_equal(
      ecrb_bootstrap_statistic(weighted_mean, NULL, 0, 3, 1, out, NULL),
      ECRB_EARG);
#if SIZE_MAX > UINT32_MAX
  assert_int_equal(
      ecrb_bootstrap(out, (size_t)UINT32_MAX + 1, 1, 3, 1, out, NULL),
      ECRB_EARG);
#endif
}

/* Items that share rows, drawn and kept, to the last bit as if each had its own. */
static void shared_rows_change_nothing(void **state) {
  (void)state;
  enum { ROWS = 3, COLUMNS = 3 };
  const double rows[ROWS * COLUMNS] = {1 / 3., 1, 0.1, 0.7, 0, 5, 1 / 7., 1, 0};
  double own[N * COLUMNS], plain[REPLICATES * COLUMNS];
  double ours[REPLICATES * COLUMNS], kept[REPLICATES * COLUMNS];
  uint32_t row_of[N];
  for (uint32_t i = 0; i < N; i++) {
    row_of[i] = i * i % ROWS;
    memcpy(own + i * COLUMNS, rows + row_of[i] * COLUMNS,
           COLUMNS * sizeof *own);
  }
  const ecrb_sample items = {rows, ROWS, row_of, N, COLUMNS};
  ecrb_draws *draws;
  ecrb_draws_new(N, REPLICATES, 9, &draws, NULL);
  ecrb_bootstrap(own, N, COLUMNS, REPLICATES, 9, plain, NULL);
  ecrb_bootstrap_sample(&items, REPLICATES, 9, ours, NULL);
  ecrb_draws_sample(draws, &items, kept, NULL);
  assert_memory_equal(ours, plain, sizeof plain);
  assert_memory_equal(kept, plain, sizeof plain);
  for (int which = 1; which <= 4; which++) {
    allocations_until_failure = which;
    assert_int_equal(ecrb_draws_sample(draws, &items, kept, NULL),
                     ECRB_ENOMEM);
  }
  allocations_until_failure = 0;
  ecrb_draws_free(draws);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  double rows[N] = {0}, out[1];
  ecrb_err err;
  for (long n = 1; n <= 2; n++) {
    allocations_until_failure = n;
    assert_int_equal(ecrb_bootstrap(rows, N, 1, 1, 1, out, &err), ECRB_ENOMEM);
    assert_string_equal(err.msg, "no memory for the bootstrap");
  }
  allocations_until_failure = 1;
  assert_int_equal(
      ecrb_bootstrap_statistic(weighted_mean, rows, N, 1, 1, out, NULL),
      ECRB_ENOMEM);
  for (int which = 1; which <= 3; which++) {
    ecrb_draws *draws;
    allocations_until_failure = which;
    assert_int_equal(ecrb_draws_new(N, 1, 1, &draws, &err), ECRB_ENOMEM);
    assert_null(draws);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_generator_is_the_documented_one),
      cmocka_unit_test(resamples_are_the_same_draws),
      cmocka_unit_test(kept_draws_are_the_same_draws),
      cmocka_unit_test(every_width_equals_the_plain_way),
      cmocka_unit_test(shared_rows_change_nothing),
      cmocka_unit_test(columns_of_both_kinds_stand_side_by_side),
      cmocka_unit_test(differences_are_paired),
      cmocka_unit_test(the_interval_holds_the_mean),
      cmocka_unit_test(a_perfect_score_has_no_width),
      cmocka_unit_test(any_statistic_sees_the_same_draws),
      cmocka_unit_test(no_items_are_refused),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
