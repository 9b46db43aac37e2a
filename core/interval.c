/* interval.c: quantiles of a sample (type 7 of Hyndman and Fan: linear
** between order statistics) and the Wilson interval of a proportion. */
#include "ecrb.h"

#include <math.h>
#include <stddef.h>

#define Z95 1.959963984540054

static void swap(double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

/* Moves NaN behind the numbers; how many numbers there are. */
static size_t part_nan(double *values, size_t n) {
  for (size_t i = 0; i < n;)
    if (isnan(values[i]))
      swap(&values[i], &values[--n]);
    else
      i++;
  return n;
}

static double middle(double a, double b, double c) {
  double low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

/* Hoare's selection: afterwards values[place] is what sorting would put there,
** nothing before it is greater and nothing behind it is less. A report takes
** thousands of intervals, and two places are had for less than an order. */
static void select_place(double *values, size_t n, size_t place) {
  ptrdiff_t first = 0, last = (ptrdiff_t)n - 1, at = (ptrdiff_t)place;
  while (first < last) {
    double pivot =
        middle(values[first], values[first + (last - first) / 2], values[last]);
    ptrdiff_t i = first, j = last;
    while (i <= j) {
      while (values[i] < pivot)
        i++;
      while (pivot < values[j])
        j--;
      if (i <= j)
        swap(&values[i++], &values[j--]);
    }
    if (j < at)
      first = i;
    if (at < i)
      last = j;
  }
}

static double least_of(const double *values, size_t n) {
  double least = values[0];
  for (size_t i = 1; i < n; i++)
    if (values[i] < least)
      least = values[i];
  return least;
}

/* The value at a place of the sorted numbers; NaN behind them. */
static double at_place(double *values, size_t numbers, size_t place) {
  if (place >= numbers)
    return NAN;
  select_place(values, numbers, place);
  return values[place];
}

double ecrb_quantile(double *values, size_t n, double p) {
  if (n == 0 || !(p >= 0 && p <= 1))
    return NAN;
  size_t numbers = part_nan(values, n);
  double place = (double)(n - 1) * p;
  size_t below = (size_t)place;
  double rest = place - (double)below, low = at_place(values, numbers, below);
  if (rest == 0)
    return low;
  double high = below + 1 < numbers
                    ? least_of(values + below + 1, numbers - below - 1)
                    : NAN;
  return low + rest * (high - low);
}

void ecrb_interval(double *values, size_t n, double level, double *low,
                   double *high) {
  *low = ecrb_quantile(values, n, (1 - level) / 2);
  *high = ecrb_quantile(values, n, (1 + level) / 2);
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
