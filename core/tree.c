/* tree.c: the EC tree as one array of nodes, level by level. The sorted leaves
** are cut to each level in turn, and what differs from its forerunner is a
** node; since both levels are in EC order, the children of a node are a range.
** A node is found by binary search in its level. */
#include "ecrb.h"

#include <stdlib.h>
#include <string.h>

typedef struct node {
  ecrb_ec ec;
  ecrb_node parent;
  ecrb_range children;
  char *name; /* owned, NULL where there is none */
  size_t name_length;
} node;

struct ecrb_tree {
  node *nodes;
  ecrb_range level[ECRB_LEVELS + 1];
};

static int by_ec(const void *a, const void *b) {
  return ecrb_ec_compare(*(const ecrb_ec *)a, *(const ecrb_ec *)b);
}

static int check_leaves(const ecrb_ec *leaves, size_t n, ecrb_err *err) {
  char text[ECRB_EC_TEXT];
  if (n > INT32_MAX / (ECRB_LEVELS + 1))
    return ecrb_fail(err, ECRB_ELIMIT, "%zu leaves are more than a tree holds",
                     n);
  for (size_t i = 0; i < n; i++) {
    if (leaves[i].depth != ECRB_LEVELS)
      return ecrb_fail(err, ECRB_EARG,
                       "%s is no leaf: it has %d levels; a leaf has four",
                       ecrb_ec_format(leaves[i], text), leaves[i].depth);
    if (leaves[i].kind == ECRB_EC_BRENDA)
      return ecrb_fail(err, ECRB_EARG,
                       "%s is no leaf: it is BRENDA's own number",
                       ecrb_ec_format(leaves[i], text));
  }
  return ECRB_OK;
}

/* How many nodes the sorted leaves make on a level. */
static int32_t count_level(const ecrb_ec *leaves, size_t n, int level) {
  int32_t count = n > 0;
  for (size_t i = 1; i < n; i++)
    count += ecrb_ec_shared(leaves[i - 1], leaves[i]) < level;
  return count;
}

static int32_t count_levels(ecrb_tree *tree, const ecrb_ec *leaves, size_t n) {
  int32_t total = 1;
  tree->level[0].first = ECRB_ROOT;
  tree->level[0].count = 1;
  for (int level = 1; level <= ECRB_LEVELS; level++) {
    tree->level[level].first = total;
    tree->level[level].count = count_level(leaves, n, level);
    total += tree->level[level].count;
  }
  return total;
}

static void add_child(ecrb_tree *tree, ecrb_node parent, ecrb_node child) {
  ecrb_range *children = &tree->nodes[parent].children;
  if (children->count++ == 0)
    children->first = child;
  tree->nodes[child].parent = parent;
}

/* Walks the leaves along one level and the level above at the same pace. */
static void fill_level(ecrb_tree *tree, const ecrb_ec *leaves, size_t n,
                       int level) {
  ecrb_node parent = tree->level[level - 1].first - (level > 1);
  ecrb_node next = tree->level[level].first;
  for (size_t i = 0; i < n; i++) {
    int shared = i == 0 ? 0 : ecrb_ec_shared(leaves[i - 1], leaves[i]);
    if (level > 1 && (i == 0 || shared < level - 1))
      parent++;
    if (i == 0 || shared < level) {
      tree->nodes[next].ec = ecrb_ec_prefix(leaves[i], level);
      add_child(tree, parent, next++);
    }
  }
}

static int fill(ecrb_tree *tree, const ecrb_ec *leaves, size_t n,
                ecrb_err *err) {
  int32_t total = count_levels(tree, leaves, n);
  tree->nodes = calloc((size_t)total, sizeof *tree->nodes);
  if (tree->nodes == NULL)
    return ecrb_fail(err, ECRB_ENOMEM, "no memory for a tree of %d nodes",
                     (int)total);
  tree->nodes[ECRB_ROOT].parent = ECRB_NO_NODE;
  for (int level = 1; level <= ECRB_LEVELS; level++)
    fill_level(tree, leaves, n, level);
  return ECRB_OK;
}

static bool is_sorted(const ecrb_ec *leaves, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (ecrb_ec_compare(leaves[i - 1], leaves[i]) > 0)
      return false;
  return true;
}

static ecrb_ec *sorted_copy(const ecrb_ec *leaves, size_t n) {
  ecrb_ec *copy = malloc((n + 1) * sizeof *copy);
  if (copy == NULL || n == 0)
    return copy;
  memcpy(copy, leaves, n * sizeof *copy);
  if (!is_sorted(copy, n))
    qsort(copy, n, sizeof *copy, by_ec);
  return copy;
}

int ecrb_tree_new(const ecrb_ec *leaves, size_t n, ecrb_tree **out,
                  ecrb_err *err) {
  *out = NULL;
  int status = check_leaves(leaves, n, err);
  if (status != ECRB_OK)
    return status;
  ecrb_ec *sorted = sorted_copy(leaves, n);
  ecrb_tree *tree = calloc(1, sizeof *tree);
  if (sorted == NULL || tree == NULL)
    status = ecrb_fail(err, ECRB_ENOMEM, "no memory for %zu leaves", n);
  else
    status = fill(tree, sorted, n, err);
  free(sorted);
  if (status == ECRB_OK)
    *out = tree;
  else
    free(tree);
  return status;
}

void ecrb_tree_free(ecrb_tree *tree) {
  if (tree == NULL)
    return;
  ecrb_range leaves = tree->level[ECRB_LEVELS];
  for (ecrb_node i = 0; i < leaves.first + leaves.count; i++)
    free(tree->nodes[i].name);
  free(tree->nodes);
  free(tree);
}

static const node *node_at(const ecrb_tree *tree, ecrb_node number) {
  ecrb_range leaves = tree->level[ECRB_LEVELS];
  bool within = number >= 0 && number < leaves.first + leaves.count;
  return within ? &tree->nodes[number] : NULL;
}

ecrb_node ecrb_tree_find(const ecrb_tree *tree, ecrb_ec ec) {
  ecrb_node low = tree->level[ec.depth].first;
  ecrb_node high = low + tree->level[ec.depth].count;
  while (low < high) {
    ecrb_node middle = low + (high - low) / 2;
    int order = ecrb_ec_compare(tree->nodes[middle].ec, ec);
    if (order == 0)
      return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return ECRB_NO_NODE;
}

ecrb_ec ecrb_tree_ec(const ecrb_tree *tree, ecrb_node number) {
  const node *found = node_at(tree, number);
  ecrb_ec root = {{0}, 0, ECRB_EC_PLAIN};
  return found == NULL ? root : found->ec;
}

int ecrb_tree_level(const ecrb_tree *tree, ecrb_node number) {
  const node *found = node_at(tree, number);
  return found == NULL ? -1 : found->ec.depth;
}

ecrb_node ecrb_tree_parent(const ecrb_tree *tree, ecrb_node number) {
  const node *found = node_at(tree, number);
  return found == NULL ? ECRB_NO_NODE : found->parent;
}

ecrb_range ecrb_tree_children(const ecrb_tree *tree, ecrb_node number) {
  const node *found = node_at(tree, number);
  ecrb_range none = {0, 0};
  return found == NULL ? none : found->children;
}

ecrb_range ecrb_tree_nodes(const ecrb_tree *tree, int level) {
  ecrb_range none = {0, 0};
  return level < 0 || level > ECRB_LEVELS ? none : tree->level[level];
}

int ecrb_tree_set_name(ecrb_tree *tree, ecrb_node number, ecrb_span name) {
  if (node_at(tree, number) == NULL)
    return ECRB_EARG;
  char *copy = malloc(name.n + 1);
  if (copy == NULL)
    return ECRB_ENOMEM;
  if (name.n > 0)
    memcpy(copy, name.at, name.n);
  copy[name.n] = '\0';
  free(tree->nodes[number].name);
  tree->nodes[number].name = copy;
  tree->nodes[number].name_length = name.n;
  return ECRB_OK;
}

ecrb_span ecrb_tree_name(const ecrb_tree *tree, ecrb_node number) {
  const node *found = node_at(tree, number);
  ecrb_span name = {"", 0};
  if (found != NULL && found->name != NULL) {
    name.at = found->name;
    name.n = found->name_length;
  }
  return name;
}
