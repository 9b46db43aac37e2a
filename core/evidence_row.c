/* evidence_row.c: one row of evidence.tsv as a hit, every cell checked. */
#include "evidence.h"

#include <math.h>

const char *const ecrb_evidence_columns[EVIDENCE_FIELDS] = {
    "item",  "channel", "rank",     "neighbour", "shown", "ec",
    "score", "kind",    "identity", "coverage",  "evalue"};

static int read_rank(const ecrb_rows *rows, ecrb_hit *hit, ecrb_err *err) {
  uint32_t rank;
  ecrb_span cell = rows->cell[EVIDENCE_RANK];
  if (!ecrb_text_count(cell, &rank) || rank == 0)
    return ecrb_rows_fail(rows, EVIDENCE_RANK, err, "`%.*s`; write 1, 2, 3 ...",
                          ECRB_SHOWN(cell));
  hit->rank = (int)rank;
  return ECRB_OK;
}

/* EC order, by insertion: the list is short and nearly always sorted. */
static void sort_ecs(ecrb_hit *hit) {
  for (int i = 1; i < hit->ec_count; i++) {
    ecrb_ec ec = hit->ec[i];
    int to = i;
    for (; to > 0 && ecrb_ec_compare(hit->ec[to - 1], ec) > 0; to--)
      hit->ec[to] = hit->ec[to - 1];
    hit->ec[to] = ec;
  }
}

static int read_ecs(const ecrb_rows *rows, ecrb_hit *hit, ecrb_err *err) {
  char text[ECRB_EC_TEXT];
  size_t count = 0;
  ecrb_span cell = rows->cell[EVIDENCE_EC];
  int status = ECRB_OK;
  if (!ecrb_text_none(cell))
    status = ecrb_ec_list_parse(cell.at, cell.n, hit->ec, ECRB_HIT_ECS, &count);
  if (status == ECRB_ELIMIT)
    return ecrb_rows_fail(rows, EVIDENCE_EC, err,
                          "%zu EC numbers; a hit has %d at most", count,
                          ECRB_HIT_ECS);
  if (status != ECRB_OK || (count == 0 && !ecrb_text_none(cell)))
    return ecrb_rows_fail(rows, EVIDENCE_EC, err,
                          "`%.*s` is no list of EC numbers; join them with "
                          "`;`, or write `-` for none",
                          ECRB_SHOWN(cell));
  hit->ec_count = (int)count;
  sort_ecs(hit);
  if (count > 0 && hit->ec[0].depth == 0)
    return ecrb_rows_fail(rows, EVIDENCE_EC, err,
                          "the root is no EC number; write `-` alone for none");
  for (int i = 1; i < hit->ec_count; i++)
    if (ecrb_ec_equal(hit->ec[i - 1], hit->ec[i]))
      return ecrb_rows_fail(rows, EVIDENCE_EC, err,
                            "`%s` stands twice; keep one of them",
                            ecrb_ec_format(hit->ec[i], text));
  return ECRB_OK;
}

/* A number between the bounds, or `-`, which reads as NaN. */
static int read_optional(const ecrb_rows *rows, int field, double most,
                         double *out, ecrb_err *err) {
  ecrb_span cell = rows->cell[field];
  *out = NAN;
  if (ecrb_text_none(cell))
    return ECRB_OK;
  if (ecrb_text_number(cell, out) && *out >= 0 && *out <= most)
    return ECRB_OK;
  if (most < INFINITY)
    return ecrb_rows_fail(rows, field, err,
                          "`%.*s`; write percent, 0 to %g, or `-` for none",
                          ECRB_SHOWN(cell), most);
  return ecrb_rows_fail(rows, field, err,
                        "`%.*s`; write a number of 0 or more, or `-` for none",
                        ECRB_SHOWN(cell));
}

static int read_numbers(const ecrb_rows *rows, ecrb_hit *hit, ecrb_err *err) {
  ecrb_span cell = rows->cell[EVIDENCE_SCORE];
  if (!ecrb_text_number(cell, &hit->score))
    return ecrb_rows_fail(rows, EVIDENCE_SCORE, err,
                          "`%.*s`; write a decimal number", ECRB_SHOWN(cell));
  int status = read_optional(rows, EVIDENCE_IDENTITY, 100, &hit->identity, err);
  if (status == ECRB_OK)
    status = read_optional(rows, EVIDENCE_COVERAGE, 100, &hit->coverage, err);
  if (status == ECRB_OK)
    status = read_optional(rows, EVIDENCE_EVALUE, INFINITY, &hit->evalue, err);
  return status;
}

static int read_texts(const ecrb_rows *rows, ecrb_hit *hit, ecrb_err *err) {
  const int fields[] = {EVIDENCE_NEIGHBOUR, EVIDENCE_SHOWN, EVIDENCE_KIND};
  ecrb_span *const to[] = {&hit->neighbour, &hit->shown, &hit->score_kind};
  for (int i = 0; i < 3; i++) {
    int status = ecrb_bench_filled(rows, fields[i], err);
    if (status != ECRB_OK)
      return status;
    *to[i] = rows->cell[fields[i]];
  }
  return ECRB_OK;
}

int ecrb_evidence_hit(const ecrb_rows *rows, ecrb_hit *hit, ecrb_err *err) {
  int status = read_rank(rows, hit, err);
  if (status == ECRB_OK)
    status = read_texts(rows, hit, err);
  if (status == ECRB_OK)
    status = read_ecs(rows, hit, err);
  if (status == ECRB_OK)
    status = read_numbers(rows, hit, err);
  return status;
}
