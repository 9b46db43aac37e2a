/* bytes.c: growing runs of bytes, growing arrays, and the want of memory. */
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

int ecrb_no_memory(ecrb_err *err, const char *what) {
  return ecrb_fail(err, ECRB_ENOMEM, "no memory for %s", what);
}

int ecrb_bytes_reserve(ecrb_bytes *bytes, size_t more) {
  size_t room = bytes->room ? bytes->room : 256;
  char *grown;
  if (more <= bytes->room - bytes->n)
    return ECRB_OK;
  while (room - bytes->n < more) {
    if (room > SIZE_MAX / 2)
      return ECRB_ENOMEM;
    room *= 2;
  }
  grown = realloc(bytes->at, room);
  if (grown == NULL)
    return ECRB_ENOMEM;
  bytes->at = grown;
  bytes->room = room;
  return ECRB_OK;
}

int ecrb_bytes_add(ecrb_bytes *bytes, ecrb_span text) {
  if (ecrb_bytes_reserve(bytes, text.n) != ECRB_OK)
    return ECRB_ENOMEM;
  if (text.n > 0)
    memcpy(bytes->at + bytes->n, text.at, text.n);
  bytes->n += text.n;
  return ECRB_OK;
}

int ecrb_bytes_add_char(ecrb_bytes *bytes, char c) {
  if (ecrb_bytes_reserve(bytes, 1) != ECRB_OK)
    return ECRB_ENOMEM;
  bytes->at[bytes->n++] = c;
  return ECRB_OK;
}

void ecrb_bytes_free(ecrb_bytes *bytes) {
  free(bytes->at);
  *bytes = (ecrb_bytes){NULL, 0, 0};
}

void *ecrb_array_grow(void *array, size_t count, size_t *room, size_t size) {
  size_t wanted = *room ? *room * 2 : 16;
  void *grown;
  if (count < *room)
    return array;
  if (wanted > SIZE_MAX / size)
    return NULL;
  grown = realloc(array, wanted * size);
  if (grown != NULL)
    *room = wanted;
  return grown;
}
