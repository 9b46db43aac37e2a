/* Any bytes as a sequence: the scanner must find exactly what a plain look at
** every start position finds, in the same order. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ecrb.h"

#define CAP 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Steps over one cell of a pattern; tells whether it takes the letter. */
static bool cell_takes(const char **cell, char letter) {
  const char *at = *cell;
  if (*at != '[') {
    *cell = at + 1;
    return *at == 'x' ? letter >= 'A' && letter <= 'Z' : *at == letter;
  }
  const char *end = strchr(at, ']');
  *cell = end + 1;
  return letter != '[' && memchr(at + 1, letter, (size_t)(end - at - 1));
}

/* The length of the occurrence that begins here, or 0. */
static size_t occurs(const char *pattern, const char *at, size_t n) {
  size_t length = 0;
  while (*pattern != '\0') {
    if (length == n || !cell_takes(&pattern, at[length]))
      return 0;
    length++;
  }
  return length;
}

static void check_hit(const ecrb_motif_hit *hit, int motif, size_t start,
                      size_t length) {
  if (hit->motif != motif || hit->at != start + 1 || hit->length != length)
    abort();
}

static void check(const char *sequence, size_t n, const ecrb_motif_hit *hits,
                  size_t count) {
  size_t expected = 0;
  for (int motif = 0; motif < ECRB_MOTIFS; motif++)
    for (size_t i = 0; i < n; i++) {
      const char *pattern = ecrb_motif_list()[motif].pattern;
      size_t length = occurs(pattern, sequence + i, n - i);
      if (length == 0)
        continue;
      if (expected < CAP && expected < count)
        check_hit(&hits[expected], motif, i, length);
      expected++;
    }
  if (expected != count)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ecrb_motif_hit hits[CAP];
  ecrb_scanner *scanner;
  size_t count;
  if (ecrb_scanner_new(&scanner, NULL) != ECRB_OK)
    abort();
  if (ecrb_scan(scanner, (const char *)data, size, hits, CAP, &count, NULL) !=
      ECRB_OK)
    abort();
  check((const char *)data, size, hits, count);
  ecrb_scanner_free(scanner);
  return 0;
}
