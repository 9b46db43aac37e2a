/* utf8.c: UTF-8 as RFC 3629 has it. */
#include "ecrb.h"

#include <string.h>

static size_t length_by_lead(unsigned char lead) {
  if (lead < 0x80)
    return 1;
  if (lead >= 0xC2 && lead <= 0xDF)
    return 2;
  if (lead >= 0xE0 && lead <= 0xEF)
    return 3;
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

static bool well_formed(uint32_t code, size_t length) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= least[length] && code <= 0x10FFFF &&
         !(code >= 0xD800 && code <= 0xDFFF);
}

size_t ecrb_utf8_decode(const char *text, size_t n, uint32_t *code) {
  const unsigned char *at = (const unsigned char *)text;
  size_t length = length_by_lead(at[0]);
  if (length == 0 || length > n)
    return 0;
  *code = length == 1 ? at[0] : at[0] & (0x7Fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((at[i] & 0xC0) != 0x80)
      return 0;
    *code = *code << 6 | (at[i] & 0x3Fu);
  }
  return well_formed(*code, length) ? length : 0;
}

/* Most texts are mostly ASCII: eight bytes at a look. */
static size_t skip_ascii(const char *text, size_t at, size_t n) {
  uint64_t eight;
  for (; at + sizeof eight <= n; at += sizeof eight) {
    memcpy(&eight, text + at, sizeof eight);
    if (eight & UINT64_C(0x8080808080808080))
      break;
  }
  return at;
}

size_t ecrb_utf8_valid(const char *text, size_t n) {
  size_t at = skip_ascii(text, 0, n);
  while (at < n) {
    uint32_t code;
    size_t length = ecrb_utf8_decode(text + at, n - at, &code);
    if (length == 0)
      break;
    at += length;
    if (length > 1)
      at = skip_ascii(text, at, n);
  }
  return at;
}
