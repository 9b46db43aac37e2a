/* test_timers.c: the heap of deadlines against a plain list. */
#include "timers.h"
#include "unit.h"

#include <limits.h>

enum { TIMERS = 64, STEPS = 20000 };

/* The first of those that are set, by looking at all. */
static int64_t first_due(const ecrb_timer *timers) {
  int64_t first = ECRB_NEVER;
  for (size_t i = 0; i < TIMERS; i++)
    if (timers[i].place && timers[i].due < first)
      first = timers[i].due;
  return first;
}

static void test_against_a_list(void **state) {
  ecrb_timer all[TIMERS] = {{0, 0}};
  ecrb_timers heap = {0};
  ecrb_rng rng = ecrb_rng_seed(7);
  (void)state;
  assert_true(ecrb_timers_reserve(&heap, TIMERS));
  for (int i = 0; i < STEPS; i++) {
    ecrb_timer *timer = &all[ecrb_rng_below(&rng, TIMERS)];
    if (ecrb_rng_below(&rng, 3) == 0)
      ecrb_timers_drop(&heap, timer);
    else
      ecrb_timers_set(&heap, timer, ecrb_rng_below(&rng, 1000));
    const ecrb_timer *first = ecrb_timers_first(&heap);
    assert_int_equal(first ? first->due : ECRB_NEVER, first_due(all));
  }
  ecrb_timers_free(&heap);
}

static void test_comes_out_in_order(void **state) {
  ecrb_timer all[TIMERS] = {{0, 0}};
  ecrb_timers heap = {0};
  ecrb_timer *first;
  ecrb_rng rng = ecrb_rng_seed(8);
  int64_t last = 0;
  size_t count = 0;
  (void)state;
  assert_true(ecrb_timers_reserve(&heap, TIMERS));
  for (size_t i = 0; i < TIMERS; i++)
    ecrb_timers_set(&heap, &all[i], ecrb_rng_below(&rng, 100));
  for (; (first = ecrb_timers_first(&heap)); count++) {
    assert_true(first->due >= last);
    last = first->due;
    ecrb_timers_drop(&heap, first);
  }
  assert_int_equal(count, TIMERS);
  ecrb_timers_free(&heap);
}

static void test_after(void **state) {
  (void)state;
  assert_int_equal(ecrb_after(5, 0), 5);
  assert_int_equal(ecrb_after(5, 2), 2000005);
  assert_int_equal(ecrb_after(5, -1), ECRB_NEVER);
  assert_int_equal(ecrb_after(5, LONG_MAX), ECRB_NEVER);
  assert_int_equal(ecrb_after(ecrb_now(), LONG_MAX / 1000000), ECRB_NEVER);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_a_list),
      cmocka_unit_test(test_comes_out_in_order),
      cmocka_unit_test(test_after),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
