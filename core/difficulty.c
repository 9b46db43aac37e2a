/* difficulty.c: how hard an item is held to be, before anybody answered. Two of
** the axes compare a leaf with the whole: how many training enzymes carry it
** with the most that carry any, and the children of its parent with the most
** that a node of level 3 has.
*/
#include "bytes.h"
#include "ecrb_import.h"

#include <math.h>
#include <stdlib.h>

#define SIBLINGS 6 /* more of them are no harder */

struct ecrb_difficulty {
  const ecrb_tree *tree;
  ecrb_range leaves;
  size_t *carriers; /* per leaf */
  size_t most_carriers;
  int32_t most_leaves; /* of one node of level 3 */
};

static int32_t widest(const ecrb_tree *tree) {
  ecrb_range level = ecrb_tree_nodes(tree, ECRB_LEVELS - 1);
  int32_t most = 0;
  for (int32_t i = 0; i < level.count; i++) {
    int32_t n = ecrb_tree_children(tree, level.first + i).count;
    most = n > most ? n : most;
  }
  return most;
}

int ecrb_difficulty_new(const ecrb_tree *tree, ecrb_difficulty **out,
                        ecrb_err *err) {
  ecrb_range leaves = ecrb_tree_nodes(tree, ECRB_LEVELS);
  ecrb_difficulty *difficulty = malloc(sizeof *difficulty);
  size_t *carriers = calloc((size_t)leaves.count + 1, sizeof *carriers);
  *out = NULL;
  if (difficulty == NULL || carriers == NULL) {
    free(difficulty);
    free(carriers);
    return ecrb_no_memory(err, "the difficulty of leaves");
  }
  *difficulty = (ecrb_difficulty){.tree = tree,
                                  .leaves = leaves,
                                  .carriers = carriers,
                                  .most_leaves = widest(tree)};
  *out = difficulty;
  return ECRB_OK;
}

void ecrb_difficulty_free(ecrb_difficulty *difficulty) {
  if (difficulty == NULL)
    return;
  free(difficulty->carriers);
  free(difficulty);
}

static ecrb_node find_leaf(const ecrb_difficulty *difficulty, ecrb_ec ec) {
  return ec.depth == ECRB_LEVELS ? ecrb_tree_find(difficulty->tree, ec)
                                 : ECRB_NO_NODE;
}

static size_t *carriers_of(const ecrb_difficulty *difficulty, ecrb_node leaf) {
  return &difficulty->carriers[leaf - difficulty->leaves.first];
}

void ecrb_difficulty_add(ecrb_difficulty *difficulty, ecrb_ec ec,
                         size_t enzymes) {
  ecrb_node leaf = find_leaf(difficulty, ec);
  if (leaf == ECRB_NO_NODE)
    return;
  size_t n = *carriers_of(difficulty, leaf) += enzymes;
  if (n > difficulty->most_carriers)
    difficulty->most_carriers = n;
}

static double tail_of(const ecrb_difficulty *difficulty, ecrb_node leaf) {
  double n = (double)*carriers_of(difficulty, leaf);
  if (difficulty->most_carriers == 0)
    return 1;
  return 1 - log(1 + n) / log(1 + (double)difficulty->most_carriers);
}

static double siblings_of(const ecrb_tree *tree, ecrb_node node) {
  int32_t n = ecrb_tree_children(tree, ecrb_tree_parent(tree, node)).count - 1;
  return (double)(n < SIBLINGS ? n : SIBLINGS) / SIBLINGS;
}

/* The mean over levels 2 to 4 of the path. */
static double distractors_of(const ecrb_tree *tree, ecrb_node leaf) {
  ecrb_node parent = ecrb_tree_parent(tree, leaf);
  ecrb_node grandparent = ecrb_tree_parent(tree, parent);
  return (siblings_of(tree, leaf) + siblings_of(tree, parent) +
          siblings_of(tree, grandparent)) /
         3;
}

int ecrb_difficulty_axes(const ecrb_difficulty *difficulty, ecrb_ec leaf,
                         double rating, ecrb_axes *out) {
  const ecrb_tree *tree = difficulty->tree;
  ecrb_node node = find_leaf(difficulty, leaf);
  if (node == ECRB_NO_NODE)
    return ECRB_EARG;
  int32_t beside = ecrb_tree_children(tree, ecrb_tree_parent(tree, node)).count;
  out->split = rating;
  out->tail = tail_of(difficulty, node);
  out->branch = (double)beside / difficulty->most_leaves;
  out->distractors = distractors_of(tree, node);
  double sum = out->tail + out->branch + out->distractors;
  out->d = isnan(rating) ? sum / 3 : (rating + sum) / 4;
  return ECRB_OK;
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

static void fill_bins(const ranked *order, size_t n, int *bin) {
  for (size_t b = 0, at = 0; b < ECRB_D_BINS; b++) {
    size_t size = n / ECRB_D_BINS + (b < n % ECRB_D_BINS);
    for (size_t i = 0; i < size; i++)
      bin[order[at++].item] = (int)b + 1;
  }
}

int ecrb_difficulty_bins(const double *d, size_t n, int *bin) {
  ranked *order = malloc((n + 1) * sizeof *order);
  if (order == NULL)
    return ECRB_ENOMEM;
  for (size_t i = 0; i < n; i++)
    order[i] = (ranked){d[i], i};
  qsort(order, n, sizeof *order, by_rank);
  fill_bins(order, n, bin);
  free(order);
  return ECRB_OK;
}

double ecrb_difficulty_evidence(double homology, double support) {
  return (1 - homology / 100 + 1 - support) / 2;
}

const char *ecrb_homology_bin(double homology) {
  if (isnan(homology))
    return NULL;
  if (homology < 30)
    return "<30";
  if (homology < 40)
    return "30-40";
  if (homology < 50)
    return "40-50";
  return homology < 70 ? "50-70" : ">=70";
}
