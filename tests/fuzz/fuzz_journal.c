/* fuzz_journal.c: any bytes as a journal. What opens must give back every line
** under its own key, take one more, and open again. */
#include "ecrb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void require(bool holds) {
  if (!holds)
    abort();
}

static ecrb_journal *open_at(const char *path, enum ecrb_journal_mode mode) {
  ecrb_journal *journal;
  ecrb_err err;
  int status = ecrb_journal_open(path, mode, &journal, NULL, &err);
  require(status == ECRB_OK || strlen(err.msg) > 0);
  return journal;
}

/* The key of a line that a journal gave out. */
static ecrb_span key_of(ecrb_span line) {
  const char *from = line.at + strlen("{\"key\":\"");
  const char *quote = memchr(from, '"', (size_t)(line.at + line.n - from));
  require(quote);
  return (ecrb_span){from, (size_t)(quote - from)};
}

static void read_all(ecrb_journal *journal) {
  for (size_t i = 0; i < ecrb_journal_count(journal); i++) {
    ecrb_span line, found;
    char copy[ECRB_JOURNAL_KEY];
    require(ecrb_journal_line(journal, i, &line, NULL) == ECRB_OK);
    ecrb_span key = key_of(line);
    require(key.n <= sizeof copy);
    memcpy(copy, key.at, key.n);
    size_t length = line.n;
    require(ecrb_journal_find(journal, (ecrb_span){copy, key.n}, &found,
                              NULL) == ECRB_OK);
    require(found.n == length);
  }
}

static void append_and_reverse(ecrb_journal *journal) {
  uint32_t order[4096];
  size_t count;
  ecrb_journal_append(journal, ecrb_span_of("{\"key\":\"one more\"}"), NULL);
  count = ecrb_journal_count(journal);
  for (size_t i = 0; i < count && i < 4096; i++)
    order[i] = (uint32_t)(count - 1 - i);
  if (count <= 4096)
    require(ecrb_journal_reorder(journal, order, NULL) == ECRB_OK);
  read_all(journal);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/ecrb-fuzz-%d.jsonl", (int)getpid());
  FILE *f = fopen(path, "we");
  require(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
  ecrb_journal *journal = open_at(path, ECRB_JOURNAL_READ);
  if (journal)
    read_all(journal);
  ecrb_journal_close(journal);
  journal = open_at(path, ECRB_JOURNAL_APPEND);
  if (journal) {
    append_and_reverse(journal);
    ecrb_journal_close(journal);
    journal = open_at(path, ECRB_JOURNAL_READ);
    require(journal);
  }
  ecrb_journal_close(journal);
  unlink(path);
  return 0;
}
