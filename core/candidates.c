/* candidates.c: what a level offers below the committed node.
**
** The generator is SplitMix64 (rng.c), seeded by ecrb_rng_fold, part by part:
** the benchmark's seed and the bytes of the item's id; one byte, the level that
** is offered (1..4); the committed node as ecrb_ec_format writes it. All sets
** below stand in EC order. Then, for level 1: the classes, shuffled. Else:
**
**   1. gold: the item's gold nodes under the committed node; barred: its other
**      gold nodes of the level. siblings: the children that are not gold;
**      strangers: the level's other nodes that are not barred.
**   2. length = max(gold, min(most, gold + siblings + strangers)), and
**      d = length - gold distractors: round(share * d) siblings, halves up, the
**      rest strangers; what one kind lacks the other gives.
**   3. Draw the siblings, then the strangers: to draw m of n, for j = n - m ..
**      n - 1 take below(j + 1), or j if that is taken (Floyd, in Bentley 1987).
**   4. Shuffle gold, then siblings, then strangers, each in the order drawn.
**
** Without labels gold and barred are empty, and the children stand in three
** groups: those that the item's evidence supports, by their best rank, then in
** EC order; the other children; strangers. Each group is used up before the
** next one is touched. Supported children are taken in their order, what is
** needed of the other two groups is drawn as in 3, all is shuffled as in 4. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUPPORT_HITS 32 /* of a channel that are looked at */

/* Nodes in ascending order without repetition. */
typedef struct node_set {
  ecrb_node node[ECRB_CANDIDATES_MAX];
  int count;
} node_set;

/* A range of nodes without some: those of a range, and some single ones that
** lie in `from` but not in that range. */
typedef struct pool {
  ecrb_range from, without;
  node_set except;
} pool;

typedef struct offer {
  const ecrb_tree *tree;
  ecrb_candidate_rule rule;
  int level;
  ecrb_range children;
  node_set gold, barred;
  ecrb_rng rng;
  ecrb_node *out;
  int count;
} offer;

ecrb_candidate_rule ecrb_candidate_rule_default(void) {
  ecrb_candidate_rule rule = {10, 0.7};
  return rule;
}

/* {====================================================================
** Pools and draws
** ===================================================================== */

static bool in_range(ecrb_range range, ecrb_node node) {
  return node >= range.first && node < range.first + range.count;
}

static void insert(node_set *set, ecrb_node node) {
  int to = set->count;
  while (to > 0 && set->node[to - 1] > node)
    to--;
  if (to > 0 && set->node[to - 1] == node)
    return;
  memmove(set->node + to + 1, set->node + to,
          (size_t)(set->count - to) * sizeof *set->node);
  set->node[to] = node;
  set->count++;
}

static int pool_size(const pool *of) {
  return of->from.count - of->without.count - of->except.count;
}

/* The index-th node of the pool: steps over what is left out. */
static ecrb_node pool_node(const pool *of, int index) {
  ecrb_node node = of->from.first + index;
  bool passed = of->without.count == 0;
  for (int i = 0; i < of->except.count; i++) {
    if (!passed && of->without.first < of->except.node[i] &&
        node >= of->without.first) {
      node += of->without.count;
      passed = true;
    }
    node += node >= of->except.node[i];
  }
  if (!passed && node >= of->without.first)
    node += of->without.count;
  return node;
}

static bool holds(const int *values, int n, int value) {
  for (int i = 0; i < n; i++)
    if (values[i] == value)
      return true;
  return false;
}

static void draw(offer *to, const pool *of, int m) {
  int taken[ECRB_CANDIDATES_MAX];
  int n = pool_size(of);
  for (int i = 0; i < m; i++) {
    int j = n - m + i;
    int index = (int)ecrb_rng_below(&to->rng, (uint32_t)j + 1);
    taken[i] = holds(taken, i, index) ? j : index;
    to->out[to->count++] = pool_node(of, taken[i]);
  }
}

/* }==================================================================== */

static int least(int a, int b) {
  return a < b ? a : b;
}

static void seed(offer *to, const ecrb_bench *bench, size_t index,
                 ecrb_node committed) {
  char text[ECRB_EC_TEXT];
  unsigned char level = (unsigned char)to->level;
  ecrb_span id = ecrb_items_id(&bench->items, index);
  uint64_t value = ecrb_rng_fold(bench->seed, id.at, id.n);
  value = ecrb_rng_fold(value, &level, 1);
  ecrb_ec_format(ecrb_tree_ec(to->tree, committed), text);
  to->rng = ecrb_rng_seed(ecrb_rng_fold(value, text, strlen(text)));
}

static int offer_classes(offer *to, ecrb_err *err) {
  if (to->children.count > ECRB_CANDIDATES_MAX)
    return ecrb_fail(err, ECRB_ELIMIT,
                     "%d classes are more than a list of candidates holds (%d)",
                     (int)to->children.count, ECRB_CANDIDATES_MAX);
  for (int32_t i = 0; i < to->children.count; i++)
    to->out[to->count++] = to->children.first + i;
  return ECRB_OK;
}

/* {====================================================================
** With labels
** ===================================================================== */

static void sort_gold(offer *to, const ecrb_ec *labels, size_t count) {
  for (size_t i = 0; i < count; i++) {
    ecrb_node node =
        ecrb_tree_find(to->tree, ecrb_ec_prefix(labels[i], to->level));
    insert(in_range(to->children, node) ? &to->gold : &to->barred, node);
  }
}

static void offer_with_labels(offer *to) {
  ecrb_range none = {0, 0};
  pool siblings = {to->children, none, to->gold};
  pool strangers = {ecrb_tree_nodes(to->tree, to->level), to->children,
                    to->barred};
  int distractors = least(to->rule.most - to->gold.count,
                          pool_size(&siblings) + pool_size(&strangers));
  if (distractors < 0)
    distractors = 0;
  int from_strangers =
      distractors - (int)floor(to->rule.sibling_share * distractors + 0.5);
  from_strangers = least(from_strangers, pool_size(&strangers));
  int from_siblings = least(distractors - from_strangers, pool_size(&siblings));
  memcpy(to->out, to->gold.node,
         (size_t)to->gold.count * sizeof *to->gold.node);
  to->count = to->gold.count;
  draw(to, &siblings, from_siblings);
  draw(to, &strangers, distractors - from_siblings);
}

/* }==================================================================== */

/* {====================================================================
** Without labels
** ===================================================================== */

static void note_hit(const offer *to, const ecrb_hit *hit, int *rank) {
  for (int i = 0; i < hit->ec_count; i++) {
    if (hit->ec[i].depth < to->level)
      continue;
    ecrb_node node =
        ecrb_tree_find(to->tree, ecrb_ec_prefix(hit->ec[i], to->level));
    if (!in_range(to->children, node))
      continue;
    int *best = &rank[node - to->children.first];
    if (*best == 0 || hit->rank < *best)
      *best = hit->rank;
  }
}

/* rank[i]: the best rank of a hit that carries a leaf under the i-th child, 0
** without one. */
static int rank_children(const offer *to, ecrb_bench *bench, size_t index,
                         int *rank, ecrb_err *err) {
  ecrb_hit hits[SUPPORT_HITS];
  int channels;
  int status = ecrb_bench_channels(bench, &channels, err);
  for (int channel = 0; status == ECRB_OK && channel < channels; channel++) {
    size_t count;
    status = ecrb_bench_evidence(bench, index, channel, hits, SUPPORT_HITS,
                                 &count, err);
    for (size_t i = 0; status == ECRB_OK && i < count && i < SUPPORT_HITS; i++)
      note_hit(to, &hits[i], rank);
  }
  return status;
}

/* Takes the best child that is left in `rank`; false when none is. */
static bool take_supported(offer *to, int *rank, node_set *supported) {
  int32_t best = -1;
  for (int32_t i = 0; i < to->children.count; i++)
    if (rank[i] > 0 && (best < 0 || rank[i] < rank[best]))
      best = i;
  if (best < 0)
    return false;
  rank[best] = 0;
  to->out[to->count++] = to->children.first + best;
  insert(supported, to->children.first + best);
  return true;
}

static void offer_by_support(offer *to, int *rank) {
  ecrb_range none = {0, 0};
  node_set supported = {{0}, 0}, nobody = {{0}, 0};
  while (to->count < to->rule.most && take_supported(to, rank, &supported))
    continue;
  pool others = {to->children, none, supported};
  pool strangers = {ecrb_tree_nodes(to->tree, to->level), to->children, nobody};
  draw(to, &others, least(to->rule.most - to->count, pool_size(&others)));
  draw(to, &strangers, least(to->rule.most - to->count, pool_size(&strangers)));
}

static int offer_without_labels(offer *to, ecrb_bench *bench, size_t index,
                                ecrb_err *err) {
  int *rank = calloc((size_t)to->children.count + 1, sizeof *rank);
  if (rank == NULL)
    return ecrb_no_memory(err, "the candidates");
  int status = rank_children(to, bench, index, rank, err);
  if (status == ECRB_OK)
    offer_by_support(to, rank);
  free(rank);
  return status;
}

/* }==================================================================== */

static int check(const ecrb_bench *bench, size_t index, ecrb_node committed,
                 const ecrb_candidate_rule *rule, ecrb_err *err) {
  char text[ECRB_EC_TEXT];
  int level = ecrb_tree_level(bench->tree, committed);
  if (index >= bench->items.count)
    return ecrb_bench_no_item(bench, index, err);
  if (level < 0 || level >= ECRB_LEVELS)
    return ecrb_fail(
        err, ECRB_EARG, "%s is a leaf or no node: nothing stands below it",
        ecrb_ec_format(ecrb_tree_ec(bench->tree, committed), text));
  if (rule->most < 2 || rule->most > ECRB_CANDIDATES_MAX)
    return ecrb_fail(err, ECRB_EARG,
                     "a list of at most %d candidates; ask for 2 to %d",
                     rule->most, ECRB_CANDIDATES_MAX);
  if (!(rule->sibling_share >= 0 && rule->sibling_share <= 1))
    return ecrb_fail(err, ECRB_EARG, "a sibling share of %g; ask for 0 to 1",
                     rule->sibling_share);
  return ECRB_OK;
}

static int offer_below(offer *to, ecrb_bench *bench, size_t index,
                       ecrb_err *err) {
  const ecrb_ec *labels;
  size_t count;
  if (to->level == 1)
    return offer_classes(to, err);
  int status = ecrb_bench_labels(bench, index, &labels, &count, err);
  if (status == ECRB_ENONE)
    return offer_without_labels(to, bench, index, err);
  if (status == ECRB_OK) {
    sort_gold(to, labels, count);
    offer_with_labels(to);
  }
  return status;
}

int ecrb_candidates(ecrb_bench *bench, size_t index, ecrb_node committed,
                    const ecrb_candidate_rule *rule, ecrb_node *out,
                    size_t *count, ecrb_err *err) {
  *count = 0;
  int status = check(bench, index, committed, rule, err);
  if (status != ECRB_OK)
    return status;
  offer to = {.tree = bench->tree, .rule = *rule, .out = out};
  to.level = ecrb_tree_level(to.tree, committed) + 1;
  to.children = ecrb_tree_children(to.tree, committed);
  seed(&to, bench, index, committed);
  status = offer_below(&to, bench, index, err);
  if (status != ECRB_OK)
    return status;
  ecrb_rng_shuffle(&to.rng, out, (size_t)to.count);
  *count = (size_t)to.count;
  return ECRB_OK;
}
