/* primitives.c: the primitives without Lua. Opens a benchmark, asks the evidence
** of an item for a vote, and shows what a cascade would be offered.
**
**   make examples && .build/opt/examples/primitives data/ecoli price/3
*/
#include <stdio.h>

#include "ecrb.h"

enum { HITS = 10 };

static int complain(const ecrb_err *err) {
  fprintf(stderr, "primitives: %s\n", err->msg);
  return 2;
}

/* One vote to every EC of the top hit in each channel. */
static int vote(ecrb_bench *bench, size_t index, ecrb_err *err) {
  ecrb_ballot ballots[ECRB_CHANNELS_MAX * ECRB_HIT_ECS];
  ecrb_hit hits[HITS];
  ecrb_ec winner;
  char text[ECRB_EC_TEXT];
  size_t count, n = 0;
  int channels, status = ecrb_bench_channels(bench, &channels, err);
  for (int c = 0; status == ECRB_OK && c < channels; c++) {
    status = ecrb_bench_evidence(bench, index, c, hits, HITS, &count, err);
    for (int e = 0; status == ECRB_OK && count > 0 && e < hits[0].ec_count; e++)
      ballots[n++] = (ecrb_ballot){hits[0].ec[e], 1};
  }
  if (status != ECRB_OK)
    return status;
  if (ecrb_neighbour_vote(ballots, n, &winner, NULL, NULL) == ECRB_OK)
    printf("neighbours vote for %s\n", ecrb_ec_format(winner, text));
  else
    printf("no neighbour has a complete EC number\n");
  return ECRB_OK;
}

static int offer(ecrb_bench *bench, size_t index, ecrb_err *err) {
  const ecrb_tree *tree = ecrb_bench_tree(bench);
  const ecrb_candidate_rule rule = ecrb_candidate_rule_default();
  ecrb_node nodes[ECRB_CANDIDATES_MAX];
  char text[ECRB_EC_TEXT];
  size_t count;
  int status =
      ecrb_candidates(bench, index, ECRB_ROOT, &rule, nodes, &count, err);
  for (size_t i = 0; status == ECRB_OK && i < count; i++) {
    ecrb_span name = ecrb_tree_name(tree, nodes[i]);
    printf("  %s  %.*s\n", ecrb_ec_format(ecrb_tree_ec(tree, nodes[i]), text),
           (int)name.n, name.at);
  }
  return status;
}

int main(int argc, char **argv) {
  ecrb_bench *bench;
  ecrb_item item;
  ecrb_err err;
  size_t index;
  int status;
  if (argc != 3) {
    fprintf(stderr, "usage: primitives BENCHMARK ITEM\n");
    return 2;
  }
  if (ecrb_bench_open(argv[1], 1, &bench, &err) != ECRB_OK)
    return complain(&err);
  if (ecrb_bench_find(bench, ecrb_span_of(argv[2]), &index) != ECRB_OK) {
    fprintf(stderr, "primitives: %s has no item %s\n", argv[1], argv[2]);
    ecrb_bench_close(bench);
    return 2;
  }
  ecrb_bench_item(bench, index, &item);
  printf("%.*s: %zu residues\n", (int)item.id.n, item.id.at, item.sequence.n);
  status = vote(bench, index, &err);
  if (status == ECRB_OK)
    status = offer(bench, index, &err);
  ecrb_bench_close(bench);
  return status == ECRB_OK ? 0 : complain(&err);
}
