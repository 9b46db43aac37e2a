/* Comparisons: one that another program worked out, tests with p values from
** the binomial, families, margins. */
#include "unit.h"

#include <string.h>

#include "failing.h"

enum { N = 100 };

/* 12 items only a has right, 4 only b, the others alike. */
static void fill(double a[N], double b[N]) {
  for (int i = 0; i < N; i++) {
    a[i] = i < 12 || i >= 40;
    b[i] = (i >= 12 && i < 16) || i >= 40;
  }
}

static void a_difference_worked_out_elsewhere(void **state) {
  (void)state;
  double a[N], b[N];
  ecrb_difference d;
  fill(a, b);
  assert_int_equal(ecrb_compare(a, b, N, 1000, 1, &d, NULL), ECRB_OK);
  assert_near(d.mean, 0.08);
  assert_near(d.low, 0);
  assert_near(d.high, 0.15);
  assert_near(d.low90, 0.01);
  assert_near(d.high90, 0.14);
  assert_near(d.p, 54 / 1001.);
  assert_near(d.error, 0.039136111651967107);
  assert_near(d.detectable, 0.10964315189860427);
}

static void the_sides_change_the_sign_alone(void **state) {
  (void)state;
  double a[N], b[N];
  ecrb_difference d, e;
  fill(a, b);
  ecrb_compare(a, b, N, 1000, 1, &d, NULL);
  ecrb_compare(b, a, N, 1000, 1, &e, NULL);
  assert_near(e.mean, -d.mean);
  assert_near(e.low, -d.high);
  assert_near(e.high90, -d.low90);
  assert_near(e.p, d.p);
  assert_near(e.error, d.error);
}

static void a_run_does_not_differ_from_itself(void **state) {
  (void)state;
  double a[N], b[N];
  ecrb_difference d;
  fill(a, b);
  ecrb_compare(a, a, N, 200, 1, &d, NULL);
  assert_near(d.mean, 0);
  assert_near(d.p, 1);
  assert_near(d.detectable, 0);
  assert_true(ecrb_equivalent(&d, 0.01));
}

static void p_counts_the_smaller_tail_twice(void **state) {
  (void)state;
  ecrb_difference d;
  double all[] = {3, 1, 2, 4}, one[] = {-1, 1, 2, 3}, half[] = {-1, -2, 2, 3};
  double zeros[] = {1e-17, -1e-17, 0, 0};
  ecrb_difference_of(2.5, all, 4, &d);
  assert_near(d.p, 2 / 5.);
  assert_near(d.error, sqrt(5 / 3.));
  ecrb_difference_of(1.25, one, 4, &d);
  assert_near(d.p, 4 / 5.);
  ecrb_difference_of(.5, half, 4, &d);
  assert_near(d.p, 1);
  ecrb_difference_of(0, zeros, 4, &d);
  assert_near(d.p, 1);
}

static void equivalence_is_inclusion_in_the_margin(void **state) {
  (void)state;
  const ecrb_difference d = {.low90 = -0.02, .high90 = 0.03};
  const ecrb_difference none = {.low90 = NAN, .high90 = NAN};
  assert_true(ecrb_equivalent(&d, 0.031));
  assert_false(ecrb_equivalent(&d, 0.03));
  assert_false(ecrb_equivalent(&d, 0.025));
  assert_false(ecrb_equivalent(&d, 0));
  assert_false(ecrb_equivalent(&none, 1));
}

static const struct mcnemar_case {
  size_t first, second;
  double p, mid;
} flips[] = {
    {0, 0, 1, 1},
    {5, 5, 1, 1},
    {0, 1, 1, 0.5},
    {1, 9, 22 / 1024., 12 / 1024.},
    {9, 1, 22 / 1024., 12 / 1024.},
    {0, 10, 2 / 1024., 1 / 1024.},
    {4, 12, 0.076812744140625, 0.049041748046875},
    {120, 80, 0.0056851559967503055, 0.004660051974640122},
    {3000, 3300, 0.00016475607669748032, 0.00015682250820279716},
    {0, 2000, 0, 0},
};

static void mcnemar_is_exact(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(flips); i++) {
    const struct mcnemar_case *c = &flips[i];
    assert_near(ecrb_mcnemar(c->first, c->second), c->p);
    assert_near(ecrb_mcnemar_mid(c->first, c->second), c->mid);
  }
}

static void holm_steps_down(void **state) {
  (void)state;
  /* sorted .01 .02 .03 .04: times 4 3 2 1, never below the one before */
  double p[] = {.04, .01, .03, .02}, expected[] = {.06, .04, .06, .06};
  double large[] = {.9, .4, .6}, one[] = {.03}, equal[] = {.01, .01};
  assert_int_equal(ecrb_holm(p, 4), ECRB_OK);
  for (int i = 0; i < 4; i++)
    assert_near(p[i], expected[i]);
  assert_int_equal(ecrb_holm(large, 3), ECRB_OK);
  for (int i = 0; i < 3; i++)
    assert_near(large[i], 1);
  assert_int_equal(ecrb_holm(one, 1), ECRB_OK);
  assert_near(one[0], .03);
  assert_int_equal(ecrb_holm(equal, 2), ECRB_OK);
  assert_near(equal[0], .02);
  assert_near(equal[1], .02);
  assert_int_equal(ecrb_holm(NULL, 0), ECRB_OK);
}

static void holm_refuses_what_is_no_p(void **state) {
  (void)state;
  const double bad[] = {-0.1, 1.1, NAN};
  for (size_t i = 0; i < COUNT(bad); i++) {
    double p[] = {.01, bad[i]};
    assert_int_equal(ecrb_holm(p, 2), ECRB_EARG);
    assert_near(p[0], .01);
  }
}

static void no_items_are_no_comparison(void **state) {
  (void)state;
  ecrb_difference d;
  assert_int_equal(ecrb_compare(NULL, NULL, 0, 10, 1, &d, NULL), ECRB_EARG);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  double a[N], b[N];
  ecrb_difference d;
  fill(a, b);
  for (long n = 1; n <= 3; n++) {
    allocations_until_failure = n;
    assert_int_equal(ecrb_compare(a, b, N, 10, 1, &d, NULL), ECRB_ENOMEM);
  }
  allocations_until_failure = 1;
  assert_int_equal(ecrb_holm(a, N), ECRB_ENOMEM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_difference_worked_out_elsewhere),
      cmocka_unit_test(the_sides_change_the_sign_alone),
      cmocka_unit_test(a_run_does_not_differ_from_itself),
      cmocka_unit_test(p_counts_the_smaller_tail_twice),
      cmocka_unit_test(equivalence_is_inclusion_in_the_margin),
      cmocka_unit_test(mcnemar_is_exact),
      cmocka_unit_test(holm_steps_down),
      cmocka_unit_test(holm_refuses_what_is_no_p),
      cmocka_unit_test(no_items_are_no_comparison),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
