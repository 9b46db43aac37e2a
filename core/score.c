/* score.c: the scores of one item, of a set of EC numbers, and their means.
** A node is right if some label has it as a prefix. The hierarchical scores
** count P, the deepest committed node and its ancestors, against Y, the union
** of all labels and their ancestors; the root is in neither.
*/
#include "ecrb.h"

#include <math.h>
#include <string.h>

/* Whether `node` is in G_l, the labels' prefixes of that level. */
static bool is_gold(const ecrb_ec *labels, size_t n, int level, ecrb_ec node) {
  for (size_t i = 0; i < n; i++)
    if (ecrb_ec_equal(ecrb_ec_prefix(labels[i], level), node))
      return true;
  return false;
}

/* The size of Y: a prefix counts where no earlier label has it. */
static int union_size(const ecrb_ec *labels, size_t n) {
  int size = 0;
  for (size_t i = 0; i < n; i++)
    for (int level = 1; level <= ECRB_LEVELS; level++)
      size += !is_gold(labels, i, level, ecrb_ec_prefix(labels[i], level));
  return size;
}

static ecrb_ec deepest(const ecrb_path *path) {
  return path->depth > 0 ? path->node[path->depth - 1] : (ecrb_ec){0};
}

static double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

static ecrb_prf prf(double common, double predicted, double gold) {
  double p = ratio(common, predicted);
  double r = ratio(common, gold);
  return (ecrb_prf){p, r, ratio(2 * p * r, p + r)};
}

static void score_hierarchy(const ecrb_ec *labels, size_t n, ecrb_ec node,
                            ecrb_item_score *out) {
  out->predicted = node.depth;
  out->gold = union_size(labels, n);
  for (int level = 1; level <= node.depth; level++)
    out->common += is_gold(labels, n, level, ecrb_ec_prefix(node, level));
  ecrb_prf scores = prf(out->common, out->predicted, out->gold);
  out->hp = scores.precision;
  out->hr = scores.recall;
  out->hf = scores.f1;
}

static bool is_valid(const ecrb_prediction *prediction, bool exists) {
  int depth = prediction->path.depth;
  if (prediction->may_stop)
    return depth == 0 || exists;
  return prediction->answered && exists && depth == ECRB_LEVELS;
}

void ecrb_score_item(const ecrb_tree *tree, const ecrb_ec *labels,
                     size_t n_labels, const ecrb_prediction *prediction,
                     ecrb_item_score *out) {
  const ecrb_path *path = &prediction->path;
  ecrb_ec node = deepest(path);
  memset(out, 0, sizeof *out);
  for (int level = 0; level < path->depth; level++)
    out->correct[level] =
        is_gold(labels, n_labels, level + 1, path->node[level]);
  out->depth = path->depth;
  out->node_correct = path->depth > 0 && out->correct[path->depth - 1];
  out->exists = path->depth > 0 && ecrb_tree_find(tree, node) != ECRB_NO_NODE;
  out->valid = is_valid(prediction, out->exists);
  out->confidence = prediction->confidence;
  score_hierarchy(labels, n_labels, node, out);
}

static void add_item(const ecrb_item_score *item, ecrb_summary *sum) {
  for (int level = 0; level < ECRB_LEVELS; level++)
    sum->accuracy[level] += item->correct[level];
  sum->valid += item->valid;
  sum->hp += item->hp;
  sum->hr += item->hr;
  sum->hf += item->hf;
  sum->depth += item->depth;
  sum->reach += item->depth == ECRB_LEVELS;
}

static void divide(ecrb_summary *sum, double n) {
  sum->precision =
      sum->reach > 0 ? sum->accuracy[ECRB_LEVELS - 1] / sum->reach : NAN;
  for (int level = 0; level < ECRB_LEVELS; level++)
    sum->accuracy[level] = ratio(sum->accuracy[level], n);
  sum->valid = ratio(sum->valid, n);
  sum->hp = ratio(sum->hp, n);
  sum->hr = ratio(sum->hr, n);
  sum->hf = ratio(sum->hf, n);
  sum->depth = ratio(sum->depth, n);
  sum->reach = ratio(sum->reach, n);
}

void ecrb_score_mean(const ecrb_item_score *scores, size_t n,
                     ecrb_summary *out) {
  memset(out, 0, sizeof *out);
  for (size_t i = 0; i < n; i++)
    add_item(&scores[i], out);
  divide(out, (double)n);
}

void ecrb_score_micro(const ecrb_item_score *scores, size_t n, ecrb_prf *out) {
  double common = 0, predicted = 0, gold = 0;
  for (size_t i = 0; i < n; i++) {
    common += scores[i].common;
    predicted += scores[i].predicted;
    gold += scores[i].gold;
  }
  *out = prf(common, predicted, gold);
}

static bool holds(const ecrb_ec *set, size_t n, ecrb_ec ec) {
  for (size_t i = 0; i < n; i++)
    if (ecrb_ec_equal(set[i], ec))
      return true;
  return false;
}

static size_t distinct(const ecrb_ec *set, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += !holds(set, i, set[i]);
  return count;
}

void ecrb_score_set(const ecrb_ec *labels, size_t n_labels,
                    const ecrb_ec *predicted, size_t n_predicted,
                    ecrb_set_score *out) {
  size_t gold = distinct(labels, n_labels);
  size_t given = distinct(predicted, n_predicted);
  size_t common = 0;
  for (size_t i = 0; i < n_predicted; i++)
    common += !holds(predicted, i, predicted[i]) &&
              holds(labels, n_labels, predicted[i]);
  ecrb_prf scores = prf((double)common, (double)given, (double)gold);
  *out = (ecrb_set_score){scores.precision, scores.recall, scores.f1,
                          common == gold && common == given};
}
