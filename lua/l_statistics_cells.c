/* l_statistics_cells.c: statistics over cells: items that agree in two numbers are
** one cell, and a resample says how often each counts. */
#include <lauxlib.h>
#include <lua.h>
#include <string.h>

#include "binding.h"
#include "l_statistics.h"

/* [-0, +1] The items cell by cell, where `cell` and `order` are of kinds: the
** kinds' order serves no more, and each cell ends elsewhere. */
static const uint32_t *push_items(lua_State *L, const numbers *of,
                                  const uint32_t *cell, size_t cells,
                                  uint32_t *end) {
  uint32_t *order = memory_push(L, of->n, sizeof *order), before = 0;
  memset(end, 0, cells * sizeof *end);
  for (size_t i = 0; i < of->n; i++)
    end[cell[of->at[i]]]++;
  for (size_t c = 0; c < cells; c++) {
    before += end[c];
    end[c] = before - end[c];
  }
  for (size_t i = 0; i < of->n; i++)
    order[end[cell[of->at[i]]]++] = (uint32_t)i;
  return order;
}

celled cells_push(lua_State *L, const column *first, const column *second,
                  const resampling *how) {
  size_t n = first->n;
  uint32_t *cell = memory_push(L, n, 3 * sizeof *cell);
  uint32_t *order = cell + n, *end = order + n;
  double *values = memory_push(L, n, 2 * sizeof *values);
  uint32_t *weight = memory_push(L, n, sizeof *weight);
  celled c = {resampling_items(L, how, n),
              {.order = order, .end = end, .weight = weight},
              {values, 0},
              {values + n, 0}};
  c.first.n = c.second.n = c.grouped.cells =
      ecrb_cells(first->at, second->at, n, cell, order, end);
  for (size_t i = 0; i < n; i++) {
    c.first.at[cell[i]] = first->at[i];
    c.second.at[cell[i]] = second->at[i];
  }
  if (how->of)
    c.grouped.order = push_items(L, how->of, cell, c.grouped.cells, end);
  return c;
}

void cells_push_statistic(lua_State *L, celled *c, ecrb_statistic *statistic,
                          const void *data, const resampling *how) {
  c->grouped.statistic = statistic;
  c->grouped.data = data;
  statistic_push(L, ecrb_cells_statistic, &c->grouped, c->n, how);
}
