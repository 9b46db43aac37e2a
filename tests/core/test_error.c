/* The error that callers own, and spans. */
#include "unit.h"

#include <string.h>

static void fail_fills_the_error_and_returns_its_code(void **state) {
  (void)state;
  ecrb_err err = {0, ""};
  assert_int_equal(ecrb_fail(&err, ECRB_EFORMAT, "%s:%d: bad", "a.tsv", 7),
                   ECRB_EFORMAT);
  assert_int_equal(err.code, ECRB_EFORMAT);
  assert_string_equal(err.msg, "a.tsv:7: bad");
}

static void fail_accepts_no_error(void **state) {
  (void)state;
  assert_int_equal(ecrb_fail(NULL, ECRB_ENOMEM, "%s", "x"), ECRB_ENOMEM);
}

static void fail_cuts_a_long_message(void **state) {
  (void)state;
  ecrb_err err;
  char text[3000];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = '\0';
  ecrb_fail(&err, ECRB_EIO, "%s", text);
  assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
}

static void spans_compare_by_content(void **state) {
  (void)state;
  ecrb_span none = {NULL, 0};
  ecrb_span part = {"blastp", 5};
  assert_true(ecrb_span_equal(ecrb_span_of("blast"), part));
  assert_false(ecrb_span_equal(ecrb_span_of("blastp"), part));
  assert_false(ecrb_span_equal(ecrb_span_of("Blast"), part));
  assert_true(ecrb_span_equal(ecrb_span_of(""), none));
  assert_true(ecrb_span_equal(ecrb_span_of(NULL), none));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fail_fills_the_error_and_returns_its_code),
      cmocka_unit_test(fail_accepts_no_error),
      cmocka_unit_test(fail_cuts_a_long_message),
      cmocka_unit_test(spans_compare_by_content),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
