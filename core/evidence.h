/* evidence.h: the columns of evidence.tsv, and a row of it as a hit. */
#ifndef ECRB_EVIDENCE_H
#define ECRB_EVIDENCE_H

#include "bench.h"

enum {
  EVIDENCE_ITEM,
  EVIDENCE_CHANNEL,
  EVIDENCE_RANK,
  EVIDENCE_NEIGHBOUR,
  EVIDENCE_SHOWN,
  EVIDENCE_EC,
  EVIDENCE_SCORE,
  EVIDENCE_KIND,
  EVIDENCE_IDENTITY,
  EVIDENCE_COVERAGE,
  EVIDENCE_EVALUE,
  EVIDENCE_FIELDS
};

extern const char *const ecrb_evidence_columns[EVIDENCE_FIELDS];

/* Reads everything of the present row but its item and channel. */
int ecrb_evidence_hit(const ecrb_rows *rows, ecrb_hit *hit, ecrb_err *err);

#endif
