/* ec_text.h: EC numbers as a test writes them. */
#ifndef ECRB_TESTS_EC_TEXT_H
#define ECRB_TESTS_EC_TEXT_H

#include <string.h>

#include "unit.h"

static inline ecrb_ec ec(const char *text) {
  ecrb_ec out;
  assert_int_equal(ecrb_ec_parse(text, strlen(text), &out), ECRB_OK);
  return out;
}

#endif
