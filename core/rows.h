/* rows.h: a tab-separated file with a header line, row by row. The reader
** asks for columns by name and gets its cells in the order it asked. */
#ifndef ECRB_ROWS_H
#define ECRB_ROWS_H

#include "text.h"

#define ECRB_ROWS_FIELDS 12 /* columns that a reader can ask for */
#define ECRB_ROWS_WIDTH 256 /* columns that a file can have */

typedef struct ecrb_rows {
  const ecrb_text *text;   /* borrowed */
  const char *const *name; /* the fields asked for, borrowed */
  int fields;
  int width;                          /* columns of the file */
  signed char field[ECRB_ROWS_WIDTH]; /* which field a column is, or -1 */
  const char *next;                   /* the row to come */
  size_t line;                        /* of the present row, 1-based */
  ecrb_span cell[ECRB_ROWS_FIELDS];   /* the present row, by field */
} ecrb_rows;

/* Reads the header. Every field must have its column. */
int ecrb_rows_open(const ecrb_text *text, const char *const *names, int fields,
                   ecrb_rows *out, ecrb_err *err);

/* Whether the header has a column of that name. */
bool ecrb_rows_names(const ecrb_text *text, const char *name);

/* Reads a row into `cell`; ECRB_ENONE, without a message, after the last. */
int ecrb_rows_next(ecrb_rows *rows, ecrb_err *err);

/* Goes past a row that there is. */
void ecrb_rows_skip(ecrb_rows *rows);

/* Goes to the row that begins at `offset`; its line number is unknown. */
void ecrb_rows_seek(ecrb_rows *rows, size_t offset);

/* ECRB_EFORMAT with `path:line: field "name": ` before the message. */
int ecrb_rows_fail(const ecrb_rows *rows, int field, ecrb_err *err,
                   const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
