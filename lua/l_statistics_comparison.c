/* l_statistics_comparison.c: is one figure more than another? The paired
** bootstrap, and tests and intervals by formula. */
#include <lauxlib.h>
#include <lua.h>

#include "binding.h"
#include "l_statistics.h"

/*** core.statistics.wilson(hits, n) -> low, high
**
** The 95% Wilson interval of a share of `hits` in `n`.
*/
int statistics_wilson(lua_State *L) {
  lua_Integer hits = luaL_checkinteger(L, 1), n = luaL_checkinteger(L, 2);
  double low, high;
  luaL_argcheck(L, n >= 0, 2, "a number of items");
  luaL_argcheck(L, hits >= 0 && hits <= n, 1, "hits are 0 to n");
  ecrb_wilson((size_t)hits, (size_t)n, &low, &high);
  lua_pushnumber(L, low);
  lua_pushnumber(L, high);
  return 2;
}

/*** core.statistics.compare(a, b, {replicates=, seed=, margin=}) -> difference
**
** The paired difference of the means, a - b: {mean=, low=, high=, low90=,
** high90=, p=, error=, detectable=, equivalent= where a margin is given}.
*/
int statistics_compare(lua_State *L) {
  resampling how = resampling_check(L, 3);
  lua_Number margin = bind_number_field(L, 3, "margin", 0);
  column a = column_push(L, 1, 0), b = column_push_beside(L, 2, a.n);
  ecrb_difference d;
  ecrb_err err;
  luaL_argcheck(L, a.n > 0, 1, "a column without values");
  luaL_argcheck(L, how.replicates > 0, 3, "a comparison needs replicates");
  bind_check(L,
             ecrb_compare(a.at, b.at, a.n, how.replicates, how.seed, &d, &err),
             &err);
  lua_createtable(L, 0, 9);
  bind_set_number(L, "mean", d.mean);
  bind_set_number(L, "low", d.low);
  bind_set_number(L, "high", d.high);
  bind_set_number(L, "low90", d.low90);
  bind_set_number(L, "high90", d.high90);
  bind_set_number(L, "p", d.p);
  bind_set_number(L, "error", d.error);
  bind_set_number(L, "detectable", d.detectable);
  if (margin > 0)
    bind_set_boolean(L, "equivalent", ecrb_equivalent(&d, margin));
  return 1;
}

/*** core.statistics.student(t, df) -> p
**
** Two-sided p of Student's t; the degrees of freedom need not be whole.
*/
int statistics_student(lua_State *L) {
  lua_Number t = luaL_checknumber(L, 1), df = luaL_checknumber(L, 2);
  luaL_argcheck(L, df > 0, 2, "degrees of freedom are more than 0");
  lua_pushnumber(L, ecrb_student_p(t, df));
  return 1;
}

/*** core.statistics.critical(p, df) -> t
**
** The t whose two-sided p is `p`: 1.96 for 0.05 and many degrees of freedom.
*/
int statistics_critical(lua_State *L) {
  lua_Number p = luaL_checknumber(L, 1), df = luaL_checknumber(L, 2);
  luaL_argcheck(L, p > 0 && p < 1, 1, "a p value is between 0 and 1");
  luaL_argcheck(L, df > 0, 2, "degrees of freedom are more than 0");
  lua_pushnumber(L, ecrb_student_critical(p, df));
  return 1;
}

/*** core.statistics.mcnemar(first, second) -> p, mid_p
**
** `first` items only the first run has right, `second` only the second.
*/
int statistics_mcnemar(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 1);
  lua_Integer second = luaL_checkinteger(L, 2);
  luaL_argcheck(L, first >= 0, 1, "a number of items");
  luaL_argcheck(L, second >= 0, 2, "a number of items");
  lua_pushnumber(L, ecrb_mcnemar((size_t)first, (size_t)second));
  lua_pushnumber(L, ecrb_mcnemar_mid((size_t)first, (size_t)second));
  return 2;
}

/*** core.statistics.holm({p...}) -> {p...}
**
** A family of p values after Holm's step-down adjustment, in the same order.
*/
int statistics_holm(lua_State *L) {
  column p = column_push(L, 1, 1);
  int status = ecrb_holm(p.at, p.n);
  luaL_argcheck(L, status != ECRB_EARG, 1, "a p value is a number from 0 to 1");
  if (status != ECRB_OK)
    return bind_fail(L, "memory", "no memory for %I p values",
                     (LUAI_UACINT)p.n);
  lua_createtable(L, (int)p.n, 0);
  for (size_t i = 0; i < p.n; i++)
    column_set(L, (lua_Integer)i + 1, p.at[i]);
  return 1;
}
