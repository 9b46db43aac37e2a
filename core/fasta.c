/* fasta.c: FASTA records, one at a time.
**
** The header of the following record ends a record, so it is kept in `next`
** until it is its turn.
*/
#include "bytes.h"
#include "ecrb_import.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct ecrb_fasta {
  ecrb_lines *lines;
  ecrb_bytes header, next, sequence; /* headers without `>` */
  size_t next_line;                  /* 0: no header is waiting */
};

int ecrb_fasta_open(const char *path, ecrb_fasta **out, ecrb_err *err) {
  ecrb_fasta *fasta = calloc(1, sizeof *fasta);
  int status;
  *out = NULL;
  if (fasta == NULL)
    return ecrb_no_memory(err, path);
  status = ecrb_lines_open(path, &fasta->lines, err);
  if (status != ECRB_OK) {
    free(fasta);
    return status;
  }
  *out = fasta;
  return ECRB_OK;
}

void ecrb_fasta_close(ecrb_fasta *fasta) {
  if (fasta == NULL)
    return;
  ecrb_lines_close(fasta->lines);
  ecrb_bytes_free(&fasta->header);
  ecrb_bytes_free(&fasta->next);
  ecrb_bytes_free(&fasta->sequence);
  free(fasta);
}

static int no_memory(const ecrb_fasta *fasta, ecrb_err *err) {
  return ecrb_no_memory(err, ecrb_lines_path(fasta->lines));
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static bool only_blanks(ecrb_span line) {
  size_t i;
  for (i = 0; i < line.n; i++)
    if (!is_blank(line.at[i]))
      return false;
  return true;
}

/* A file that ends its lines in CR alone is one header to its end. */
static bool goes_on_behind_cr(ecrb_span line) {
  const char *cr = memchr(line.at, '\r', line.n);
  return cr && !only_blanks((ecrb_span){cr, (size_t)(line.at + line.n - cr)});
}

static int keep_header(ecrb_fasta *fasta, ecrb_span line, ecrb_err *err) {
  if (goes_on_behind_cr(line))
    return ecrb_lines_fail(fasta->lines, err, ECRB_EFORMAT,
                           "a CR stands inside the header; save the file with "
                           "LF line ends");
  fasta->next.n = 0;
  if (ecrb_bytes_add(&fasta->next, (ecrb_span){line.at + 1, line.n - 1}))
    return no_memory(fasta, err);
  fasta->next_line = ecrb_lines_number(fasta->lines);
  return ECRB_OK;
}

/* Leaves the first header in `next`. */
static int find_header(ecrb_fasta *fasta, ecrb_err *err) {
  ecrb_span line;
  int status;
  while ((status = ecrb_lines_next(fasta->lines, &line, err)) == ECRB_OK) {
    if (line.n > 0 && line.at[0] == '>')
      return keep_header(fasta, line, err);
    if (!only_blanks(line) && line.at[0] != ';')
      return ecrb_lines_fail(fasta->lines, err, ECRB_EFORMAT,
                             "text before the first header; a FASTA record "
                             "begins with `>id`");
  }
  return status;
}

static int bad_character(const ecrb_fasta *fasta, ecrb_err *err, size_t column,
                         unsigned char c) {
  return ecrb_lines_fail(fasta->lines, err, ECRB_EFORMAT,
                         "character %zu (byte 0x%02X) is no residue; remove "
                         "it",
                         column + 1, c);
}

static int add_stop(ecrb_fasta *fasta, ecrb_record *record) {
  record->stops++;
  return ecrb_bytes_add_char(&fasta->sequence, '*');
}

static int add_lower(ecrb_fasta *fasta, ecrb_record *record, char c) {
  record->lowered = true;
  return ecrb_bytes_add_char(&fasta->sequence, (char)(c - 'a' + 'A'));
}

static bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

static bool is_filler(char c) {
  return is_blank(c) || c == '-' || c == '.' || (c >= '0' && c <= '9');
}

static ecrb_span without_end_blanks(ecrb_span line) {
  while (line.n > 0 && is_blank(line.at[line.n - 1]))
    line.n--;
  return line;
}

/* A character that is no upper-case letter; ECRB_EFORMAT where it has no place in
** a sequence. */
static int add_other(ecrb_fasta *fasta, ecrb_record *record, char c) {
  if (is_lower(c))
    return add_lower(fasta, record, c);
  if (c == '*')
    return add_stop(fasta, record);
  if (!is_filler(c))
    return ECRB_EFORMAT;
  record->removed++;
  return ECRB_OK;
}

/* Adds the letters that the text begins with, or the one character that is
** none; `*taken` is how many characters that were. */
static int add_run(ecrb_fasta *fasta, ecrb_record *record, ecrb_span text,
                   size_t *taken) {
  size_t letters = ecrb_text_letters(text);
  *taken = letters > 0 ? letters : 1;
  if (letters == 0)
    return add_other(fasta, record, *text.at);
  return ecrb_bytes_add(&fasta->sequence, (ecrb_span){text.at, letters});
}

static int add_residues(ecrb_fasta *fasta, ecrb_record *record, ecrb_span line,
                        ecrb_err *err) {
  line = without_end_blanks(line);
  for (size_t at = 0, taken; at < line.n; at += taken) {
    ecrb_span rest = {line.at + at, line.n - at};
    int status = add_run(fasta, record, rest, &taken);
    if (status == ECRB_EFORMAT)
      return bad_character(fasta, err, at, (unsigned char)*rest.at);
    if (status != ECRB_OK)
      return no_memory(fasta, err);
  }
  if (fasta->sequence.n > ECRB_LINE_MAX)
    return ecrb_lines_fail(fasta->lines, err, ECRB_ELIMIT,
                           "the sequence is longer than %u MiB; is this a "
                           "protein?",
                           ECRB_LINE_MAX >> 20);
  return ECRB_OK;
}

static int read_sequence(ecrb_fasta *fasta, ecrb_record *record,
                         ecrb_err *err) {
  ecrb_span line;
  int status;
  while ((status = ecrb_lines_next(fasta->lines, &line, err)) == ECRB_OK) {
    if (line.n > 0 && line.at[0] == '>')
      return keep_header(fasta, line, err);
    if (line.n > 0 && line.at[0] == ';')
      continue;
    status = add_residues(fasta, record, line, err);
    if (status != ECRB_OK)
      return status;
  }
  return status == ECRB_ENONE ? ECRB_OK : status;
}

static void cut_terminal_stop(ecrb_fasta *fasta, ecrb_record *record) {
  ecrb_bytes *sequence = &fasta->sequence;
  if (sequence->n == 0 || sequence->at[sequence->n - 1] != '*')
    return;
  sequence->n--;
  record->stops--;
  record->terminated = true;
}

/* Splits the header at its first run of blanks. */
static void split_header(const ecrb_bytes *header, ecrb_record *record) {
  size_t stop = 0, rest;
  while (stop < header->n && !is_blank(header->at[stop]))
    stop++;
  rest = stop;
  while (rest < header->n && is_blank(header->at[rest]))
    rest++;
  record->id = ecrb_bytes_part(header, 0, stop);
  record->description =
      without_end_blanks(ecrb_bytes_part(header, rest, header->n));
}

static int take_header(ecrb_fasta *fasta, ecrb_record *record, ecrb_err *err) {
  ecrb_bytes taken = fasta->next;
  fasta->next = fasta->header;
  fasta->header = taken;
  record->line = fasta->next_line;
  fasta->next_line = 0;
  split_header(&fasta->header, record);
  if (record->id.n == 0)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: a header without an id; write `>id` without a "
                     "blank after `>`",
                     ecrb_lines_path(fasta->lines), record->line);
  return ECRB_OK;
}

int ecrb_fasta_next(ecrb_fasta *fasta, ecrb_record *out, ecrb_err *err) {
  int status = ECRB_OK;
  memset(out, 0, sizeof *out);
  fasta->sequence.n = 0;
  if (fasta->next_line == 0)
    status = find_header(fasta, err);
  if (status == ECRB_OK)
    status = take_header(fasta, out, err);
  if (status == ECRB_OK)
    status = read_sequence(fasta, out, err);
  if (status != ECRB_OK)
    return status;
  cut_terminal_stop(fasta, out);
  out->sequence = (ecrb_span){fasta->sequence.at, fasta->sequence.n};
  return ECRB_OK;
}
