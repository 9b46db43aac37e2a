/* journal_index.c: an open-addressing table from the tags of keys to lines; with
** what is known of each line 11 to 16 bytes. The keys stay in the file: a look-up
** reads the line and compares there, so that colliding tags and a file changed
** from outside are noticed. */
#include "journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEEP_BYTES ((size_t)256 << 10) /* a larger buffer is not kept */
#define AHEAD_BYTES ((size_t)64 << 10) /* for who reads line after line */

static uint32_t tag_of(ecrb_span key) {
  return (uint32_t)(ecrb_rng_fold(0, key.at, key.n) >> (64 - ECRB_TAG_BITS));
}

/* Where the search for a tag begins. */
static size_t home_of(const ecrb_journal *journal, uint32_t tag) {
  return (size_t)((uint64_t)tag * journal->slot_count >> ECRB_TAG_BITS);
}

static size_t next_slot(const ecrb_journal *journal, size_t slot) {
  return slot + 1 == journal->slot_count ? 0 : slot + 1;
}

static void fill_slot(ecrb_journal *journal, size_t number) {
  size_t slot = home_of(journal, journal->lines.entry[number].tag);
  while (journal->slots[slot])
    slot = next_slot(journal, slot);
  journal->slots[slot] = (uint32_t)number + 1;
}

void ecrb_index_refill(ecrb_journal *journal) {
  memset(journal->slots, 0, journal->slot_count * sizeof *journal->slots);
  for (size_t i = 0; i < journal->lines.count; i++)
    fill_slot(journal, i);
}

static int too_large(const ecrb_journal *journal, ecrb_err *err) {
  return ecrb_fail(err, ECRB_ELIMIT,
                   "%s: more than %zu lines", journal->path,
                   journal->lines.count);
}

static int grow_slots(ecrb_journal *journal, ecrb_err *err) {
  size_t count = 2 * journal->slot_count + (journal->slot_count ? 0 : 64);
  if (count > UINT32_MAX)
    return too_large(journal, err);
  uint32_t *slots = realloc(journal->slots, count * sizeof *slots);
  if (!slots)
    return ecrb_journal_no_memory(journal, err);
  journal->slots = slots;
  journal->slot_count = count;
  ecrb_index_refill(journal);
  return ECRB_OK;
}

/* Four of five slots are taken at most. */
int ecrb_index_reserve(ecrb_journal *journal, ecrb_err *err) {
  if (ecrb_journal_lines_reserve(&journal->lines) != ECRB_OK)
    return ecrb_journal_no_memory(journal, err);
  if (5 * (journal->lines.count + 1) <= 4 * journal->slot_count)
    return ECRB_OK;
  return grow_slots(journal, err);
}

void ecrb_index_add(ecrb_journal *journal, ecrb_span key, size_t length) {
  ecrb_journal_lines_add(&journal->lines, tag_of(key), length);
  fill_slot(journal, journal->lines.count - 1);
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

/* What was read is the entry's line only if its key has the entry's tag. */
static bool is_line_of(const ecrb_entry *e, ecrb_span line) {
  ecrb_span key;
  return line.at[line.n] == '\n' && ecrb_journal_key(line, &key) &&
         tag_of(key) == e->tag;
}

static bool is_in_buffer(const ecrb_journal *journal, off_t at, size_t n) {
  off_t first = journal->buffer_at;
  return at >= first && at + (off_t)n <= first + (off_t)journal->buffer.n;
}

/* Reads `n` bytes into the buffer, and where lines are read one after the other
** some of the next, too. */
static int fill_buffer(ecrb_journal *journal, size_t number, off_t at, size_t n,
                       ecrb_err *err) {
  size_t left = (size_t)((off_t)journal->lines.end - at);
  size_t most = left < AHEAD_BYTES ? left : AHEAD_BYTES;
  size_t want = number == journal->reading && n < most ? most : n;
  int status = clear_buffer(journal, want, err);
  if (status != ECRB_OK)
    return status;
  ssize_t got = ecrb_journal_pread(journal->file, journal->buffer.at, want, at);
  if (got < 0)
    return ecrb_journal_refused(journal, "read", err);
  journal->buffer_at = at;
  journal->buffer.n = (size_t)got;
  return ECRB_OK;
}

int ecrb_index_read(ecrb_journal *journal, size_t number, ecrb_span *line,
                    ecrb_err *err) {
  const ecrb_entry *e = &journal->lines.entry[number];
  size_t n = ecrb_journal_lines_length(&journal->lines, number) + 1;
  off_t at = (off_t)ecrb_journal_lines_at(&journal->lines, number);
  int status = is_in_buffer(journal, at, n)
                   ? ECRB_OK
                   : fill_buffer(journal, number, at, n, err);
  if (status != ECRB_OK)
    return status;
  journal->reading = number + 1;
  *line = (ecrb_span){journal->buffer.at + (at - journal->buffer_at), n - 1};
  if (is_in_buffer(journal, at, n) && is_line_of(e, *line))
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s:%zu: the line was changed while the file was open; let "
                   "nothing else write to it",
                   journal->path, number + 1);
}

int ecrb_index_find(ecrb_journal *journal, ecrb_span key, size_t *number,
                    ecrb_span *line, ecrb_err *err) {
  uint32_t tag = tag_of(key);
  size_t slot = home_of(journal, tag);
  for (; journal->slot_count && journal->slots[slot];
       slot = next_slot(journal, slot)) {
    ecrb_span found;
    *number = journal->slots[slot] - 1;
    if (journal->lines.entry[*number].tag != tag)
      continue;
    int status = ecrb_index_read(journal, *number, line, err);
    if (status != ECRB_OK)
      return status;
    if (ecrb_journal_key(*line, &found) && ecrb_span_equal(found, key))
      return ECRB_OK;
  }
  return ECRB_ENONE;
}
