/* Both votes, from tables: chains as the nodes that they committed. */
#include "ec_text.h"
#include "unit.h"

#include <math.h>
#include <string.h>

#define CHAINS 5

static void check_ec(ecrb_ec given, const char *expected) {
  char text[ECRB_EC_TEXT];
  assert_string_equal(ecrb_ec_format(given, text), expected);
}

static void a_path_is_its_prefixes(void **state) {
  (void)state;
  const char *expected[] = {"2.-.-.-", "2.1.-.-", "2.1.1.-", "2.1.1.n7"};
  ecrb_path path = ecrb_path_of(ec("2.1.1.n7"));
  assert_int_equal(path.depth, 4);
  for (int level = 0; level < 4; level++)
    check_ec(path.node[level], expected[level]);
  path = ecrb_path_of(ec("2.1.-.-"));
  assert_int_equal(path.depth, 2);
  assert_int_equal(path.node[2].depth, 0);
  assert_int_equal(ecrb_path_of(ec("-.-.-.-")).depth, 0);
}

typedef struct vote_case {
  const char *chains[CHAINS]; /* ECs whose path each chain took */
  size_t k;
  double tau;
  const char *consensus;
  double share[4];
  double winning;
  bool tied;
} vote_case;

static const vote_case votes[] = {
    {{"1.1.1.1", "1.1.1.1", "1.1.1.1"}, 3, .5, "1.1.1.1", {1, 1, 1, 1}, 1, 0},
    {{"1.1.1.1", "1.1.1.2", "1.1.1.1"},
     3,
     .5,
     "1.1.1.1",
     {1, 1, 1, 2 / 3.},
     2 / 3.,
     0},
    /* three ways: no majority, stop above */
    {{"1.1.1.1", "1.1.1.2", "1.1.1.3"},
     3,
     .5,
     "1.1.1.-",
     {1, 1, 1, 1 / 3.},
     1,
     1},
    /* a tie at tau is still a tie */
    {{"1.1.1.1", "2.7.1.1", "2.7.1.1", "1.1.1.1"},
     4,
     .5,
     "-.-.-.-",
     {.5, 0, 0, 0},
     0,
     1},
    {{"1.1.1.1", "2.7.1.1"}, 2, .5, "-.-.-.-", {.5, 0, 0, 0}, 0, 1},
    /* a third node beside two that lead */
    {{"1.1.1.1", "1.1.1.2", "1.1.1.2", "1.1.1.1", "1.1.1.3"},
     5,
     .25,
     "1.1.1.-",
     {1, 1, 1, .4},
     1,
     1},
    /* a chain that stopped votes for no node but counts in k */
    {{"1.1.1.1", "1.1.-.-", "-.-.-.-"},
     3,
     .5,
     "1.1.-.-",
     {2 / 3., 2 / 3., 1 / 3., 0},
     2 / 3.,
     0},
    {{"1.1.1.1", "1.1.1.-"}, 2, .5, "1.1.1.1", {1, 1, 1, .5}, .5, 0},
    {{"-.-.-.-", "-.-.-.-"}, 2, .5, "-.-.-.-", {0, 0, 0, 0}, 0, 0},
    {{"1.1.1.1"}, 1, .5, "1.1.1.1", {1, 1, 1, 1}, 1, 0},
    {{NULL}, 0, .5, "-.-.-.-", {0, 0, 0, 0}, 0, 0},
    /* a share equal to tau is enough, whatever tau's decimals */
    {{"1.1.1.1", "1.1.1.1", "1.1.1.1", "2.1.1.1", "3.1.1.1"},
     5,
     .6,
     "1.1.1.1",
     {.6, .6, .6, .6},
     .6,
     0},
    {{"1.1.1.1", "1.1.1.1", "2.7.1.1"},
     3,
     2 / 3.,
     "1.1.1.1",
     {2 / 3., 2 / 3., 2 / 3., 2 / 3.},
     2 / 3.,
     0},
    {{"1.1.1.1", "1.1.1.1", "2.7.1.1"},
     3,
     .7,
     "-.-.-.-",
     {2 / 3., 0, 0, 0},
     0,
     0},
    /* 1.1.1.1 and 1.1.1.n1 are two leaves */
    {{"1.1.1.n1", "1.1.1.1", "1.1.1.n1"},
     3,
     .5,
     "1.1.1.n1",
     {1, 1, 1, 2 / 3.},
     2 / 3.,
     0},
    {{"1.1.1.n1", "1.1.1.1"}, 2, .5, "1.1.1.-", {1, 1, 1, .5}, 1, 1},
};

static void check_consensus(const ecrb_consensus *given,
                            const vote_case *expected) {
  ecrb_ec node = {{0}, 0, 0};
  if (given->path.depth > 0)
    node = given->path.node[given->path.depth - 1];
  check_ec(node, expected->consensus);
  assert_int_equal(node.depth, given->path.depth);
  for (int level = 0; level < 4; level++)
    assert_true(given->share[level] == expected->share[level]);
  assert_true(given->winning_share == expected->winning);
  assert_int_equal(given->tied, expected->tied);
}

/* Turned round by `shift`: the order of the chains is nobody's vote. */
static void check_vote(const vote_case *expected, size_t shift) {
  ecrb_path chains[CHAINS];
  ecrb_consensus consensus;
  for (size_t i = 0; i < expected->k; i++)
    chains[(i + shift) % expected->k] = ecrb_path_of(ec(expected->chains[i]));
  ecrb_prefix_vote(chains, expected->k, expected->tau, &consensus);
  check_consensus(&consensus, expected);
}

static void prefix_votes(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(votes); i++)
    for (size_t shift = 0; shift <= votes[i].k; shift++)
      check_vote(&votes[i], shift);
}

static ecrb_path walk(const char *one, const char *two, const char *three) {
  ecrb_path path = {{ec(one), ec(two)}, 2};
  if (three != NULL)
    path.node[path.depth++] = ec(three);
  return path;
}

static void a_stranger_does_not_extend_the_consensus(void **state) {
  (void)state;
  ecrb_consensus consensus;
  const ecrb_path chains[] = {walk("1", "2.7", "2.7.1"),
                              walk("1", "2.7", "2.7.1"),
                              walk("2", "2.7", "2.7.1")};
  ecrb_prefix_vote(chains, 3, 0.5, &consensus);
  assert_int_equal(consensus.path.depth, 1);
  check_ec(consensus.path.node[0], "1.-.-.-");
  assert_true(consensus.winning_share == 2 / 3.);
  assert_true(consensus.share[1] == 1);
  assert_true(consensus.share[2] == 0);
  assert_false(consensus.tied);
}

typedef struct ballot_case {
  struct {
    const char *ec;
    double weight;
  } ballots[4];
  int status;
  const char *winner;
  double sum, total;
} ballot_case;

static const ballot_case ballots[] = {
    {{{"1.1.1.1", 1}, {"2.7.1.1", 1}, {"2.7.1.1", 1}},
     ECRB_OK,
     "2.7.1.1",
     2,
     3},
    /* a tie goes to the one met first */
    {{{"2.7.1.1", 1}, {"1.1.1.1", 1}}, ECRB_OK, "2.7.1.1", 1, 2},
    {{{"2.7.1.1", 1}, {"1.1.1.1", 1}, {"1.1.1.1", 1}, {"2.7.1.1", 1}},
     ECRB_OK,
     "2.7.1.1",
     2,
     4},
    /* weights, not heads */
    {{{"1.1.1.1", 90.5}, {"1.1.1.1", 9}, {"2.7.1.1", 100}},
     ECRB_OK,
     "2.7.1.1",
     100,
     199.5},
    /* equal but for rounding */
    {{{"1.1.1.1", 1},
      {"2.7.1.1", 1 / 2.},
      {"2.7.1.1", 1 / 3.},
      {"2.7.1.1", 1 / 6.}},
     ECRB_OK,
     "1.1.1.1",
     1,
     2},
    {{{"2.7.1.1", .1}, {"2.7.1.1", .2}, {"1.1.1.1", .3}},
     ECRB_OK,
     "2.7.1.1",
     .1 + .2,
     .1 + .2 + .3},
    {{{"1.1.1.1", .3}, {"2.7.1.1", .1}, {"2.7.1.1", .2}},
     ECRB_OK,
     "1.1.1.1",
     .3,
     .3 + .1 + .2},
    /* partial ECs are no vote */
    {{{"1.1.1.-", 5}, {"2.7.1.1", 1}}, ECRB_OK, "2.7.1.1", 1, 1},
    {{{"1.1.1.-", 1}}, ECRB_ENONE, NULL, 0, 0},
    {{{NULL, 0}}, ECRB_ENONE, NULL, 0, 0},
    {{{"1.1.1.n1", 1}, {"1.1.1.1", 1}, {"1.1.1.1", 1}},
     ECRB_OK,
     "1.1.1.1",
     2,
     3},
    {{{"1.1.1.2", 0}, {"1.1.1.1", 0}}, ECRB_OK, "1.1.1.2", 0, 0},
    {{{"1.1.1.1", 1}, {"2.7.1.1", NAN}}, ECRB_EARG, NULL, 0, 0},
    {{{"1.1.1.1", INFINITY}}, ECRB_EARG, NULL, 0, 0},
    {{{"1.1.1.1", -1}}, ECRB_EARG, NULL, 0, 0},
};

static void check_ballots(const ballot_case *expected) {
  ecrb_ballot given[4];
  size_t n = 0;
  ecrb_ec winner = {{9, 9, 9, 9}, 4, 0};
  double sum = -1, total = -1;
  for (; n < 4 && expected->ballots[n].ec != NULL; n++)
    given[n] =
        (ecrb_ballot){ec(expected->ballots[n].ec), expected->ballots[n].weight};
  assert_int_equal(ecrb_neighbour_vote(given, n, &winner, &sum, &total),
                   expected->status);
  assert_int_equal(ecrb_neighbour_vote(given, n, &winner, NULL, NULL),
                   expected->status);
  check_ec(winner, expected->winner == NULL ? "9.9.9.9" : expected->winner);
  if (expected->winner == NULL)
    return;
  assert_near(sum, expected->sum);
  assert_near(total, expected->total);
}

static void neighbours_vote(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(ballots); i++)
    check_ballots(&ballots[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_path_is_its_prefixes),
      cmocka_unit_test(prefix_votes),
      cmocka_unit_test(a_stranger_does_not_extend_the_consensus),
      cmocka_unit_test(neighbours_vote),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
