/* l_statistics_risk.c: risk where only the most confident answers count. */
#include <lauxlib.h>
#include <lua.h>

#include "binding.h"
#include "l_statistics.h"

/* [-0, +1] */
static const uint32_t *push_order(lua_State *L, const ecrb_confidences *items) {
  uint32_t *order = memory_push(L, items->n, sizeof *order);
  ecrb_rank(items->confidence, items->n, order);
  return order;
}

static double aurc_of(const void *data, const uint32_t *weight) {
  const stated *s = data;
  return ecrb_aurc_ranked(&s->items, s->order, weight, s->harmonic);
}

/*** core.statistics.aurc(confidence, correct, {replicates=, seed=}) -> estimate
**
** Area under the risk-coverage curve.
*/
int statistics_aurc(lua_State *L) {
  resampling how = resampling_check(L, 3);
  column confidence, correct;
  celled c;
  stated_push(L, 1, &confidence, &correct);
  stated cells = stated_push_cells(L, &confidence, &correct, &how, &c);
  double *harmonic = memory_push(L, c.n + 1, sizeof *harmonic);
  ecrb_harmonic(harmonic, c.n);
  cells.harmonic = harmonic;
  cells.order = push_order(L, &cells.items);
  cells_push_statistic(L, &c, aurc_of, &cells, &how);
  return 1;
}

/*** core.statistics.risk_curve(confidence, correct) -> {risk...}
**
** Risk k is the share of wrong ones among the k most confident items.
*/
int statistics_risk_curve(lua_State *L) {
  column confidence, correct;
  ecrb_confidences items;
  const uint32_t *order;
  double *risk;
  lua_settop(L, 2);
  stated_push(L, 1, &confidence, &correct);
  items = stated_push_items(L, &confidence, &correct);
  order = push_order(L, &items);
  risk = memory_push(L, items.n, sizeof *risk);
  ecrb_risk_curve(&items, order, risk);
  lua_createtable(L, (int)items.n, 0);
  for (size_t k = 0; k < items.n; k++)
    column_set(L, (lua_Integer)k + 1, risk[k]);
  return 1;
}

static double selective_of(const void *data, const uint32_t *weight) {
  const stated *s = data;
  return ecrb_selective_ranked(&s->items, s->order, weight, s->coverage);
}

/*** core.statistics.selective(confidence, correct, coverage,
***   {replicates=, seed=}) -> estimate
**
** The share of right ones among the most confident items: so many of all of them
** as `coverage`, from 0 to 1, says, rounded up.
*/
int statistics_selective(lua_State *L) {
  lua_Number coverage = luaL_checknumber(L, 3);
  resampling how = resampling_check(L, 4);
  column confidence, correct;
  celled c;
  luaL_argcheck(L, coverage > 0 && coverage <= 1, 3, "a coverage is 0 to 1");
  stated_push(L, 1, &confidence, &correct);
  stated cells = stated_push_cells(L, &confidence, &correct, &how, &c);
  cells.order = push_order(L, &cells.items);
  cells.coverage = coverage;
  cells_push_statistic(L, &c, selective_of, &cells, &how);
  return 1;
}
