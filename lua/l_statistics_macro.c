/* l_statistics_macro.c: a mean over classes of equal weight. */
#include <lauxlib.h>
#include <lua.h>

#include "binding.h"
#include "l_statistics.h"

typedef struct classed {
  const double *value;
  uint32_t *classes;
  size_t n;
} classed;

static double macro_of(const void *data, const uint32_t *weight) {
  const classed *items = data;
  return ecrb_macro(items->value, items->classes, weight, items->n, NULL);
}

/* [-0, +1] */
static uint32_t *push_classes(lua_State *L, const column *sets) {
  uint32_t *classes = memory_push(L, sets->n, sizeof *classes);
  for (size_t i = 0; i < sets->n; i++)
    classes[i] = (uint32_t)sets->at[i];
  return classes;
}

/*** core.statistics.macro(column, classes, {replicates=, seed=})
***   -> estimate, present
**
** The mean within each class, averaged with equal weight over the classes
** present. `classes` holds the sets of core.score: bit c - 1 for class c.
*/
int statistics_macro(lua_State *L) {
  resampling how = resampling_check(L, 3);
  column value = column_push(L, 1, 0), sets = column_push_beside(L, 2, value.n);
  celled c = cells_push(L, &value, &sets, &how);
  classed cells = {c.first.at, push_classes(L, &c.second), c.first.n};
  int present;
  luaL_argcheck(L, value.n > 0, 1, "a column without values");
  ecrb_macro(cells.value, cells.classes, NULL, cells.n, &present);
  cells_push_statistic(L, &c, macro_of, &cells, &how);
  lua_pushinteger(L, present);
  return 2;
}
