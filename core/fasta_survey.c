/* fasta_survey.c: one pass over a FASTA file before hours of work on it: how
** much is there, and whether its ids can name results.
**
** Every id is kept, with the line of its record and a 64-bit digest of its
** sequence (ecrb_rng_fold), by which a record that comes again is told from
** one that contradicts the earlier one. */
#include "bytes.h"
#include "ecrb_import.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct seen {
  uint64_t digest;
  size_t line;
} seen;

typedef struct surveyor {
  const char *path;
  ecrb_survey *out;
  ecrb_names *ids;
  seen *records; /* beside `ids` */
  size_t room, repeats_room;
  ecrb_sha256 *hash;
} surveyor;

static int no_memory(const surveyor *s, ecrb_err *err) {
  return ecrb_no_memory(err, s->path);
}

static int check_id(const surveyor *s, const ecrb_record *r, ecrb_err *err) {
  for (size_t i = 0; i < r->id.n; i++) {
    unsigned char c = (unsigned char)r->id.at[i];
    if (c < ' ' || c == 127)
      return ecrb_fail(err, ECRB_EFORMAT,
                       "%s:%zu: character %zu of the id (byte 0x%02X) is a "
                       "control character; remove it",
                       s->path, r->line, i + 1, c);
  }
  return ECRB_OK;
}

static void add_hash(surveyor *s, const ecrb_record *r) {
  const ecrb_span end = {"\n", 1};
  ecrb_sha256_add(s->hash, r->id);
  ecrb_sha256_add(s->hash, end);
  ecrb_sha256_add(s->hash, r->sequence);
  ecrb_sha256_add(s->hash, end);
}

static int add_repeat(surveyor *s, ecrb_err *err) {
  ecrb_survey *out = s->out;
  size_t *grown = ecrb_array_grow(out->repeats, out->n_repeats,
                                  &s->repeats_room, sizeof *grown);
  if (grown == NULL)
    return no_memory(s, err);
  out->repeats = grown;
  grown[out->n_repeats++] = out->records;
  return ECRB_OK;
}

static int compare(surveyor *s, const ecrb_record *r, const seen *before,
                   uint64_t digest, ecrb_err *err) {
  if (before->digest == digest)
    return add_repeat(s, err);
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s:%zu: `%.*s` stands on line %zu already, with another "
                   "sequence; give each sequence an id of its own",
                   s->path, r->line, ECRB_SHOWN(r->id), before->line);
}

static int add_record(surveyor *s, const ecrb_record *r, ecrb_err *err) {
  uint64_t digest = ecrb_rng_fold(0, r->sequence.at, r->sequence.n);
  size_t index;
  bool fresh;
  seen *grown;
  if (ecrb_names_add(s->ids, r->id, &index, &fresh) != ECRB_OK)
    return no_memory(s, err);
  if (!fresh)
    return compare(s, r, &s->records[index], digest, err);
  grown = ecrb_array_grow(s->records, index, &s->room, sizeof *grown);
  if (grown == NULL)
    return no_memory(s, err);
  s->records = grown;
  grown[index] = (seen){digest, r->line};
  s->out->residues += r->sequence.n;
  return ECRB_OK;
}

static int take(surveyor *s, const ecrb_record *r, ecrb_err *err) {
  int status = check_id(s, r, err);
  if (status == ECRB_OK)
    status = add_record(s, r, err);
  if (status != ECRB_OK)
    return status;
  add_hash(s, r);
  s->out->records++;
  s->out->empty += r->sequence.n == 0;
  s->out->odd += r->lowered || r->stops > 0 || r->removed > 0;
  return ECRB_OK;
}

static int read_all(surveyor *s, ecrb_err *err) {
  ecrb_fasta *fasta;
  ecrb_record record;
  int status = ecrb_fasta_open(s->path, &fasta, err);
  if (status != ECRB_OK)
    return status;
  while (status == ECRB_OK) {
    status = ecrb_fasta_next(fasta, &record, err);
    if (status == ECRB_OK)
      status = take(s, &record, err);
  }
  ecrb_fasta_close(fasta);
  return status == ECRB_ENONE ? ECRB_OK : status;
}

static size_t size_of(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size : 0;
}

int ecrb_fasta_survey(const char *path, ecrb_survey *out, ecrb_err *err) {
  surveyor s = {.path = path, .out = out};
  int status = ECRB_ENOMEM;
  memset(out, 0, sizeof *out);
  if (ecrb_names_new(&s.ids) == ECRB_OK &&
      ecrb_sha256_new(&s.hash) == ECRB_OK) {
    ecrb_sha256_begin(s.hash, size_of(path));
    status = read_all(&s, err);
    if (!ecrb_sha256_end(s.hash, out->sha256) && status == ECRB_OK)
      status = no_memory(&s, err);
  } else {
    no_memory(&s, err);
  }
  ecrb_sha256_free(s.hash);
  ecrb_names_free(s.ids);
  free(s.records);
  if (status != ECRB_OK)
    ecrb_survey_free(out);
  return status;
}

void ecrb_survey_free(ecrb_survey *survey) {
  free(survey->repeats);
  survey->repeats = NULL;
  survey->n_repeats = 0;
}
