/* Risk and coverage: ties, missing confidences, and the curve's end. */
#include "unit.h"

#include <string.h>

#include "failing.h"

#define ITEMS 6

typedef struct aurc_case {
  double confidence[ITEMS];
  bool correct[ITEMS];
  size_t n;
  double risk[ITEMS]; /* of the first k */
} aurc_case;

static const aurc_case cases[] = {
    /* mean of prefix risks 1/3; a trapezoid would give 0.2708 */
    {{.9, .8, .7, .6}, {1, 0, 1, 0}, 4, {0, 1 / 2., 1 / 3., 1 / 2.}},
    {{.6, .7, .8, .9}, {0, 1, 0, 1}, 4, {0, 1 / 2., 1 / 3., 1 / 2.}},
    /* a tie shares its mean, in whatever order it stands */
    {{.9, .9}, {1, 0}, 2, {1 / 2., 1 / 2.}},
    {{.9, .9}, {0, 1}, 2, {1 / 2., 1 / 2.}},
    {{.9, .5, .5, .5}, {1, 0, 1, 0}, 4, {0, 1 / 3., 4 / 9., 1 / 2.}},
    {{.5, .5, .9, .5}, {0, 0, 1, 1}, 4, {0, 1 / 3., 4 / 9., 1 / 2.}},
    /* without a confidence: last, as one tie, behind even a 0 */
    {{NAN, .9, NAN}, {1, 1, 0}, 3, {0, 1 / 4., 1 / 3.}},
    {{NAN, NAN}, {1, 0}, 2, {1 / 2., 1 / 2.}},
    {{NAN, 0}, {1, 0}, 2, {1, 1 / 2.}},
    {{.5}, {0}, 1, {1}},
    {{1, .9, .1}, {1, 1, 1}, 3, {0, 0, 0}},
};

static double mean(const double *values, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += values[i];
  return sum / (double)n;
}

static void check_case(const aurc_case *c) {
  const ecrb_confidences items = {c->confidence, c->correct, c->n};
  uint32_t order[ITEMS];
  double risk[ITEMS], harmonic[ITEMS + 1], area;
  ecrb_harmonic(harmonic, c->n);
  ecrb_rank(c->confidence, c->n, order);
  ecrb_risk_curve(&items, order, risk);
  for (size_t k = 0; k < c->n; k++)
    assert_near(risk[k], c->risk[k]);
  assert_int_equal(ecrb_aurc(&items, &area), ECRB_OK);
  assert_near(area, mean(c->risk, c->n));
  assert_near(ecrb_aurc_ranked(&items, order, NULL, harmonic), area);
}

static void curves_and_areas(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(cases); i++)
    check_case(&cases[i]);
  double area = 7;
  assert_int_equal(ecrb_aurc(&(ecrb_confidences){NULL, NULL, 0}, &area),
                   ECRB_OK);
  assert_near(area, 0);
}

static void the_rank_is_descending_and_stable(void **state) {
  (void)state;
  const double confidence[] = {.5, NAN, .9, .5, NAN, 1};
  const uint32_t expected[] = {5, 2, 0, 3, 1, 4};
  uint32_t order[6];
  ecrb_rank(confidence, 6, order);
  assert_memory_equal(order, expected, sizeof order);
}

static void the_curve_ends_at_the_overall_error(void **state) {
  (void)state;
  enum { N = 1349 };
  double confidence[N], risk[N];
  bool correct[N];
  uint32_t order[N];
  const ecrb_confidences items = {confidence, correct, N};
  ecrb_rng rng = ecrb_rng_seed(3);
  size_t wrong = 0;
  for (size_t i = 0; i < N; i++) {
    confidence[i] = ecrb_rng_below(&rng, 11) / 10.0;
    correct[i] = ecrb_rng_below(&rng, 3) > 0;
    wrong += !correct[i];
  }
  ecrb_rank(confidence, N, order);
  ecrb_risk_curve(&items, order, risk);
  assert_near(risk[N - 1], (double)wrong / N);
}

/* The same as writing each item as often as its weight says. */
static void weights_are_multiplicities(void **state) {
  (void)state;
  const double confidence[] = {.9, .5, .7, NAN};
  const bool correct[] = {1, 0, 0, 1};
  const uint32_t weight[] = {2, 1, 0, 3};
  const double all[] = {.9, .9, .5, NAN, NAN, NAN};
  const bool all_correct[] = {1, 1, 0, 1, 1, 1};
  const ecrb_confidences items = {confidence, correct, 4};
  uint32_t order[4];
  double harmonic[7], expected;
  ecrb_harmonic(harmonic, 6);
  ecrb_rank(confidence, 4, order);
  ecrb_aurc(&(ecrb_confidences){all, all_correct, 6}, &expected);
  assert_near(ecrb_aurc_ranked(&items, order, weight, harmonic), expected);
}

static void accuracy_at_a_coverage(void **state) {
  (void)state;
  const double risk[] = {0, 1 / 2., 1 / 3., 1 / 2.};
  const struct {
    double coverage, accuracy;
  } points[] = {{1, 1 / 2.}, {.75, 2 / 3.}, {.5, 1 / 2.},
                {.25, 1},    {.26, 1 / 2.}, {.01, 1}};
  for (size_t i = 0; i < COUNT(points); i++)
    assert_near(ecrb_selective_accuracy(risk, 4, points[i].coverage),
                points[i].accuracy);
  assert_true(isnan(ecrb_selective_accuracy(risk, 4, 0)));
  assert_true(isnan(ecrb_selective_accuracy(risk, 4, 1.01)));
  assert_true(isnan(ecrb_selective_accuracy(risk, 4, NAN)));
  assert_true(isnan(ecrb_selective_accuracy(risk, 0, 1)));
}

/* 0.1 * 30 is 3.0000000000000004 and still three items. */
static void a_coverage_is_read_as_a_decimal(void **state) {
  (void)state;
  double risk[30] = {0};
  risk[3] = 1;
  assert_near(ecrb_selective_accuracy(risk, 30, 0.1), 1);
  assert_near(ecrb_selective_accuracy(risk, 30, 0.11), 0);
}

/* One tie in the middle: part of it carries its mean error. */
static void accuracy_at_a_coverage_without_the_curve(void **state) {
  (void)state;
  const double confidence[] = {.9, .5, .5, NAN, .7};
  const bool correct[] = {1, 1, 0, 0, 0};
  const uint32_t weight[] = {2, 1, 1, 1, 0};
  const ecrb_confidences items = {confidence, correct, 5};
  const struct {
    double coverage, once, weighted;
  } points[] = {
      {.2, 1, 1}, {.4, 1 / 2., 1}, {.6, 1 / 2., 2.5 / 3}, {1, 2 / 5., 3 / 5.}};
  uint32_t order[5];
  ecrb_rank(confidence, 5, order);
  for (size_t i = 0; i < COUNT(points); i++) {
    double at = points[i].coverage;
    assert_near(ecrb_selective_ranked(&items, order, NULL, at), points[i].once);
    assert_near(ecrb_selective_ranked(&items, order, weight, at),
                points[i].weighted);
  }
  assert_true(isnan(ecrb_selective_ranked(&items, order, NULL, 0)));
}

static void memory_may_run_out(void **state) {
  (void)state;
  const ecrb_confidences items = {&(double){.5}, &(bool){true}, 1};
  double area;
  allocations_until_failure = 1;
  assert_int_equal(ecrb_aurc(&items, &area), ECRB_ENOMEM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curves_and_areas),
      cmocka_unit_test(the_rank_is_descending_and_stable),
      cmocka_unit_test(the_curve_ends_at_the_overall_error),
      cmocka_unit_test(weights_are_multiplicities),
      cmocka_unit_test(accuracy_at_a_coverage),
      cmocka_unit_test(a_coverage_is_read_as_a_decimal),
      cmocka_unit_test(accuracy_at_a_coverage_without_the_curve),
      cmocka_unit_test(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
