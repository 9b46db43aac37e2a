/* interval.c: quantiles of a sample (type 7 of Hyndman and Fan: linear
** between order statistics) and the Wilson interval of a proportion. */
#include "ecrb.h"

#include <math.h>
#include <stdlib.h>

#define Z95 1.959963984540054

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  if (isnan(x) || isnan(y))
    return isnan(x) - isnan(y);
  return (x > y) - (x < y);
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
  qsort(values, n, sizeof *values, ascending);
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
