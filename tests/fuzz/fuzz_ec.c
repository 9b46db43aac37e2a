/* Any bytes as one EC number and as a list: what is read must survive its own
** spelling, and the order must agree with equality. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ecrb.h"

#define CAP 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_round_trip(ecrb_ec ec) {
  char text[ECRB_EC_TEXT];
  ecrb_ec again;
  ecrb_ec_format(ec, text);
  if (ecrb_ec_parse(text, strlen(text), &again) != ECRB_OK ||
      !ecrb_ec_equal(ec, again) || ecrb_ec_compare(ec, again) != 0)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ecrb_ec ec, list[CAP];
  size_t count;
  if (ecrb_ec_parse((const char *)data, size, &ec) == ECRB_OK)
    check_round_trip(ec);
  int status = ecrb_ec_list_parse((const char *)data, size, list, CAP, &count);
  if (status == ECRB_ELIMIT && count <= CAP)
    abort();
  for (size_t i = 0; i < count && i < CAP; i++)
    check_round_trip(list[i]);
  return 0;
}
