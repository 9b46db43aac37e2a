/* names.c: texts numbered in the order in which they came.
**
** The texts stand one after another in one run of bytes; `ends` says where
** each stops. An open-addressing table of numbers, at most half full, finds
** them again by hash.
*/
#include "bytes.h"
#include "ecrb_import.h"

#include <stdlib.h>
#include <string.h>

struct ecrb_names {
  ecrb_bytes text;
  size_t *ends;
  size_t count, room;
  uint32_t *slots; /* number + 1; 0 is empty */
  size_t n_slots;  /* a power of two */
};

int ecrb_names_new(ecrb_names **out) {
  ecrb_names *names = calloc(1, sizeof *names);
  *out = NULL;
  if (names == NULL)
    return ECRB_ENOMEM;
  names->n_slots = 64;
  names->slots = calloc(names->n_slots, sizeof *names->slots);
  if (names->slots == NULL) {
    free(names);
    return ECRB_ENOMEM;
  }
  *out = names;
  return ECRB_OK;
}

void ecrb_names_free(ecrb_names *names) {
  if (names == NULL)
    return;
  ecrb_bytes_free(&names->text);
  free(names->ends);
  free(names->slots);
  free(names);
}

size_t ecrb_names_count(const ecrb_names *names) {
  return names->count;
}

ecrb_span ecrb_names_at(const ecrb_names *names, size_t index) {
  size_t start = index == 0 ? 0 : names->ends[index - 1];
  return ecrb_bytes_part(&names->text, start, names->ends[index]);
}

/* The slot that holds `name`, or the empty one where it belongs. */
static size_t slot_of(const ecrb_names *names, ecrb_span name) {
  size_t mask = names->n_slots - 1;
  size_t slot = ecrb_rng_fold(0, name.at, name.n) & mask;
  while (names->slots[slot] != 0 &&
         !ecrb_span_equal(ecrb_names_at(names, names->slots[slot] - 1), name))
    slot = (slot + 1) & mask;
  return slot;
}

bool ecrb_names_find(const ecrb_names *names, ecrb_span name, size_t *index) {
  uint32_t found = names->slots[slot_of(names, name)];
  if (found != 0)
    *index = found - 1;
  return found != 0;
}

static int widen(ecrb_names *names) {
  uint32_t *old = names->slots;
  uint32_t *slots = calloc(names->n_slots * 2, sizeof *slots);
  size_t i;
  if (slots == NULL)
    return ECRB_ENOMEM;
  names->slots = slots;
  names->n_slots *= 2;
  for (i = 0; i < names->count; i++)
    slots[slot_of(names, ecrb_names_at(names, i))] = (uint32_t)i + 1;
  free(old);
  return ECRB_OK;
}

static int append(ecrb_names *names, ecrb_span name) {
  size_t *ends =
      ecrb_array_grow(names->ends, names->count, &names->room, sizeof *ends);
  if (ends == NULL)
    return ECRB_ENOMEM;
  names->ends = ends;
  if (ecrb_bytes_add(&names->text, name) != ECRB_OK)
    return ECRB_ENOMEM;
  ends[names->count++] = names->text.n;
  return ECRB_OK;
}

int ecrb_names_add(ecrb_names *names, ecrb_span name, size_t *index,
                   bool *fresh) {
  bool found = ecrb_names_find(names, name, index);
  if (fresh != NULL)
    *fresh = !found;
  if (found)
    return ECRB_OK;
  if (names->count == UINT32_MAX - 1)
    return ECRB_ELIMIT;
  if (names->count * 2 >= names->n_slots && widen(names) != ECRB_OK)
    return ECRB_ENOMEM;
  if (append(names, name) != ECRB_OK)
    return ECRB_ENOMEM;
  *index = names->count - 1;
  names->slots[slot_of(names, name)] = (uint32_t)names->count;
  return ECRB_OK;
}
