/* Cells: what they may hold, and those that are numbers. */
#include "text.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void decimals_are_read_as_strtod_reads_them(void **state) {
  (void)state;
  const char *rows[] = {"0",
                        "0.0",
                        "12",
                        "-0.5",
                        "45.455",
                        "1e-20",
                        "1.3e-172",
                        "9.1E-01",
                        "1E+3",
                        "4.9e-324",
                        "2.5e-320",
                        "1.7976931348623157e308",
                        "0.1",
                        "123456789012345",
                        "1234567890123456789",
                        "9007199254740993",
                        "1e22",
                        "1e23",
                        "0.30000000000000004",
                        "00012",
                        "8.5e5",
                        "5e-5",
                        "999999999999999e22",
                        "1e-400"};
  for (size_t i = 0; i < COUNT(rows); i++) {
    double value = -1;
    assert_true(ecrb_text_number(ecrb_span_of(rows[i]), &value));
    if (value != strtod(rows[i], NULL))
      fail_msg("%s is read as %.17g", rows[i], value);
  }
}

static void whatever_is_no_decimal_is_refused(void **state) {
  (void)state;
  const char *rows[] = {
      "",         "-",
      "+1",       "1.",
      ".5",       "1e",
      "1e+",      "e5",
      "--1",      "1.5.",
      "1 ",       " 1",
      "nan",      "inf",
      "0x10",     "1,5",
      "1e5.0",    "1e999",
      "-1e999",   "1_000",
      "1e123456", "12345678901234567890123456789012345678901"};
  for (size_t i = 0; i < COUNT(rows); i++) {
    double value;
    if (ecrb_text_number(ecrb_span_of(rows[i]), &value))
      fail_msg("accepted: %s", rows[i]);
  }
}

static void counts_have_no_leading_zero(void **state) {
  (void)state;
  uint32_t value;
  assert_true(ecrb_text_count(ecrb_span_of("0"), &value) && value == 0);
  assert_true(ecrb_text_count(ecrb_span_of("999999999"), &value) &&
              value == 999999999);
  const char *bad[] = {"", "01", "-1", "1.0", "1000000000", "1a", " 1"};
  for (size_t i = 0; i < COUNT(bad); i++)
    assert_false(ecrb_text_count(ecrb_span_of(bad[i]), &value));
}

static void cells_hold_text(void **state) {
  static const struct {
    const char *text;
    size_t bad;
    bool fits, fits_key;
  } cases[] = {
      {"P12345", 6, true, true},      {"", 0, true, false},
      {"a b", 3, true, true},         {"\xce\xb2-D", 4, true, true},
      {"a\tb", 3, false, false},      {"a\nb", 3, false, false},
      {"a\rb", 1, false, false},      {"a\x7f", 1, false, false},
      {"a\xc2\x9f", 1, false, false}, {"a\xc2\xa0", 3, true, true},
      {"a\xff", 1, false, false},     {"a\"b", 3, true, false},
      {"a\\b", 3, true, false},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    ecrb_span cell = ecrb_span_of(cases[i].text);
    assert_int_equal(ecrb_text_bad_byte(cell), cases[i].bad);
    assert_int_equal(ecrb_text_fits(cell), cases[i].fits);
    assert_int_equal(ecrb_text_fits_key(cell), cases[i].fits_key);
  }
}

/* Sixty-four bytes are looked at together. */
static void a_bad_byte_is_found_anywhere(void **state) {
  char text[200];
  (void)state;
  for (size_t at = 0; at < sizeof text; at++) {
    memset(text, 'x', sizeof text);
    text[at] = '\x1b';
    assert_int_equal(ecrb_text_bad_byte((ecrb_span){text, sizeof text}), at);
  }
}

static void sequences_and_reactions_have_a_shape(void **state) {
  (void)state;
  assert_int_equal(ecrb_text_letters(ecrb_span_of("MKVZ")), 4);
  assert_int_equal(ecrb_text_letters(ecrb_span_of("MK*V")), 2);
  assert_int_equal(ecrb_text_letters(ecrb_span_of("mk")), 0);
  assert_int_equal(ecrb_text_letters(ecrb_span_of("")), 0);
  assert_true(ecrb_text_reaction(ecrb_span_of("A.B>>C.D")));
  assert_true(ecrb_text_reaction(ecrb_span_of("A>cat>B")));
  assert_false(ecrb_text_reaction(ecrb_span_of("A>B")));
  assert_false(ecrb_text_reaction(ecrb_span_of("A >> B")));
  assert_false(ecrb_text_reaction(ecrb_span_of("A>>B>")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_hold_text),
      cmocka_unit_test(a_bad_byte_is_found_anywhere),
      cmocka_unit_test(sequences_and_reactions_have_a_shape),
      cmocka_unit_test(decimals_are_read_as_strtod_reads_them),
      cmocka_unit_test(whatever_is_no_decimal_is_refused),
      cmocka_unit_test(counts_have_no_leading_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
