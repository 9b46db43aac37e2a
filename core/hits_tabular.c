/* hits_tabular.c: tab-separated hit tables of BLAST, DIAMOND, MMseqs2 and
** Foldseek.
**
** A column has a role, or none; roles come from its name: from the declared
** list, from a `# Fields:` comment (outfmt 7) or from a header line. Nothing is
** guessed from the values: 1.0 may be a fraction or a percentage. Where nobody
** named the columns they are the standard twelve; more may follow and are not
** read, but then each row must hold together as those twelve.
*/
#include "hits_columns.h"
#include "hits_reader.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum role {
  QUERY = 1,
  NEIGHBOUR,
  IDENTITY,
  IDENTITY_FRACTION,
  COVERAGE,
  COVERAGE_FRACTION,
  EVALUE,
  SCORE,
  QUERY_START,
  QUERY_END,
  QUERY_LENGTH,
  TM_OF_ALIGNMENT,
  TM_OF_TARGET
};

static const hits_column_name known[] = {
    {"qseqid", QUERY},
    {"qacc", QUERY},
    {"qaccver", QUERY},
    {"query", QUERY},
    {"query id", QUERY},
    {"query acc.", QUERY},
    {"query acc.ver", QUERY},
    {"sseqid", NEIGHBOUR},
    {"sacc", NEIGHBOUR},
    {"saccver", NEIGHBOUR},
    {"target", NEIGHBOUR},
    {"subject id", NEIGHBOUR},
    {"subject acc.", NEIGHBOUR},
    {"subject acc.ver", NEIGHBOUR},
    {"pident", IDENTITY},
    {"% identity", IDENTITY},
    {"percentage of identical matches", IDENTITY},
    {"fident", IDENTITY_FRACTION},
    {"qcovs", COVERAGE},
    {"qcovhsp", COVERAGE},
    {"% query coverage per subject", COVERAGE},
    {"% query coverage per hsp", COVERAGE},
    {"query coverage per hsp", COVERAGE},
    {"qcov", COVERAGE_FRACTION},
    {"evalue", EVALUE},
    {"expected value", EVALUE},
    {"bitscore", SCORE},
    {"bits", SCORE},
    {"bit score", SCORE},
    {"qstart", QUERY_START},
    {"q. start", QUERY_START},
    {"start of alignment in query", QUERY_START},
    {"qend", QUERY_END},
    {"q. end", QUERY_END},
    {"end of alignment in query", QUERY_END},
    {"qlen", QUERY_LENGTH},
    {"query length", QUERY_LENGTH},
    {"alntmscore", TM_OF_ALIGNMENT},
    {"ttmscore", TM_OF_TARGET},
};

/* A column of numbers: what it may hold and where it goes. */
typedef struct quantity {
  enum role role;
  const char *name;
  double high, factor;
  int to;
} quantity;

typedef struct tabular {
  hits_columns columns;
  ecrb_bytes score;    /* name of the column that is the score; empty: bits */
  ecrb_bytes searched; /* of the last `# Query:` */
  bool rows_seen;
  bool assumed; /* nobody named the columns */
} tabular;

static void name_columns(tabular *t, ecrb_span list, const char *between) {
  t->assumed = false;
  ecrb_hits_columns_name(&t->columns, list, between);
}

static const char *missing_role(const tabular *t) {
  if (t->columns.column[QUERY] == HITS_ABSENT)
    return "the query (qseqid, query)";
  if (t->columns.column[NEIGHBOUR] == HITS_ABSENT)
    return "the neighbour (sseqid, target)";
  if (t->columns.column[SCORE] == HITS_ABSENT)
    return "the score (bitscore, bits, or one that you name)";
  return NULL;
}

static int check_columns(const ecrb_hit_reader *reader, ecrb_err *err) {
  const tabular *t = reader->part;
  const char *missing = missing_role(t);
  if (missing != NULL)
    return ecrb_lines_fail(reader->lines, err, ECRB_EFORMAT,
                           "among the columns %s is missing; declare the "
                           "columns that the file has",
                           missing);
  if (t->columns.n > HITS_COLUMNS_MAX)
    return ecrb_lines_fail(reader->lines, err, ECRB_ELIMIT,
                           "%d columns; at most %d can be read", t->columns.n,
                           HITS_COLUMNS_MAX);
  return ECRB_OK;
}

static bool starts_with(ecrb_span line, const char *prefix) {
  size_t n = strlen(prefix);
  return line.n >= n && memcmp(line.at, prefix, n) == 0;
}

static ecrb_span after(ecrb_span line, const char *prefix) {
  size_t n = strlen(prefix);
  return (ecrb_span){line.at + n, line.n - n};
}

static int remember_query(ecrb_hit_reader *reader, ecrb_span text,
                          ecrb_err *err) {
  tabular *t = reader->part;
  ecrb_span id;
  t->searched.n = 0;
  if (ecrb_hits_columns_take(&text, " \t", &id) &&
      ecrb_bytes_add(&t->searched, id) != ECRB_OK)
    return ecrb_no_memory(err, ecrb_lines_path(reader->lines));
  return ECRB_OK;
}

/* Reads an outfmt 7 comment; `*found` if it tells of a query without hits. */
static int read_comment(ecrb_hit_reader *reader, ecrb_span line,
                        ecrb_hit_row *row, bool *found, ecrb_err *err) {
  tabular *t = reader->part;
  ecrb_hits_maker(&reader->maker, line);
  if (starts_with(line, "# Query: "))
    return remember_query(reader, after(line, "# Query: "), err);
  if (starts_with(line, "# Fields: ")) {
    name_columns(t, after(line, "# Fields: "), ",");
    return check_columns(reader, err);
  }
  if (starts_with(line, "# 0 hits found") && t->searched.n > 0 &&
      !reader->swapped) {
    row->query = (ecrb_span){t->searched.at, t->searched.n};
    *found = true;
  }
  return ECRB_OK;
}

static int split_row(ecrb_hit_reader *reader, ecrb_span line, ecrb_span *fields,
                     ecrb_err *err) {
  const tabular *t = reader->part;
  int n = ecrb_hits_columns_split(&t->columns, line, fields);
  reader->unread = (size_t)(n > t->columns.n ? n - t->columns.n : 0);
  if (n == t->columns.n || (t->assumed && n > t->columns.n))
    return ECRB_OK;
  return ecrb_lines_fail(reader->lines, err, ECRB_EFORMAT,
                         "%d tab-separated fields where %d columns are "
                         "declared; declare the columns that the file has",
                         n, t->columns.n);
}

/* Whether the first twelve fields are the standard ones: seven counts, and an
** alignment at least as long as its part of the query. */
static int check_standard(const ecrb_hit_reader *reader,
                          const ecrb_span *fields, ecrb_err *err) {
  static const char *const names[] = {"length", "mismatch", "gapopen", "qstart",
                                      "qend",   "sstart",   "send"};
  double count[7];
  int i, status = ECRB_OK;
  bool sound = true;
  for (i = 0; i < 7 && status == ECRB_OK; i++) {
    status = ecrb_hits_number_in(reader, fields[3 + i], names[i], 0, INFINITY,
                                 &count[i], err);
    sound = sound && status == ECRB_OK && count[i] == floor(count[i]);
  }
  if (status != ECRB_OK || (sound && fabs(count[4] - count[3]) < count[0]))
    return status;
  return ecrb_lines_fail(reader->lines, err, ECRB_EFORMAT,
                         "the fields are not the twelve standard columns of "
                         "outfmt 6; declare the columns that the file has");
}

/* A column that is there: into *out, times `factor`. */
static int read_column(const ecrb_hit_reader *reader, const ecrb_span *fields,
                       const quantity *q, double *out, ecrb_err *err) {
  const tabular *t = reader->part;
  int status;
  if (t->columns.column[q->role] == HITS_ABSENT)
    return ECRB_OK;
  status = ecrb_hits_number_in(reader, fields[t->columns.column[q->role]],
                               q->name, 0, q->high, out, err);
  *out *= q->factor;
  return status;
}

static int read_columns(const ecrb_hit_reader *reader, const ecrb_span *fields,
                        const quantity *list, size_t n, double *out,
                        ecrb_err *err) {
  size_t i;
  int status = ECRB_OK;
  for (i = 0; i < n && status == ECRB_OK; i++)
    status = read_column(reader, fields, &list[i], &out[list[i].to], err);
  return status;
}

/* Coverage out of the aligned part of the query. */
static int derive_coverage(const ecrb_hit_reader *reader,
                           const ecrb_span *fields, double *coverage,
                           ecrb_err *err) {
  static const quantity part[] = {
      {QUERY_START, "query start", INFINITY, 1, 0},
      {QUERY_END, "query end", INFINITY, 1, 1},
      {QUERY_LENGTH, "query length", INFINITY, 1, 2},
  };
  double at[3] = {NAN, NAN, NAN};
  int status = read_columns(reader, fields, part, 3, at, err);
  double aligned = fabs(at[1] - at[0]) + 1;
  if (status != ECRB_OK || isnan(aligned) || isnan(at[2]))
    return status;
  if (aligned > at[2])
    return ecrb_lines_fail(reader->lines, err, ECRB_EFORMAT,
                           "%g aligned positions in a query of %g; are the "
                           "columns declared as the file has them?",
                           aligned, at[2]);
  *coverage = 100 * aligned / at[2];
  return ECRB_OK;
}

static int read_numbers(const ecrb_hit_reader *reader, const ecrb_span *fields,
                        ecrb_hit_row *row, ecrb_err *err) {
  enum { TO_IDENTITY, TO_COVERAGE, TO_EVALUE, QUANTITIES };
  static const quantity list[] = {
      {IDENTITY, "identity in percent", 100, 1, TO_IDENTITY},
      {IDENTITY_FRACTION, "identity as a fraction", 1, 100, TO_IDENTITY},
      {COVERAGE, "coverage in percent", 100, 1, TO_COVERAGE},
      {COVERAGE_FRACTION, "coverage as a fraction", 1, 100, TO_COVERAGE},
      {EVALUE, "E-value", INFINITY, 1, TO_EVALUE},
  };
  const tabular *t = reader->part;
  double value[QUANTITIES] = {NAN, NAN, NAN};
  int status = ecrb_hits_number(reader, fields[t->columns.column[SCORE]],
                                "score", &row->score, err);
  if (status == ECRB_OK)
    status = read_columns(reader, fields, list, sizeof list / sizeof *list,
                          value, err);
  if (status == ECRB_OK && isnan(value[TO_COVERAGE]))
    status = derive_coverage(reader, fields, &value[TO_COVERAGE], err);
  row->identity = value[TO_IDENTITY];
  row->coverage = value[TO_COVERAGE];
  row->evalue = value[TO_EVALUE];
  return status;
}

/* The number in a TM-score's column, be it the score's too; NaN without one. */
static double tm_score(const tabular *t, const ecrb_span *fields,
                       enum role role, const char *name) {
  bool is_score = ecrb_span_equal(t->columns.score, ecrb_span_of(name));
  int column = t->columns.column[is_score ? SCORE : role];
  double value;
  return column != HITS_ABSENT && ecrb_text_number(fields[column], &value)
             ? value
             : NAN;
}

static void compare_tm_scores(ecrb_hit_reader *reader,
                              const ecrb_span *fields) {
  const tabular *t = reader->part;
  double a = tm_score(t, fields, TM_OF_ALIGNMENT, "alntmscore");
  double b = tm_score(t, fields, TM_OF_TARGET, "ttmscore");
  reader->tm_rows += !isnan(a) && !isnan(b);
  reader->tm_same += a == b;
}

static int read_row(ecrb_hit_reader *reader, ecrb_span line, ecrb_hit_row *row,
                    ecrb_err *err) {
  const tabular *t = reader->part;
  ecrb_span fields[HITS_COLUMNS_MAX];
  int status = split_row(reader, line, fields, err);
  if (status == ECRB_OK && t->assumed)
    status = check_standard(reader, fields, err);
  if (status != ECRB_OK)
    return status;
  row->query = fields[t->columns.column[QUERY]];
  row->neighbour = fields[t->columns.column[NEIGHBOUR]];
  if (row->query.n == 0 || row->neighbour.n == 0)
    return ecrb_lines_fail(reader->lines, err, ECRB_EFORMAT,
                           "an empty id; a row names its query and its "
                           "neighbour");
  compare_tm_scores(reader, fields);
  return read_numbers(reader, fields, row, err);
}

static int next(ecrb_hit_reader *reader, ecrb_hit_row *row, ecrb_err *err) {
  tabular *t = reader->part;
  ecrb_span line;
  int status;
  while ((status = ecrb_lines_next(reader->lines, &line, err)) == ECRB_OK) {
    bool found = false;
    if (line.n == 0)
      continue;
    if (starts_with(line, "# "))
      status = read_comment(reader, line, row, &found, err);
    else if (!t->rows_seen &&
             ecrb_hits_columns_header(&t->columns, line, QUERY, NEIGHBOUR)) {
      name_columns(t, line, "\t");
      status = check_columns(reader, err);
    } else {
      t->rows_seen = true;
      return read_row(reader, line, row, err);
    }
    t->rows_seen |= found;
    if (status != ECRB_OK || found)
      return status;
  }
  return status;
}

static void close_tabular(void *part) {
  tabular *t = part;
  ecrb_bytes_free(&t->score);
  ecrb_bytes_free(&t->searched);
  free(t);
}

int ecrb_hits_tabular(ecrb_hit_reader *reader, const ecrb_hit_layout *layout,
                      ecrb_err *err) {
  tabular *t = calloc(1, sizeof *t);
  const char *columns = layout->columns;
  if (t == NULL)
    return ecrb_no_memory(err, ecrb_lines_path(reader->lines));
  reader->part = t;
  reader->close = close_tabular;
  reader->next = next;
  if (layout->score != NULL &&
      ecrb_bytes_add(&t->score, ecrb_span_of(layout->score)) != ECRB_OK)
    return ecrb_no_memory(err, ecrb_lines_path(reader->lines));
  t->columns = (hits_columns){.known = known,
                              .n_known = sizeof known / sizeof *known,
                              .score_role = SCORE,
                              .score = {t->score.at, t->score.n}};
  name_columns(t, ecrb_span_of(columns ? columns : ECRB_COLUMNS_BLAST), " ,");
  t->assumed = columns == NULL;
  return check_columns(reader, err);
}
