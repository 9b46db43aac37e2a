/* test_difficulty.c: the axes of leaves, and the bins of items. */
#include "ec_text.h"
#include "ecrb_import.h"
#include "failing.h"

static ecrb_ec leaves[4];

static int make_tree(void **state) {
  static const char *const texts[] = {"1.1.1.1", "1.1.1.2", "1.2.1.1",
                                      "2.1.1.1"};
  for (size_t i = 0; i < COUNT(texts); i++)
    leaves[i] = ec(texts[i]);
  return ecrb_tree_new(leaves, COUNT(leaves), (ecrb_tree **)state, NULL);
}

static int free_tree(void **state) {
  ecrb_tree_free(*state);
  return 0;
}

static void leaves_are_compared_with_the_whole(void **state) {
  ecrb_difficulty *scale;
  ecrb_axes axes;
  assert_int_equal(ecrb_difficulty_new(*state, &scale, NULL), ECRB_OK);
  ecrb_difficulty_add(scale, leaves[0], 2);
  ecrb_difficulty_add(scale, leaves[0], 1);
  ecrb_difficulty_add(scale, leaves[1], 1);
  assert_int_equal(ecrb_difficulty_axes(scale, leaves[1], 0.4, &axes), ECRB_OK);
  assert_near(axes.split, 0.4);
  assert_near(axes.tail, 0.5); /* 1 - log 2 / log 4 */
  assert_near(axes.branch, 1);
  assert_near(axes.distractors, (1 + 0 + 1) / 6.0 / 3);
  assert_near(axes.d, (0.4 + 0.5 + 1 + axes.distractors) / 4);
  assert_int_equal(ecrb_difficulty_axes(scale, leaves[3], NAN, &axes), ECRB_OK);
  assert_true(isnan(axes.split));
  assert_near(axes.d, (1 + 0.5 + 0) / 3);
  ecrb_difficulty_free(scale);
}

static void what_is_no_leaf_does_not_count(void **state) {
  const ecrb_ec others[] = {ec("1.1.1.-"), ec("1.1.1.B1"), ec("7.7.7.7")};
  ecrb_difficulty *scale;
  ecrb_axes axes;
  assert_int_equal(ecrb_difficulty_new(*state, &scale, NULL), ECRB_OK);
  for (size_t i = 0; i < COUNT(others); i++) {
    ecrb_difficulty_add(scale, others[i], 9);
    assert_int_equal(ecrb_difficulty_axes(scale, others[i], NAN, &axes),
                     ECRB_EARG);
  }
  assert_int_equal(ecrb_difficulty_axes(scale, leaves[0], NAN, &axes), ECRB_OK);
  assert_near(axes.tail, 1); /* nobody carries anything */
  ecrb_difficulty_free(scale);
}

static void bins_go_by_rank(void **state) {
  static const double d[] = {0.9, 0.1, 0.2, 0.3, 0.4, 0.6, 0.3};
  static const int expected[] = {5, 1, 1, 2, 3, 4, 2};
  int bin[COUNT(d)];
  (void)state;
  assert_int_equal(ecrb_difficulty_bins(d, COUNT(d), bin), ECRB_OK);
  assert_memory_equal(bin, expected, sizeof bin);
  assert_int_equal(ecrb_difficulty_bins(d, 0, NULL), ECRB_OK);
}

static void homology_has_bins(void **state) {
  (void)state;
  assert_string_equal(ecrb_homology_bin(29.999), "<30");
  assert_string_equal(ecrb_homology_bin(30), "30-40");
  assert_string_equal(ecrb_homology_bin(70), ">=70");
  assert_null(ecrb_homology_bin(NAN));
  assert_near(ecrb_difficulty_evidence(80, 0.5), 0.35);
}

static void memory_may_run_out(void **state) {
  ecrb_difficulty *scale;
  ecrb_err err;
  int bin[1];
  for (long n = 1; n <= 2; n++) {
    allocations_until_failure = n;
    assert_int_equal(ecrb_difficulty_new(*state, &scale, &err), ECRB_ENOMEM);
    assert_null(scale);
  }
  allocations_until_failure = 1;
  assert_int_equal(ecrb_difficulty_bins(&(double){0.5}, 1, bin), ECRB_ENOMEM);
  allocations_until_failure = 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaves_are_compared_with_the_whole),
      cmocka_unit_test(what_is_no_leaf_does_not_count),
      cmocka_unit_test(bins_go_by_rank),
      cmocka_unit_test(homology_has_bins),
      cmocka_unit_test(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, make_tree, free_tree);
}
