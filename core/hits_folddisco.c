/* hits_folddisco.c: Folddisco's tables, a match or a structure a row.
**
** The residues of a match stand in the motif's order, separated by commas, `_`
** where none was matched; a structure's matches are separated by semicolons,
** each with its RMSD behind a colon. The best match has the most residues,
** then the smallest RMSD. The score that the tool prints (idf) depends on the
** index and is not comparable, so it is not read. A table does not name its
** query unless somebody added the column.
*/
#include "hits_columns.h"
#include "hits_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum role { QUERY = 1, TARGET, NODES, RMSD, MATCHES, MOTIF };

static const hits_column_name known[] = {
    {"query", QUERY},
    {"qid", QUERY},
    {"item", QUERY},
    {"tid", TARGET},
    {"id", TARGET},
    {"target", TARGET},
    {"node_count", NODES},
    {"rmsd", RMSD},
    {"min_rmsd", RMSD},
    {"matching_residues", MATCHES},
    {"query_residues", MOTIF},
};

#define RMSD_UNKNOWN 999.0
#define NODE_STEP 1000.0 /* of the rank: one residue outweighs any RMSD */

typedef struct folddisco {
  hits_columns columns;
  ecrb_bytes query; /* of a file without that column */
  bool rows_seen;
} folddisco;

typedef struct match {
  size_t length, nodes; /* places, and those that are matched */
  double rmsd;
} match;

static ecrb_span cell(const folddisco *f, const ecrb_span *fields,
                      enum role role) {
  int column = f->columns.column[role];
  return column == HITS_ABSENT ? (ecrb_span){"", 0} : fields[column];
}

static ecrb_span take_until(ecrb_span *rest, char stop) {
  const char *end = memchr(rest->at, stop, rest->n);
  ecrb_span part = {rest->at, end ? (size_t)(end - rest->at) : rest->n};
  size_t used = part.n + (end != NULL);
  *rest = (ecrb_span){rest->at + used, rest->n - used};
  return part;
}

static void count_residues(ecrb_span list, match *out) {
  out->length = out->nodes = 0;
  while (list.n > 0) {
    ecrb_span residue = take_until(&list, ',');
    out->length++;
    out->nodes += !(residue.n == 1 && *residue.at == '_');
  }
}

static bool is_better(const match *a, const match *b) {
  return a->nodes != b->nodes ? a->nodes > b->nodes : a->rmsd < b->rmsd;
}

/* The best of the row's matches; `rmsd` serves those without their own. */
static int best_match(const ecrb_hit_reader *reader, ecrb_span list,
                      double rmsd, match *best, ecrb_err *err) {
  int status = ECRB_OK;
  *best = (match){0, 0, RMSD_UNKNOWN};
  while (list.n > 0 && status == ECRB_OK) {
    ecrb_span own = take_until(&list, ';');
    match one = {.rmsd = rmsd};
    count_residues(take_until(&own, ':'), &one);
    if (own.n > 0)
      status = ecrb_hits_number_in(reader, own, "RMSD of a match", 0, INFINITY,
                                   &one.rmsd, err);
    if (is_better(&one, best))
      *best = one;
  }
  return status;
}

/* A number that may be missing. */
static int optional(const ecrb_hit_reader *reader, const ecrb_span *fields,
                    enum role role, const char *name, double *out,
                    ecrb_err *err) {
  const folddisco *f = reader->part;
  if (f->columns.column[role] == HITS_ABSENT)
    return ECRB_OK;
  return ecrb_hits_number_in(reader, cell(f, fields, role), name, 0, INFINITY,
                             out, err);
}

static int read_match(const ecrb_hit_reader *reader, const ecrb_span *fields,
                      match *best, ecrb_err *err) {
  const folddisco *f = reader->part;
  double rmsd = RMSD_UNKNOWN, nodes = 0;
  int status = optional(reader, fields, RMSD, "rmsd", &rmsd, err);
  if (status == ECRB_OK)
    status = optional(reader, fields, NODES, "node_count", &nodes, err);
  if (status != ECRB_OK)
    return status;
  if (f->columns.column[MATCHES] != HITS_ABSENT)
    return best_match(reader, cell(f, fields, MATCHES), rmsd, best, err);
  *best = (match){0, (size_t)nodes, rmsd};
  return ECRB_OK;
}

static void fill_row(ecrb_hit_reader *reader, const ecrb_span *fields,
                     const match *best, ecrb_hit_row *row) {
  const folddisco *f = reader->part;
  match motif;
  count_residues(cell(f, fields, MOTIF), &motif);
  reader->uneven +=
      motif.length > 0 && best->length > 0 && best->length != motif.length;
  row->neighbour = cell(f, fields, TARGET);
  row->query = f->columns.column[QUERY] == HITS_ABSENT
                   ? (ecrb_span){f->query.at, f->query.n}
                   : cell(f, fields, QUERY);
  row->score = (double)best->nodes;
  row->order = best->rmsd - NODE_STEP * (double)best->nodes;
  if (motif.length > 0 && best->nodes <= motif.length)
    row->coverage = 100 * (double)best->nodes / (double)motif.length;
}

static int read_row(ecrb_hit_reader *reader, ecrb_span line, ecrb_hit_row *row,
                    ecrb_err *err) {
  const folddisco *f = reader->part;
  ecrb_span fields[HITS_COLUMNS_MAX];
  match best;
  int n = ecrb_hits_columns_split(&f->columns, line, fields), status;
  if (n != f->columns.n)
    return ecrb_lines_fail(reader->lines, err, ECRB_EFORMAT,
                           "%d tab-separated fields where there are %d "
                           "columns; declare the columns that the file has",
                           n, f->columns.n);
  status = read_match(reader, fields, &best, err);
  if (status != ECRB_OK)
    return status;
  fill_row(reader, fields, &best, row);
  if (row->query.n == 0 || row->neighbour.n == 0)
    return ecrb_lines_fail(reader->lines, err, ECRB_EFORMAT,
                           "an empty id; a row names its target, and its query "
                           "where the file is not that of one item");
  return ECRB_OK;
}

/* What is missing among the columns, and what to do about it; or NULL. */
static const char *missing_role(const folddisco *f) {
  const int *column = f->columns.column;
  if (column[TARGET] == HITS_ABSENT)
    return "the target (tid) is missing; declare the columns that the file has";
  if (column[MATCHES] == HITS_ABSENT && column[NODES] == HITS_ABSENT)
    return "matching_residues or node_count is missing; declare the columns "
           "that the file has";
  if (column[QUERY] == HITS_ABSENT && f->query.n == 0)
    return "the query is missing; add a column `query`, or give a folder with "
           "one file per item, named after it";
  return NULL;
}

static int check_columns(const ecrb_hit_reader *reader, ecrb_err *err) {
  const folddisco *f = reader->part;
  const char *missing = missing_role(f);
  if (missing != NULL)
    return ecrb_lines_fail(reader->lines, err, ECRB_EFORMAT,
                           "among the columns %s", missing);
  if (f->columns.n > HITS_COLUMNS_MAX)
    return ecrb_lines_fail(reader->lines, err, ECRB_ELIMIT,
                           "%d columns; at most %d can be read", f->columns.n,
                           HITS_COLUMNS_MAX);
  return ECRB_OK;
}

static int next(ecrb_hit_reader *reader, ecrb_hit_row *row, ecrb_err *err) {
  folddisco *f = reader->part;
  ecrb_span line;
  int status;
  while ((status = ecrb_lines_next(reader->lines, &line, err)) == ECRB_OK) {
    if (line.n == 0)
      continue;
    if (!f->rows_seen &&
        ecrb_hits_columns_header(&f->columns, line, TARGET, TARGET)) {
      ecrb_hits_columns_name(&f->columns, line, "\t");
      continue;
    }
    status = f->rows_seen ? ECRB_OK : check_columns(reader, err);
    f->rows_seen = true;
    return status == ECRB_OK ? read_row(reader, line, row, err) : status;
  }
  return status;
}

static void close_folddisco(void *part) {
  folddisco *f = part;
  ecrb_bytes_free(&f->query);
  free(f);
}

int ecrb_hits_folddisco(ecrb_hit_reader *reader, const ecrb_hit_layout *layout,
                        ecrb_err *err) {
  folddisco *f = calloc(1, sizeof *f);
  const char *columns = layout->columns;
  if (f == NULL)
    return ecrb_no_memory(err, ecrb_lines_path(reader->lines));
  reader->part = f;
  reader->close = close_folddisco;
  reader->next = next;
  if (layout->query != NULL &&
      ecrb_bytes_add(&f->query, ecrb_span_of(layout->query)) != ECRB_OK)
    return ecrb_no_memory(err, ecrb_lines_path(reader->lines));
  f->columns =
      (hits_columns){.known = known, .n_known = sizeof known / sizeof *known};
  ecrb_hits_columns_name(
      &f->columns, ecrb_span_of(columns ? columns : ECRB_COLUMNS_FOLDDISCO),
      " ,");
  return ECRB_OK;
}
