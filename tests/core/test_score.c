/* Scores of items, sets and their means, with values worked out by hand. */
#include "ec_text.h"
#include "unit.h"

#include <string.h>

#define LABELS 4

static size_t list(const char *text, ecrb_ec out[LABELS]) {
  size_t count;
  assert_int_equal(ecrb_ec_list_parse(text, strlen(text), out, LABELS, &count),
                   ECRB_OK);
  return count;
}

static ecrb_tree *small_tree(void) {
  const char *leaves[] = {"1.1.1.1",  "1.1.1.2",  "1.1.1.10",
                          "2.1.1.1",  "2.4.2.21", "2.7.1.25",
                          "2.7.1.30", "2.7.7.4",  "2.1.1.n7"};
  ecrb_ec ecs[COUNT(leaves)];
  ecrb_tree *tree;
  for (size_t i = 0; i < COUNT(leaves); i++)
    ecs[i] = ec(leaves[i]);
  assert_int_equal(ecrb_tree_new(ecs, COUNT(leaves), &tree, NULL), ECRB_OK);
  return tree;
}

enum { FREE_TEXT, CASCADE };

typedef struct item_case {
  const char *labels, *predicted; /* "": nothing was answered */
  bool may_stop;
  const char *correct; /* by level */
  bool exists, valid;
  int common, predicted_size, gold;
  double hp, hr, hf;
} item_case;

static const item_case items[] = {
    {"1.1.1.1", "1.1.1.1", FREE_TEXT, "1111", 1, 1, 4, 4, 4, 1, 1, 1},
    /* the root is in no set: 0.75, not 0.8 */
    {"1.1.1.1", "1.1.1.2", FREE_TEXT, "1110", 1, 1, 3, 4, 4, .75, .75, .75},
    /* union of labels: six nodes */
    {"2.7.1.25;2.7.7.4", "2.7.1.25", FREE_TEXT, "1111", 1, 1, 4, 4, 6, 1,
     4 / 6., .8},
    {"2.7.1.25;2.7.1.25", "2.7.1.25", FREE_TEXT, "1111", 1, 1, 4, 4, 4, 1, 1,
     1},
    {"1.1.1.1;2.1.1.1", "2.1.1.1", CASCADE, "1111", 1, 1, 4, 4, 8, 1, .5,
     2 / 3.},
    /* a wrong parent leaves no right child */
    {"1.1.1.1", "2.1.1.1", CASCADE, "0000", 1, 1, 0, 4, 4, 0, 0, 0},
    /* a partial EC is no class that expands to its leaves */
    {"2.7.1.30", "2.7.-.-", CASCADE, "1100", 1, 1, 2, 2, 4, 1, .5, 2 / 3.},
    {"2.7.1.30", "2.7.-.-", FREE_TEXT, "1100", 1, 0, 2, 2, 4, 1, .5, 2 / 3.},
    {"2.7.1.30", "2.7", FREE_TEXT, "1100", 1, 0, 2, 2, 4, 1, .5, 2 / 3.},
    {"2.7.1.30", "2.99.-.-", CASCADE, "1000", 0, 0, 1, 2, 4, .5, .25, 1 / 3.},
    {"2.7.1.30", "2.99.-.-", FREE_TEXT, "1000", 0, 0, 1, 2, 4, .5, .25, 1 / 3.},
    /* numbers, not strings */
    {"1.1.1.10", "1.1.1.1", FREE_TEXT, "1110", 1, 1, 3, 4, 4, .75, .75, .75},
    /* well-formed and not there: scores above, is invalid */
    {"1.1.1.1", "1.1.1.9999", FREE_TEXT, "1110", 0, 0, 3, 4, 4, .75, .75, .75},
    {"2.7.7.4", "2.7.7.n9", FREE_TEXT, "1110", 0, 0, 3, 4, 4, .75, .75, .75},
    {"2.4.2.21", "2.4.2.B21", FREE_TEXT, "1110", 0, 0, 3, 4, 4, .75, .75, .75},
    {"2.1.1.n7", "2.1.1.n7", FREE_TEXT, "1111", 1, 1, 4, 4, 4, 1, 1, 1},
    {"2.1.1.n7", "2.1.1.1", FREE_TEXT, "1110", 1, 1, 3, 4, 4, .75, .75, .75},
    /* nothing said */
    {"1.1.1.1", "", CASCADE, "0000", 0, 1, 0, 0, 4, 0, 0, 0},
    {"1.1.1.1", "", FREE_TEXT, "0000", 0, 0, 0, 0, 4, 0, 0, 0},
    {"1.1.1.1", "-.-.-.-", FREE_TEXT, "0000", 0, 0, 0, 0, 4, 0, 0, 0},
};

static ecrb_prediction predict(const char *text, bool may_stop) {
  ecrb_prediction out = {.may_stop = may_stop, .confidence = 0.5};
  out.answered = *text != '\0';
  if (out.answered)
    out.path = ecrb_path_of(ec(text));
  return out;
}

static void check_item(const ecrb_item_score *given,
                       const item_case *expected) {
  const char *correct = expected->correct;
  for (int level = 0; level < 4; level++)
    assert_int_equal(given->correct[level], correct[level] == '1');
  assert_int_equal(given->depth, expected->predicted_size);
  assert_int_equal(given->node_correct,
                   given->depth > 0 && correct[given->depth - 1] == '1');
  assert_int_equal(given->exists, expected->exists);
  assert_int_equal(given->valid, expected->valid);
  assert_int_equal(given->common, expected->common);
  assert_int_equal(given->predicted, expected->predicted_size);
  assert_int_equal(given->gold, expected->gold);
  assert_near(given->hp, expected->hp);
  assert_near(given->hr, expected->hr);
  assert_near(given->hf, expected->hf);
  assert_near(given->confidence, 0.5);
}

static void items_score(void **state) {
  (void)state;
  ecrb_tree *tree = small_tree();
  for (size_t i = 0; i < COUNT(items); i++) {
    ecrb_ec labels[LABELS];
    size_t n = list(items[i].labels, labels);
    ecrb_prediction p = predict(items[i].predicted, items[i].may_stop);
    ecrb_item_score score;
    ecrb_score_item(tree, labels, n, &p, &score);
    check_item(&score, &items[i]);
  }
  ecrb_tree_free(tree);
}

/* A walk that left the tree's path by picking strangers: each level is read
** by its own node, the hierarchical scores by the deepest alone. */
static void a_walk_may_be_no_chain(void **state) {
  (void)state;
  ecrb_tree *tree = small_tree();
  const ecrb_ec label = ec("2.7.1.30");
  ecrb_prediction p = {.may_stop = true, .answered = true};
  ecrb_item_score score;
  p.path = (ecrb_path){{ec("2"), ec("1.1"), ec("2.7.1"), ec("2.7.7.4")}, 4};
  ecrb_score_item(tree, &label, 1, &p, &score);
  assert_true(score.correct[0] && !score.correct[1] && score.correct[2] &&
              !score.correct[3]);
  assert_false(score.node_correct);
  assert_int_equal(score.common, 2);
  assert_near(score.hf, 0.5);
  p.path = (ecrb_path){{ec("1"), ec("2.7")}, 2};
  ecrb_score_item(tree, &label, 1, &p, &score);
  assert_true(!score.correct[0] && score.correct[1] && score.node_correct);
  assert_near(score.hp, 1);
  assert_near(score.hr, 0.5);
  /* a node at a level that is not its own is no gold prefix of that level */
  p.path = (ecrb_path){{ec("2.7")}, 1};
  ecrb_score_item(tree, &label, 1, &p, &score);
  assert_false(score.correct[0]);
  ecrb_tree_free(tree);
}

static void score_all(const char *const (*pairs)[2], size_t n, bool may_stop,
                      ecrb_item_score *out) {
  ecrb_tree *tree = small_tree();
  for (size_t i = 0; i < n; i++) {
    ecrb_ec labels[LABELS];
    size_t n_labels = list(pairs[i][0], labels);
    ecrb_prediction p = predict(pairs[i][1], may_stop);
    ecrb_score_item(tree, labels, n_labels, &p, &out[i]);
  }
  ecrb_tree_free(tree);
}

/* 4 right, 1 wrong, 5 abstained: accuracy .4, precision .8, coverage .5. */
static void abstentions_stay_in_the_denominator(void **state) {
  (void)state;
  const char *const pairs[][2] = {
      {"1.1.1.1", "1.1.1.1"}, {"1.1.1.2", "1.1.1.2"}, {"2.7.7.4", "2.7.7.4"},
      {"2.1.1.1", "2.1.1.1"}, {"1.1.1.1", "2.1.1.1"}, {"1.1.1.1", ""},
      {"1.1.1.1", ""},        {"1.1.1.1", ""},        {"1.1.1.1", ""},
      {"1.1.1.1", "1.1.-.-"}};
  ecrb_item_score scores[COUNT(pairs)];
  ecrb_summary mean;
  score_all(pairs, COUNT(pairs), CASCADE, scores);
  ecrb_score_mean(scores, COUNT(pairs), &mean);
  assert_near(mean.accuracy[3], 0.4);
  assert_near(mean.accuracy[2], 0.4);
  assert_near(mean.accuracy[1], 0.5);
  assert_near(mean.accuracy[0], 0.5);
  assert_near(mean.precision, 0.8);
  assert_near(mean.reach, 0.5);
  assert_near(mean.depth, 2.2);
  assert_near(mean.valid, 1);
  assert_near(mean.hp, 0.5);
  assert_near(mean.hr, 0.45);
  assert_near(mean.hf, (4 + 2 / 3.) / 10);
  assert_near(mean.reach * mean.precision, mean.accuracy[3]);
}

static void nothing_has_no_precision(void **state) {
  (void)state;
  const char *const pair[][2] = {{"1.1.1.1", ""}};
  ecrb_item_score score;
  ecrb_summary mean;
  score_all(pair, 1, FREE_TEXT, &score);
  ecrb_score_mean(&score, 1, &mean);
  assert_true(isnan(mean.precision));
  assert_near(mean.valid, 0);
  ecrb_score_mean(NULL, 0, &mean);
  assert_near(mean.accuracy[0], 0);
  assert_near(mean.hf, 0);
  assert_true(isnan(mean.precision));
}

/* Sums: 4 + 0 + 2 common, 4 + 4 + 2 predicted, 4 + 4 + 4 gold. */
static void micro_sums_before_it_divides(void **state) {
  (void)state;
  const char *const pairs[][2] = {
      {"1.1.1.1", "1.1.1.1"}, {"1.1.1.1", "2.1.1.1"}, {"2.7.1.30", "2.7.-.-"}};
  ecrb_item_score scores[3];
  ecrb_prf micro;
  score_all(pairs, 3, CASCADE, scores);
  ecrb_score_micro(scores, 3, &micro);
  assert_near(micro.precision, 0.6);
  assert_near(micro.recall, 0.5);
  assert_near(micro.f1, 6 / 11.);
  ecrb_score_micro(scores, 0, &micro);
  assert_near(micro.f1, 0);
}

static const struct set_case {
  const char *labels, *predicted;
  double precision, recall, f1;
  bool exact;
} sets[] = {
    {"2.7.1.25;2.7.7.4", "2.7.7.4,2.7.1.25", 1, 1, 1, true},
    {"2.7.1.25;2.7.7.4", "2.7.1.25", 1, .5, 2 / 3., false},
    {"2.7.1.25", "2.7.1.25;2.7.7.4", .5, 1, 2 / 3., false},
    {"2.7.1.25;2.7.7.4", "2.7.1.25;2.7.1.25", 1, .5, 2 / 3., false},
    {"2.7.1.25;2.7.1.25", "2.7.1.25", 1, 1, 1, true},
    {"2.7.1.25", "2.7.1.-", 0, 0, 0, false},
    {"2.7.1.25", "2.7.1.-;2.7.1.25", .5, 1, 2 / 3., false},
    {"2.4.2.21", "2.4.2.B21", 0, 0, 0, false},
    {"2.7.1.25", "", 0, 0, 0, false},
    {"2.7.1.25;2.7.7.4", "1.1.1.1;1.1.1.2", 0, 0, 0, false},
};

static void sets_score(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(sets); i++) {
    ecrb_ec labels[LABELS], predicted[LABELS];
    size_t n_labels = list(sets[i].labels, labels);
    size_t n_predicted = list(sets[i].predicted, predicted);
    ecrb_set_score score;
    ecrb_score_set(labels, n_labels, predicted, n_predicted, &score);
    assert_near(score.precision, sets[i].precision);
    assert_near(score.recall, sets[i].recall);
    assert_near(score.f1, sets[i].f1);
    assert_int_equal(score.exact, sets[i].exact);
  }
}

/* P and R of two items are (1/2, 1) and (1, 1/2): the mean of F is 2/3, the F
** of the means would be 3/4. */
static void f_is_averaged_not_its_parts(void **state) {
  (void)state;
  const ecrb_ec ecs[] = {ec("2.7.1.25"), ec("2.7.7.4")};
  ecrb_set_score first, second;
  ecrb_score_set(ecs, 1, ecs, 2, &first);
  ecrb_score_set(ecs, 2, ecs, 1, &second);
  assert_near(first.precision, 0.5);
  assert_near(second.recall, 0.5);
  assert_near((first.f1 + second.f1) / 2, 2 / 3.);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(items_score),
      cmocka_unit_test(a_walk_may_be_no_chain),
      cmocka_unit_test(abstentions_stay_in_the_denominator),
      cmocka_unit_test(nothing_has_no_precision),
      cmocka_unit_test(micro_sums_before_it_divides),
      cmocka_unit_test(sets_score),
      cmocka_unit_test(f_is_averaged_not_its_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
