/* Calibration: where the edges of bins belong, what is left out, and a
** temperature that can be worked out by hand. */
#include "unit.h"

#define ITEMS 6

typedef struct ece_case {
  double confidence[ITEMS];
  bool correct[ITEMS];
  size_t n;
  double right_edges, left_edges;
} ece_case;

static const ece_case eces[] = {
    /* the last bin holds 1.0 */
    {{1, 1, 1}, {0, 0, 0}, 3, 1, 1},
    /* the first bin holds 0.0 */
    {{0, 0}, {1, 0}, 2, .5, .5},
    /* the mean confidence of a bin, not its centre */
    {{.99}, {1}, 1, .01, .01},
    /* correctness is the target, not the class that was predicted */
    {{.9}, {1}, 1, .1, .1},
    /* .90 wrong and .85 right: one bin or two */
    {{.90, .85}, {0, 1}, 2, .375, .525},
    {{.9, .8, .7}, {1, 1, 0}, 3, (.1 + .2 + .7) / 3, (.1 + .2 + .7) / 3},
    /* within a bin over- and underconfidence cancel */
    {{.84, .86}, {1, 0}, 2, .35, .35},
    {{.55, .95}, {1, 1}, 2, .25, .25},
    /* items without a confidence are left out */
    {{NAN, .9, NAN}, {0, 1, 0}, 3, .1, .1},
    {{NAN}, {1}, 1, NAN, NAN},
    {{0}, {0}, 0, NAN, NAN},
    /* no confidence, and refused */
    {{.5, 1.1}, {1, 1}, 2, NAN, NAN},
    {{.5, -1e-9}, {1, 1}, 2, NAN, NAN},
    {{.5, INFINITY}, {1, 1}, 2, NAN, NAN},
};

static void check_equal(double given, double expected) {
  if (isnan(expected))
    assert_true(isnan(given));
  else
    assert_near(given, expected);
}

static void calibration_errors(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(eces); i++) {
    const ece_case *c = &eces[i];
    const ecrb_confidences items = {c->confidence, c->correct, c->n};
    check_equal(ecrb_ece(&items, NULL, false, NULL), c->right_edges);
    check_equal(ecrb_ece(&items, NULL, true, NULL), c->left_edges);
  }
}

static int only_bin(double confidence, bool left_edges) {
  const ecrb_confidences item = {&confidence, &(bool){true}, 1};
  ecrb_bin bins[ECRB_BINS];
  int found = -1;
  ecrb_ece(&item, NULL, left_edges, bins);
  for (int i = 0; i < ECRB_BINS; i++)
    if (bins[i].n > 0) {
      assert_int_equal(found, -1);
      found = i;
    }
  return found;
}

static void decimal_edges_are_met_exactly(void **state) {
  (void)state;
  const struct {
    double confidence;
    int right, left;
  } edges[] = {{0, 0, 0},           {0.1, 0, 1},       {0.1 + 0.2, 2, 3},
               {0.3, 2, 3},         {3 * 0.1, 2, 3},   {1 - 0.7, 2, 3},
               {1 - 0.9, 0, 1},     {0.7, 6, 7},       {0.1 * 7, 6, 7},
               {70 / 100.0, 6, 7},  {0.58, 5, 5},      {58 / 100.0, 5, 5},
               {0.29 + 0.01, 2, 3}, {0.9, 8, 9},       {1, 9, 9},
               {0.95, 9, 9},        {0.9000001, 9, 9}, {0.8999999, 8, 8},
               {5e-324, 0, 0},      {0.1 + 1e-7, 1, 1}};
  for (size_t i = 0; i < COUNT(edges); i++) {
    assert_int_equal(only_bin(edges[i].confidence, false), edges[i].right);
    assert_int_equal(only_bin(edges[i].confidence, true), edges[i].left);
  }
}

static void bins_hold_every_item_once(void **state) {
  (void)state;
  double confidence[101];
  bool correct[101];
  ecrb_bin bins[ECRB_BINS];
  size_t n = 0;
  for (int i = 0; i <= 100; i++) {
    confidence[i] = i / 100.0;
    correct[i] = i % 2 == 0;
  }
  ecrb_ece(&(ecrb_confidences){confidence, correct, 101}, NULL, false, bins);
  for (int i = 0; i < ECRB_BINS; i++)
    n += bins[i].n;
  assert_int_equal(n, 101);
  /* .11 to .20: mean .155, five even */
  assert_int_equal(bins[1].n, 10);
  assert_near(bins[1].confidence, 0.155);
  assert_near(bins[1].accuracy, 0.5);
  assert_int_equal(bins[0].n, 11);
}

static void empty_bins_are_zero(void **state) {
  (void)state;
  const double confidence[] = {0.5, 7};
  const bool correct[] = {true, true};
  const ecrb_confidences one = {confidence, correct, 1};
  const ecrb_confidences both = {confidence, correct, 2};
  ecrb_bin bins[ECRB_BINS];
  ecrb_ece(&one, NULL, false, bins);
  assert_int_equal(bins[4].n, 1);
  assert_near(bins[9].confidence, 0);
  assert_near(bins[9].accuracy, 0);
  assert_true(isnan(ecrb_ece(&both, NULL, false, bins)));
  assert_int_equal(bins[4].n, 0);
}

/* The same as writing each item as often as its weight says. */
static void weights_are_multiplicities(void **state) {
  (void)state;
  const double confidence[] = {.9, .4, NAN, .6}, all[] = {.9, .9, .9, .6};
  const bool correct[] = {1, 0, 1, 0}, all_correct[] = {1, 1, 1, 0};
  const uint32_t weight[] = {3, 0, 2, 1};
  const ecrb_confidences items = {confidence, correct, 4};
  const ecrb_confidences written = {all, all_correct, 4};
  ecrb_bin bins[ECRB_BINS];
  assert_near(ecrb_ece(&items, weight, false, bins),
              ecrb_ece(&written, NULL, false, NULL));
  assert_int_equal(bins[8].n, 3);
  assert_int_equal(bins[3].n, 0);
}

/* Confidence .9 and right 3 of 4 times: ln 9 / T = ln 3, so T is 2. */
static void temperature_by_hand(void **state) {
  (void)state;
  const double confidence[] = {.9, .9, .9, .9, NAN};
  const bool correct[] = {1, 1, 1, 0, 0};
  const ecrb_confidences items = {confidence, correct, 5};
  double t = ecrb_temperature_fit(&items, NULL);
  assert_true(fabs(t - 2) < 1e-6);
  assert_true(fabs(ecrb_temperature_apply(.9, t) - .75) < 1e-6);
}

/* .6 and right 9 of 10 times: ln 1.5 / T = ln 9. */
static void temperature_may_be_below_one(void **state) {
  (void)state;
  const double confidence[] = {.6, .6, .6, .6, .6, .6, .6, .6, .6, .6};
  const bool correct[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
  const ecrb_confidences items = {confidence, correct, 10};
  assert_true(fabs(ecrb_temperature_fit(&items, NULL) - log(1.5) / log(9)) <
              1e-6);
}

/* The same nine right and one wrong, in two items. */
static void temperatures_count_multiplicities(void **state) {
  (void)state;
  const double confidence[] = {.6, .6, .9};
  const bool correct[] = {1, 0, 0};
  const uint32_t weight[] = {9, 1, 0}, nothing[] = {0, 0, 0};
  const ecrb_confidences items = {confidence, correct, 3};
  double t = ecrb_temperature_fit(&items, weight);
  assert_true(fabs(t - log(1.5) / log(9)) < 1e-6);
  assert_near(ecrb_temperature_fit(&items, nothing), 1);
}

static void temperature_stays_in_its_range(void **state) {
  (void)state;
  const double confidence[] = {.8, .7, 1, NAN};
  const bool right[] = {1, 1, 1, 1}, wrong[] = {0, 0, 0, 0};
  const ecrb_confidences sure = {confidence, right, 3};
  const ecrb_confidences mistaken = {confidence, wrong, 3};
  const ecrb_confidences none = {confidence + 3, right, 1};
  assert_true(fabs(ecrb_temperature_fit(&sure, NULL) - 0.05) < 1e-6);
  assert_true(fabs(ecrb_temperature_fit(&mistaken, NULL) - 20) < 1e-5);
  assert_near(ecrb_temperature_fit(&none, NULL), 1);
}

/* All of them 1/2: no temperature is better than another. */
static void confidences_of_a_half_need_no_temperature(void **state) {
  (void)state;
  const double confidence[] = {.5, .5, .5};
  const bool correct[] = {1, 0, 0};
  const ecrb_confidences items = {confidence, correct, 3};
  assert_near(ecrb_temperature_fit(&items, NULL), 1);
}

/* Where the fit ends the mean confidence, weighed by logits, is what is right:
** the slope of the loss is zero, to the precision of a double. */
static void temperature_ends_where_the_loss_is_flat(void **state) {
  (void)state;
  const double confidence[] = {.99, .95, .9, .7, .4, .2, .99, .9};
  const bool correct[] = {1, 0, 1, 0, 1, 0, 0, 1};
  const ecrb_confidences items = {confidence, correct, 8};
  double t = ecrb_temperature_fit(&items, NULL), slope = 0;
  for (int i = 0; i < 8; i++) {
    double z = log(confidence[i] / (1 - confidence[i]));
    slope += (ecrb_temperature_apply(confidence[i], t) - correct[i]) * z;
  }
  assert_true(fabs(slope) < 1e-9);
}

static void temperatures_bend_confidences(void **state) {
  (void)state;
  assert_near(ecrb_temperature_apply(.5, 7), .5);
  assert_near(ecrb_temperature_apply(.9, 1), .9);
  assert_near(ecrb_temperature_apply(.9, 2), .75);
  assert_near(ecrb_temperature_apply(.1, 2), .25);
  assert_true(ecrb_temperature_apply(1, 2) < 1);
  assert_true(ecrb_temperature_apply(0, 2) > 0);
  assert_true(isnan(ecrb_temperature_apply(NAN, 2)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calibration_errors),
      cmocka_unit_test(decimal_edges_are_met_exactly),
      cmocka_unit_test(bins_hold_every_item_once),
      cmocka_unit_test(empty_bins_are_zero),
      cmocka_unit_test(weights_are_multiplicities),
      cmocka_unit_test(temperature_by_hand),
      cmocka_unit_test(temperature_may_be_below_one),
      cmocka_unit_test(temperatures_count_multiplicities),
      cmocka_unit_test(temperature_stays_in_its_range),
      cmocka_unit_test(confidences_of_a_half_need_no_temperature),
      cmocka_unit_test(temperature_ends_where_the_loss_is_flat),
      cmocka_unit_test(temperatures_bend_confidences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
