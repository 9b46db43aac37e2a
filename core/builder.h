/* builder.h: a benchmark under construction, private to core/. */
#ifndef ECRB_BUILDER_H
#define ECRB_BUILDER_H

#include "bytes.h"
#include "ecrb_import.h"
#include "tsv.h"

typedef struct builder_item {
  uint32_t split, sequence; /* numbers of names; or the reaction's */
  uint32_t equation, text;  /* of a reaction: numbers of words */
  size_t first_label, n_labels;
  bool visible;
} builder_item;

/* One EC number of one training enzyme. */
typedef struct builder_carried {
  uint32_t enzyme;
  ecrb_ec ec;
} builder_carried;

typedef struct builder_channel {
  char *name, *kind;
  ecrb_hits *hits;
} builder_channel;

struct ecrb_builder {
  uint64_t seed;
  ecrb_names *leaves; /* canonical spellings */
  ecrb_ec *leaf_ecs;  /* beside them */
  size_t leaf_room;
  ecrb_names *named; /* nodes with a name, canonical */
  ecrb_names *titles;
  size_t *title_of; /* number in `titles` of a number in `named` */
  size_t title_room;
  ecrb_names *items, *splits, *sequences; /* or reactions */
  ecrb_names *words;                      /* equations and texts of reactions */
  bool reactions;
  builder_item *item_list; /* beside `items` */
  size_t item_room;
  uint32_t *item_of; /* the first item of a number in `sequences` */
  size_t item_of_room;
  ecrb_ec *labels;
  size_t n_labels, label_room;
  ecrb_names *train;
  builder_carried *carried;
  size_t n_carried, carried_room;
  ecrb_names *rated; /* splits whose difficulty is known, `ratings` beside */
  double *ratings;
  size_t rating_room;
  builder_channel channels[ECRB_CHANNELS_MAX];
  int n_channels;
};

/* What the files share while they are written. */
typedef struct builder_writing {
  ecrb_builder *b;
  const char *dir;
  ecrb_tree *tree;
  ecrb_names *shown; /* of the items, then of the training set */
  size_t *first; /* where a training enzyme's ECs begin; one more: the end */
  ecrb_ec *ecs;  /* EC order, each once */
  struct builder_rating *rated; /* of the items */
} builder_writing;

/* Makes the anonymized ids: those of the items first, then the training
** set's. */
int ecrb_builder_aliases(const ecrb_builder *builder, ecrb_names *out,
                         ecrb_err *err);

/* Fills `rated`; then the rows of difficulty.tsv. */
int ecrb_builder_rate_items(builder_writing *w, ecrb_err *err);
void ecrb_builder_write_difficulty(const builder_writing *w, ecrb_tsv *table);

/* The rows of decontamination.tsv. */
void ecrb_decontamination_write(const builder_writing *w, ecrb_tsv *table);

#endif
