/* journal_index.c: one entry per line (where it stands, how long it is, the
** hash of its key) and an open-addressing table from hashes to entries. The
** keys stay in the file: a look-up reads the line and compares there, so that
** colliding hashes and a file changed from outside are noticed. */
#include "journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEEP_BYTES ((size_t)256 << 10) /* a larger buffer is not kept */

static uint64_t hash_of(ecrb_span key) {
  return ecrb_rng_fold(0, key.at, key.n);
}

static void fill_slot(ecrb_journal *journal, size_t number) {
  size_t mask = journal->slot_count - 1;
  size_t slot = journal->entries[number].hash & mask;
  while (journal->slots[slot])
    slot = (slot + 1) & mask;
  journal->slots[slot] = (uint32_t)number + 1;
}

void ecrb_index_refill(ecrb_journal *journal) {
  memset(journal->slots, 0, journal->slot_count * sizeof *journal->slots);
  for (size_t i = 0; i < journal->count; i++)
    fill_slot(journal, i);
}

static int grow_slots(ecrb_journal *journal, ecrb_err *err) {
  size_t count = 2 * journal->slot_count + (journal->slot_count ? 0 : 64);
  if (count > UINT32_MAX)
    return ecrb_fail(err, ECRB_ELIMIT, "%s: more than %zu lines", journal->path,
                     journal->count);
  uint32_t *slots = realloc(journal->slots, count * sizeof *slots);
  if (!slots)
    return ecrb_journal_no_memory(journal, err);
  journal->slots = slots;
  journal->slot_count = count;
  ecrb_index_refill(journal);
  return ECRB_OK;
}

int ecrb_index_reserve(ecrb_journal *journal, ecrb_err *err) {
  ecrb_entry *entries = ecrb_array_grow(journal->entries, journal->count,
                                        &journal->room, sizeof *entries);
  if (!entries)
    return ecrb_journal_no_memory(journal, err);
  journal->entries = entries;
  if (2 * (journal->count + 1) <= journal->slot_count)
    return ECRB_OK;
  return grow_slots(journal, err);
}

void ecrb_index_add(ecrb_journal *journal, ecrb_span key, off_t at,
                    size_t length) {
  journal->entries[journal->count] = (ecrb_entry){hash_of(key), at, length};
  fill_slot(journal, journal->count++);
  journal->end = at + (off_t)length + 1;
}

/* An empty buffer with room for `n` bytes; what one long line has blown up is
** given back. */
static int clear_buffer(ecrb_journal *journal, size_t n, ecrb_err *err) {
  if (journal->buffer.room > KEEP_BYTES && n <= KEEP_BYTES)
    ecrb_bytes_free(&journal->buffer);
  journal->buffer.n = 0;
  if (ecrb_bytes_reserve(&journal->buffer, n) != ECRB_OK)
    return ecrb_journal_no_memory(journal, err);
  return ECRB_OK;
}

/* What was read is the entry's line only if its key has the entry's hash. */
static bool is_line_of(const ecrb_entry *e, ecrb_span line) {
  ecrb_span key;
  return line.at[line.n] == '\n' && ecrb_journal_key(line, &key) &&
         hash_of(key) == e->hash;
}

int ecrb_index_read(ecrb_journal *journal, size_t number, ecrb_span *line,
                    ecrb_err *err) {
  const ecrb_entry *e = &journal->entries[number];
  size_t n = e->length + 1;
  int status = clear_buffer(journal, n, err);
  if (status != ECRB_OK)
    return status;
  ssize_t got = ecrb_journal_pread(journal->file, journal->buffer.at, n, e->at);
  if (got < 0)
    return ecrb_journal_refused(journal, "read", err);
  *line = (ecrb_span){journal->buffer.at, e->length};
  if ((size_t)got == n && is_line_of(e, *line))
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s:%zu: the line was changed while the file was open; let "
                   "nothing else write to it",
                   journal->path, number + 1);
}

int ecrb_index_find(ecrb_journal *journal, ecrb_span key, size_t *number,
                    ecrb_span *line, ecrb_err *err) {
  uint64_t hash = hash_of(key);
  size_t mask = journal->slot_count - 1, slot = hash & mask;
  for (; journal->slot_count && journal->slots[slot];
       slot = (slot + 1) & mask) {
    ecrb_span found;
    *number = journal->slots[slot] - 1;
    if (journal->entries[*number].hash != hash)
      continue;
    int status = ecrb_index_read(journal, *number, line, err);
    if (status != ECRB_OK)
      return status;
    if (ecrb_journal_key(*line, &found) && ecrb_span_equal(found, key))
      return ECRB_OK;
  }
  return ECRB_ENONE;
}
