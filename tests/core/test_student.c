/* Student's t, against the tables of textbooks. */
#include "unit.h"

static const struct {
  double df, five, one; /* critical values at 5% and 1%, two-sided */
} table[] = {
    {1, 12.706204736, 63.656741162}, {2, 4.302652730, 9.924843201},
    {4, 2.776445105, 4.604094871},   {10, 2.228138852, 3.169272673},
    {30, 2.042272456, 2.749995654},  {1e9, 1.959963985, 2.575829304},
};

static void near_enough(double a, double b) {
  assert_true(fabs(a - b) < 1e-7 * fmax(1, fabs(b)));
}

static void critical_values(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(table); i++) {
    near_enough(ecrb_student_critical(0.05, table[i].df), table[i].five);
    near_enough(ecrb_student_critical(0.01, table[i].df), table[i].one);
  }
}

static void tails(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(table); i++) {
    near_enough(ecrb_student_p(table[i].five, table[i].df), 0.05);
    near_enough(ecrb_student_p(-table[i].one, table[i].df), 0.01);
  }
  /* One degree of freedom is Cauchy's: p = 1 - 2 atan(t) / pi. */
  near_enough(ecrb_student_p(1, 1), 0.5);
  near_enough(ecrb_student_p(3, 1.5), 0.13354775425); /* by Simpson's rule */
}

static void limits(void **state) {
  (void)state;
  assert_near(ecrb_student_p(0, 3), 1);
  assert_near(ecrb_student_p(INFINITY, 3), 0);
  assert_true(isnan(ecrb_student_p(NAN, 3)));
  assert_true(isnan(ecrb_student_p(1, 0)));
  assert_true(isnan(ecrb_student_critical(0, 3)));
  assert_true(isnan(ecrb_student_critical(1, 3)));
  assert_true(isnan(ecrb_student_critical(0.05, -1)));
  assert_true(ecrb_student_critical(0.999999, 1) > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(critical_values),
      cmocka_unit_test(tails),
      cmocka_unit_test(limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
