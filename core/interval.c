/* interval.c: quantiles of a sample (type 7 of Hyndman and Fan: linear
** between order statistics) and the Wilson interval of a proportion. */
#include "ecrb.h"

#include <math.h>

#define Z95 1.959963984540054

/* NaN ranks last. */
static bool before(double a, double b) {
  return a < b || (isnan(b) && !isnan(a));
}

static void insert(double *values, size_t at, size_t gap) {
  double value = values[at];
  for (; at >= gap && before(value, values[at - gap]); at -= gap)
    values[at] = values[at - gap];
  values[at] = value;
}

/* Shell's sort with Ciura's gaps: a report sorts thousands of small samples,
** and a call for each comparison would cost more than the bootstrap. */
static void sort(double *values, size_t n) {
  static const size_t gaps[] = {1, 4, 10, 23, 57, 132, 301, 701};
  size_t gap = 701;
  while (gap < n / 3)
    gap = gap * 9 / 4;
  for (; gap > 701; gap = gap * 4 / 9)
    for (size_t i = gap; i < n; i++)
      insert(values, i, gap);
  for (int g = 7; g >= 0; g--)
    for (size_t i = gaps[g]; i < n; i++)
      insert(values, i, gaps[g]);
}

static double sorted_quantile(const double *values, size_t n, double p) {
  if (n == 0 || !(p >= 0 && p <= 1))
    return NAN;
  double place = (double)(n - 1) * p;
  size_t below = (size_t)place;
  double rest = place - (double)below;
  if (rest == 0)
    return values[below];
  return values[below] + rest * (values[below + 1] - values[below]);
}

double ecrb_quantile(double *values, size_t n, double p) {
  sort(values, n);
  return sorted_quantile(values, n, p);
}

void ecrb_interval(double *values, size_t n, double level, double *low,
                   double *high) {
  *low = ecrb_quantile(values, n, (1 - level) / 2);
  *high = sorted_quantile(values, n, (1 + level) / 2);
}

void ecrb_wilson(size_t hits, size_t n, double *low, double *high) {
  if (n == 0) {
    *low = 0;
    *high = 1;
    return;
  }
  double size = (double)n, p = (double)hits / size, z2 = Z95 * Z95;
  double centre = p + z2 / (2 * size);
  double half = Z95 * sqrt(p * (1 - p) / size + z2 / (4 * size * size));
  /* Exact at the ends, where rounding would step over them. */
  *low = hits == 0 ? 0 : (centre - half) / (1 + z2 / size);
  *high = hits == n ? 1 : (centre + half) / (1 + z2 / size);
}
