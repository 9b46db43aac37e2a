/* hits_columns.h: columns of a tab-separated hit table by their roles, private
** to core/. A format has its own roles, numbered from 1; 0 is none. */
#ifndef ECRB_HITS_COLUMNS_H
#define ECRB_HITS_COLUMNS_H

#include "ecrb.h"

#define HITS_COLUMNS_MAX 64
#define HITS_ROLES_MAX 16
#define HITS_ABSENT (-1)

typedef struct hits_column_name {
  const char *name; /* in any case */
  int role;
} hits_column_name;

typedef struct hits_columns {
  const hits_column_name *known; /* the format's names */
  size_t n_known;
  int score_role;
  ecrb_span score; /* the name that has the score's role; empty: as known */
  int n;
  int column[HITS_ROLES_MAX]; /* where a role stands first, or HITS_ABSENT */
} hits_columns;

/* Takes the next name of a list whose separators are in `between`; blanks
** around a name do not count. */
bool ecrb_hits_columns_take(ecrb_span *list, const char *between,
                            ecrb_span *name);

/* Names the columns by a list. */
void ecrb_hits_columns_name(hits_columns *columns, ecrb_span list,
                            const char *between);

/* Whether a line holds names of both roles, so that it is a header line. */
bool ecrb_hits_columns_header(const hits_columns *columns, ecrb_span line,
                              int a, int b);

/* Splits a row at its tabs into fields[HITS_COLUMNS_MAX]; returns how many
** there are, even beyond the columns. */
int ecrb_hits_columns_split(const hits_columns *columns, ecrb_span line,
                            ecrb_span *fields);

#endif
