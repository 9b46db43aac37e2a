/* sixteen.h: sixteen bytes of a text in one look, by the compiler's vectors. */
#ifndef SIXTEEN_H
#define SIXTEEN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef unsigned char sixteen __attribute__((vector_size(16)));

static inline sixteen sixteen_at(const char *at) {
  sixteen bytes;
  memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

/* Of what a comparison of sixteen bytes gives, whether it holds for any. */
static inline bool sixteen_any(sixteen held) {
  uint64_t halves[2];
  memcpy(halves, &held, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

#endif
