/* Quantiles of type 7 and Wilson's interval. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void quantiles(void **state) {
  (void)state;
  const double sample[] = {4, 1, 3, 2};
  const struct {
    double p, expected;
  } cases[] = {{0, 1},     {1, 4},      {0.5, 2.5},    {0.25, 1.75},
               {0.1, 1.3}, {1 / 3., 2}, {0.975, 3.925}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double values[4];
    memcpy(values, sample, sizeof values);
    assert_near(ecrb_quantile(values, 4, cases[i].p), cases[i].expected);
  }
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Every place of samples with few and with many ties. */
static void a_quantile_is_what_sorting_puts_there(void **state) {
  (void)state;
  enum { N = 61 };
  for (uint32_t kinds = 1; kinds <= 64; kinds *= 2) {
    double sorted[N], values[N];
    ecrb_rng rng = ecrb_rng_seed(kinds);
    for (int i = 0; i < N; i++)
      sorted[i] = ecrb_rng_below(&rng, kinds);
    memcpy(values, sorted, sizeof values);
    qsort(sorted, N, sizeof *sorted, ascending);
    for (int place = 0; place < N; place++)
      assert_near(ecrb_quantile(values, N, place / (N - 1.)), sorted[place]);
  }
}

static void quantiles_at_the_limits(void **state) {
  (void)state;
  double one = 7, with_nan[] = {NAN, 2, 1};
  assert_near(ecrb_quantile(&one, 1, 0.975), 7);
  assert_true(isnan(ecrb_quantile(&one, 0, 0.5)));
  /* shares, not percent */
  assert_true(isnan(ecrb_quantile(&one, 1, 97.5)));
  assert_true(isnan(ecrb_quantile(&one, 1, -0.1)));
  assert_true(isnan(ecrb_quantile(&one, 1, NAN)));
  assert_near(ecrb_quantile(with_nan, 3, 0.5), 2);
  assert_true(isnan(with_nan[2]));
}

static void intervals_are_central(void **state) {
  (void)state;
  double values[101], low, high;
  for (int i = 0; i <= 100; i++)
    values[i] = (i * 37) % 101;
  ecrb_interval(values, 101, 0.95, &low, &high);
  assert_near(low, 2.5);
  assert_near(high, 97.5);
  ecrb_interval(values, 101, 0.90, &low, &high);
  assert_near(low, 5);
  assert_near(high, 95);
}

static void wilson(void **state) {
  (void)state;
  const struct {
    size_t hits, n;
    double low, high;
  } cases[] = {{148, 148, 0.9747008567322154, 1},
               {0, 148, 0, 0.025299143267784395},
               {5, 10, 0.236593090512564, 0.763406909487436},
               {0, 0, 0, 1}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double low, high;
    ecrb_wilson(cases[i].hits, cases[i].n, &low, &high);
    assert_near(low, cases[i].low);
    assert_near(high, cases[i].high);
    assert_true(low >= 0 && high <= 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantiles),
      cmocka_unit_test(a_quantile_is_what_sorting_puts_there),
      cmocka_unit_test(quantiles_at_the_limits),
      cmocka_unit_test(intervals_are_central),
      cmocka_unit_test(wilson),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
