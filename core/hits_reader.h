/* hits_reader.h: what the readers of hit tables share, private to core/. */
#ifndef ECRB_HITS_READER_H
#define ECRB_HITS_READER_H

#include "bytes.h"
#include "ecrb_import.h"

struct ecrb_hit_reader {
  ecrb_lines *lines;
  bool swapped;
  size_t uneven; /* rows whose residue list does not fit the motif */
  size_t unread; /* fields of the last row beyond the columns that are known */
  size_t tm_rows, tm_same; /* rows with both TM-scores, and with equal ones */
  ecrb_hit_maker maker;
  /* One reader's own part. */
  int (*next)(ecrb_hit_reader *reader, ecrb_hit_row *row, ecrb_err *err);
  void (*close)(void *part);
  void *part;
};

/* Each sets `next`, `close` and `part`. */
int ecrb_hits_tabular(ecrb_hit_reader *reader, const ecrb_hit_layout *layout,
                      ecrb_err *err);
int ecrb_hits_hmmer(ecrb_hit_reader *reader, ecrb_err *err);
int ecrb_hits_folddisco(ecrb_hit_reader *reader, const ecrb_hit_layout *layout,
                        ecrb_err *err);

/* Takes what a comment, a line that begins with `#`, tells of the maker. */
void ecrb_hits_maker(ecrb_hit_maker *maker, ecrb_span comment);

/* Reads a whole decimal number; `field` names it in the message. Numbers too
** small for a double are 0. */
int ecrb_hits_number(const ecrb_hit_reader *reader, ecrb_span text,
                     const char *field, double *out, ecrb_err *err);

/* The same for a number in [low, high]. */
int ecrb_hits_number_in(const ecrb_hit_reader *reader, ecrb_span text,
                        const char *field, double low, double high, double *out,
                        ecrb_err *err);

#endif
