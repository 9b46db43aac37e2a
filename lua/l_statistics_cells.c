/* l_statistics_cells.c: statistics over cells: items that agree in two numbers are
** one cell, and a resample says how often each counts. */
#include <lauxlib.h>
#include <lua.h>

#include "binding.h"
#include "l_statistics.h"

celled cells_push(lua_State *L, const column *first, const column *second) {
  size_t n = first->n;
  uint32_t *cell = memory_push(L, n, 3 * sizeof *cell);
  uint32_t *order = cell + n, *end = order + n;
  double *numbers = memory_push(L, n, 2 * sizeof *numbers);
  uint32_t *weight = memory_push(L, n, sizeof *weight);
  celled c = {n,
              {.order = order, .end = end, .weight = weight},
              {numbers, 0},
              {numbers + n, 0}};
  c.first.n = c.second.n = c.grouped.cells =
      ecrb_cells(first->at, second->at, n, cell, order, end);
  for (size_t i = 0; i < n; i++) {
    c.first.at[cell[i]] = first->at[i];
    c.second.at[cell[i]] = second->at[i];
  }
  return c;
}

void cells_push_statistic(lua_State *L, celled *c, ecrb_statistic *statistic,
                          const void *data, const resampling *how) {
  c->grouped.statistic = statistic;
  c->grouped.data = data;
  statistic_push(L, ecrb_cells_statistic, &c->grouped, c->n, how);
}
