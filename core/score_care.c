/* score_care.c: CARE's Task 1 rule, kept apart because it reads texts, not EC
** numbers: parts compare as strings, nothing is trimmed, no tree is asked.
** Per label the predicted text that shares most leading parts counts.
*/
#include "ecrb.h"

/* The parts between dots, the first four of them; returns how many parts
** there are. */
static size_t split(ecrb_span text, ecrb_span parts[ECRB_LEVELS]) {
  size_t count = 0, start = 0;
  for (size_t i = 0; i <= text.n; i++) {
    if (i < text.n && text.at[i] != '.')
      continue;
    if (count < ECRB_LEVELS)
      parts[count] = (ecrb_span){text.at + start, i - start};
    count++;
    start = i + 1;
  }
  return count;
}

/* A text that has not exactly three dots stands for 0.0.0.0. */
static void read_predicted(ecrb_span text, ecrb_span parts[ECRB_LEVELS]) {
  if (split(text, parts) != ECRB_LEVELS)
    split(ecrb_span_of("0.0.0.0"), parts);
}

static int matched(ecrb_span label, ecrb_span predicted) {
  ecrb_span gold[ECRB_LEVELS], parts[ECRB_LEVELS];
  size_t depth = split(label, gold);
  int level = 0;
  read_predicted(predicted, parts);
  while (level < ECRB_LEVELS && (size_t)level < depth &&
         ecrb_span_equal(gold[level], parts[level]))
    level++;
  return level;
}

static int best_match(ecrb_span label, const ecrb_span *pool, size_t n) {
  int best = 0;
  for (size_t i = 0; i < n; i++) {
    int level = matched(label, pool[i]);
    best = level > best ? level : best;
  }
  return best;
}

void ecrb_score_care(const ecrb_span *labels, size_t n_labels,
                     const ecrb_span *pool, size_t n_pool,
                     double out[ECRB_LEVELS]) {
  for (int level = 0; level < ECRB_LEVELS; level++)
    out[level] = 0;
  for (size_t i = 0; i < n_labels; i++)
    for (int level = best_match(labels[i], pool, n_pool); level > 0; level--)
      out[level - 1] += 1;
  for (int level = 0; n_labels > 0 && level < ECRB_LEVELS; level++)
    out[level] /= (double)n_labels;
}
