/* decontamination.c: training sequences that are nearly a test item's. They are
** listed, not hidden: whoever reports a figure can say what it is without
** them. */
#include "builder.h"

#include <math.h>

#define NEAR_IDENTITY 90 /* percent */
#define NEAR_COVERAGE 80

bool ecrb_near_identical(double identity, double coverage) {
  return identity >= NEAR_IDENTITY &&
         (isnan(coverage) || coverage >= NEAR_COVERAGE);
}

static bool is_near(const ecrb_chosen *hit) {
  return ecrb_near_identical(hit->identity, hit->coverage);
}

static void write_near(const builder_writing *w, size_t item,
                       const ecrb_chosen *hit, ecrb_tsv *table) {
  ecrb_tsv_span(table, ecrb_names_at(w->b->items, item));
  ecrb_tsv_span(table, ecrb_names_at(w->b->train, hit->neighbour));
  ecrb_tsv_number(table, hit->identity);
  ecrb_tsv_number(table, hit->coverage);
  ecrb_tsv_text(table, "near-identical");
  ecrb_tsv_end_row(table);
}

/* Whether a channel before this one listed the pair. */
static bool listed_before(const builder_writing *w, int channel, size_t item,
                          uint32_t neighbour) {
  int before;
  size_t n, i;
  for (before = 0; before < channel; before++) {
    const ecrb_chosen *list =
        ecrb_hits_of(w->b->channels[before].hits, item, &n);
    for (i = 0; i < n; i++)
      if (list[i].neighbour == neighbour && is_near(&list[i]))
        return true;
  }
  return false;
}

static void write_channel(const builder_writing *w, int channel, size_t item,
                          ecrb_tsv *table) {
  size_t n, i;
  const ecrb_chosen *list =
      ecrb_hits_of(w->b->channels[channel].hits, item, &n);
  for (i = 0; i < n; i++)
    if (is_near(&list[i]) &&
        !listed_before(w, channel, item, list[i].neighbour))
      write_near(w, item, &list[i], table);
}

void ecrb_decontamination_write(const builder_writing *w, ecrb_tsv *table) {
  size_t item;
  int channel;
  for (item = 0; item < ecrb_names_count(w->b->items); item++)
    for (channel = 0; channel < w->b->n_channels; channel++)
      write_channel(w, channel, item, table);
}
