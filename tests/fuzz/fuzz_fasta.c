/* Any bytes as a FASTA file, plain or gzip'ed: ids are words, sequences hold
** upper-case letters and inner stops alone. A survey that goes through counts the
** same records. */
#include "input.h"

static void check(const ecrb_record *record) {
  size_t stops = 0;
  input_touch(record->id);
  input_touch(record->description);
  for (size_t i = 0; i < record->sequence.n; i++) {
    char c = record->sequence.at[i];
    stops += c == '*';
    if (c != '*' && (c < 'A' || c > 'Z'))
      abort();
  }
  if (record->id.n == 0 || stops != record->stops)
    abort();
}

static void survey(const char *path, size_t records) {
  ecrb_survey found;
  ecrb_err err;
  if (ecrb_fasta_survey(path, &found, &err) != ECRB_OK)
    return;
  if (found.records != records || found.n_repeats >= records + (records == 0))
    abort();
  ecrb_survey_free(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[32];
  int fd = input_open(data, size, path);
  ecrb_fasta *fasta;
  ecrb_record record;
  ecrb_err err;
  size_t n = 0;
  if (ecrb_fasta_open(path, &fasta, &err) == ECRB_OK)
    for (; ecrb_fasta_next(fasta, &record, &err) == ECRB_OK; n++)
      check(&record);
  ecrb_fasta_close(fasta);
  survey(path, n);
  close(fd);
  return 0;
}
