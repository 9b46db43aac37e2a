/* vote.c: M4's prefix vote over chains and the vote of neighbours.
**
** Prefix vote: descend level by level. The node that most chains committed is
** accepted if its share of all k chains reaches tau and it stands under the
** node accepted one level above; a tie, a thin share or a stranger ends the
** descent. Neighbour vote: every complete EC is a vote of its weight.
*/
#include "ecrb.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-12 /* relative; sums this near each other are a tie */

typedef struct leader {
  ecrb_ec node;
  size_t votes;
  bool tied;
} leader;

ecrb_path ecrb_path_of(ecrb_ec ec) {
  ecrb_path path = {.depth = ec.depth};
  for (int level = 1; level <= ec.depth; level++)
    path.node[level - 1] = ecrb_ec_prefix(ec, level);
  return path;
}

static bool voted(const ecrb_path *chain, int level, ecrb_ec node) {
  return chain->depth > level && ecrb_ec_equal(chain->node[level], node);
}

static size_t votes_from(const ecrb_path *chains, size_t k, size_t first,
                         int level) {
  size_t votes = 0;
  for (size_t i = first; i < k; i++)
    votes += voted(&chains[i], level, chains[first].node[level]);
  return votes;
}

/* A node's votes are counted from each chain that holds it. Later counts of
** the same node are smaller than its first, so they neither lead nor tie. */
static leader leading(const ecrb_path *chains, size_t k, int level) {
  leader best = {0};
  for (size_t i = 0; i < k; i++) {
    if (chains[i].depth <= level)
      continue;
    size_t votes = votes_from(chains, k, i, level);
    if (votes > best.votes)
      best = (leader){chains[i].node[level], votes, false};
    else if (votes == best.votes)
      best.tied = true;
  }
  return best;
}

static bool extends(const ecrb_path *path, ecrb_ec node) {
  return path->depth == 0 || ecrb_ec_equal(ecrb_ec_prefix(node, path->depth),
                                           path->node[path->depth - 1]);
}

static bool accept(ecrb_consensus *out, const leader *best, double tau) {
  double share = out->share[out->path.depth];
  if (best->votes == 0 || best->tied || share < tau ||
      !extends(&out->path, best->node))
    return false;
  out->path.node[out->path.depth++] = best->node;
  out->winning_share = share;
  return true;
}

void ecrb_prefix_vote(const ecrb_path *chains, size_t k, double tau,
                      ecrb_consensus *out) {
  memset(out, 0, sizeof *out);
  if (k == 0)
    return;
  for (int level = 0; level < ECRB_LEVELS; level++) {
    leader best = leading(chains, k, level);
    out->share[level] = (double)best.votes / (double)k;
    out->tied = best.tied;
    if (!accept(out, &best, tau))
      return;
  }
}

static bool countable(const ecrb_ballot *ballots, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(ballots[i].weight) || ballots[i].weight < 0)
      return false;
  return true;
}

static double sum_from(const ecrb_ballot *ballots, size_t n, size_t first) {
  double sum = 0;
  for (size_t i = first; i < n; i++)
    if (ecrb_ec_equal(ballots[i].ec, ballots[first].ec))
      sum += ballots[i].weight;
  return sum;
}

static double total_of(const ecrb_ballot *ballots, size_t n) {
  double total = 0;
  for (size_t i = 0; i < n; i++)
    if (ballots[i].ec.depth == ECRB_LEVELS)
      total += ballots[i].weight;
  return total;
}

static void give(double *to, double value) {
  if (to != NULL)
    *to = value;
}

int ecrb_neighbour_vote(const ecrb_ballot *ballots, size_t n, ecrb_ec *out,
                        double *sum, double *total) {
  double best = -1;
  if (!countable(ballots, n))
    return ECRB_EARG;
  for (size_t i = 0; i < n; i++) {
    if (ballots[i].ec.depth < ECRB_LEVELS)
      continue;
    double votes = sum_from(ballots, n, i);
    if (votes > best + best * ROUNDING) {
      best = votes;
      *out = ballots[i].ec;
    }
  }
  if (best < 0)
    return ECRB_ENONE;
  give(sum, best);
  give(total, total_of(ballots, n));
  return ECRB_OK;
}
