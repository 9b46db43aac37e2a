/* test_pool.c: blocks that grow, shrink and go keep what is theirs. */
#include "pool.h"
#include "unit.h"

#include <stdint.h>
#include <string.h>

enum { BLOCKS = 200, STEPS = 40000, LARGEST = 700 };

typedef struct owned {
  unsigned char *at;
  size_t size;
  unsigned char mark;
} owned;

static void check_marks(const owned *o, size_t n) {
  for (size_t i = 0; i < n; i++)
    assert_int_equal(o->at[i], o->mark);
}

static void resize(pool *p, owned *o, size_t size) {
  size_t kept = size < o->size ? size : o->size;
  o->at = pool_resize(p, o->at, o->size, size);
  assert_non_null(o->at);
  assert_int_equal((uintptr_t)o->at % sizeof(void *), 0);
  check_marks(o, kept);
  memset(o->at, o->mark, size);
  o->size = size;
}

static void release(pool *p, owned *o) {
  if (o->at) {
    check_marks(o, o->size);
    pool_release(p, o->at, o->size);
  }
  o->at = NULL;
  o->size = 0;
}

static void test_keeps_contents(void **state) {
  owned all[BLOCKS] = {{NULL, 0, 0}};
  pool p = {0};
  ecrb_rng rng = ecrb_rng_seed(11);
  (void)state;
  for (size_t i = 0; i < BLOCKS; i++)
    all[i].mark = (unsigned char)i;
  for (int i = 0; i < STEPS; i++) {
    owned *o = &all[ecrb_rng_below(&rng, BLOCKS)];
    if (ecrb_rng_below(&rng, 3) == 0)
      release(&p, o);
    else
      resize(&p, o, 1 + ecrb_rng_below(&rng, LARGEST));
  }
  for (size_t i = 0; i < BLOCKS; i++)
    release(&p, &all[i]);
  pool_free(&p);
  assert_null(p.chunks);
}

static size_t chunks_of(const pool *p) {
  size_t n = 0;
  for (const void *const *chunk = (void *)p->chunks; chunk; chunk = *chunk)
    n++;
  return n;
}

static void test_gives_back_what_is_free(void **state) {
  static owned all[BLOCKS * 10];
  pool p = {0};
  (void)state;
  pool_trim(&p);
  for (size_t i = 0; i < BLOCKS * 10; i++) {
    all[i].mark = (unsigned char)i;
    resize(&p, &all[i], 1 + i % LARGEST);
  }
  size_t most = chunks_of(&p);
  for (size_t i = 0; i < BLOCKS * 10; i++)
    if (i > BLOCKS)
      release(&p, &all[i]);
  pool_trim(&p);
  if (POOL_MOST > 0)
    assert_in_range(chunks_of(&p), 1, most / 4);
  for (size_t i = 0; i < BLOCKS * 10; i++)
    resize(&p, &all[i], 1 + (i + 1) % LARGEST);
  assert_in_range(chunks_of(&p), most - (most > 0), most + 1);
  for (size_t i = 0; i < BLOCKS * 10; i++)
    release(&p, &all[i]);
  pool_trim(&p);
  assert_null(p.chunks);
  pool_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_keeps_contents),
      cmocka_unit_test(test_gives_back_what_is_free)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
