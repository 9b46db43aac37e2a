/* test_sha256.c: digests are the same before libcrypto is loaded and after. */
#include "failing.h"
#include "unit.h"

#include <string.h>

#define MUCH ((size_t)300 << 10) /* bytes behind which libcrypto is loaded */
#define LENGTHS 200

static void check(ecrb_sha256 *hash, const char *text, const char *digest) {
  char out[ECRB_SHA256_TEXT];
  ecrb_sha256_text(hash, ecrb_span_of(text), out);
  assert_string_equal(out, digest);
}

/* FIPS 180-2's examples, and nothing. */
static void check_known(ecrb_sha256 *hash) {
  check(hash, "",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check(hash, "abc",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  check(hash, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void hash_much(ecrb_sha256 *hash) {
  static char much[MUCH];
  char out[ECRB_SHA256_TEXT];
  memset(much, 'a', sizeof much);
  ecrb_sha256_text(hash, (ecrb_span){much, sizeof much}, out);
  assert_string_equal(
      out, "c1b808e1c591751506205ec5262a55b627c12a9d73a2fb150b3b388e7b7c4bd8");
}

static void the_examples_of_the_standard(void **state) {
  (void)state;
  ecrb_sha256 *hash;
  assert_int_equal(ecrb_sha256_new(&hash), ECRB_OK);
  check_known(hash);
  hash_much(hash);
  check_known(hash);
  ecrb_sha256_free(hash);
}

static void both_ways_agree_at_every_length(void **state) {
  (void)state;
  ecrb_sha256 *first, *later;
  char text[LENGTHS], one[ECRB_SHA256_TEXT], other[ECRB_SHA256_TEXT];
  assert_int_equal(ecrb_sha256_new(&first), ECRB_OK);
  assert_int_equal(ecrb_sha256_new(&later), ECRB_OK);
  hash_much(later);
  for (size_t n = 0; n < LENGTHS; n++) {
    text[n] = (char)(n * 37);
    ecrb_sha256_text(first, (ecrb_span){text, n}, one);
    ecrb_sha256_text(later, (ecrb_span){text, n}, other);
    assert_string_equal(one, other);
  }
  ecrb_sha256_free(first);
  ecrb_sha256_free(later);
}

static void without_memory_there_is_none(void **state) {
  (void)state;
  ecrb_sha256 *hash;
  allocations_until_failure = 1;
  assert_int_equal(ecrb_sha256_new(&hash), ECRB_ENOMEM);
  assert_null(hash);
  allocations_until_failure = 0;
  ecrb_sha256_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_examples_of_the_standard),
      cmocka_unit_test(both_ways_agree_at_every_length),
      cmocka_unit_test(without_memory_there_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
