/* tsv.h: a table being written, private to core/: every write is checked, and
** the bytes are hashed on their way. */
#ifndef ECRB_TSV_H
#define ECRB_TSV_H

#include "ecrb_import.h"

#include <stdio.h>

/* For a missing value. */
#define TSV_NONE "-"

typedef struct tsv tsv;

/* Makes `dir/name` with its header line, the columns separated by blanks. */
int tsv_create(const char *dir, const char *name, const char *columns,
               tsv **out, ecrb_err *err);

/* Cells of a row, then its end. A failed write is told by tsv_close. */
void tsv_span(tsv *table, ecrb_span cell);
void tsv_text(tsv *table, const char *cell);
void tsv_count(tsv *table, size_t cell);
/* NaN is `-`. */
void tsv_number(tsv *table, double cell);
void tsv_fixed(tsv *table, double cell, int digits);
void tsv_ecs(tsv *table, const ecrb_ec *list, size_t n); /* joined by `;` */
void tsv_end_row(tsv *table);

/* Ends the file; `written` receives what it holds. Frees in any case. */
int tsv_close(tsv *table, ecrb_written *written, ecrb_err *err);

#endif
