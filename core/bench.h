/* bench.h: what stands behind an ecrb_bench, for the files of core/ that read
** its parts. Each part is read by one file: ec.tsv by leaves.c,
** items.tsv by items.c, labels.tsv by labels.c, evidence.tsv by evidence.c.
** A part that is not there yet is zeroed; a reader that fails leaves it so. */
#ifndef ECRB_BENCH_H
#define ECRB_BENCH_H

#include <stdatomic.h>

#include "bytes.h"
#include "ecrb_import.h"
#include "rows.h"

/* Where an item stands; the rest is read from its row when it is asked for. */
typedef struct ecrb_item_row {
  size_t offset;
  uint32_t split, ordinal;
} ecrb_item_row;

typedef struct ecrb_items {
  ecrb_text text;
  ecrb_rows rows; /* as they were opened */
  ecrb_item_row *row;
  atomic_size_t *handed_out; /* bytes since the text rested */
  size_t count;
  bool reactions;          /* what the items are; proteins otherwise */
  ecrb_names *ids, *shown; /* numbered as the items are */
  ecrb_names *splits;
  uint32_t *split_first; /* per split, and one more, into by_split */
  uint32_t *by_split;    /* items split by split, each in file order */
} ecrb_items;

#define ECRB_LABELS_MAX 32 /* of one item */

typedef struct ecrb_labels {
  ecrb_text text;
  ecrb_ec *ec;     /* item after item */
  uint32_t *first; /* per item, and one more, into ec */
  size_t count, room;
  bool read, absent;
} ecrb_labels;

/* Rows of one item in one channel: they stand together in the file. */
typedef struct ecrb_block {
  size_t offset; /* of the first row */
  uint32_t channel, count;
} ecrb_block;

typedef struct ecrb_evidence {
  ecrb_text text;
  ecrb_rows rows;
  ecrb_names *channels;
  ecrb_block *block; /* item after item */
  uint32_t *first;   /* per item, and one more, into block */
  size_t count, room;
  bool read;
} ecrb_evidence;

struct ecrb_bench {
  char *dir;
  uint64_t seed;
  ecrb_tree *tree;
  ecrb_items items;
  ecrb_labels labels;
  ecrb_evidence evidence;
};

/* ecrb_text_open for a file that every benchmark has. */
int ecrb_bench_text(const char *dir, const char *name, ecrb_text *out,
                    ecrb_err *err);

/* The first error of a call with an index beyond the items. */
int ecrb_bench_no_item(const ecrb_bench *bench, size_t index, ecrb_err *err);

/* A cell that must hold something: not empty and not `-`. */
int ecrb_bench_filled(const ecrb_rows *rows, int field, ecrb_err *err);

int ecrb_leaves_read(const char *dir, ecrb_tree **out, ecrb_err *err);
int ecrb_items_read(const char *dir, ecrb_items *out, ecrb_err *err);

/* The item at a position that there is. */
void ecrb_items_at(const ecrb_items *items, size_t index, ecrb_item *out);

/* The item that `split/ordinal` names. */
bool ecrb_items_find_ordinal(const ecrb_items *items, ecrb_span name,
                             size_t *index);

void ecrb_items_free(ecrb_items *items);
void ecrb_labels_free(ecrb_labels *labels);
void ecrb_evidence_free(ecrb_evidence *evidence);

#endif
