/* rows.c: rows of a tab-separated text, cut where they stand. */
#include "rows.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Cuts the line at *next; the text's last byte is known to be an LF. */
static ecrb_span take_line(ecrb_rows *rows) {
  size_t left = (size_t)(rows->text->at + rows->text->n - rows->next);
  const char *end = memchr(rows->next, '\n', left);
  ecrb_span line = {rows->next, left};
  if (end != NULL)
    line.n = (size_t)(end - rows->next);
  rows->next += line.n + (end != NULL);
  rows->line++;
  return line;
}

/* Cuts a cell off the line; *more says whether another one follows. */
static ecrb_span take_cell(ecrb_span *line, bool *more) {
  const char *tab = memchr(line->at, '\t', line->n);
  ecrb_span cell = *line;
  *more = tab != NULL;
  if (tab != NULL)
    cell.n = (size_t)(tab - line->at);
  line->at += cell.n + *more;
  line->n -= cell.n + *more;
  return cell;
}

static int find_field(const ecrb_rows *rows, ecrb_span name) {
  for (int i = 0; i < rows->fields; i++)
    if (ecrb_span_equal(ecrb_span_of(rows->name[i]), name))
      return i;
  return -1;
}

static int bad_column(const ecrb_rows *rows, const char *name, const char *what,
                      ecrb_err *err) {
  return ecrb_fail(err, ECRB_EFORMAT, "%s:1: column \"%s\" %s",
                   rows->text->path, name, what);
}

static int check_columns(const ecrb_rows *rows, ecrb_err *err) {
  for (int field = 0; field < rows->fields; field++) {
    int found = 0;
    for (int i = 0; i < rows->width; i++)
      found += rows->field[i] == field;
    if (found == 0)
      return bad_column(rows, rows->name[field],
                        "is missing; the header line must name it", err);
    if (found > 1)
      return bad_column(rows, rows->name[field],
                        "stands twice; keep one of them", err);
  }
  return ECRB_OK;
}

static int read_header(ecrb_rows *rows, ecrb_err *err) {
  ecrb_span line = take_line(rows);
  bool more = true;
  while (more) {
    ecrb_span name = take_cell(&line, &more);
    if (rows->width == ECRB_ROWS_WIDTH)
      return ecrb_fail(err, ECRB_EFORMAT,
                       "%s:1: more than %d columns; remove some",
                       rows->text->path, ECRB_ROWS_WIDTH);
    rows->field[rows->width++] = (signed char)find_field(rows, name);
  }
  return check_columns(rows, err);
}

int ecrb_rows_open(const ecrb_text *text, const char *const *names, int fields,
                   ecrb_rows *out, ecrb_err *err) {
  memset(out, 0, sizeof *out);
  out->text = text;
  out->name = names;
  out->fields = fields;
  out->next = text->at;
  if (text->n == 0)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s: is empty; a table begins with a header line",
                     text->path);
  return read_header(out, err);
}

bool ecrb_rows_names(const ecrb_text *text, const char *name) {
  ecrb_rows rows = {.text = text, .next = text->at};
  bool more = text->n > 0, found = false;
  ecrb_span line = more ? take_line(&rows) : ecrb_span_of("");
  while (more && !found)
    found = ecrb_span_equal(take_cell(&line, &more), ecrb_span_of(name));
  return found;
}

static int bad_width(const ecrb_rows *rows, int cells, bool more,
                     ecrb_err *err) {
  char found[16] = "more";
  if (!more)
    snprintf(found, sizeof found, "%d", cells);
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s:%zu: expected %d cells but found %s; write one for each "
                   "column of the header, `-` for none",
                   rows->text->path, rows->line, rows->width, found);
}

int ecrb_rows_next(ecrb_rows *rows, ecrb_err *err) {
  if (rows->next >= rows->text->at + rows->text->n)
    return ECRB_ENONE;
  ecrb_span line = take_line(rows);
  bool more = true;
  int column = 0;
  for (; more && column < rows->width; column++) {
    ecrb_span cell = take_cell(&line, &more);
    if (rows->field[column] >= 0)
      rows->cell[rows->field[column]] = cell;
  }
  return more || column < rows->width ? bad_width(rows, column, more, err)
                                      : ECRB_OK;
}

void ecrb_rows_skip(ecrb_rows *rows) {
  take_line(rows);
}

void ecrb_rows_seek(ecrb_rows *rows, size_t offset) {
  rows->next = rows->text->at + offset;
  rows->line = 0;
}

int ecrb_rows_fail(const ecrb_rows *rows, int field, ecrb_err *err,
                   const char *format, ...) {
  char reason[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  return ecrb_fail(err, ECRB_EFORMAT, "%s:%zu: field \"%s\": %s",
                   rows->text->path, rows->line, rows->name[field], reason);
}
