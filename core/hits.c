/* hits.c: which hits of a search become evidence.
**
** An item keeps at most `most` neighbours, best first, each with its best HSP.
** A row is inserted at its place; the neighbour's former entry, or the last one
** of a full list, makes room. That is exact in one pass: the best HSP of a
** neighbour that belongs on the final list finds a place whenever it comes.
*/
#include "bytes.h"
#include "ecrb_import.h"
#include "order.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MAX 1000

typedef struct intruder {
  enum ecrb_intruder_kind kind;
  uint32_t item;
  size_t line;
} intruder;

struct ecrb_hits {
  const ecrb_names *items, *train;
  ecrb_hit_limits limits;
  ecrb_chosen *chosen; /* `most` places per item */
  uint32_t *count;     /* of them in use */
  double *homology;
  bool *searched;
  ecrb_names *spelled;   /* pairs of ids with decoration, as files have them */
  ecrb_names *strangers; /* neighbours that break the rule; `why` beside it */
  intruder *why;
  size_t why_room;
  ecrb_hits_report report;
};

ecrb_hit_limits ecrb_hit_limits_default(void) {
  return (ecrb_hit_limits){1e-3, 10};
}

static int allocate(ecrb_hits *hits) {
  size_t n = ecrb_names_count(hits->items) + 1;
  hits->chosen = malloc(n * (size_t)hits->limits.most * sizeof *hits->chosen);
  hits->count = calloc(n, sizeof *hits->count);
  hits->homology = calloc(n, sizeof *hits->homology);
  hits->searched = calloc(n, sizeof *hits->searched);
  if (!hits->chosen || !hits->count || !hits->homology || !hits->searched)
    return ECRB_ENOMEM;
  if (ecrb_names_new(&hits->spelled) != ECRB_OK)
    return ECRB_ENOMEM;
  return ecrb_names_new(&hits->strangers);
}

int ecrb_hits_new(const ecrb_names *items, const ecrb_names *train,
                  const ecrb_hit_limits *limits, ecrb_hits **out,
                  ecrb_err *err) {
  ecrb_hits *hits;
  *out = NULL;
  if (limits->most < 1 || limits->most > MOST_MAX || !(limits->evalue >= 0))
    return ecrb_fail(err, ECRB_EARG,
                     "limits of hits: 1 to %d neighbours and an E-value of 0 "
                     "or more, not %d and %g",
                     MOST_MAX, limits->most, limits->evalue);
  hits = calloc(1, sizeof *hits);
  if (hits == NULL)
    return ecrb_no_memory(err, "the hits");
  hits->items = items;
  hits->train = train;
  hits->limits = *limits;
  if (allocate(hits) != ECRB_OK) {
    ecrb_hits_free(hits);
    return ecrb_no_memory(err, "the hits");
  }
  *out = hits;
  return ECRB_OK;
}

void ecrb_hits_free(ecrb_hits *hits) {
  if (hits == NULL)
    return;
  free(hits->chosen);
  free(hits->count);
  free(hits->homology);
  free(hits->searched);
  free(hits->why);
  ecrb_names_free(hits->spelled);
  ecrb_names_free(hits->strangers);
  free(hits);
}

static int by_name(const ecrb_hits *hits, uint32_t a, uint32_t b) {
  ecrb_span x = ecrb_names_at(hits->train, a);
  ecrb_span y = ecrb_names_at(hits->train, b);
  int order = memcmp(x.at, y.at, x.n < y.n ? x.n : y.n);
  return order != 0 ? order : (x.n > y.n) - (x.n < y.n);
}

static int compare_numbers(const ecrb_chosen *a, const ecrb_chosen *b) {
  int order = ecrb_rising(a->order, b->order);
  if (order == 0)
    order = ecrb_rising(a->evalue, b->evalue);
  if (order == 0)
    order = ecrb_falling(a->score, b->score);
  return order != 0 ? order : ecrb_falling(a->identity, b->identity);
}

/* Negative if `a` is the better hit. */
static int compare(const ecrb_hits *hits, const ecrb_chosen *a,
                   const ecrb_chosen *b) {
  int order = compare_numbers(a, b);
  if (order == 0 && a->neighbour != b->neighbour)
    order = by_name(hits, a->neighbour, b->neighbour);
  return order;
}

/* Where the neighbour stands on the list, or `n`. */
static size_t place_of(const ecrb_chosen *list, size_t n, uint32_t neighbour) {
  size_t at = 0;
  while (at < n && list[at].neighbour != neighbour)
    at++;
  return at;
}

static void insert(ecrb_hits *hits, size_t item, const ecrb_chosen *hit) {
  size_t most = (size_t)hits->limits.most;
  ecrb_chosen *list = hits->chosen + item * most;
  size_t n = hits->count[item];
  size_t gap = place_of(list, n, hit->neighbour);
  if (gap < n && compare(hits, hit, &list[gap]) >= 0)
    return; /* a worse HSP */
  if (gap == most) {
    if (compare(hits, hit, &list[most - 1]) >= 0)
      return;
    gap = most - 1;
  } else if (gap == n)
    hits->count[item]++;
  for (; gap > 0 && compare(hits, hit, &list[gap - 1]) < 0; gap--)
    list[gap] = list[gap - 1];
  list[gap] = *hit;
}

static int add_intruder(ecrb_hits *hits, const ecrb_hit_row *row, size_t item,
                        size_t line, enum ecrb_intruder_kind kind) {
  size_t index;
  bool fresh;
  intruder *why;
  if (ecrb_names_add(hits->strangers, row->neighbour, &index, &fresh))
    return ECRB_ENOMEM;
  if (!fresh)
    return ECRB_OK;
  why = ecrb_array_grow(hits->why, index, &hits->why_room, sizeof *why);
  if (why == NULL)
    return ECRB_ENOMEM;
  hits->why = why;
  why[index] = (intruder){kind, (uint32_t)item, line};
  hits->report.intruders++;
  return ECRB_OK;
}

/* Keeps the ids of a row as they are spelled. */
static int keep_spelling(ecrb_hits *hits, const ecrb_hit_row *row,
                         uint32_t *raw) {
  ecrb_bytes pair = {0};
  size_t index;
  int status = ecrb_bytes_add(&pair, row->query);
  if (status == ECRB_OK)
    status = ecrb_bytes_add_char(&pair, '\t');
  if (status == ECRB_OK)
    status = ecrb_bytes_add(&pair, row->neighbour);
  if (status == ECRB_OK)
    status = ecrb_names_add(hits->spelled, ecrb_bytes_part(&pair, 0, pair.n),
                            &index, NULL);
  if (status == ECRB_OK)
    *raw = (uint32_t)index + 1;
  ecrb_bytes_free(&pair);
  return status;
}

static int choose(ecrb_hits *hits, size_t item, size_t neighbour,
                  const ecrb_hit_row *row, bool decorated) {
  ecrb_chosen hit = {
      (uint32_t)neighbour, 0,           row->score, row->identity,
      row->coverage,       row->evalue, row->order};
  if (row->evalue > hits->limits.evalue) {
    hits->report.weak++;
    return ECRB_OK;
  }
  if (row->identity > hits->homology[item])
    hits->homology[item] = row->identity;
  if (decorated && keep_spelling(hits, row, &hit.raw) != ECRB_OK)
    return ECRB_ENOMEM;
  insert(hits, item, &hit);
  return ECRB_OK;
}

/* Where a neighbour is known, as the file spells it or else without
** decoration. */
enum place { IN_ITEMS, IN_TRAINING, NOWHERE };

static enum place locate(ecrb_hits *hits, ecrb_span name, size_t *index,
                         bool *decorated) {
  if (ecrb_names_find(hits->items, name, index))
    return IN_ITEMS;
  if (ecrb_names_find(hits->train, name, index))
    return IN_TRAINING;
  *decorated = true;
  if (ecrb_names_find_plain(hits->items, name, index))
    return IN_ITEMS;
  return ecrb_names_find_plain(hits->train, name, index) ? IN_TRAINING
                                                         : NOWHERE;
}

static bool find_item(ecrb_hits *hits, ecrb_span name, size_t *item,
                      bool *decorated) {
  if (ecrb_names_find(hits->items, name, item))
    return true;
  *decorated = true;
  return ecrb_names_find_plain(hits->items, name, item);
}

static int take_neighbour(ecrb_hits *hits, const ecrb_hit_row *row, size_t item,
                          size_t line, bool decorated) {
  size_t neighbour;
  switch (locate(hits, row->neighbour, &neighbour, &decorated)) {
  case IN_ITEMS:
    return add_intruder(hits, row, item, line,
                        neighbour == item ? ECRB_INTRUDER_SELF
                                          : ECRB_INTRUDER_ITEM);
  case IN_TRAINING:
    hits->report.decorated += decorated;
    return choose(hits, item, neighbour, row, decorated);
  case NOWHERE:
    break;
  }
  return add_intruder(hits, row, item, line, ECRB_INTRUDER_UNKNOWN);
}

static int take(ecrb_hits *hits, const ecrb_hit_row *row, size_t line) {
  size_t item;
  bool decorated = false;
  if (!find_item(hits, row->query, &item, &decorated)) {
    hits->report.foreign++;
    return ECRB_OK;
  }
  hits->searched[item] = true;
  if (row->neighbour.n == 0)
    return ECRB_OK;
  return take_neighbour(hits, row, item, line, decorated);
}

int ecrb_hits_read(ecrb_hits *hits, ecrb_hit_reader *reader, ecrb_err *err) {
  ecrb_hit_row row;
  int status;
  while ((status = ecrb_hit_reader_next(reader, &row, err)) == ECRB_OK) {
    hits->report.rows += row.neighbour.n > 0;
    if (take(hits, &row, ecrb_hit_reader_line(reader)) != ECRB_OK)
      return ecrb_no_memory(err, "the hits");
  }
  return status == ECRB_ENONE ? ECRB_OK : status;
}

static bool is_tied(const ecrb_hits *hits, size_t item) {
  const ecrb_chosen *list = hits->chosen + item * (size_t)hits->limits.most;
  return hits->count[item] > 1 && compare_numbers(&list[0], &list[1]) == 0;
}

ecrb_hits_report ecrb_hits_summary(const ecrb_hits *hits) {
  ecrb_hits_report report = hits->report;
  size_t i, n = ecrb_names_count(hits->items);
  for (i = 0; i < n; i++) {
    report.searched += hits->searched[i];
    report.covered += hits->count[i] > 0;
    report.chosen += hits->count[i];
    report.tied += is_tied(hits, i);
  }
  return report;
}

const ecrb_chosen *ecrb_hits_of(const ecrb_hits *hits, size_t item,
                                size_t *count) {
  *count = hits->count[item];
  return hits->chosen + item * (size_t)hits->limits.most;
}

ecrb_span ecrb_hits_raw(const ecrb_hits *hits, uint32_t raw) {
  return ecrb_names_at(hits->spelled, raw - 1);
}

double ecrb_hits_homology(const ecrb_hits *hits, size_t item) {
  return hits->homology[item];
}

ecrb_intruder ecrb_hits_intruder(const ecrb_hits *hits, size_t index) {
  const intruder *why = &hits->why[index];
  return (ecrb_intruder){why->kind, ecrb_names_at(hits->strangers, index),
                         why->item, why->line};
}
