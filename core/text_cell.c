/* text_cell.c: what the cells of a table may hold, and how much of one a message
** shows. */
#include "text.h"

#include <string.h>

#define SHOWN_MAX 60
#define BLOCK 64

/* The length of the character at `at`, 0 where there is none that a table may
** hold: of those below U+00A0 is_plain knows the good ones. */
static size_t character_length(const unsigned char *at, size_t n) {
  uint32_t code = 0;
  size_t length = ecrb_utf8_decode((const char *)at, n, &code);
  return code < 0xa0 ? 0 : length;
}

static bool is_plain(unsigned char c) {
  return (unsigned)c - 0x20 < 0x5f || c == '\t' || c == '\n';
}

/* Most blocks are plain ASCII: the compiler looks at 16 bytes at a time. */
static bool block_is_plain(const unsigned char *at) {
  unsigned char odd = 0;
  for (int i = 0; i < BLOCK; i++)
    odd |= !is_plain(at[i]);
  return odd == 0;
}

size_t ecrb_text_bad_byte(ecrb_span text) {
  const unsigned char *at = (const unsigned char *)text.at;
  size_t i = 0;
  while (i < text.n) {
    size_t length = 1;
    if (text.n - i >= BLOCK && block_is_plain(at + i))
      length = BLOCK;
    else if (!is_plain(at[i]))
      length = character_length(at + i, text.n - i);
    if (length == 0)
      break;
    i += length;
  }
  return i;
}

bool ecrb_text_fits(ecrb_span cell) {
  return ecrb_text_bad_byte(cell) == cell.n &&
         (cell.n == 0 || (memchr(cell.at, '\t', cell.n) == NULL &&
                          memchr(cell.at, '\n', cell.n) == NULL));
}

bool ecrb_text_fits_key(ecrb_span cell) {
  return cell.n > 0 && cell.n <= ECRB_JOURNAL_KEY && ecrb_text_fits(cell) &&
         memchr(cell.at, '"', cell.n) == NULL &&
         memchr(cell.at, '\\', cell.n) == NULL;
}

size_t ecrb_text_letters(ecrb_span cell) {
  size_t n = 0;
  while (n < cell.n && cell.at[n] >= 'A' && cell.at[n] <= 'Z')
    n++;
  return n;
}

bool ecrb_text_reaction(ecrb_span cell) {
  size_t arrows = 0, blanks = 0;
  for (size_t i = 0; i < cell.n; i++) {
    arrows += cell.at[i] == '>';
    blanks += cell.at[i] == ' ';
  }
  return arrows == 2 && blanks == 0;
}

int ecrb_text_shown(ecrb_span cell) {
  size_t n = cell.n;
  if (n > SHOWN_MAX) {
    n = SHOWN_MAX;
    while (n > 0 && (cell.at[n] & 0xc0) == 0x80)
      n--;
  }
  return (int)n;
}
