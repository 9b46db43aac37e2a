/* bench.c: a benchmark as a whole. Opening reads the leaves and the items;
** labels and evidence wait for their first use (labels.c, evidence.c). */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

int ecrb_bench_text(const char *dir, const char *name, ecrb_text *out,
                    ecrb_err *err) {
  int status = ecrb_text_open(dir, name, out, err);
  if (status == ECRB_ENONE)
    return ecrb_fail(err, ECRB_EIO,
                     "%s/%s: no such file; a benchmark is a folder with "
                     "ec.tsv, items.tsv and evidence.tsv",
                     dir, name);
  return status;
}

int ecrb_bench_no_item(const ecrb_bench *bench, size_t index, ecrb_err *err) {
  return ecrb_fail(err, ECRB_EARG, "%s has no item at %zu: it holds %zu",
                   bench->dir, index, bench->items.count);
}

int ecrb_bench_filled(const ecrb_rows *rows, int field, ecrb_err *err) {
  ecrb_span cell = rows->cell[field];
  if (cell.n == 0 || ecrb_text_none(cell))
    return ecrb_rows_fail(rows, field, err,
                          "is empty; every row must have one");
  return ECRB_OK;
}

static int read_parts(ecrb_bench *bench, ecrb_err *err) {
  if (bench->dir == NULL)
    return ecrb_no_memory(err, "a benchmark");
  int status = ecrb_leaves_read(bench->dir, &bench->tree, err);
  if (status != ECRB_OK)
    return status;
  return ecrb_items_read(bench->dir, &bench->items, err);
}

int ecrb_bench_open(const char *dir, uint64_t seed, ecrb_bench **out,
                    ecrb_err *err) {
  *out = NULL;
  ecrb_bench *bench = calloc(1, sizeof *bench);
  if (bench == NULL)
    return ecrb_no_memory(err, dir);
  bench->dir = strdup(dir);
  bench->seed = seed;
  int status = read_parts(bench, err);
  if (status == ECRB_OK)
    *out = bench;
  else
    ecrb_bench_close(bench);
  return status;
}

void ecrb_bench_close(ecrb_bench *bench) {
  if (bench == NULL)
    return;
  ecrb_evidence_free(&bench->evidence);
  ecrb_labels_free(&bench->labels);
  ecrb_items_free(&bench->items);
  ecrb_tree_free(bench->tree);
  free(bench->dir);
  free(bench);
}

const ecrb_tree *ecrb_bench_tree(const ecrb_bench *bench) {
  return bench->tree;
}

uint64_t ecrb_bench_seed(const ecrb_bench *bench) {
  return bench->seed;
}

size_t ecrb_bench_size(const ecrb_bench *bench) {
  return bench->items.count;
}

bool ecrb_bench_reactions(const ecrb_bench *bench) {
  return bench->items.reactions;
}

int ecrb_bench_item(const ecrb_bench *bench, size_t index, ecrb_item *out) {
  if (index >= bench->items.count)
    return ECRB_EARG;
  ecrb_items_at(&bench->items, index, out);
  return ECRB_OK;
}

int ecrb_bench_find(const ecrb_bench *bench, ecrb_span name, size_t *index) {
  const ecrb_items *items = &bench->items;
  bool found = ecrb_items_find_id(items, name, index) ||
               ecrb_items_find_shown(items, name, index) ||
               ecrb_items_find_ordinal(items, name, index);
  return found ? ECRB_OK : ECRB_ENONE;
}
