/* builder_difficulty.c: the rows of difficulty.tsv. What tree and training set
** say of an item is difficulty.c's; here the evidence that the builder holds
** comes to it.
*/
#include "builder.h"

#include <math.h>
#include <stdlib.h>

typedef struct builder_rating {
  ecrb_axes axes;
  double homology, evidence; /* NaN without any channel */
  int bin;
} builder_rating;

static const builder_channel *homology_channel(const ecrb_builder *b) {
  int i;
  for (i = 0; i < b->n_channels; i++)
    if (ecrb_span_equal(ecrb_span_of(b->channels[i].name),
                        ecrb_span_of("blast")))
      return &b->channels[i];
  return b->n_channels > 0 ? &b->channels[0] : NULL;
}

static double rating_of(const ecrb_builder *b, size_t item) {
  ecrb_span split = ecrb_names_at(b->splits, b->item_list[item].split);
  size_t index;
  return ecrb_names_find(b->rated, split, &index) ? b->ratings[index] : NAN;
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

static void rate_evidence(const builder_writing *w, size_t item,
                          builder_rating *out) {
  const builder_channel *channel = homology_channel(w->b);
  out->homology = out->evidence = NAN;
  if (channel == NULL)
    return;
  out->homology = ecrb_hits_homology(channel->hits, item);
  out->evidence = ecrb_difficulty_evidence(out->homology, support_of(w, item));
}

static int rank(builder_rating *rated, size_t n) {
  double *d = malloc((n + 1) * sizeof *d);
  int *bin = malloc((n + 1) * sizeof *bin);
  int status = ECRB_ENOMEM;
  size_t i;
  for (i = 0; i < n && d != NULL; i++)
    d[i] = rated[i].axes.d;
  if (d != NULL && bin != NULL)
    status = ecrb_difficulty_bins(d, n, bin);
  for (i = 0; i < n && status == ECRB_OK; i++)
    rated[i].bin = bin[i];
  free(d);
  free(bin);
  return status;
}

/* Every label is a leaf of the tree, which was made of them. */
static void rate_items(builder_writing *w, ecrb_difficulty *difficulty) {
  const ecrb_builder *b = w->b;
  size_t i;
  for (i = 0; i < b->n_carried; i++)
    ecrb_difficulty_add(difficulty, b->carried[i].ec, 1);
  for (i = 0; i < ecrb_names_count(b->items); i++) {
    ecrb_difficulty_axes(difficulty, b->labels[b->item_list[i].first_label],
                         rating_of(b, i), &w->rated[i].axes);
    rate_evidence(w, i, &w->rated[i]);
  }
}

int ecrb_builder_rate_items(builder_writing *w, ecrb_err *err) {
  size_t n = ecrb_names_count(w->b->items);
  ecrb_difficulty *difficulty;
  int status = ecrb_difficulty_new(w->tree, &difficulty, err);
  if (status != ECRB_OK)
    return status;
  w->rated = calloc(n + 1, sizeof *w->rated);
  if (w->rated != NULL)
    rate_items(w, difficulty);
  ecrb_difficulty_free(difficulty);
  if (w->rated == NULL || rank(w->rated, n) != ECRB_OK)
    return ecrb_no_memory(err, "the difficulty of the items");
  return ECRB_OK;
}

static void write_row(const builder_rating *r, ecrb_tsv *table) {
  const char *const bins[ECRB_D_BINS] = {"D1", "D2", "D3", "D4", "D5"};
  const char *homology = ecrb_homology_bin(r->homology);
  ecrb_tsv_fixed(table, r->axes.split, 1);
  ecrb_tsv_fixed(table, r->axes.tail, 6);
  ecrb_tsv_fixed(table, r->axes.branch, 6);
  ecrb_tsv_fixed(table, r->axes.distractors, 6);
  ecrb_tsv_fixed(table, r->axes.d, 6);
  ecrb_tsv_text(table, bins[r->bin - 1]);
  ecrb_tsv_fixed(table, r->homology, 3);
  ecrb_tsv_text(table, homology == NULL ? TSV_NONE : homology);
  ecrb_tsv_fixed(table, r->evidence, 6);
  ecrb_tsv_end_row(table);
}

void ecrb_builder_write_difficulty(const builder_writing *w, ecrb_tsv *table) {
  size_t i;
  for (i = 0; i < ecrb_names_count(w->b->items); i++) {
    ecrb_tsv_span(table, ecrb_names_at(w->b->items, i));
    write_row(&w->rated[i], table);
  }
}
