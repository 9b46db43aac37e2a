/* Candidate lists: their rule written anew and plainly, what must hold of every
** list over CARE's whole tree, and lists without labels. */
#include "care.h"
#include "ec_text.h"
#include "failing.h"
#include "folder.h"
#include "unit.h"

#define MOST ECRB_CANDIDATES_MAX

static const char items_header[] = "item\tsplit\tshown\tflags\tsequence\n";
static const char evidence_header[] =
    "item\tchannel\trank\tneighbour\tshown\tec\tscore\tkind\tidentity\t"
    "coverage\tevalue\n";

static ecrb_node find(const ecrb_bench *bench, const char *text) {
  return ecrb_tree_find(ecrb_bench_tree(bench), ec(text));
}

static ecrb_bench *open_bench(const folder *dir, uint64_t seed) {
  ecrb_bench *bench;
  ecrb_err err = {0, ""};
  if (ecrb_bench_open(dir->path, seed, &bench, &err) != ECRB_OK)
    fail_msg("%s", err.msg);
  return bench;
}

static size_t list(ecrb_bench *bench, size_t item, ecrb_node committed,
                   const ecrb_candidate_rule *rule, ecrb_node out[MOST]) {
  size_t count;
  ecrb_err err = {0, ""};
  if (ecrb_candidates(bench, item, committed, rule, out, &count, &err) !=
      ECRB_OK)
    fail_msg("%s", err.msg);
  return count;
}

static bool has(const ecrb_node *nodes, size_t n, ecrb_node node) {
  for (size_t i = 0; i < n; i++)
    if (nodes[i] == node)
      return true;
  return false;
}

/* {====================================================================
** The rule, written plainly: every set is a list
** ===================================================================== */

typedef struct nodes {
  ecrb_node at[8000];
  size_t n;
} nodes;

static void gold_of(ecrb_bench *bench, size_t item, int level, nodes *out) {
  const ecrb_tree *tree = ecrb_bench_tree(bench);
  const ecrb_ec *labels;
  size_t n;
  ecrb_range all = ecrb_tree_nodes(tree, level);
  assert_int_equal(ecrb_bench_labels(bench, item, &labels, &n, NULL), ECRB_OK);
  out->n = 0;
  for (ecrb_node node = all.first; node < all.first + all.count; node++)
    for (size_t i = 0; i < n; i++)
      if (ecrb_ec_shared(labels[i], ecrb_tree_ec(tree, node)) == level) {
        out->at[out->n++] = node;
        break;
      }
}

static void draw_plainly(ecrb_rng *rng, const nodes *from, size_t m,
                         nodes *out) {
  size_t start = out->n;
  for (size_t j = from->n - m; j < from->n; j++) {
    uint32_t index = ecrb_rng_below(rng, (uint32_t)j + 1);
    ecrb_node node = from->at[index];
    if (has(out->at + start, out->n - start, node))
      node = from->at[j];
    out->at[out->n++] = node;
  }
}

static ecrb_rng seeded(ecrb_bench *bench, size_t item, ecrb_node committed,
                       int level) {
  char text[ECRB_EC_TEXT], byte = (char)level;
  ecrb_item it;
  ecrb_bench_item(bench, item, &it);
  ecrb_ec_format(ecrb_tree_ec(ecrb_bench_tree(bench), committed), text);
  uint64_t seed = ecrb_rng_fold(ecrb_bench_seed(bench), it.id.at, it.id.n);
  seed = ecrb_rng_fold(ecrb_rng_fold(seed, &byte, 1), text, strlen(text));
  return ecrb_rng_seed(seed);
}

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

static void list_plainly(ecrb_bench *bench, size_t item, ecrb_node committed,
                         const ecrb_candidate_rule *rule, nodes *out) {
  static nodes gold, siblings, strangers;
  const ecrb_tree *tree = ecrb_bench_tree(bench);
  int level = ecrb_tree_level(tree, committed) + 1;
  ecrb_range all = ecrb_tree_nodes(tree, level);
  gold_of(bench, item, level, &gold);
  out->n = siblings.n = strangers.n = 0;
  for (ecrb_node node = all.first; node < all.first + all.count; node++) {
    bool child = ecrb_tree_parent(tree, node) == committed;
    bool is_gold = has(gold.at, gold.n, node);
    nodes *to = is_gold ? out : child ? &siblings : &strangers;
    if (child || !is_gold)
      to->at[to->n++] = node;
  }
  size_t most = (size_t)rule->most > out->n ? (size_t)rule->most : out->n;
  size_t d = smaller(most - out->n, siblings.n + strangers.n);
  size_t s = (size_t)round(rule->sibling_share * (double)d);
  s = smaller(s, siblings.n);
  if (d - s > strangers.n)
    s = d - strangers.n;
  ecrb_rng rng = seeded(bench, item, committed, level);
  draw_plainly(&rng, &siblings, s, out);
  draw_plainly(&rng, &strangers, d - s, out);
  ecrb_rng_shuffle(&rng, out->at, out->n);
}

/* }==================================================================== */

/* {====================================================================
** CARE's tree and items
** ===================================================================== */

typedef struct world {
  care *set;
  folder dir;
  ecrb_bench *bench;
} world;

static FILE *table(const folder *dir, const char *name) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", dir->path, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  return file;
}

static void write_leaves(const folder *dir, const care *set) {
  ecrb_tree *tree;
  char text[ECRB_EC_TEXT];
  FILE *file = table(dir, "ec.tsv");
  assert_int_equal(ecrb_tree_new(set->leaves, set->n_leaves, &tree, NULL),
                   ECRB_OK);
  ecrb_range leaves = ecrb_tree_nodes(tree, 4);
  fprintf(file, "ec\tname\torigin\n");
  for (ecrb_node i = leaves.first; i < leaves.first + leaves.count; i++)
    fprintf(file, "%s\t-\tlist\n", ecrb_ec_format(ecrb_tree_ec(tree, i), text));
  fclose(file);
  ecrb_tree_free(tree);
}

static void write_items(const folder *dir, const care *set) {
  FILE *items = table(dir, "items.tsv");
  FILE *labels = table(dir, "labels.tsv");
  fputs(items_header, items);
  fprintf(labels, "item\tec\n");
  for (size_t i = 0; i < set->n_items; i++) {
    const care_item *item = &set->items[i];
    fprintf(items, "%s\t%s\tenzyme-%zu\t-\t%s\n", item->id, item->split, i,
            item->sequence);
    fprintf(labels, "%s\t%s\n", item->id, item->ec);
  }
  fclose(items);
  fclose(labels);
}

static int open_care(void **state) {
  static world w;
  w.set = care_load();
  *state = &w;
  if (w.set == NULL)
    return 0;
  w.dir = folder_new();
  write_leaves(&w.dir, w.set);
  write_items(&w.dir, w.set);
  w.bench = open_bench(&w.dir, 20240607);
  return 0;
}

static int close_care(void **state) {
  world *w = *state;
  if (w->set == NULL)
    return 0;
  ecrb_bench_close(w->bench);
  folder_free(&w->dir);
  care_free(w->set);
  return 0;
}

static world *care_or_skip(void **state) {
  world *w = *state;
  if (w->set == NULL)
    SKIP_BECAUSE("no shared data folder with CARE's files");
  return w;
}

typedef void visit(ecrb_bench *bench, size_t item, ecrb_node committed);

/* Every `step`-th item at every inner node of the tree. */
static void everywhere(ecrb_bench *bench, size_t step, visit *check) {
  ecrb_node leaves = ecrb_tree_nodes(ecrb_bench_tree(bench), 4).first;
  for (size_t item = 0; item < ecrb_bench_size(bench); item += step)
    for (ecrb_node node = ECRB_ROOT; node < leaves; node++)
      check(bench, item, node);
}

static void check_list(ecrb_bench *bench, size_t item, ecrb_node committed) {
  static nodes gold;
  const ecrb_tree *tree = ecrb_bench_tree(bench);
  const ecrb_candidate_rule rule = ecrb_candidate_rule_default();
  int level = ecrb_tree_level(tree, committed) + 1;
  ecrb_node out[MOST], again[MOST];
  size_t n = list(bench, item, committed, &rule, out);
  assert_int_equal(n, level == 1 ? 7 : 10);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(ecrb_tree_level(tree, out[i]), level);
    assert_false(has(out, i, out[i]));
  }
  gold_of(bench, item, level, &gold);
  for (size_t i = 0; i < gold.n; i++)
    assert_int_equal(has(out, n, gold.at[i]),
                     ecrb_tree_parent(tree, gold.at[i]) == committed);
  assert_int_equal(list(bench, item, committed, &rule, again), n);
  assert_memory_equal(out, again, n * sizeof *out);
}

static void every_list_of_care_keeps_the_rules(void **state) {
  everywhere(care_or_skip(state)->bench, 27, check_list);
}

static void check_against_the_plain_rule(ecrb_bench *bench, size_t item,
                                         ecrb_node committed) {
  static nodes expected;
  const ecrb_candidate_rule rules[] = {{10, 0.7}, {2, 0.7},  {5, 1},
                                       {7, 0},    {64, 0.7}, {15, 0.5}};
  for (size_t i = 0; i < COUNT(rules) && committed != ECRB_ROOT; i++) {
    ecrb_node out[MOST];
    size_t n = list(bench, item, committed, &rules[i], out);
    list_plainly(bench, item, committed, &rules[i], &expected);
    assert_int_equal(n, expected.n);
    assert_memory_equal(out, expected.at, n * sizeof *out);
  }
}

static void lists_are_those_of_the_plain_rule(void **state) {
  everywhere(care_or_skip(state)->bench, 271, check_against_the_plain_rule);
}

/* On the gold path and off it a single-label item sees as many children. */
static void check_children(ecrb_bench *bench, size_t item,
                           ecrb_node committed) {
  const ecrb_tree *tree = ecrb_bench_tree(bench);
  const ecrb_candidate_rule rule = ecrb_candidate_rule_default();
  const ecrb_ec *labels;
  size_t n_labels, children = 0;
  ecrb_node out[MOST];
  size_t n = list(bench, item, committed, &rule, out);
  ecrb_bench_labels(bench, item, &labels, &n_labels, NULL);
  if (committed == ECRB_ROOT || n_labels > 1)
    return;
  for (size_t i = 0; i < n; i++)
    children += ecrb_tree_parent(tree, out[i]) == committed;
  size_t there = (size_t)ecrb_tree_children(tree, committed).count;
  assert_int_equal(children, smaller(7, there));
}

static void the_number_of_children_betrays_nothing(void **state) {
  everywhere(care_or_skip(state)->bench, 53, check_children);
}

/* Gold stands at every place of the list about equally often. */
static void the_order_betrays_nothing(void **state) {
  world *w = care_or_skip(state);
  const ecrb_tree *tree = ecrb_bench_tree(w->bench);
  const ecrb_candidate_rule rule = ecrb_candidate_rule_default();
  int at[10] = {0};
  for (size_t item = 0; item < ecrb_bench_size(w->bench); item++) {
    const ecrb_ec *labels;
    size_t n;
    ecrb_node out[MOST];
    ecrb_bench_labels(w->bench, item, &labels, &n, NULL);
    ecrb_node parent = ecrb_tree_find(tree, ecrb_ec_prefix(labels[0], 3));
    ecrb_node gold = ecrb_tree_find(tree, labels[0]);
    n = list(w->bench, item, parent, &rule, out);
    for (size_t i = 0; i < n; i++)
      at[i] += out[i] == gold;
  }
  for (int i = 0; i < 10; i++)
    assert_in_range(at[i], 90, 180); /* 135 each; sd 11 */
}

static void lists_depend_on_seed_and_item(void **state) {
  world *w = care_or_skip(state);
  ecrb_bench *other = open_bench(&w->dir, 1), *same;
  const ecrb_candidate_rule rule = ecrb_candidate_rule_default();
  ecrb_node node = find(other, "1.1.1"), a[MOST], b[MOST];
  same = open_bench(&w->dir, 20240607);
  list(w->bench, 3, node, &rule, a);
  list(same, 3, node, &rule, b);
  assert_memory_equal(a, b, 10 * sizeof *a);
  list(other, 3, node, &rule, b);
  assert_memory_not_equal(a, b, 10 * sizeof *a);
  list(w->bench, 4, node, &rule, b);
  assert_memory_not_equal(a, b, 10 * sizeof *a);
  ecrb_bench_close(other);
  ecrb_bench_close(same);
}

/* }==================================================================== */

/* {====================================================================
** A small tree
** ===================================================================== */

static const char small_ec[] = "ec\tname\torigin\n"
                               "1.1.1.1\t-\tlist\n1.1.1.2\t-\tlist\n"
                               "1.1.1.3\t-\tlist\n1.1.1.4\t-\tlist\n"
                               "1.1.1.5\t-\tlist\n1.1.2.1\t-\tlist\n"
                               "1.2.1.1\t-\tlist\n2.7.1.1\t-\tlist\n"
                               "2.7.1.2\t-\tlist\n3.1.1.1\t-\tlist\n";

static folder small_folder(const char *labels, const char *evidence) {
  folder dir = folder_new();
  char text[4000];
  folder_write(&dir, "ec.tsv", small_ec);
  snprintf(text, sizeof text, "%sP1\t30\te1\t-\tMK\n", items_header);
  folder_write(&dir, "items.tsv", text);
  if (labels != NULL) {
    snprintf(text, sizeof text, "item\tec\nP1\t%s\n", labels);
    folder_write(&dir, "labels.tsv", text);
  }
  snprintf(text, sizeof text, "%s%s", evidence_header, evidence);
  folder_write(&dir, "evidence.tsv", text);
  return dir;
}

/* The leaves of the list, sorted, as `1.1.1.1 1.1.1.2`. */
static void show(const ecrb_bench *bench, const ecrb_node *out, size_t n,
                 char *text) {
  ecrb_range all = ecrb_tree_nodes(ecrb_bench_tree(bench), 4);
  *text = '\0';
  for (ecrb_node node = all.first; node < all.first + all.count; node++)
    if (has(out, n, node)) {
      char one[ECRB_EC_TEXT];
      strcat(text, *text == '\0' ? "" : " ");
      strcat(text,
             ecrb_ec_format(ecrb_tree_ec(ecrb_bench_tree(bench), node), one));
    }
}

static void small_lists(void **state) {
  (void)state;
  const struct {
    const char *labels, *committed;
    ecrb_candidate_rule rule;
    const char *expected;
  } rows[] = {
      /* all that there is; off the path gold is kept off the list */
      {"1.1.1.1",
       "1.1.1",
       {64, 0.7},
       "1.1.1.1 1.1.1.2 1.1.1.3 1.1.1.4 1.1.1.5 "
       "1.1.2.1 1.2.1.1 2.7.1.1 2.7.1.2 3.1.1.1"},
      {"1.1.1.1",
       "2.7.1",
       {64, 0.7},
       "1.1.1.2 1.1.1.3 1.1.1.4 1.1.1.5 1.1.2.1 "
       "1.2.1.1 2.7.1.1 2.7.1.2 3.1.1.1"},
      /* siblings alone: a single one, then strangers fill up */
      {"1.1.1.1;3.1.1.1",
       "1.1.1",
       {5, 1},
       "1.1.1.1 1.1.1.2 1.1.1.3 1.1.1.4 "
       "1.1.1.5"},
      /* gold of several labels under one node, more than the list is long */
      {"1.1.1.1;1.1.1.4;1.1.1.5", "1.1.1", {2, 0.7}, "1.1.1.1 1.1.1.4 1.1.1.5"},
      /* strangers alone, though siblings must fill up */
      {"2.7.1.1;1.1.1.1;1.1.1.2;1.1.1.3;1.1.1.4;1.1.1.5;1.1.2.1;1.2.1.1",
       "2.7.1",
       {3, 0},
       "2.7.1.1 2.7.1.2 3.1.1.1"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    folder dir = small_folder(rows[i].labels, "");
    ecrb_bench *bench = open_bench(&dir, 1);
    ecrb_node out[MOST];
    char text[500];
    size_t n =
        list(bench, 0, find(bench, rows[i].committed), &rows[i].rule, out);
    show(bench, out, n, text);
    assert_string_equal(text, rows[i].expected);
    ecrb_bench_close(bench);
    folder_free(&dir);
  }
}

/* The same bytes on every machine: a list that
** another program, in another language, made by the rule. */
static void a_list_is_for_ever(void **state) {
  (void)state;
  folder dir = small_folder("1.1.1.1", "");
  ecrb_bench *bench = open_bench(&dir, 1);
  const ecrb_candidate_rule rule = {4, 0.7};
  const char *expected[] = {"1.1.1.3", "1.1.1.5", "1.1.1.1", "1.2.1.1"};
  ecrb_node out[MOST];
  char text[ECRB_EC_TEXT];
  assert_int_equal(list(bench, 0, find(bench, "1.1.1"), &rule, out), 4);
  for (size_t i = 0; i < 4; i++)
    assert_string_equal(
        ecrb_ec_format(ecrb_tree_ec(ecrb_bench_tree(bench), out[i]), text),
        expected[i]);
  ecrb_bench_close(bench);
  folder_free(&dir);
}

#define REST "\t5\tbits\t-\t-\t-\n"
static const char support[] =
    "P1\tblast\t1\tT1\tt1\t2.7.1.1;1.1.2.1" REST
    "P1\tblast\t2\tT2\tt2\t1.1.1.4" REST "P1\tblast\t3\tT3\tt3\t1.1.-.-" REST
    "P1\thmmer\t1\tT9\tt9\t1.1.1.2;9.9.9.9" REST;

static void without_labels_evidence_comes_first(void **state) {
  (void)state;
  const struct {
    const char *committed;
    int most;
    const char *first;
  } rows[] = {{"1.1.1", 2, "1.1.1.2 1.1.1.4"},
              {"2.7.1", 2, "2.7.1.1 2.7.1.2"},
              {"1.1.1", 5, "1.1.1.1 1.1.1.2 1.1.1.3 1.1.1.4 1.1.1.5"}};
  folder dir = small_folder(NULL, support);
  ecrb_bench *bench = open_bench(&dir, 1);
  for (size_t i = 0; i < COUNT(rows); i++) {
    const ecrb_candidate_rule rule = {rows[i].most, 0.7};
    ecrb_node out[MOST];
    char text[500];
    size_t n = list(bench, 0, find(bench, rows[i].committed), &rule, out);
    assert_int_equal(n, rows[i].most);
    show(bench, out, n, text);
    assert_string_equal(text, rows[i].first);
  }
  ecrb_bench_close(bench);
  folder_free(&dir);
}

static void without_labels_strangers_fill_up(void **state) {
  (void)state;
  const ecrb_candidate_rule rule = {7, 0.7}, all = {64, 0.7};
  folder dir = small_folder(NULL, support);
  ecrb_bench *bench = open_bench(&dir, 1);
  ecrb_node out[MOST], committed = find(bench, "1.1.1");
  ecrb_range children = ecrb_tree_children(ecrb_bench_tree(bench), committed);
  assert_int_equal(list(bench, 0, committed, &rule, out), 7);
  for (int32_t i = 0; i < children.count; i++)
    assert_true(has(out, 7, children.first + i));
  assert_int_equal(list(bench, 0, committed, &all, out), 10);
  assert_int_equal(list(bench, 0, ECRB_ROOT, &rule, out), 3);
  ecrb_bench_close(bench);
  folder_free(&dir);
}

static void wrong_arguments_are_named(void **state) {
  (void)state;
  folder dir = small_folder("1.1.1.1", "");
  ecrb_bench *bench = open_bench(&dir, 1);
  const ecrb_node leaf = find(bench, "1.1.1.1");
  const struct {
    size_t item;
    ecrb_node committed;
    ecrb_candidate_rule rule;
    const char *message;
  } rows[] = {
      {1, 0, {10, 0.7}, "has no item at 1: it holds 1"},
      {0, leaf, {10, 0.7}, "1.1.1.1 is a leaf or no node: nothing stands "},
      {0, ECRB_NO_NODE, {10, 0.7}, "is a leaf or no node"},
      {0, 9999, {10, 0.7}, "is a leaf or no node"},
      {0, 0, {1, 0.7}, "a list of at most 1 candidates; ask for 2 to 64"},
      {0, 0, {65, 0.7}, "a list of at most 65 candidates; ask for 2 to 64"},
      {0, 0, {10, 1.5}, "a sibling share of 1.5; ask for 0 to 1"},
      {0, 0, {10, -0.1}, "a sibling share of -0.1; ask for 0 to 1"},
      {0, 0, {10, NAN}, "a sibling share of nan; ask for 0 to 1"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    ecrb_node out[MOST];
    size_t count = 99;
    ecrb_err err = {0, ""};
    assert_int_equal(ecrb_candidates(bench, rows[i].item, rows[i].committed,
                                     &rows[i].rule, out, &count, &err),
                     ECRB_EARG);
    assert_int_equal(count, 0);
    if (strstr(err.msg, rows[i].message) == NULL)
      fail_msg("%s", err.msg);
  }
  ecrb_bench_close(bench);
  folder_free(&dir);
}

static void memory_may_run_out(void **state) {
  (void)state;
  const ecrb_candidate_rule rule = ecrb_candidate_rule_default();
  folder dir = small_folder(NULL, support);
  ecrb_bench *bench = open_bench(&dir, 1);
  ecrb_node out[MOST];
  int failures = 0;
  int status = ECRB_ENOMEM;
  while (status == ECRB_ENOMEM) {
    size_t count;
    allocations_until_failure = failures + 1;
    status = ecrb_candidates(bench, 0, find(bench, "1.1.1"), &rule, out, &count,
                             NULL);
    allocations_until_failure = 0;
    failures += status == ECRB_ENOMEM;
  }
  assert_int_equal(status, ECRB_OK);
  assert_true(failures > 3);
  ecrb_bench_close(bench);
  folder_free(&dir);
}

/* }==================================================================== */

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_list_of_care_keeps_the_rules),
      cmocka_unit_test(lists_are_those_of_the_plain_rule),
      cmocka_unit_test(the_number_of_children_betrays_nothing),
      cmocka_unit_test(the_order_betrays_nothing),
      cmocka_unit_test(lists_depend_on_seed_and_item),
      cmocka_unit_test(small_lists),
      cmocka_unit_test(a_list_is_for_ever),
      cmocka_unit_test(without_labels_evidence_comes_first),
      cmocka_unit_test(without_labels_strangers_fill_up),
      cmocka_unit_test(wrong_arguments_are_named),
      cmocka_unit_test(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, open_care, close_care);
}
