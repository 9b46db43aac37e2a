/* bytes.h: memory that grows, and the want of it. Private to core/. */
#ifndef ECRB_BYTES_H
#define ECRB_BYTES_H

#include "ecrb.h"

typedef struct ecrb_bytes {
  char *at;
  size_t n, room;
} ecrb_bytes;

/* Room for `more` bytes beyond `n`; ECRB_ENOMEM. A zeroed struct is empty. */
int ecrb_bytes_reserve(ecrb_bytes *bytes, size_t more);
int ecrb_bytes_add(ecrb_bytes *bytes, ecrb_span text);
int ecrb_bytes_add_char(ecrb_bytes *bytes, char c);
/* The part from `start` to `end`, which may be empty where nothing is there. */
static inline ecrb_span ecrb_bytes_part(const ecrb_bytes *bytes, size_t start,
                                        size_t end) {
  return end == start ? (ecrb_span){"", 0}
                      : (ecrb_span){bytes->at + start, end - start};
}
void ecrb_bytes_free(ecrb_bytes *bytes);

/* Says that there is no memory for `what`; ECRB_ENOMEM. */
int ecrb_no_memory(ecrb_err *err, const char *what);

/* An array of `count` elements of `size` bytes with room for one more; grows
** by doubling and keeps `*room`. NULL, with `array` untouched, when memory
** ran out. */
void *ecrb_array_grow(void *array, size_t count, size_t *room, size_t size);

#endif
