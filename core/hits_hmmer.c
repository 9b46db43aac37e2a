/* hits_hmmer.c: HMMER's --tblout and --domtblout.
**
** Fields stand between runs of blanks; the last one, the description, is free
** text. In a domtblout the domains of one target follow each other: they are
** gathered into one hit, for which one row must be read ahead. Its coverage is
** that of the union of the domains on the item.
*/
#include "hits_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TARGET_FIELDS 18 /* before the description */
#define DOMAIN_FIELDS 22

typedef struct interval {
  double from, to;
} interval;

typedef struct hmmer {
  enum { UNDECIDED, TARGETS, DOMAINS } kind;
  ecrb_bytes target, query; /* of the hit being gathered, or handed out */
  ecrb_bytes target_ahead, query_ahead;
  ecrb_hit_row ahead; /* numbers of the row read ahead */
  interval domain;    /* its place on the item */
  double length;      /* of the item */
  bool has_ahead;
  interval *domains;
  size_t n_domains, domains_room;
} hmmer;

static int no_memory(const ecrb_hit_reader *reader, ecrb_err *err) {
  return ecrb_no_memory(err, ecrb_lines_path(reader->lines));
}

static int split(ecrb_span line, ecrb_span *fields, int most) {
  const char *at = line.at, *end = line.at + line.n;
  int n = 0;
  while (n < most) {
    const char *from;
    while (at < end && *at == ' ')
      at++;
    for (from = at; at < end && *at != ' ';)
      at++;
    if (at == from)
      break;
    fields[n++] = (ecrb_span){from, (size_t)(at - from)};
  }
  return n;
}

/* The next line that is no comment, in fields. A header line decides which of
** the two tables it is; the comments at the end tell who made it. */
static int next_line(ecrb_hit_reader *reader, ecrb_span *fields, int *n,
                     ecrb_err *err) {
  hmmer *h = reader->part;
  ecrb_span line;
  int status;
  while ((status = ecrb_lines_next(reader->lines, &line, err)) == ECRB_OK) {
    *n = split(line, fields, DOMAIN_FIELDS);
    if (*n == 0)
      continue;
    if (line.at[0] != '#')
      return ECRB_OK;
    if (*n > 4 && ecrb_span_equal(fields[1], ecrb_span_of("target")))
      h->kind =
          ecrb_span_equal(fields[4], ecrb_span_of("tlen")) ? DOMAINS : TARGETS;
    ecrb_hits_maker(&reader->maker, line);
  }
  return status;
}

/* Without a header line the fifth field decides: an E-value, or the query's
** accession. */
static void decide_by_shape(ecrb_hit_reader *reader, const ecrb_span *fields,
                            int n) {
  hmmer *h = reader->part;
  double evalue;
  bool number = n > 4 && ecrb_hits_number(reader, fields[4], "", &evalue,
                                          NULL) == ECRB_OK;
  if (h->kind == UNDECIDED)
    h->kind = number ? TARGETS : DOMAINS;
}

static int too_short(const ecrb_hit_reader *reader, int n, int least,
                     ecrb_err *err) {
  return ecrb_lines_fail(reader->lines, err, ECRB_EFORMAT,
                         "%d fields where a %s row has at least %d; is the "
                         "file cut off, or no HMMER table?",
                         n, least == DOMAIN_FIELDS ? "domtblout" : "tblout",
                         least);
}

static int read_scores(const ecrb_hit_reader *reader, const ecrb_span *evalue,
                       ecrb_hit_row *row, ecrb_err *err) {
  int status = ecrb_hits_number_in(reader, evalue[0], "E-value", 0, INFINITY,
                                   &row->evalue, err);
  if (status == ECRB_OK)
    status = ecrb_hits_number(reader, evalue[1], "score", &row->score, err);
  return status;
}

static int next_target(ecrb_hit_reader *reader, const ecrb_span *fields, int n,
                       ecrb_hit_row *row, ecrb_err *err) {
  if (n < TARGET_FIELDS)
    return too_short(reader, n, TARGET_FIELDS, err);
  row->neighbour = fields[0];
  row->query = fields[2];
  return read_scores(reader, fields + 4, row, err);
}

/* Where the domain lies on the item: the query's coordinates are the columns
** `hmm coord`, the target's are `ali coord`. */
static int read_place(const ecrb_hit_reader *reader, const ecrb_span *fields,
                      ecrb_err *err) {
  hmmer *h = reader->part;
  int length = reader->swapped ? 2 : 5;
  int from = reader->swapped ? 17 : 15;
  int status = ecrb_hits_number_in(reader, fields[length], "length", 1, 1e9,
                                   &h->length, err);
  if (status == ECRB_OK)
    status = ecrb_hits_number_in(reader, fields[from], "start of the domain", 1,
                                 h->length, &h->domain.from, err);
  if (status == ECRB_OK)
    status = ecrb_hits_number_in(reader, fields[from + 1], "end of the domain",
                                 h->domain.from, h->length, &h->domain.to, err);
  return status;
}

static int keep(ecrb_bytes *to, ecrb_span text) {
  to->n = 0;
  return ecrb_bytes_add(to, text);
}

static int read_ahead(ecrb_hit_reader *reader, const ecrb_span *fields, int n,
                      ecrb_err *err) {
  hmmer *h = reader->part;
  int status;
  if (n < DOMAIN_FIELDS)
    return too_short(reader, n, DOMAIN_FIELDS, err);
  if (keep(&h->target_ahead, fields[0]) || keep(&h->query_ahead, fields[3]))
    return no_memory(reader, err);
  status = read_scores(reader, fields + 6, &h->ahead, err);
  if (status == ECRB_OK)
    status = read_place(reader, fields, err);
  h->has_ahead = status == ECRB_OK;
  return status;
}

static int fill_ahead(ecrb_hit_reader *reader, ecrb_err *err) {
  ecrb_span fields[DOMAIN_FIELDS];
  int n, status = next_line(reader, fields, &n, err);
  return status == ECRB_OK ? read_ahead(reader, fields, n, err) : status;
}

static int add_domain(const ecrb_hit_reader *reader, ecrb_err *err) {
  hmmer *h = reader->part;
  interval *grown = ecrb_array_grow(h->domains, h->n_domains, &h->domains_room,
                                    sizeof *grown);
  if (grown == NULL)
    return no_memory(reader, err);
  h->domains = grown;
  h->domains[h->n_domains++] = h->domain;
  h->has_ahead = false;
  return ECRB_OK;
}

static int by_start(const void *a, const void *b) {
  const interval *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

/* Positions under any of the domains. */
static double covered(interval *domains, size_t n) {
  double sum = 0, last = 0;
  size_t i;
  qsort(domains, n, sizeof *domains, by_start);
  for (i = 0; i < n; i++) {
    double from = domains[i].from > last ? domains[i].from : last + 1;
    if (domains[i].to >= from) {
      sum += domains[i].to - from + 1;
      last = domains[i].to;
    }
  }
  return sum;
}

static ecrb_span text_of(const ecrb_bytes *bytes) {
  return ecrb_bytes_part(bytes, 0, bytes->n);
}

static void swap(ecrb_bytes *a, ecrb_bytes *b) {
  ecrb_bytes kept = *a;
  *a = *b;
  *b = kept;
}

/* Begins a hit with the row that was read ahead. */
static double begin_hit(hmmer *h, ecrb_hit_row *row) {
  swap(&h->target, &h->target_ahead);
  swap(&h->query, &h->query_ahead);
  row->score = h->ahead.score;
  row->evalue = h->ahead.evalue;
  row->neighbour = text_of(&h->target);
  row->query = text_of(&h->query);
  h->n_domains = 0;
  return h->length;
}

static bool same_hit(const hmmer *h, const ecrb_hit_row *row) {
  return ecrb_span_equal(text_of(&h->target_ahead), row->neighbour) &&
         ecrb_span_equal(text_of(&h->query_ahead), row->query);
}

static int next_hit(ecrb_hit_reader *reader, ecrb_hit_row *row, ecrb_err *err) {
  hmmer *h = reader->part;
  double length;
  int status = h->has_ahead ? ECRB_OK : fill_ahead(reader, err);
  if (status != ECRB_OK)
    return status;
  length = begin_hit(h, row);
  do {
    status = add_domain(reader, err);
    if (status == ECRB_OK)
      status = fill_ahead(reader, err);
  } while (status == ECRB_OK && same_hit(h, row));
  row->coverage = 100 * covered(h->domains, h->n_domains) / length;
  return status == ECRB_ENONE ? ECRB_OK : status;
}

static int next(ecrb_hit_reader *reader, ecrb_hit_row *row, ecrb_err *err) {
  hmmer *h = reader->part;
  ecrb_span fields[DOMAIN_FIELDS];
  int n, status;
  if (h->kind == DOMAINS)
    return next_hit(reader, row, err);
  status = next_line(reader, fields, &n, err);
  if (status != ECRB_OK)
    return status;
  decide_by_shape(reader, fields, n);
  if (h->kind == TARGETS)
    return next_target(reader, fields, n, row, err);
  status = read_ahead(reader, fields, n, err);
  return status == ECRB_OK ? next_hit(reader, row, err) : status;
}

static void close_hmmer(void *part) {
  hmmer *h = part;
  ecrb_bytes_free(&h->target);
  ecrb_bytes_free(&h->query);
  ecrb_bytes_free(&h->target_ahead);
  ecrb_bytes_free(&h->query_ahead);
  free(h->domains);
  free(h);
}

int ecrb_hits_hmmer(ecrb_hit_reader *reader, ecrb_err *err) {
  hmmer *h = calloc(1, sizeof *h);
  if (h == NULL)
    return ecrb_no_memory(err, ecrb_lines_path(reader->lines));
  reader->part = h;
  reader->close = close_hmmer;
  reader->next = next;
  return ECRB_OK;
}
