/* order.h: numbers in order, those that are none behind the others and all of
** them alike. Private to core/. */
#ifndef ECRB_ORDER_H
#define ECRB_ORDER_H

#include <math.h>

/* As qsort wants it: below 0 where a comes first. */
static inline int ecrb_rising(double a, double b) {
  if (isnan(a) || isnan(b))
    return isnan(a) - isnan(b);
  return (a > b) - (a < b);
}

static inline int ecrb_falling(double a, double b) {
  if (isnan(a) || isnan(b))
    return isnan(a) - isnan(b);
  return (a < b) - (a > b);
}

#endif
