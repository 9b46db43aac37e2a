/* compare.c: is the difference between two runs real? Paired bootstrap of the
** per-item difference, exact McNemar on the items that flipped, Holm over a
** family, equivalence by inclusion of the 90% interval in a stated margin.
*/
#include "bytes.h"

#include <math.h>
#include <stdlib.h>

#define NOTHING 1e-12 /* a replicate this near 0 is 0 but for rounding */
#define POWER (1.959963984540054 + 0.8416212335729143) /* 97.5%, 80% */

static double deviation(const double *values, size_t n) {
  double mean = 0, sum = 0;
  for (size_t i = 0; i < n; i++)
    mean += values[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    sum += (values[i] - mean) * (values[i] - mean);
  return n > 1 ? sqrt(sum / (double)(n - 1)) : 0;
}

/* The smaller tail, doubled. The estimate counts as one replicate, so that
** no finite number of them claims p = 0. */
static double two_sided(const double *replicates, size_t n) {
  size_t low = 1, high = 1;
  for (size_t i = 0; i < n; i++) {
    low += replicates[i] < NOTHING;
    high += replicates[i] > -NOTHING;
  }
  return fmin(1, 2 * (double)(low < high ? low : high) / (double)(n + 1));
}

void ecrb_difference_of(double mean, double *replicates, size_t n,
                        ecrb_difference *out) {
  out->mean = mean;
  ecrb_interval(replicates, n, 0.95, &out->low, &out->high);
  ecrb_interval(replicates, n, 0.90, &out->low90, &out->high90);
  out->p = two_sided(replicates, n);
  out->error = deviation(replicates, n);
  out->detectable = POWER * out->error;
}

static double subtract(const double *a, const double *b, size_t n,
                       double *out) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    out[i] = a[i] - b[i];
    sum += out[i];
  }
  return n > 0 ? sum / (double)n : 0;
}

int ecrb_compare(const double *a, const double *b, size_t n, size_t replicates,
                 uint64_t seed, ecrb_difference *out, ecrb_err *err) {
  double *column = malloc((n + replicates + 1) * sizeof *column);
  if (column == NULL)
    return ecrb_no_memory(err, "a comparison");
  double *means = column + n;
  double mean = subtract(a, b, n, column);
  int status = ecrb_bootstrap(column, n, 1, replicates, seed, means, err);
  if (status == ECRB_OK)
    ecrb_difference_of(mean, means, replicates, out);
  free(column);
  return status;
}

bool ecrb_equivalent(const ecrb_difference *difference, double margin) {
  return -margin < difference->low90 && difference->high90 < margin;
}

/* log of C(n, k) / 2^n. */
static double log_binomial(size_t n, size_t k) {
  double sum = -(double)n * log(2);
  for (size_t i = 0; i < k; i++)
    sum += log((double)(n - i)) - log((double)(i + 1));
  return sum;
}

/* P(X <= k) for n fair coins, from its largest term downwards. */
static double lower_tail(size_t n, size_t k) {
  double term = exp(log_binomial(n, k)), sum = 0;
  for (; term > 0; k--) {
    sum += term;
    if (k == 0)
      break;
    term *= (double)k / (double)(n - k + 1);
  }
  return sum;
}

double ecrb_mcnemar(size_t first, size_t second) {
  size_t fewer = first < second ? first : second;
  return fmin(1, 2 * lower_tail(first + second, fewer));
}

double ecrb_mcnemar_mid(size_t first, size_t second) {
  size_t n = first + second, fewer = first < second ? first : second;
  return fmin(1, 2 * lower_tail(n, fewer) - exp(log_binomial(n, fewer)));
}

static int by_value(const void *a, const void *b) {
  double x = **(double *const *)a, y = **(double *const *)b;
  return (x > y) - (x < y);
}

/* The smallest p times n, the next times n - 1, ..., never below the one
** before, never above 1. */
static void step_down(double **sorted, size_t n) {
  double least = 0;
  for (size_t i = 0; i < n; i++) {
    double p = fmin(1, *sorted[i] * (double)(n - i));
    least = fmax(least, p);
    *sorted[i] = least;
  }
}

int ecrb_holm(double *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!(p[i] >= 0 && p[i] <= 1))
      return ECRB_EARG;
  double **sorted = malloc((n + 1) * sizeof *sorted);
  if (sorted == NULL)
    return ECRB_ENOMEM;
  for (size_t i = 0; i < n; i++)
    sorted[i] = &p[i];
  qsort(sorted, n, sizeof *sorted, by_value);
  step_down(sorted, n);
  free(sorted);
  return ECRB_OK;
}
