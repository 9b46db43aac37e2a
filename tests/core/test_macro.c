/* The macro average: classes weigh the same, however few their items. */
#include "unit.h"

#include <string.h>

static uint32_t classes_of(const char *text) {
  ecrb_ec labels[8];
  size_t count;
  assert_int_equal(ecrb_ec_list_parse(text, strlen(text), labels, 8, &count),
                   ECRB_OK);
  return ecrb_classes(labels, count);
}

static void labels_name_classes(void **state) {
  (void)state;
  assert_int_equal(classes_of("1.1.1.1"), 1);
  assert_int_equal(classes_of("2.7.1.25;2.7.7.4"), 1 << 1);
  assert_int_equal(classes_of("7.1.1.1;1.1.1.1"), 1 << 6 | 1);
  assert_int_equal(classes_of(""), 0);
  assert_int_equal(classes_of("40.1.1.1"), 0);
}

/* Class 1: 1, 1, 0, 0 -> 1/2; class 2: 1 -> 1; class 3: 0 -> 0. */
static void small_classes_weigh_the_same(void **state) {
  (void)state;
  const double right[] = {1, 1, 0, 0, 1, 0};
  const uint32_t classes[] = {1, 1, 1, 1, 2, 4};
  int present;
  assert_near(ecrb_macro(right, classes, NULL, 6, &present), 0.5);
  assert_int_equal(present, 3);
  assert_near(ecrb_macro(right, classes, NULL, 5, NULL), 0.75);
}

/* Class 1: 1, 0 -> 1/2; class 2: 1 -> 1. The first item is in both. */
static void a_multi_label_item_is_in_each_class(void **state) {
  (void)state;
  const double right[] = {1, 0};
  const uint32_t classes[] = {3, 1};
  int present;
  assert_near(ecrb_macro(right, classes, NULL, 2, &present), 0.75);
  assert_int_equal(present, 2);
}

/* As on the price split, which has no class 7: six classes, not seven. */
static void absent_classes_are_not_averaged(void **state) {
  (void)state;
  const double right[] = {1, 1, 1, 1, 1, 1};
  const uint32_t classes[] = {1, 2, 4, 8, 16, 32};
  int present;
  assert_near(ecrb_macro(right, classes, NULL, 6, &present), 1);
  assert_int_equal(present, 6);
  assert_near(ecrb_macro(right, classes, NULL, 0, &present), 0);
  assert_int_equal(present, 0);
}

/* Class 1: 1 three times and 0 once; class 2 was not drawn. */
static void weights_are_multiplicities(void **state) {
  (void)state;
  const double right[] = {1, 0, 1};
  const uint32_t classes[] = {1, 1, 2}, weight[] = {3, 1, 0};
  int present;
  assert_near(ecrb_macro(right, classes, weight, 3, &present), 0.75);
  assert_int_equal(present, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(labels_name_classes),
      cmocka_unit_test(small_classes_weigh_the_same),
      cmocka_unit_test(a_multi_label_item_is_in_each_class),
      cmocka_unit_test(absent_classes_are_not_averaged),
      cmocka_unit_test(weights_are_multiplicities),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
