/* Items by cell: what belongs together, and that a statistic over cells is the
** one over items. */
#include "unit.h"

#include <math.h>

static void equal_pairs_share_a_cell(void **state) {
  (void)state;
  const double first[] = {0.5, NAN, 0.1, 0.5, NAN, 0.5, NAN};
  const double second[] = {1, 0, 1, 0, 0, 1, 1};
  const uint32_t expected[] = {2, 3, 0, 1, 3, 2, 4};
  const uint32_t ends[] = {1, 2, 4, 6, 7};
  uint32_t cell[7], order[7], end[7];
  assert_int_equal(ecrb_cells(first, second, 7, cell, order, end), 5);
  for (int i = 0; i < 7; i++)
    assert_int_equal(cell[i], expected[i]);
  for (int c = 0; c < 5; c++) {
    assert_int_equal(end[c], ends[c]);
    assert_int_equal(cell[order[end[c] - 1]], c);
  }
}

static void no_items_have_no_cells(void **state) {
  (void)state;
  assert_int_equal(ecrb_cells(NULL, NULL, 0, NULL, NULL, NULL), 0);
}

static double ece(const void *data, const uint32_t *weight) {
  return ecrb_ece(data, weight, false, NULL);
}

enum { N = 60, REPLICATES = 40 };

/* To rounding: the sums are taken in another order. */
static void a_statistic_over_cells_is_the_one_over_items(void **state) {
  (void)state;
  double confidence[N], right[N], first[N];
  bool correct[N], second[N];
  uint32_t cell[N], order[N], end[N], weight[N];
  ecrb_rng rng = ecrb_rng_seed(3);
  for (int i = 0; i < N; i++) {
    confidence[i] = ecrb_rng_below(&rng, 11) / 10.0;
    correct[i] = ecrb_rng_below(&rng, 2) == 1;
    right[i] = correct[i];
  }
  size_t cells = ecrb_cells(confidence, right, N, cell, order, end);
  assert_true(cells < N);
  for (int i = 0; i < N; i++) {
    first[cell[i]] = confidence[i];
    second[cell[i]] = correct[i];
  }
  const ecrb_confidences items = {confidence, correct, N};
  const ecrb_confidences few = {first, second, cells};
  const ecrb_grouped grouped = {ece, &few, order, end, cells, weight};
  double plain[REPLICATES], ours[REPLICATES];
  assert_true(fabs(ece(&items, NULL) - ecrb_cells_statistic(&grouped, NULL)) <
              1e-12);
  ecrb_bootstrap_statistic(ece, &items, N, REPLICATES, 1, plain, NULL);
  ecrb_bootstrap_statistic(ecrb_cells_statistic, &grouped, N, REPLICATES, 1,
                           ours, NULL);
  for (int r = 0; r < REPLICATES; r++)
    assert_true(fabs(plain[r] - ours[r]) < 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_pairs_share_a_cell),
      cmocka_unit_test(no_items_have_no_cells),
      cmocka_unit_test(a_statistic_over_cells_is_the_one_over_items),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
