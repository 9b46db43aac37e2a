/* student.c: Student's t, where a variance was estimated from few runs. The
** tails are an incomplete beta function, by its continued fraction (Lentz); the
** critical value is found by bisection on them.
*/
#include "ecrb.h"

#include <math.h>

#define TERMS 300
#define TINY 1e-300
#define ENOUGH 1e-15
#define NORMAL 1e7 /* from so many degrees of freedom on, t is normal */

/* A continued fraction on its way: its value and the two quotients of Lentz. */
typedef struct fraction {
  double value, c, d;
} fraction;

static double off_zero(double x) {
  return fabs(x) < TINY ? TINY : x;
}

/* Takes in the next coefficient; whether the value still changes. */
static bool extend(fraction *f, double coefficient) {
  f->d = 1 / off_zero(1 + coefficient * f->d);
  f->c = off_zero(1 + coefficient / f->c);
  f->value *= f->c * f->d;
  return fabs(f->c * f->d - 1) > ENOUGH;
}

/* Good for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b) {
  fraction f = {1, INFINITY, 1};
  extend(&f, -(a + b) * x / (a + 1));
  for (int m = 1; m < TERMS; m++) {
    double whole = a + 2 * m;
    extend(&f, m * (b - m) * x / ((whole - 1) * whole));
    if (!extend(&f, -(a + m) * (a + b + m) * x / (whole * (whole + 1))))
      break;
  }
  return f.value;
}

/* I_x(a, b), the regularized incomplete beta function, for 0 < x < 1. */
static double beta(double x, double a, double b) {
  double front =
      exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
  if (x < (a + 1) / (a + b + 2))
    return front * beta_fraction(x, a, b) / a;
  return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double ecrb_student_p(double t, double df) {
  double square = t * t;
  if (isnan(t) || !(df > 0))
    return NAN;
  if (df > NORMAL)
    return erfc(fabs(t) / sqrt(2));
  if (square == 0 || isinf(square))
    return square == 0 ? 1 : 0;
  return beta(df / (df + square), df / 2, 0.5);
}

double ecrb_student_critical(double p, double df) {
  double low = 0, high = 1;
  if (!(p > 0 && p < 1 && df > 0))
    return NAN;
  while (ecrb_student_p(high, df) > p && high < 1e150)
    high *= 2;
  for (int i = 0; i < 200 && low < high; i++) {
    double middle = (low + high) / 2;
    if (ecrb_student_p(middle, df) > p)
      low = middle;
    else
      high = middle;
  }
  return high;
}
