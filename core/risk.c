/* risk.c: does a method know when it does not know? Items in descending
** confidence are answered one by one; the selective risk after k of them is
** the share of wrong ones. Within a tie each item carries the tie's mean
** error, which is what a random order gives on average.
*/
#include "ecrb.h"

#include <math.h>
#include <stdlib.h>

/* A stretch of the order whose confidences are equal. */
typedef struct tie {
  size_t end;   /* one behind its last place in the order */
  size_t items; /* multiplicities counted */
  double wrong; /* how many of them */
} tie;

/* Receives each k, ascending, with its risk. */
typedef struct curve {
  size_t k;
  double wrong; /* among the first k */
  double sum;   /* of risks */
  double *risk; /* or NULL */
} curve;

static size_t times(const uint32_t *weight, size_t i) {
  return weight == NULL ? 1 : weight[i];
}

/* Descending; NaN behind everything. */
static int compare(double a, double b) {
  if (isnan(a) || isnan(b))
    return isnan(a) - isnan(b);
  return (a < b) - (a > b);
}

static int by_confidence(const void *a, const void *b, void *confidence) {
  uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
  const double *value = confidence;
  int order = compare(value[i], value[j]);
  return order != 0 ? order : (i > j) - (i < j);
}

void ecrb_rank(const double *confidence, size_t n, uint32_t *order) {
  for (size_t i = 0; i < n; i++)
    order[i] = (uint32_t)i;
  qsort_r(order, n, sizeof *order, by_confidence, (void *)confidence);
}

static tie tie_from(const ecrb_confidences *items, const uint32_t *order,
                    const uint32_t *weight, size_t first) {
  tie result = {first, 0, 0};
  double confidence = items->confidence[order[first]];
  for (; result.end < items->n; result.end++) {
    size_t i = order[result.end];
    if (compare(items->confidence[i], confidence) != 0)
      break;
    result.items += times(weight, i);
    result.wrong += (double)(items->correct[i] ? 0 : times(weight, i));
  }
  return result;
}

static void extend(curve *so_far, const tie *next) {
  double error = next->wrong / (double)next->items;
  for (size_t i = 1; i <= next->items; i++) {
    double wrong = so_far->wrong + (double)i * error;
    double risk = wrong / (double)(so_far->k + i);
    so_far->sum += risk;
    if (so_far->risk != NULL)
      so_far->risk[so_far->k + i - 1] = risk;
  }
  so_far->k += next->items;
  so_far->wrong += next->wrong;
}

static curve walk(const ecrb_confidences *items, const uint32_t *order,
                  const uint32_t *weight, double *risk) {
  curve result = {0, 0, 0, risk};
  for (size_t first = 0; first < items->n;) {
    tie next = tie_from(items, order, weight, first);
    extend(&result, &next);
    first = next.end;
  }
  return result;
}

double ecrb_aurc_ranked(const ecrb_confidences *items, const uint32_t *order,
                        const uint32_t *weight) {
  curve whole = walk(items, order, weight, NULL);
  return whole.k > 0 ? whole.sum / (double)whole.k : 0;
}

int ecrb_aurc(const double *confidence, const bool *correct, size_t n,
              double *out) {
  ecrb_confidences items = {confidence, correct, n};
  uint32_t *order = malloc((n + 1) * sizeof *order);
  if (order == NULL)
    return ECRB_ENOMEM;
  ecrb_rank(confidence, n, order);
  *out = ecrb_aurc_ranked(&items, order, NULL);
  free(order);
  return ECRB_OK;
}

void ecrb_risk_curve(const ecrb_confidences *items, const uint32_t *order,
                     double *risk) {
  walk(items, order, NULL, risk);
}

double ecrb_selective_accuracy(const double *risk, size_t n, double coverage) {
  if (n == 0 || !(coverage > 0 && coverage <= 1))
    return NAN;
  /* 0.1 * 30 is a little more than 3 and still means three items. */
  double k = ceil(coverage * (double)n - 1e-9);
  return 1 - risk[k < 1 ? 0 : (size_t)k - 1];
}
