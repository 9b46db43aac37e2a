/* journal_lines.c: where the lines of a journal begin, in some six bytes a line:
** each has its length, every sixteenth its place. Lengths of 64 KB and more, which
** a long reply may have, stand aside. */
#include "journal.h"

#include <stdlib.h>
#include <string.h>

#define LONG ((1u << ECRB_LENGTH_BITS) - 1)

int ecrb_journal_lines_reserve(ecrb_journal_lines *lines) {
  size_t places = (lines->count + ECRB_LINES_STEP - 1) / ECRB_LINES_STEP;
  ecrb_entry *entry = ecrb_array_grow(lines->entry, lines->count, &lines->room,
                                      sizeof *entry);
  if (entry == NULL)
    return ECRB_ENOMEM;
  lines->entry = entry;
  uint64_t *at =
      ecrb_array_grow(lines->at, places, &lines->at_room, sizeof *at);
  if (at == NULL)
    return ECRB_ENOMEM;
  lines->at = at;
  ecrb_long_line *longer = ecrb_array_grow(lines->longer, lines->long_count,
                                           &lines->long_room, sizeof *longer);
  if (longer == NULL)
    return ECRB_ENOMEM;
  lines->longer = longer;
  return ECRB_OK;
}

void ecrb_journal_lines_add(ecrb_journal_lines *lines, uint32_t tag, size_t length) {
  size_t number = lines->count++;
  if (number % ECRB_LINES_STEP == 0)
    lines->at[number / ECRB_LINES_STEP] = lines->end;
  if (length >= LONG)
    lines->longer[lines->long_count++] = (ecrb_long_line){number, length};
  lines->entry[number].tag = tag;
  lines->entry[number].length = length < LONG ? length : LONG;
  lines->end += length + 1;
}

static size_t long_length(const ecrb_journal_lines *lines, size_t number) {
  size_t low = 0, high = lines->long_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    *(lines->longer[middle].number <= number ? &low : &high) = middle;
  }
  return lines->longer[low].length;
}

size_t ecrb_journal_lines_length(const ecrb_journal_lines *lines, size_t number) {
  size_t length = lines->entry[number].length;
  return length < LONG ? length : long_length(lines, number);
}

uint64_t ecrb_journal_lines_at(const ecrb_journal_lines *lines, size_t number) {
  size_t first = number - number % ECRB_LINES_STEP;
  uint64_t at = lines->at[first / ECRB_LINES_STEP];
  for (size_t i = first; i < number; i++)
    at += ecrb_journal_lines_length(lines, i) + 1;
  return at;
}

void ecrb_journal_lines_free(ecrb_journal_lines *lines) {
  free(lines->entry);
  free(lines->at);
  free(lines->longer);
  *lines = (ecrb_journal_lines){0};
}
