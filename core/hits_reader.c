/* hits_reader.c: opening a hit table in one of the formats. */
#include "hits_reader.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

static int choose_format(ecrb_hit_reader *reader, const ecrb_hit_layout *layout,
                         ecrb_err *err) {
  switch (layout->format) {
  case ECRB_HITS_TABULAR:
    return ecrb_hits_tabular(reader, layout, err);
  case ECRB_HITS_HMMER:
    return ecrb_hits_hmmer(reader, err);
  case ECRB_HITS_FOLDDISCO:
    return ecrb_hits_folddisco(reader, layout, err);
  }
  return ecrb_fail(err, ECRB_EARG, "no hit format %d", (int)layout->format);
}

int ecrb_hit_reader_open(const char *path, const ecrb_hit_layout *layout,
                         ecrb_hit_reader **out, ecrb_err *err) {
  ecrb_hit_reader *reader = calloc(1, sizeof *reader);
  int status;
  *out = NULL;
  if (reader == NULL)
    return ecrb_no_memory(err, path);
  reader->swapped = layout->swapped;
  status = ecrb_lines_open(path, &reader->lines, err);
  if (status == ECRB_OK)
    status = choose_format(reader, layout, err);
  if (status != ECRB_OK) {
    ecrb_hit_reader_close(reader);
    return status;
  }
  *out = reader;
  return ECRB_OK;
}

void ecrb_hit_reader_close(ecrb_hit_reader *reader) {
  if (reader == NULL)
    return;
  if (reader->part != NULL)
    reader->close(reader->part);
  ecrb_lines_close(reader->lines);
  free(reader);
}

static void swap_names(ecrb_hit_row *row) {
  ecrb_span query = row->query;
  row->query = row->neighbour;
  row->neighbour = query;
}

int ecrb_hit_reader_next(ecrb_hit_reader *reader, ecrb_hit_row *row,
                         ecrb_err *err) {
  int status;
  *row = (ecrb_hit_row){{"", 0}, {"", 0}, NAN, NAN, NAN, NAN, NAN};
  status = reader->next(reader, row, err);
  if (status == ECRB_OK && reader->swapped)
    swap_names(row);
  return status;
}

size_t ecrb_hit_reader_line(const ecrb_hit_reader *reader) {
  return ecrb_lines_number(reader->lines);
}

size_t ecrb_hit_reader_unread(const ecrb_hit_reader *reader) {
  return reader->unread;
}

size_t ecrb_hit_reader_uneven(const ecrb_hit_reader *reader) {
  return reader->uneven;
}

size_t ecrb_hit_reader_same_tm(const ecrb_hit_reader *reader) {
  return reader->tm_same == reader->tm_rows ? reader->tm_rows : 0;
}

int ecrb_hits_number(const ecrb_hit_reader *reader, ecrb_span text,
                     const char *field, double *out, ecrb_err *err) {
  if (ecrb_text_number(text, out))
    return ECRB_OK;
  return ecrb_lines_fail(reader->lines, err, ECRB_EFORMAT,
                         "%s: `%.*s` is no number; are the columns declared as "
                         "the file has them?",
                         field, ECRB_SHOWN(text));
}

int ecrb_hits_number_in(const ecrb_hit_reader *reader, ecrb_span text,
                        const char *field, double low, double high, double *out,
                        ecrb_err *err) {
  int status = ecrb_hits_number(reader, text, field, out, err);
  if (status != ECRB_OK || (*out >= low && *out <= high))
    return status;
  return ecrb_lines_fail(reader->lines, err, ECRB_EFORMAT,
                         "%s: %g is outside %g to %g; are the columns declared "
                         "as the file has them?",
                         field, *out, low, high);
}
