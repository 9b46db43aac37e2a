/* cells.c: items that a statistic cannot tell apart, put together. The items are
** sorted by two numbers; equal ones are neighbours then and share a cell. */
#include "ecrb.h"
#include "order.h"

#include <stdlib.h>

typedef struct keys {
  const double *first, *second;
} keys;

static int by_keys(const void *a, const void *b, void *data) {
  const keys *k = data;
  uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
  int order = ecrb_rising(k->first[i], k->first[j]);
  return order != 0 ? order : ecrb_rising(k->second[i], k->second[j]);
}

size_t ecrb_cells(const double *first, const double *second, size_t n,
                  uint32_t *cell, uint32_t *order, uint32_t *end) {
  keys k = {first, second};
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    order[i] = (uint32_t)i;
  if (n > 0)
    qsort_r(order, n, sizeof *order, by_keys, &k);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || by_keys(&order[i - 1], &order[i], &k) != 0)
      count++;
    cell[order[i]] = (uint32_t)(count - 1);
    end[count - 1] = (uint32_t)i + 1;
  }
  return count;
}

static uint32_t sum(const uint32_t *weight, const uint32_t *order, size_t n) {
  uint32_t total = 0;
  for (size_t i = 0; i < n; i++)
    total += weight[order[i]];
  return total;
}

/* Cell by cell: sums that stay in a register cost a fraction of counters that
** are read and written for every item. */
double ecrb_cells_statistic(const void *data, const uint32_t *weight) {
  const ecrb_grouped *g = data;
  uint32_t first = 0;
  for (size_t c = 0; c < g->cells; first = g->end[c++])
    g->weight[c] = weight == NULL
                       ? g->end[c] - first
                       : sum(weight, g->order + first, g->end[c] - first);
  return g->statistic(g->data, g->weight);
}
