/* risk.c: does a method know when it does not know? Items in descending
** confidence are answered one by one; the selective risk after k of them is
** the share of wrong ones. Within a tie each item carries the tie's mean
** error, which is what a random order gives on average.
*/
#include "ecrb.h"
#include "order.h"

#include <math.h>
#include <stdlib.h>

/* A stretch of the order whose confidences are equal. */
typedef struct tie {
  size_t end;   /* one behind its last place in the order */
  size_t items; /* multiplicities counted */
  double wrong; /* how many of them */
} tie;

/* The curve so far, which ends behind a tie. */
typedef struct curve {
  size_t k;
  double wrong; /* among the first k */
  double sum;   /* of the risks at 1 to k */
} curve;

static size_t times(const uint32_t *weight, size_t i) {
  return weight == NULL ? 1 : weight[i];
}

static int by_confidence(const void *a, const void *b, void *confidence) {
  uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
  const double *value = confidence;
  int order = ecrb_falling(value[i], value[j]);
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
    if (ecrb_falling(items->confidence[i], confidence) != 0)
      break;
    result.items += times(weight, i);
    result.wrong += (double)(items->correct[i] ? 0 : times(weight, i));
  }
  return result;
}

/* Writes the risks of a tie behind the curve, each the mean over the orders
** that the tie allows. */
static void write_risks(const curve *before, const tie *next, double *risk) {
  double error = next->wrong / (double)next->items;
  for (size_t i = 1; i <= next->items; i++)
    risk[i - 1] = (before->wrong + (double)i * error) / (double)(before->k + i);
}

void ecrb_risk_curve(const ecrb_confidences *items, const uint32_t *order,
                     double *risk) {
  curve whole = {0, 0, 0};
  for (size_t first = 0; first < items->n;) {
    tie next = tie_from(items, order, NULL, first);
    write_risks(&whole, &next, risk + whole.k);
    whole.k += next.items;
    whole.wrong += next.wrong;
    first = next.end;
  }
}

void ecrb_harmonic(double *harmonic, size_t n) {
  harmonic[0] = 0;
  for (size_t k = 1; k <= n; k++)
    harmonic[k] = harmonic[k - 1] + 1 / (double)k;
}

/* With w wrong among k items before the tie and e its mean error, the risk of
** its i-th item is (w + ie) / (k + i) = e + (w - ke) / (k + i): their sum takes
** two harmonic numbers, however many items are tied. */
static void extend(curve *whole, const tie *next, const double *harmonic) {
  size_t k = whole->k, end = k + next->items;
  if (next->items == 0)
    return;
  double error = next->wrong / (double)next->items;
  whole->sum += next->wrong + (whole->wrong - (double)k * error) *
                                  (harmonic[end] - harmonic[k]);
  whole->k = end;
  whole->wrong += next->wrong;
}

double ecrb_aurc_ranked(const ecrb_confidences *items, const uint32_t *order,
                        const uint32_t *weight, const double *harmonic) {
  curve whole = {0, 0, 0};
  for (size_t first = 0; first < items->n;) {
    tie next = tie_from(items, order, weight, first);
    extend(&whole, &next, harmonic);
    first = next.end;
  }
  return whole.k > 0 ? whole.sum / (double)whole.k : 0;
}

int ecrb_aurc(const ecrb_confidences *items, double *out) {
  uint32_t *order = malloc((items->n + 1) * sizeof *order);
  double *harmonic = malloc((items->n + 1) * sizeof *harmonic);
  int status = order && harmonic ? ECRB_OK : ECRB_ENOMEM;
  if (status == ECRB_OK) {
    ecrb_rank(items->confidence, items->n, order);
    ecrb_harmonic(harmonic, items->n);
    *out = ecrb_aurc_ranked(items, order, NULL, harmonic);
  }
  free(order);
  free(harmonic);
  return status;
}

/* How many of n items a coverage is; NaN where it is none. 0.1 * 30 is a little
** more than 3 and still means three items. */
static double covered(double n, double coverage) {
  if (n == 0 || !(coverage > 0 && coverage <= 1))
    return NAN;
  return fmax(1, ceil(coverage * n - 1e-9));
}

double ecrb_selective_accuracy(const double *risk, size_t n, double coverage) {
  double k = covered((double)n, coverage);
  return isnan(k) ? NAN : 1 - risk[(size_t)k - 1];
}

static double weight_of(const uint32_t *weight, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (double)times(weight, i);
  return sum;
}

double ecrb_selective_ranked(const ecrb_confidences *items,
                             const uint32_t *order, const uint32_t *weight,
                             double coverage) {
  double k = covered(weight_of(weight, items->n), coverage), n = 0, wrong = 0;
  for (size_t first = 0; n < k;) {
    tie next = tie_from(items, order, weight, first);
    double taken = fmin(k - n, (double)next.items);
    if (next.items > 0)
      wrong += taken * next.wrong / (double)next.items;
    n += taken;
    first = next.end;
  }
  return 1 - wrong / k;
}
