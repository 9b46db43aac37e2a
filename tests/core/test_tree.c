/* The EC tree: numbering, ranges, names, bad leaves, memory, CARE's union. */
#include "care.h"
#include "ec_text.h"
#include "failing.h"
#include "unit.h"

static ecrb_tree *tree_of(const char *const *leaves, size_t n) {
  ecrb_ec numbers[64];
  ecrb_tree *tree = NULL;
  for (size_t i = 0; i < n; i++)
    numbers[i] = ec(leaves[i]);
  assert_int_equal(ecrb_tree_new(numbers, n, &tree, NULL), ECRB_OK);
  return tree;
}

static ecrb_tree *small_tree(void) {
  const char *leaves[] = {"2.7.1.10", "1.1.1.1",  "2.7.1.2",  "1.1.1.n7",
                          "2.7.1.2",  "1.10.3.2", "1.1.99.1", "7.1.1.1"};
  return tree_of(leaves, COUNT(leaves));
}

static void nodes_stand_by_level_in_ec_order(void **state) {
  (void)state;
  const char *expected[] = {"-.-.-.-",  "1.-.-.-",  "2.-.-.-",  "7.-.-.-",
                            "1.1.-.-",  "1.10.-.-", "2.7.-.-",  "7.1.-.-",
                            "1.1.1.-",  "1.1.99.-", "1.10.3.-", "2.7.1.-",
                            "7.1.1.-",  "1.1.1.1",  "1.1.1.n7", "1.1.99.1",
                            "1.10.3.2", "2.7.1.2",  "2.7.1.10", "7.1.1.1"};
  ecrb_tree *tree = small_tree();
  char text[ECRB_EC_TEXT];
  for (ecrb_node i = 0; i < (ecrb_node)COUNT(expected); i++) {
    assert_string_equal(ecrb_ec_format(ecrb_tree_ec(tree, i), text),
                        expected[i]);
    assert_int_equal(ecrb_tree_find(tree, ec(expected[i])), i);
    assert_int_equal(ecrb_tree_level(tree, i), ec(expected[i]).depth);
  }
  assert_int_equal(ecrb_tree_nodes(tree, 4).first, 13);
  assert_int_equal(ecrb_tree_nodes(tree, 4).count, 7);
  ecrb_tree_free(tree);
}

static void what_is_not_there_is_not_found(void **state) {
  (void)state;
  ecrb_tree *tree = small_tree();
  const char *absent[] = {"3",       "1.2",      "1.1.2",    "1.1.1.2",
                          "1.1.1.7", "1.1.1.n1", "1.1.1.B1", "99.1.1.1"};
  for (size_t i = 0; i < COUNT(absent); i++)
    assert_int_equal(ecrb_tree_find(tree, ec(absent[i])), ECRB_NO_NODE);
  const ecrb_node strange[] = {ECRB_NO_NODE, 20, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < COUNT(strange); i++) {
    assert_int_equal(ecrb_tree_level(tree, strange[i]), -1);
    assert_int_equal(ecrb_tree_parent(tree, strange[i]), ECRB_NO_NODE);
    assert_int_equal(ecrb_tree_children(tree, strange[i]).count, 0);
    assert_int_equal(ecrb_tree_ec(tree, strange[i]).depth, 0);
    assert_int_equal(ecrb_tree_name(tree, strange[i]).n, 0);
    assert_int_equal(ecrb_tree_set_name(tree, strange[i], ecrb_span_of("x")),
                     ECRB_EARG);
  }
  assert_int_equal(ecrb_tree_nodes(tree, 5).count, 0);
  assert_int_equal(ecrb_tree_nodes(tree, -1).count, 0);
  ecrb_tree_free(tree);
}

/* Every node but the root is in its parent's range and shares its prefix, and
** the ranges of a level cover the next one exactly. */
static void check_ranges(const ecrb_tree *tree) {
  for (int level = 0; level < 4; level++) {
    ecrb_range nodes = ecrb_tree_nodes(tree, level);
    ecrb_node next = ecrb_tree_nodes(tree, level + 1).first;
    for (ecrb_node i = nodes.first; i < nodes.first + nodes.count; i++) {
      ecrb_range children = ecrb_tree_children(tree, i);
      assert_true(children.count > 0);
      assert_int_equal(children.first, next);
      next += children.count;
      for (ecrb_node c = children.first; c < next; c++) {
        assert_int_equal(ecrb_tree_parent(tree, c), i);
        assert_true(ecrb_ec_equal(ecrb_ec_prefix(ecrb_tree_ec(tree, c), level),
                                  ecrb_tree_ec(tree, i)));
        assert_int_equal(ecrb_tree_find(tree, ecrb_tree_ec(tree, c)), c);
      }
    }
    ecrb_range below = ecrb_tree_nodes(tree, level + 1);
    assert_int_equal(next, below.first + below.count);
  }
}

static void children_are_ranges(void **state) {
  (void)state;
  ecrb_tree *tree = small_tree();
  check_ranges(tree);
  assert_int_equal(ecrb_tree_parent(tree, ECRB_ROOT), ECRB_NO_NODE);
  assert_int_equal(ecrb_tree_children(tree, 13).count, 0);
  ecrb_tree_free(tree);
}

static void a_tree_may_be_empty(void **state) {
  (void)state;
  ecrb_tree *tree = NULL;
  assert_int_equal(ecrb_tree_new(NULL, 0, &tree, NULL), ECRB_OK);
  assert_int_equal(ecrb_tree_level(tree, ECRB_ROOT), 0);
  assert_int_equal(ecrb_tree_nodes(tree, 1).count, 0);
  assert_int_equal(ecrb_tree_children(tree, ECRB_ROOT).count, 0);
  ecrb_tree_free(tree);
  ecrb_tree_free(NULL);
}

static void bad_leaves_are_named(void **state) {
  (void)state;
  const struct {
    const char *leaf, *message;
  } rows[] = {
      {"2.7.1", "2.7.1.- is no leaf: it has 3 levels; a leaf has four"},
      {"-", "-.-.-.- is no leaf: it has 0 levels; a leaf has four"},
      {"2.4.2.B21", "2.4.2.B21 is no leaf: it is BRENDA's own number"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    ecrb_ec leaves[] = {ec("1.1.1.1"), ec(rows[i].leaf)};
    ecrb_tree *tree;
    ecrb_err err;
    assert_int_equal(ecrb_tree_new(leaves, 2, &tree, &err), ECRB_EARG);
    assert_null(tree);
    assert_string_equal(err.msg, rows[i].message);
  }
}

static void names_are_the_trees_own(void **state) {
  (void)state;
  ecrb_tree *tree = small_tree();
  char text[] = "alcohol dehydrogenase";
  ecrb_span cut = {text, 7};
  ecrb_node leaf = ecrb_tree_find(tree, ec("1.1.1.1"));
  assert_int_equal(ecrb_tree_name(tree, leaf).n, 0);
  assert_int_equal(ecrb_tree_set_name(tree, leaf, ecrb_span_of("x")), ECRB_OK);
  assert_int_equal(ecrb_tree_set_name(tree, leaf, cut), ECRB_OK);
  memset(text, '?', sizeof text - 1);
  assert_true(
      ecrb_span_equal(ecrb_tree_name(tree, leaf), ecrb_span_of("alcohol")));
  assert_int_equal(ecrb_tree_name(tree, leaf + 1).n, 0);
  ecrb_tree_free(tree);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  ecrb_ec leaves[] = {ec("1.1.1.1"), ec("2.7.1.1")};
  ecrb_tree *tree = NULL;
  int failures = 0;
  int status = ECRB_ENOMEM;
  while (status == ECRB_ENOMEM) {
    allocations_until_failure = failures + 1;
    status = ecrb_tree_new(leaves, 2, &tree, NULL);
    failures += status == ECRB_ENOMEM;
    assert_true((tree == NULL) == (status != ECRB_OK));
  }
  allocations_until_failure = 0;
  assert_int_equal(status, ECRB_OK);
  assert_true(failures >= 3);
  allocations_until_failure = 1;
  assert_int_equal(ecrb_tree_set_name(tree, 1, ecrb_span_of("x")), ECRB_ENOMEM);
  allocations_until_failure = 0;
  ecrb_tree_free(tree);
}

static void check_counts(const ecrb_ec *leaves, size_t n, int32_t leaf_count) {
  const int32_t expected[] = {1, 7, 73, 245, leaf_count};
  ecrb_tree *tree;
  assert_int_equal(ecrb_tree_new(leaves, n, &tree, NULL), ECRB_OK);
  for (int level = 0; level <= 4; level++)
    assert_int_equal(ecrb_tree_nodes(tree, level).count, expected[level]);
  check_ranges(tree);
  ecrb_tree_free(tree);
}

static int count_kind(const ecrb_ec *leaves, size_t n, int kind) {
  int count = 0;
  for (size_t i = 0; i < n; i++)
    count += leaves[i].kind == kind;
  return count;
}

static void cares_union_has_4963_leaves(void **state) {
  (void)state;
  care *set = care_load();
  if (set == NULL)
    SKIP_BECAUSE("no shared data folder with CARE's files");
  assert_int_equal(set->n_items, 1349);
  assert_int_equal(set->n_listed, 4960);
  assert_int_equal(count_kind(set->leaves, set->n_listed, ECRB_EC_PRELIMINARY),
                   16);
  check_counts(set->leaves, set->n_listed, 4960);
  check_counts(set->leaves, set->n_leaves, 4963);
  care_free(set);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_stand_by_level_in_ec_order),
      cmocka_unit_test(what_is_not_there_is_not_found),
      cmocka_unit_test(children_are_ranges),
      cmocka_unit_test(a_tree_may_be_empty),
      cmocka_unit_test(bad_leaves_are_named),
      cmocka_unit_test(names_are_the_trees_own),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(cares_union_has_4963_leaves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
