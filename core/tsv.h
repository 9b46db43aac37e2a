/* tsv.h: a table being written, private to core/: every write is checked, and
** the bytes are hashed on their way. */
#ifndef ECRB_TSV_H
#define ECRB_TSV_H

#include "ecrb_import.h"

#include <stdio.h>

/* For a missing value. */
#define TSV_NONE "-"

typedef struct ecrb_tsv ecrb_tsv;

/* Makes `dir/name` with its header line, the columns separated by blanks. */
int ecrb_tsv_create(const char *dir, const char *name, const char *columns,
                    ecrb_tsv **out, ecrb_err *err);

/* Cells of a row, then its end. A failed write is told by ecrb_tsv_close. */
void ecrb_tsv_span(ecrb_tsv *table, ecrb_span cell);
void ecrb_tsv_text(ecrb_tsv *table, const char *cell);
void ecrb_tsv_count(ecrb_tsv *table, size_t cell);
/* NaN is `-`. */
void ecrb_tsv_number(ecrb_tsv *table, double cell);
void ecrb_tsv_fixed(ecrb_tsv *table, double cell, int digits);
void ecrb_tsv_ecs(ecrb_tsv *table, const ecrb_ec *list,
                  size_t n); /* joined by `;` */
void ecrb_tsv_end_row(ecrb_tsv *table);

/* Ends the file; `written` receives what it holds. Frees in any case. */
int ecrb_tsv_close(ecrb_tsv *table, ecrb_written *written, ecrb_err *err);

#endif
