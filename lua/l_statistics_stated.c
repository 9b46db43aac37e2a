/* l_statistics_stated.c: stated confidences, and what was right. */
#include <lauxlib.h>
#include <lua.h>
#include <math.h>

#include "binding.h"
#include "l_statistics.h"

/* [-0, +1] */
static bool *push_flags(lua_State *L, const column *c) {
  bool *flags = memory_push(L, c->n, sizeof *flags);
  for (size_t i = 0; i < c->n; i++)
    flags[i] = c->at[i] != 0;
  return flags;
}

ecrb_confidences stated_push_items(lua_State *L, const column *confidence,
                                   const column *correct) {
  return (ecrb_confidences){confidence->at, push_flags(L, correct),
                            confidence->n};
}

void stated_push(lua_State *L, int arg, column *confidence, column *correct) {
  *confidence = column_push(L, arg, NAN);
  *correct = column_push_beside(L, arg + 1, confidence->n);
  luaL_argcheck(L, confidence->n > 0, arg, "a column without values");
}

stated stated_push_cells(lua_State *L, const column *confidence,
                         const column *correct, const resampling *how,
                         celled *c) {
  stated cells = {{0}, false, NULL, NULL, 0};
  *c = cells_push(L, confidence, correct, how);
  cells.items = stated_push_items(L, &c->first, &c->second);
  return cells;
}
