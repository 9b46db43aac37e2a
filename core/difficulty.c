/* difficulty.c: how hard an item is, before anybody answered.
**
** Four axes in [0, 1] by the item's first label (the protocol, "Difficulty"):
** its split's rating, how rare its leaf is among the training set, how wide
** the leaf's parent branches, how many siblings compete on its path. d is
** their mean, and the rank of d over all items gives the five bins. Beside it
** stands a score that knows the evidence: the mean of what homology and the
** neighbours' own labels leave open.
*/
#include "builder.h"

#include <math.h>
#include <stdlib.h>

#define BINS 5
#define SIBLINGS 6 /* more of them are no harder */

typedef struct difficulty {
  double split, tail, branch, distractors; /* split: NaN without a rating */
  double d;
  double homology, evidence; /* NaN without any channel */
  int bin;                   /* 1 to BINS */
} difficulty;

/* What one pass over tree and training set knows. */
typedef struct scale {
  const builder_writing *w;
  const builder_channel *homology; /* or NULL */
  uint32_t *carriers;              /* per leaf */
  ecrb_node first_leaf;
  uint32_t most_carriers;
  int32_t most_leaves; /* of one node of level 3 */
} scale;

static const builder_channel *homology_channel(const ecrb_builder *b) {
  int i;
  for (i = 0; i < b->n_channels; i++)
    if (ecrb_span_equal(ecrb_span_of(b->channels[i].name),
                        ecrb_span_of("blast")))
      return &b->channels[i];
  return b->n_channels > 0 ? &b->channels[0] : NULL;
}

static void count_carriers(scale *s) {
  const ecrb_builder *b = s->w->b;
  size_t i;
  for (i = 0; i < b->n_carried; i++) {
    ecrb_node leaf = b->carried[i].ec.depth == 4
                         ? ecrb_tree_find(s->w->tree, b->carried[i].ec)
                         : ECRB_NO_NODE;
    if (leaf != ECRB_NO_NODE) {
      uint32_t n = ++s->carriers[leaf - s->first_leaf];
      s->most_carriers = n > s->most_carriers ? n : s->most_carriers;
    }
  }
}

static void find_widest(scale *s) {
  ecrb_range level = ecrb_tree_nodes(s->w->tree, 3);
  ecrb_node node;
  for (node = level.first; node < level.first + level.count; node++) {
    int32_t n = ecrb_tree_children(s->w->tree, node).count;
    s->most_leaves = n > s->most_leaves ? n : s->most_leaves;
  }
}

static int measure(scale *s, const builder_writing *w) {
  ecrb_range leaves = ecrb_tree_nodes(w->tree, 4);
  *s = (scale){
      .w = w, .homology = homology_channel(w->b), .first_leaf = leaves.first};
  s->carriers = calloc((size_t)leaves.count + 1, sizeof *s->carriers);
  if (s->carriers == NULL)
    return ECRB_ENOMEM;
  count_carriers(s);
  find_widest(s);
  return ECRB_OK;
}

static double rating_of(const ecrb_builder *b, size_t item) {
  ecrb_span split = ecrb_names_at(b->splits, b->item_list[item].split);
  size_t index;
  return ecrb_names_find(b->rated, split, &index) ? b->ratings[index] : NAN;
}

static double tail_of(const scale *s, ecrb_node leaf) {
  uint32_t n = s->carriers[leaf - s->first_leaf];
  if (s->most_carriers == 0)
    return 1;
  return 1 - log(1.0 + n) / log(1.0 + s->most_carriers);
}

static double siblings_of(const scale *s, ecrb_node node) {
  ecrb_node parent = ecrb_tree_parent(s->w->tree, node);
  int32_t n = ecrb_tree_children(s->w->tree, parent).count - 1;
  return (double)(n < SIBLINGS ? n : SIBLINGS) / SIBLINGS;
}

/* The mean over levels 2 to 4 of the path. */
static double distractors_of(const scale *s, ecrb_node leaf) {
  ecrb_node parent = ecrb_tree_parent(s->w->tree, leaf);
  ecrb_node grandparent = ecrb_tree_parent(s->w->tree, parent);
  return (siblings_of(s, leaf) + siblings_of(s, parent) +
          siblings_of(s, grandparent)) /
         3;
}

static bool carries_label(const builder_writing *w, const builder_item *item,
                          uint32_t enzyme) {
  size_t at, label;
  for (at = w->first[enzyme]; at < w->first[enzyme + 1]; at++)
    for (label = 0; label < item->n_labels; label++)
      if (ecrb_ec_equal(w->ecs[at], w->b->labels[item->first_label + label]))
        return true;
  return false;
}

/* The share of the item's hits, in all channels, that carry one of its
** labels. */
static double support_of(const builder_writing *w, size_t item) {
  size_t hits = 0, right = 0, n, i;
  int channel;
  for (channel = 0; channel < w->b->n_channels; channel++) {
    const ecrb_chosen *list =
        ecrb_hits_of(w->b->channels[channel].hits, item, &n);
    for (i = 0; i < n; i++)
      right += carries_label(w, &w->b->item_list[item], list[i].neighbour);
    hits += n;
  }
  return hits > 0 ? (double)right / (double)hits : 0;
}

static void rate_evidence(const scale *s, size_t item, difficulty *out) {
  out->homology = out->evidence = NAN;
  if (s->homology == NULL)
    return;
  out->homology = ecrb_hits_homology(s->homology->hits, item);
  out->evidence = (1 - out->homology / 100 + 1 - support_of(s->w, item)) / 2;
}

static void rate_item(const scale *s, size_t item, difficulty *out) {
  const ecrb_builder *b = s->w->b;
  ecrb_node leaf =
      ecrb_tree_find(s->w->tree, b->labels[b->item_list[item].first_label]);
  ecrb_node parent = ecrb_tree_parent(s->w->tree, leaf);
  double sum;
  out->split = rating_of(b, item);
  out->tail = tail_of(s, leaf);
  out->branch =
      (double)ecrb_tree_children(s->w->tree, parent).count / s->most_leaves;
  out->distractors = distractors_of(s, leaf);
  sum = out->tail + out->branch + out->distractors;
  out->d = isnan(out->split) ? sum / 3 : (out->split + sum) / 4;
  rate_evidence(s, item, out);
}

/* An item's d and where it stands, for the ranking. */
typedef struct ranked {
  double d;
  size_t item;
} ranked;

static int by_rank(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->d != y->d)
    return x->d < y->d ? -1 : 1;
  return x->item < y->item ? -1 : 1;
}

/* The first n mod BINS bins are one larger. */
static void fill_bins(difficulty *rated, const ranked *order, size_t n) {
  size_t at = 0, bin, i;
  for (bin = 0; bin < BINS; bin++) {
    size_t size = n / BINS + (bin < n % BINS);
    for (i = 0; i < size; i++)
      rated[order[at++].item].bin = (int)bin + 1;
  }
}

static int rank(difficulty *rated, size_t n) {
  ranked *order = malloc((n + 1) * sizeof *order);
  size_t i;
  if (order == NULL)
    return ECRB_ENOMEM;
  for (i = 0; i < n; i++)
    order[i] = (ranked){rated[i].d, i};
  qsort(order, n, sizeof *order, by_rank);
  fill_bins(rated, order, n);
  free(order);
  return ECRB_OK;
}

int ecrb_difficulty_rate(builder_writing *w, ecrb_err *err) {
  size_t i, n = ecrb_names_count(w->b->items);
  scale s = {.carriers = NULL};
  int status = ECRB_ENOMEM;
  w->rated = calloc(n + 1, sizeof *w->rated);
  if (w->rated != NULL)
    status = measure(&s, w);
  for (i = 0; i < n && status == ECRB_OK; i++)
    rate_item(&s, i, &w->rated[i]);
  if (status == ECRB_OK)
    status = rank(w->rated, n);
  free(s.carriers);
  return status == ECRB_OK ? ECRB_OK : ecrb_fail(err, status, "out of memory");
}

static const char *homology_bin(double homology) {
  if (isnan(homology))
    return TSV_NONE;
  if (homology < 30)
    return "<30";
  if (homology < 40)
    return "30-40";
  if (homology < 50)
    return "40-50";
  return homology < 70 ? "50-70" : ">=70";
}

static void write_row(const difficulty *r, tsv *table) {
  const char *const bins[] = {"D1", "D2", "D3", "D4", "D5"};
  tsv_fixed(table, r->split, 1);
  tsv_fixed(table, r->tail, 6);
  tsv_fixed(table, r->branch, 6);
  tsv_fixed(table, r->distractors, 6);
  tsv_fixed(table, r->d, 6);
  tsv_text(table, bins[r->bin - 1]);
  tsv_fixed(table, r->homology, 3);
  tsv_text(table, homology_bin(r->homology));
  tsv_fixed(table, r->evidence, 6);
  tsv_end_row(table);
}

void ecrb_difficulty_write(const builder_writing *w, tsv *table) {
  size_t i;
  for (i = 0; i < ecrb_names_count(w->b->items); i++) {
    tsv_span(table, ecrb_names_at(w->b->items, i));
    write_row(&w->rated[i], table);
  }
}
