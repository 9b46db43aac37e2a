/* Any bytes as labels and pool, a text a line, the first half of them labels:
** CARE's scores are shares, and no level scores above the one before it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ecrb.h"

#define TEXTS 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t cut(const char *text, size_t n, ecrb_span out[TEXTS]) {
  size_t count = 0;
  while (n > 0 && count < TEXTS) {
    const char *end = memchr(text, '\n', n);
    size_t length = end == NULL ? n : (size_t)(end - text);
    out[count++] = (ecrb_span){text, length};
    length += end != NULL;
    text += length;
    n -= length;
  }
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ecrb_span texts[TEXTS];
  double score[4], above = 1;
  size_t n = cut((const char *)data, size, texts), labels = n / 2;
  ecrb_score_care(texts, labels, texts + labels, n - labels, score);
  for (int level = 0; level < 4; level++) {
    if (!(score[level] >= 0 && score[level] <= above))
      abort();
    above = score[level];
  }
  return 0;
}
