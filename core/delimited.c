/* delimited.c: comma- and tab-separated tables with a header line.
**
** A record is copied into `text` with its quotes undone, and `ends` keeps
** where each field stops; fields become spans when the record is whole, since
** `text` may move while it grows.
*/
#include "bytes.h"
#include "ecrb_import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
  ecrb_bytes text;
  size_t *ends;
  size_t n, ends_room;
  ecrb_span *fields;
  size_t fields_room;
} row;

struct ecrb_table {
  ecrb_lines *lines;
  char separator;
  row header, record;
  size_t line; /* where the record begins */
};

static void row_free(row *r) {
  ecrb_bytes_free(&r->text);
  free(r->ends);
  free(r->fields);
}

static int no_memory(const ecrb_table *table, ecrb_err *err) {
  return ecrb_no_memory(err, ecrb_lines_path(table->lines));
}

static int end_field(ecrb_table *table, row *r, ecrb_err *err) {
  size_t *ends = ecrb_array_grow(r->ends, r->n, &r->ends_room, sizeof *ends);
  if (ends == NULL)
    return no_memory(table, err);
  r->ends = ends;
  ends[r->n++] = r->text.n;
  return ECRB_OK;
}

/* Takes the text up to the next separator, or to the end of the line. */
static int plain_field(ecrb_table *table, row *r, ecrb_span line, size_t *at,
                       ecrb_err *err) {
  const char *from = line.at + *at;
  const char *stop = memchr(from, table->separator, line.n - *at);
  size_t n = stop == NULL ? line.n - *at : (size_t)(stop - from);
  if (table->separator == ',' && memchr(from, '"', n) != NULL)
    return ecrb_lines_fail(table->lines, err, ECRB_EFORMAT,
                           "field %zu: a quote inside a field without quotes; "
                           "quote the field and double the quote",
                           r->n + 1);
  *at += n;
  if (ecrb_bytes_add(&r->text, (ecrb_span){from, n}) != ECRB_OK)
    return no_memory(table, err);
  return end_field(table, r, err);
}

/* Goes on in the following line of a quoted field. */
static int continue_quoted(ecrb_table *table, row *r, ecrb_span *line,
                           ecrb_err *err) {
  int status = ECRB_ELIMIT;
  if (r->text.n <= ECRB_LINE_MAX) {
    if (ecrb_bytes_add_char(&r->text, '\n') != ECRB_OK)
      return no_memory(table, err);
    status = ecrb_lines_next(table->lines, line, err);
  }
  if (status == ECRB_ENONE || status == ECRB_ELIMIT)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: field %zu: a quote is opened and never closed; "
                     "close it, or double a quote inside a field",
                     ecrb_lines_path(table->lines), table->line, r->n + 1);
  return status;
}

static bool is_quote(ecrb_span line, size_t at) {
  return at < line.n && line.at[at] == '"';
}

/* Copies up to the closing quote; `*at` stands after the opening one and is
** left after the closing one. */
static int quoted_text(ecrb_table *table, row *r, ecrb_span *line, size_t *at,
                       ecrb_err *err) {
  int status;
  for (;;) {
    while (*at >= line->n) {
      status = continue_quoted(table, r, line, err);
      if (status != ECRB_OK)
        return status;
      *at = 0;
    }
    if (is_quote(*line, *at) && !is_quote(*line, ++*at))
      return ECRB_OK;
    if (ecrb_bytes_add_char(&r->text, line->at[(*at)++]) != ECRB_OK)
      return no_memory(table, err);
  }
}

static int quoted_field(ecrb_table *table, row *r, ecrb_span *line, size_t *at,
                        ecrb_err *err) {
  int status;
  ++*at;
  status = quoted_text(table, r, line, at, err);
  if (status != ECRB_OK)
    return status;
  if (*at < line->n && line->at[*at] != table->separator)
    return ecrb_lines_fail(table->lines, err, ECRB_EFORMAT,
                           "field %zu: text after the closing quote; double a "
                           "quote inside a field",
                           r->n + 1);
  return end_field(table, r, err);
}

static int split(ecrb_table *table, row *r, ecrb_span line, ecrb_err *err) {
  size_t at = 0;
  int status = ECRB_OK;
  r->text.n = r->n = 0;
  table->line = ecrb_lines_number(table->lines);
  for (;;) {
    if (table->separator == ',' && at < line.n && line.at[at] == '"')
      status = quoted_field(table, r, &line, &at, err);
    else
      status = plain_field(table, r, line, &at, err);
    if (status != ECRB_OK || at >= line.n)
      return status;
    at++; /* the separator; what follows is a field, even an empty one */
  }
}

static int set_fields(ecrb_table *table, row *r, ecrb_err *err) {
  size_t i, start = 0;
  if (r->n > r->fields_room) {
    ecrb_span *fields = realloc(r->fields, r->n * sizeof *fields);
    if (fields == NULL)
      return no_memory(table, err);
    r->fields = fields;
    r->fields_room = r->n;
  }
  for (i = 0; i < r->n; i++) {
    r->fields[i] = ecrb_bytes_part(&r->text, start, r->ends[i]);
    start = r->ends[i];
  }
  return ECRB_OK;
}

static char separator_of(ecrb_span header) {
  return memchr(header.at, '\t', header.n) != NULL ? '\t' : ',';
}

static int read_header(ecrb_table *table, ecrb_err *err) {
  ecrb_span line;
  int status = ecrb_lines_next(table->lines, &line, err);
  if (status == ECRB_ENONE)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:1: empty; a table begins with a header line",
                     ecrb_lines_path(table->lines));
  if (status != ECRB_OK)
    return status;
  if (table->separator == 0)
    table->separator = separator_of(line);
  status = split(table, &table->header, line, err);
  return status == ECRB_OK ? set_fields(table, &table->header, err) : status;
}

int ecrb_table_open(const char *path, char separator, ecrb_table **out,
                    ecrb_err *err) {
  ecrb_table *table = calloc(1, sizeof *table);
  int status;
  *out = NULL;
  if (table == NULL)
    return ecrb_no_memory(err, path);
  table->separator = separator;
  status = ecrb_lines_open(path, &table->lines, err);
  if (status == ECRB_OK)
    status = read_header(table, err);
  if (status != ECRB_OK) {
    ecrb_table_close(table);
    return status;
  }
  *out = table;
  return ECRB_OK;
}

void ecrb_table_close(ecrb_table *table) {
  if (table == NULL)
    return;
  ecrb_lines_close(table->lines);
  row_free(&table->header);
  row_free(&table->record);
  free(table);
}

size_t ecrb_table_columns(const ecrb_table *table) {
  return table->header.n;
}

ecrb_span ecrb_table_column(const ecrb_table *table, size_t column) {
  return table->header.fields[column];
}

size_t ecrb_table_line(const ecrb_table *table) {
  return table->line;
}

const char *ecrb_table_path(const ecrb_table *table) {
  return ecrb_lines_path(table->lines);
}

static int no_column(const ecrb_table *table, const char *name, ecrb_err *err) {
  char list[512] = "";
  size_t i, n = 0;
  for (i = 0; i < table->header.n && n < sizeof list; i++) {
    ecrb_span field = table->header.fields[i];
    int got = snprintf(list + n, sizeof list - n, "%s`%.*s`", i ? ", " : "",
                       (int)(field.n < 64 ? field.n : 64), field.at);
    n += got > 0 ? (size_t)got : 0;
  }
  return ecrb_fail(err, ECRB_ENONE, "%s:1: no column `%s`; there are %s",
                   ecrb_lines_path(table->lines), name, list);
}

int ecrb_table_find(const ecrb_table *table, const char *name, size_t *column,
                    ecrb_err *err) {
  ecrb_span wanted = ecrb_span_of(name);
  size_t i, found = 0;
  for (i = 0; i < table->header.n; i++)
    if (ecrb_span_equal(table->header.fields[i], wanted) && found++ == 0)
      *column = i;
  if (found == 0)
    return no_column(table, name, err);
  if (found > 1)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:1: %zu columns are named `%s`; rename all but one",
                     ecrb_lines_path(table->lines), found, name);
  return ECRB_OK;
}

static int check_width(const ecrb_table *table, ecrb_err *err) {
  if (table->record.n == table->header.n)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s:%zu: %zu fields where the header has %zu; mend the row, "
                   "or quote what holds a separator",
                   ecrb_lines_path(table->lines), table->line, table->record.n,
                   table->header.n);
}

int ecrb_table_next(ecrb_table *table, const ecrb_span **fields,
                    ecrb_err *err) {
  ecrb_span line;
  int status;
  do {
    status = ecrb_lines_next(table->lines, &line, err);
    if (status != ECRB_OK)
      return status;
  } while (line.n == 0 && table->header.n > 1);
  status = split(table, &table->record, line, err);
  if (status == ECRB_OK)
    status = check_width(table, err);
  if (status == ECRB_OK)
    status = set_fields(table, &table->record, err);
  *fields = table->record.fields;
  return status;
}
