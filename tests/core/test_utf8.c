/* test_utf8.c: what is a character, and where a text stops being one. */
#include "unit.h"

#include <string.h>

static void characters_have_a_length_and_a_code(void **state) {
  static const struct {
    const char *text;
    size_t length;
    uint32_t code;
  } cases[] = {
      {"a", 1, 'a'},
      {"\x7f", 1, 0x7f},
      {"\xc2\x80", 2, 0x80},
      {"\xdf\xbf", 2, 0x7ff},
      {"\xe0\xa0\x80", 3, 0x800},
      {"\xef\xbf\xbf", 3, 0xffff},
      {"\xf0\x90\x80\x80", 4, 0x10000},
      {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
      {"\x80", 0, 0},             /* goes on with nothing */
      {"\xc0\x80", 0, 0},         /* overlong */
      {"\xc1\xbf", 0, 0},         /* overlong */
      {"\xe0\x9f\xbf", 0, 0},     /* overlong */
      {"\xf0\x8f\xbf\xbf", 0, 0}, /* overlong */
      {"\xed\xa0\x80", 0, 0},     /* a surrogate */
      {"\xf4\x90\x80\x80", 0, 0}, /* beyond the last code */
      {"\xf5\x80\x80\x80", 0, 0},
      {"\xe2\x82", 0, 0}, /* cut off */
      {"\xe2\x82z", 0, 0},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    uint32_t code = 0;
    size_t n = strlen(cases[i].text);
    assert_int_equal(ecrb_utf8_decode(cases[i].text, n, &code),
                     cases[i].length);
    if (cases[i].length > 0)
      assert_int_equal(code, cases[i].code);
    assert_int_equal(ecrb_utf8_valid(cases[i].text, n), cases[i].length);
  }
}

/* Eight bytes are looked at together: the odd one stands at every place. */
static void the_first_odd_byte_is_found(void **state) {
  char text[40];
  (void)state;
  for (size_t at = 0; at < sizeof text; at++) {
    memset(text, 'x', sizeof text);
    assert_int_equal(ecrb_utf8_valid(text, at), at);
    text[at] = '\xff';
    assert_int_equal(ecrb_utf8_valid(text, sizeof text), at);
    memcpy(text + at, "\xc3\xa4", at + 2 > sizeof text ? 1 : 2);
    assert_int_equal(ecrb_utf8_valid(text, sizeof text),
                     at + 2 > sizeof text ? at : sizeof text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(characters_have_a_length_and_a_code),
      cmocka_unit_test(the_first_odd_byte_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
