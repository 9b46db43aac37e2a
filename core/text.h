/* text.h: tables in memory and what their cells hold, private to core/. A file
** is mapped read-only and checked byte by byte once, so that everything after it
** may rely on: UTF-8, no control character but tab and LF, and an LF at the end
** of the last line. A file that is replaced by renaming stays as it was mapped;
** one that is cut short in place while it is mapped kills the program (SIGBUS),
** so tables are never written in place. */
#ifndef ECRB_TEXT_H
#define ECRB_TEXT_H

#include "ecrb.h"

typedef struct ecrb_text {
  char *path;     /* owned: the folder and the name, as messages print it */
  const char *at; /* the mapping */
  size_t n;
  size_t lines;
} ecrb_text;

/* `dir/name` in memory of its own; NULL without memory. */
char *ecrb_text_path(const char *dir, const char *name);

/* Maps dir/name. ECRB_ENONE if there is no such file. */
int ecrb_text_open(const char *dir, const char *name, ecrb_text *out,
                   ecrb_err *err);
void ecrb_text_close(ecrb_text *text);

/* Gives the memory of the mapping back to the system; it is filled anew where
** somebody reads. */
void ecrb_text_rest(const ecrb_text *text);

/* The position of the first byte that no table may hold: one that is not UTF-8,
** or a control character other than tab and line end; n if there is none. */
size_t ecrb_text_bad_byte(ecrb_span text);

/* Whether a cell of a table may hold these bytes: UTF-8 without control
** characters, tabs and line ends among them. */
bool ecrb_text_fits(ecrb_span cell);

/* Whether a cell may be an item's id, which becomes the key of a journal's
** line: 255 bytes at most, no quote and no backslash. */
bool ecrb_text_fits_key(ecrb_span cell);

/* The position of the first byte that is no letter A to Z, as sequences are
** written; n where all are. */
size_t ecrb_text_letters(ecrb_span cell);

/* Whether a cell has the shape of a reaction in SMILES: what it begins with, what
** helps it along, what it ends with, `A.B>>C.D`, without blanks. */
bool ecrb_text_reaction(ecrb_span cell);

/* How many bytes of a cell a message shows: whole characters, 60 at most. */
int ecrb_text_shown(ecrb_span cell);

/* Whether a cell is the `-` that stands for none. */
static inline bool ecrb_text_none(ecrb_span cell) {
  return cell.n == 1 && cell.at[0] == '-';
}

/* For "%.*s". */
#define ECRB_SHOWN(cell) ecrb_text_shown(cell), (cell).at

/* A decimal number, `12`, `-0.5`, `1.3e-172`, with a point whatever the
** locale says; false for anything else and for what a double cannot hold. */
bool ecrb_text_number(ecrb_span cell, double *out);

/* Digits without a leading zero, up to 999,999,999. */
bool ecrb_text_count(ecrb_span cell, uint32_t *out);

#endif
