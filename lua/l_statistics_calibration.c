/* l_statistics_calibration.c: calibration error and temperature. */
#include <lauxlib.h>
#include <lua.h>

#include "binding.h"
#include "l_statistics.h"

static bool left_edges(lua_State *L, int arg) {
  bool left;
  if (lua_isnoneornil(L, arg))
    return false;
  lua_getfield(L, arg, "left_edges");
  left = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return left;
}

static double ece_of(const void *data, const uint32_t *weight) {
  const stated *s = data;
  return ecrb_ece(&s->items, weight, s->left_edges, NULL);
}

static void push_bins(lua_State *L, const ecrb_bin bins[ECRB_BINS]) {
  lua_createtable(L, ECRB_BINS, 0);
  for (int b = 0; b < ECRB_BINS; b++) {
    lua_createtable(L, 0, 3);
    bind_set_integer(L, "n", (lua_Integer)bins[b].n);
    bind_set_number(L, "confidence", bins[b].confidence);
    bind_set_number(L, "accuracy", bins[b].accuracy);
    lua_rawseti(L, -2, b + 1);
  }
}

/*** core.statistics.ece(confidence, correct, {left_edges=, replicates=, seed=})
***   -> estimate, bins
**
** Expected calibration error over ten bins, {n=, confidence=, accuracy=} each.
*/
int statistics_ece(lua_State *L) {
  resampling how = resampling_check(L, 3);
  bool left = left_edges(L, 3);
  column confidence, correct;
  ecrb_confidences items;
  celled c;
  ecrb_bin bins[ECRB_BINS];
  stated_push(L, 1, &confidence, &correct);
  stated cells = stated_push_cells(L, &confidence, &correct, &how, &c);
  confidence = column_push_each(L, confidence, how.of);
  correct = column_push_each(L, correct, how.of);
  items = stated_push_items(L, &confidence, &correct);
  ecrb_ece(&items, NULL, left, bins);
  cells.left_edges = left;
  cells_push_statistic(L, &c, ece_of, &cells, &how);
  push_bins(L, bins);
  return 2;
}

static double temperature_of(const void *data, const uint32_t *weight) {
  const stated *s = data;
  return ecrb_temperature_fit(&s->items, weight);
}

/*** core.statistics.temperature(confidence, correct, {replicates=, seed=})
***   -> estimate
**
** The temperature that fits these confidences best.
*/
int statistics_temperature(lua_State *L) {
  resampling how = resampling_check(L, 3);
  column confidence, correct;
  celled c;
  stated_push(L, 1, &confidence, &correct);
  stated cells = stated_push_cells(L, &confidence, &correct, &how, &c);
  cells_push_statistic(L, &c, temperature_of, &cells, &how);
  return 1;
}

/* Several answerers to the same items: what each stated, cell by cell. */
typedef struct answerers {
  ecrb_grouped *of;
  size_t count;
} answerers;

/* NaN for those who state nothing in this resample. */
static double mean_ece_of(const void *data, const uint32_t *weight) {
  const answerers *all = data;
  double sum = 0;
  for (size_t a = 0; a < all->count; a++)
    sum += ecrb_cells_statistic(&all->of[a], weight);
  return sum / (double)all->count;
}

/* [-0, +n] The a-th answerer of the two lists at 1 and 2; n is the number of
** items, which the first decides. */
static ecrb_grouped push_answerer(lua_State *L, size_t a, bool left,
                                  const resampling *how, size_t *n) {
  column confidence, correct;
  celled c;
  stated *cells = memory_push(L, 1, sizeof *cells);
  luaL_checkstack(L, 16, "too many columns");
  lua_rawgeti(L, 1, (lua_Integer)a + 1);
  lua_rawgeti(L, 2, (lua_Integer)a + 1);
  stated_push(L, lua_gettop(L) - 1, &confidence, &correct);
  *n = a == 0 ? confidence.n : *n;
  if (confidence.n != *n)
    luaL_error(L, "columns of %d and %d values", (int)*n, (int)confidence.n);
  *cells = stated_push_cells(L, &confidence, &correct, how, &c);
  cells->left_edges = left;
  c.grouped.statistic = ece_of;
  c.grouped.data = cells;
  return c.grouped;
}

/*** core.statistics.mean_ece({confidence...}, {correct...},
***   {left_edges=, replicates=, seed=}) -> estimate
**
** The mean of the calibration errors of several answerers to the same items; one
** draw of items serves all of them.
*/
int statistics_mean_ece(lua_State *L) {
  resampling how = resampling_check(L, 3);
  bool left = left_edges(L, 3);
  size_t n = 0;
  answerers all;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TTABLE);
  all.count = lua_rawlen(L, 1);
  luaL_argcheck(L, all.count > 0, 1, "a list of columns without one");
  luaL_argcheck(L, lua_rawlen(L, 2) == all.count, 2, "as many columns");
  all.of = memory_push(L, all.count, sizeof *all.of);
  for (size_t a = 0; a < all.count; a++)
    all.of[a] = push_answerer(L, a, left, &how, &n);
  statistic_push(L, mean_ece_of, &all, resampling_items(L, &how, n), &how);
  return 1;
}

/*** core.statistics.scaled(confidence, T) -> confidence
**
** The confidence at that temperature: sigmoid(logit(confidence) / T).
*/
int statistics_scaled(lua_State *L) {
  lua_pushnumber(L, ecrb_temperature_apply(luaL_checknumber(L, 1),
                                           luaL_checknumber(L, 2)));
  return 1;
}
