/* The generator: published SplitMix64 outputs, and the rules made of them. */
#include "unit.h"

#include <string.h>

static void outputs_are_splitmix64(void **state) {
  (void)state;
  /* Seed 1234567: the vector that implementations are checked with. */
  const uint64_t expected[] = {
      UINT64_C(6457827717110365317),  UINT64_C(3203168211198807973),
      UINT64_C(9817491932198370423),  UINT64_C(4593380528125082431),
      UINT64_C(16408922859458223821),
  };
  ecrb_rng rng = ecrb_rng_seed(1234567);
  for (size_t i = 0; i < COUNT(expected); i++)
    assert_true(ecrb_rng_next(&rng) == expected[i]);
  rng = ecrb_rng_seed(0);
  assert_true(ecrb_rng_next(&rng) == UINT64_C(0xe220a8397b1dcdaf));
}

static void below_takes_the_high_half(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(1234567);
  /* 6457827717110365317 >> 32 = 1503580008; * 1349 >> 32 = 472 */
  assert_int_equal(ecrb_rng_below(&rng, 1349), 472);
  assert_int_equal(ecrb_rng_below(&rng, 1), 0);
  assert_int_equal(ecrb_rng_below(&rng, 0), 0);
  for (int i = 0; i < 1000; i++)
    assert_true(ecrb_rng_below(&rng, 7) < 7);
}

static void many_draws_are_one_after_the_other(void **state) {
  (void)state;
  uint32_t drawn[100];
  ecrb_rng one = ecrb_rng_seed(5), many = one;
  ecrb_rng_draw(&many, 1349, drawn, COUNT(drawn));
  for (size_t i = 0; i < COUNT(drawn); i++)
    assert_int_equal(drawn[i], ecrb_rng_below(&one, 1349));
  assert_true(many.state == one.state);
  ecrb_rng_draw(&many, 1349, NULL, 0);
  assert_true(many.state == one.state);
}

static void unit_has_53_bits(void **state) {
  (void)state;
  ecrb_rng rng = ecrb_rng_seed(1234567);
  assert_true(ecrb_rng_unit(&rng) == 6457827717110365317u / 2048 * 0x1p-53);
  for (int i = 0; i < 1000; i++) {
    double u = ecrb_rng_unit(&rng);
    assert_true(u >= 0 && u < 1);
  }
}

/* Written anew, as the header's rule says it. */
static void shuffle_plainly(uint64_t seed, int32_t *values, int n) {
  ecrb_rng rng = ecrb_rng_seed(seed);
  for (int i = n - 1; i >= 1; i--) {
    int j = (int)(((ecrb_rng_next(&rng) >> 32) * (uint64_t)(i + 1)) >> 32);
    int32_t value = values[i];
    values[i] = values[j];
    values[j] = value;
  }
}

static void shuffle_is_fisher_yates_from_the_end(void **state) {
  (void)state;
  int32_t ours[20], plain[20];
  for (int32_t i = 0; i < 20; i++)
    ours[i] = plain[i] = i;
  ecrb_rng rng = ecrb_rng_seed(42);
  ecrb_rng_shuffle(&rng, ours, 20);
  shuffle_plainly(42, plain, 20);
  assert_memory_equal(ours, plain, sizeof ours);
  ecrb_rng_shuffle(&rng, ours, 0);
  ecrb_rng_shuffle(&rng, ours, 1);
  assert_memory_equal(ours, plain, sizeof ours);
}

static void fold_is_fnv1a_then_one_output(void **state) {
  (void)state;
  /* FNV-1a 64 of "a" is published: af63dc4c8601ec8c. */
  ecrb_rng rng = ecrb_rng_seed(UINT64_C(0xaf63dc4c8601ec8c));
  assert_true(ecrb_rng_fold(0, "a", 1) == ecrb_rng_next(&rng));
  rng = ecrb_rng_seed(UINT64_C(0xcbf29ce484222325) ^ 9);
  assert_true(ecrb_rng_fold(9, NULL, 0) == ecrb_rng_next(&rng));
  assert_true(ecrb_rng_fold(1, "ab", 2) != ecrb_rng_fold(1, "ba", 2));
  assert_true(ecrb_rng_fold(1, "ab", 2) != ecrb_rng_fold(2, "ab", 2));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outputs_are_splitmix64),
      cmocka_unit_test(below_takes_the_high_half),
      cmocka_unit_test(many_draws_are_one_after_the_other),
      cmocka_unit_test(unit_has_53_bits),
      cmocka_unit_test(shuffle_is_fisher_yates_from_the_end),
      cmocka_unit_test(fold_is_fnv1a_then_one_output),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
