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

/* Items that follow one another in one split. */
typedef struct ecrb_stretch {
  uint32_t first, split, ordinal; /* of the first item */
} ecrb_stretch;

typedef struct ecrb_item_table ecrb_item_table;

/* What threads that read the same items share. */
typedef struct ecrb_items_shared {
  atomic_size_t handed_out; /* bytes since the text rested */
  atomic_size_t next;       /* behind the item that was found last */
  _Atomic(ecrb_item_table *) table;
} ecrb_items_shared;

/* Of an item no more is kept than what finds its row: it may be one of a
** million. */
typedef struct ecrb_items {
  ecrb_text text;
  ecrb_rows rows; /* as they were opened */
  size_t *offset; /* of every ECRB_ROWS_STEP-th row */
  ecrb_items_shared *shared;
  size_t count;
  bool reactions; /* what the items are; proteins otherwise */
  ecrb_names *splits;
  ecrb_stretch *stretch;
  size_t stretches, room;
  uint32_t *by_split;    /* the stretches split by split, each in file order */
  uint32_t *split_first; /* per split, and one more, into by_split */
} ecrb_items;

#define ECRB_ROWS_STEP 4

#define ECRB_LABELS_MAX 32 /* of one item */

typedef struct ecrb_labels {
  ecrb_text text;
  ecrb_node *node; /* leaves of the tree, item after item */
  uint32_t *first; /* per item, and one more, into node */
  size_t count, room;
  ecrb_ec asked[ECRB_LABELS_MAX]; /* those of the item asked for last */
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

/* The item at a position that there is. Whoever looks here and there rather than
** goes through them brings more of the file into memory. */
void ecrb_items_at(const ecrb_items *items, size_t index, ecrb_item *out);
void ecrb_items_look_at(const ecrb_items *items, size_t index, ecrb_item *out);
ecrb_span ecrb_items_id(const ecrb_items *items, size_t index);

/* The item that `split/ordinal` names, or that has that id or anonymized id. */
bool ecrb_items_find_ordinal(const ecrb_items *items, ecrb_span name,
                             size_t *index);
bool ecrb_items_have_id(const ecrb_items *items, ecrb_span id);
bool ecrb_items_find_id(const ecrb_items *items, ecrb_span id, size_t *row);
bool ecrb_items_find_shown(const ecrb_items *items, ecrb_span shown,
                           size_t *row);

/* Ids and anonymized ids (`shown`) of so many items, by hash. */
int ecrb_item_table_new(size_t items, ecrb_item_table **out);
void ecrb_item_table_free(ecrb_item_table *table);
void ecrb_item_table_add(ecrb_item_table *table, size_t row, bool shown,
                         ecrb_span name);
bool ecrb_item_table_find(const ecrb_item_table *table, const ecrb_items *items,
                          bool shown, ecrb_span name, size_t *row);

void ecrb_items_free(ecrb_items *items);
void ecrb_labels_free(ecrb_labels *labels);
void ecrb_evidence_free(ecrb_evidence *evidence);

#endif
