/* builder_write.c: the files of a benchmark, in the columns of data/README.md.
 */
#include "builder.h"
#include "text.h"

#include <stdlib.h>

typedef builder_writing writing;

static size_t n_items(const writing *w) {
  return ecrb_names_count(w->b->items);
}

static size_t n_train(const writing *w) {
  return ecrb_names_count(w->b->train);
}

static int by_enzyme(const void *a, const void *b) {
  const builder_carried *x = a, *y = b;
  if (x->enzyme != y->enzyme)
    return x->enzyme < y->enzyme ? -1 : 1;
  return ecrb_ec_compare(x->ec, y->ec);
}

static bool same_carried(const builder_carried *a, const builder_carried *b) {
  return a->enzyme == b->enzyme && ecrb_ec_equal(a->ec, b->ec);
}

/* Puts `carried` in order, each pair once. */
static void sort_carried(ecrb_builder *b) {
  size_t i, n = 0;
  if (b->n_carried == 0)
    return;
  qsort(b->carried, b->n_carried, sizeof *b->carried, by_enzyme);
  for (i = 1; i < b->n_carried; i++)
    if (!same_carried(&b->carried[n], &b->carried[i]))
      b->carried[++n] = b->carried[i];
  b->n_carried = n + 1;
}

static int check_many(const writing *w, size_t enzyme, ecrb_err *err) {
  size_t n = w->first[enzyme + 1] - w->first[enzyme];
  if (n <= ECRB_HIT_ECS)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "the training enzyme `%.*s` carries %zu EC numbers; at most "
                   "%d can be kept",
                   ECRB_SHOWN(ecrb_names_at(w->b->train, enzyme)), n,
                   ECRB_HIT_ECS);
}

static int index_carried(writing *w, ecrb_err *err) {
  const ecrb_builder *b = w->b;
  size_t i, enzyme, n = n_train(w);
  int status = ECRB_OK;
  sort_carried(w->b);
  w->first = calloc(n + 1, sizeof *w->first);
  w->ecs = malloc((b->n_carried + 1) * sizeof *w->ecs);
  if (w->first == NULL || w->ecs == NULL)
    return ecrb_no_memory(err, "the benchmark");
  for (i = 0; i < b->n_carried; i++) {
    w->ecs[i] = b->carried[i].ec;
    w->first[b->carried[i].enzyme + 1] = i + 1;
  }
  for (enzyme = 0; enzyme < n && status == ECRB_OK; enzyme++)
    status = check_many(w, enzyme, err);
  return status;
}

static int plant(writing *w, ecrb_err *err) {
  const ecrb_builder *b = w->b;
  size_t i, listed = ecrb_names_count(b->leaves);
  size_t n = listed + b->n_labels;
  ecrb_ec *all = malloc((n + 1) * sizeof *all);
  int status;
  if (all == NULL)
    return ecrb_no_memory(err, "the benchmark");
  for (i = 0; i < n; i++)
    all[i] = i < listed ? b->leaf_ecs[i] : b->labels[i - listed];
  status = ecrb_tree_new(all, n, &w->tree, err);
  free(all);
  return status;
}

static ecrb_span title_of(const ecrb_builder *b, const char *ec) {
  size_t index;
  if (!ecrb_names_find(b->named, ecrb_span_of(ec), &index))
    return ecrb_span_of(TSV_NONE);
  return ecrb_names_at(b->titles, b->title_of[index]);
}

static const char *origin_of(const ecrb_builder *b, const char *ec, int level) {
  size_t index;
  if (level < ECRB_LEVELS)
    return "name";
  return ecrb_names_find(b->leaves, ecrb_span_of(ec), &index) ? "list"
                                                              : "labels";
}

static void write_node(const writing *w, ecrb_node node, ecrb_tsv *table) {
  char ec[ECRB_EC_TEXT];
  int level = ecrb_tree_level(w->tree, node);
  ecrb_span title;
  ecrb_ec_format(ecrb_tree_ec(w->tree, node), ec);
  title = title_of(w->b, ec);
  if (level < ECRB_LEVELS && ecrb_span_equal(title, ecrb_span_of(TSV_NONE)))
    return;
  ecrb_tsv_text(table, ec);
  ecrb_tsv_span(table, title);
  ecrb_tsv_text(table, origin_of(w->b, ec, level));
  ecrb_tsv_end_row(table);
}

static void write_tree(const writing *w, ecrb_tsv *table) {
  ecrb_range leaves = ecrb_tree_nodes(w->tree, ECRB_LEVELS);
  ecrb_node node;
  for (node = 1; node < leaves.first + leaves.count; node++)
    write_node(w, node, table);
}

static void write_words(const writing *w, uint32_t number, ecrb_tsv *table) {
  ecrb_span words = ecrb_names_at(w->b->words, number);
  ecrb_tsv_span(table, words.n > 0 ? words : ecrb_span_of(TSV_NONE));
}

static void write_items(const writing *w, ecrb_tsv *table) {
  const ecrb_builder *b = w->b;
  size_t i;
  for (i = 0; i < n_items(w); i++) {
    const builder_item *item = &b->item_list[i];
    ecrb_tsv_span(table, ecrb_names_at(b->items, i));
    ecrb_tsv_span(table, ecrb_names_at(b->splits, item->split));
    ecrb_tsv_span(table, ecrb_names_at(w->shown, i));
    ecrb_tsv_text(table, item->visible ? "visible" : TSV_NONE);
    ecrb_tsv_span(table, ecrb_names_at(b->sequences, item->sequence));
    if (b->reactions) {
      write_words(w, item->equation, table);
      write_words(w, item->text, table);
    }
    ecrb_tsv_end_row(table);
  }
}

static void write_labels(const writing *w, ecrb_tsv *table) {
  const ecrb_builder *b = w->b;
  size_t i;
  for (i = 0; i < n_items(w); i++) {
    const builder_item *item = &b->item_list[i];
    ecrb_tsv_span(table, ecrb_names_at(b->items, i));
    ecrb_tsv_ecs(table, b->labels + item->first_label, item->n_labels);
    ecrb_tsv_end_row(table);
  }
}

static void write_carried(const writing *w, size_t enzyme, ecrb_tsv *table) {
  size_t first = w->first[enzyme];
  ecrb_tsv_ecs(table, w->ecs + first, w->first[enzyme + 1] - first);
}

static void write_train(const writing *w, ecrb_tsv *table) {
  size_t i;
  for (i = 0; i < n_train(w); i++) {
    ecrb_tsv_span(table, ecrb_names_at(w->b->train, i));
    ecrb_tsv_span(table, ecrb_names_at(w->shown, n_items(w) + i));
    write_carried(w, i, table);
    ecrb_tsv_end_row(table);
  }
}

static void write_hit(const writing *w, const builder_channel *channel,
                      size_t item, size_t rank, const ecrb_chosen *hit,
                      ecrb_tsv *table) {
  ecrb_tsv_span(table, ecrb_names_at(w->b->items, item));
  ecrb_tsv_text(table, channel->name);
  ecrb_tsv_count(table, rank);
  ecrb_tsv_span(table, ecrb_names_at(w->b->train, hit->neighbour));
  ecrb_tsv_span(table, ecrb_names_at(w->shown, n_items(w) + hit->neighbour));
  write_carried(w, hit->neighbour, table);
  ecrb_tsv_number(table, hit->score);
  ecrb_tsv_text(table, channel->kind);
  ecrb_tsv_number(table, hit->identity);
  ecrb_tsv_number(table, hit->coverage);
  ecrb_tsv_number(table, hit->evalue);
  ecrb_tsv_end_row(table);
}

static void write_hits(const writing *w, const builder_channel *channel,
                       size_t item, ecrb_tsv *table) {
  size_t n, i;
  const ecrb_chosen *list = ecrb_hits_of(channel->hits, item, &n);
  for (i = 0; i < n; i++)
    write_hit(w, channel, item, i + 1, &list[i], table);
}

static void write_evidence(const writing *w, ecrb_tsv *table) {
  size_t item;
  int channel;
  for (item = 0; item < n_items(w); item++)
    for (channel = 0; channel < w->b->n_channels; channel++)
      write_hits(w, &w->b->channels[channel], item, table);
}

/* Where a hit came from, in the words of its file. */
static void write_raw(const writing *w, const builder_channel *channel,
                      size_t item, const ecrb_chosen *hit, ecrb_tsv *table) {
  if (hit->raw == 0)
    return;
  ecrb_tsv_span(table, ecrb_names_at(w->b->items, item));
  ecrb_tsv_text(table, channel->name);
  ecrb_tsv_span(table, ecrb_names_at(w->b->train, hit->neighbour));
  ecrb_tsv_span(table, ecrb_hits_raw(channel->hits, hit->raw)); /* two cells */
  ecrb_tsv_end_row(table);
}

static void write_raw_ids(const writing *w, ecrb_tsv *table) {
  size_t item, n, i;
  int channel;
  for (item = 0; item < n_items(w); item++)
    for (channel = 0; channel < w->b->n_channels; channel++) {
      const builder_channel *from = &w->b->channels[channel];
      const ecrb_chosen *list = ecrb_hits_of(from->hits, item, &n);
      for (i = 0; i < n; i++)
        write_raw(w, from, item, &list[i], table);
    }
}

typedef struct part {
  const char *name, *columns;
  void (*write)(const writing *w, ecrb_tsv *table);
} part;

static int write_part(const writing *w, const part *p, ecrb_written *out,
                      ecrb_err *err) {
  ecrb_tsv *table;
  int status = ecrb_tsv_create(w->dir, p->name, p->columns, &table, err);
  if (status != ECRB_OK)
    return status;
  p->write(w, table);
  return ecrb_tsv_close(table, out, err);
}

/* The axes of difficulty are those of proteins with labels. */
static bool is_rated(const ecrb_builder *b) {
  return b->n_labels > 0 && !b->reactions;
}

static int write_parts(const writing *w, ecrb_written *out, size_t *count,
                       ecrb_err *err) {
  const part parts[] = {
      {"ec.tsv", "ec name origin", write_tree},
      {"items.tsv",
       w->b->reactions ? "item split shown flags reaction equation text"
                       : "item split shown flags sequence",
       write_items},
      {"train.tsv", "enzyme shown ec", write_train},
      {"evidence.tsv",
       "item channel rank neighbour shown ec score kind identity coverage "
       "evalue",
       write_evidence},
      {"decontamination.tsv", "item neighbour identity coverage reason",
       ecrb_decontamination_write},
      {"raw_ids.tsv", "item channel neighbour item_as neighbour_as",
       write_raw_ids},
      /* the last two only where there is something to say */
      {"labels.tsv", "item ec", write_labels},
      {"difficulty.tsv",
       "item h_split h_tail h_branch h_distr d bin homology homology_bin "
       "evidence_d",
       ecrb_builder_write_difficulty},
  };
  size_t n = sizeof parts / sizeof *parts - !w->b->n_labels - !is_rated(w->b);
  int status = ECRB_OK;
  for (*count = 0; *count < n && status == ECRB_OK; ++*count)
    status = write_part(w, &parts[*count], &out[*count], err);
  return status;
}

/* All items have labels, or none. */
static int check_labels(const ecrb_builder *b, ecrb_err *err) {
  size_t i;
  for (i = 0; i < ecrb_names_count(b->items) && b->n_labels > 0; i++)
    if (b->item_list[i].n_labels == 0)
      return ecrb_fail(
          err, ECRB_EFORMAT,
          "the item `%.*s` has no label while others have; label all or none",
          ECRB_SHOWN(ecrb_names_at(b->items, i)));
  return ECRB_OK;
}

static int prepare(writing *w, ecrb_err *err) {
  int status = check_labels(w->b, err);
  if (status == ECRB_OK)
    status = plant(w, err);
  if (status == ECRB_OK)
    status = index_carried(w, err);
  if (status == ECRB_OK && ecrb_names_new(&w->shown) != ECRB_OK)
    status = ecrb_no_memory(err, "the benchmark");
  if (status == ECRB_OK)
    status = ecrb_builder_aliases(w->b, w->shown, err);
  if (status == ECRB_OK && is_rated(w->b))
    status = ecrb_builder_rate_items(w, err);
  return status;
}

int ecrb_builder_write(ecrb_builder *b, const char *dir,
                       ecrb_written out[ECRB_WRITTEN_MAX], size_t *count,
                       ecrb_err *err) {
  writing w = {.b = b, .dir = dir};
  int status = prepare(&w, err);
  *count = 0;
  if (status == ECRB_OK)
    status = write_parts(&w, out, count, err);
  ecrb_tree_free(w.tree);
  ecrb_names_free(w.shown);
  free(w.first);
  free(w.ecs);
  free(w.rated);
  return status;
}
