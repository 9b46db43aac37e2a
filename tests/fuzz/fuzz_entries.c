/* Any bytes as a UniProt flat file: an entry has an accession, a date, and
** upper-case letters. */
#include "input.h"

#include <string.h>

static void check(const ecrb_entry *entry) {
  input_touch(entry->name);
  input_touch(entry->ecs);
  for (size_t i = 0; i < entry->sequence.n; i++)
    if (entry->sequence.at[i] < 'A' || entry->sequence.at[i] > 'Z')
      abort();
  if (entry->accession.n == 0 || strlen(entry->created) != 10)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[32];
  int fd = input_open(data, size, path);
  ecrb_entries *entries;
  ecrb_entry entry;
  ecrb_err err;
  if (ecrb_entries_open(path, &entries, &err) == ECRB_OK)
    while (ecrb_entries_next(entries, &entry, &err) == ECRB_OK)
      check(&entry);
  ecrb_entries_close(entries);
  close(fd);
  return 0;
}
