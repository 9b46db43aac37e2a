/* l_statistics_means.c: means of columns and ratios of their sums. */
#include <lauxlib.h>
#include <lua.h>
#include <math.h>

#include "binding.h"
#include "l_statistics.h"

/* [-0, +1] The columns of the table at `arg`, side by side. */
static ecrb_sample push_sample(lua_State *L, int arg, const resampling *how) {
  ecrb_sample r = {0};
  double *rows;
  luaL_checktype(L, arg, LUA_TTABLE);
  r.columns = lua_rawlen(L, arg);
  luaL_argcheck(L, r.columns > 0, arg, "no columns");
  if (lua_rawgeti(L, arg, 1) == LUA_TTABLE)
    r.n_rows = lua_rawlen(L, -1);
  lua_pop(L, 1);
  r.row_of = how->of ? how->of->at : NULL;
  r.n = resampling_items(L, how, r.n_rows);
  luaL_argcheck(L, r.n > 0, arg, "columns without values");
  r.rows = rows = memory_push(L, r.n_rows * r.columns, sizeof *rows);
  for (size_t c = 0; c < r.columns; c++) {
    column one;
    lua_rawgeti(L, arg, (lua_Integer)c + 1);
    one = column_push_beside(L, -1, r.n_rows);
    for (size_t i = 0; i < r.n_rows; i++)
      rows[i * r.columns + c] = one.at[i];
    lua_pop(L, 2);
  }
  return r;
}

/* [-0, +1] The replicates' means, replicate by replicate. */
static double *push_replicates(lua_State *L, const ecrb_sample *r,
                               const resampling *how) {
  double *means = memory_push(L, how->replicates * r->columns, sizeof *means);
  ecrb_err err;
  int status = ECRB_OK;
  if (resampling_along(L, how, r->n))
    status = ecrb_draws_sample(how->draws, r, means, &err);
  else if (how->replicates > 0)
    status = ecrb_bootstrap_sample(r, how->replicates, how->seed, means, &err);
  bind_check(L, status, &err);
  return means;
}

static double column_mean(const ecrb_sample *r, size_t c) {
  double sum = 0;
  for (size_t i = 0; i < r->n; i++)
    sum += r->rows[(r->row_of ? r->row_of[i] : i) * r->columns + c];
  return sum / (double)r->n;
}

static double quotient(double a, double b) {
  return b == 0 ? NAN : a / b;
}

/* Columns, their means in each replicate, and room for one figure's. */
typedef struct sampled {
  ecrb_sample r;
  size_t replicates;
  const double *means;
  double *one;
} sampled;

/* [-0, +3] The columns of the table at `arg`, resampled. */
static sampled push_sampled(lua_State *L, int arg, const resampling *how) {
  sampled s = {push_sample(L, arg, how), how->replicates, NULL, NULL};
  s.means = push_replicates(L, &s.r, how);
  s.one = memory_push(L, how->replicates, sizeof *s.one);
  return s;
}

/* [-0, +1] */
static void push_mean(lua_State *L, const sampled *s, size_t place) {
  for (size_t k = 0; k < s->replicates; k++)
    s->one[k] = s->means[k * s->r.columns + place];
  estimate_push(L, column_mean(&s->r, place), s->one, s->replicates);
}

/* [-0, +1] The sum of column `above` over that of `below`. */
static void push_ratio(lua_State *L, const sampled *s, size_t above,
                       size_t below) {
  for (size_t k = 0; k < s->replicates; k++) {
    const double *means = s->means + k * s->r.columns;
    s->one[k] = quotient(means[above], means[below]);
  }
  estimate_push(L,
                quotient(column_mean(&s->r, above), column_mean(&s->r, below)),
                s->one, s->replicates);
}

/* [-0, +0] Number i of the pair of columns on top, from 0. */
static size_t column_of_pair(lua_State *L, int i, const sampled *s) {
  lua_Integer place;
  int whole;
  if (lua_type(L, -1) != LUA_TTABLE)
    luaL_error(L, "a ratio is a %s", luaL_typename(L, -1));
  lua_rawgeti(L, -1, i);
  place = lua_tointegerx(L, -1, &whole);
  if (!whole || place < 1 || (size_t)place > s->r.columns)
    luaL_error(L, "a ratio of column %d of %d", (int)place, (int)s->r.columns);
  lua_pop(L, 1);
  return (size_t)place - 1;
}

/* [-0, +1] The ratios that the list at `arg` names. */
static void push_ratios(lua_State *L, int arg, const sampled *s) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, arg);
  lua_createtable(L, (int)n, 0);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, arg, i);
    push_ratio(L, s, column_of_pair(L, 1, s), column_of_pair(L, 2, s));
    lua_rawseti(L, -3, i);
    lua_pop(L, 1);
  }
}

/*** core.statistics.means({column...}, {replicates=, seed=}, ratios)
***   -> {estimate...}, {estimate...}
**
** The mean of each column; one draw of items serves all columns. `ratios`, a
** list of pairs {above, below} of column numbers, adds the sum of the one over
** the sum of the other as a second list. With the option `of` (core.statistics.
** numbers), here and wherever there are options, the values of a column are those
** of kinds of items, and `of` names the kind of each item.
*/
int statistics_means(lua_State *L) {
  resampling how;
  sampled s;
  bool ratios = !lua_isnoneornil(L, 3);
  if (ratios)
    luaL_checktype(L, 3, LUA_TTABLE);
  lua_settop(L, 3);
  lua_insert(L, 2);
  how = resampling_check(L, 3);
  s = push_sampled(L, 1, &how);
  lua_createtable(L, (int)s.r.columns, 0);
  for (size_t c = 0; c < s.r.columns; c++) {
    push_mean(L, &s, c);
    lua_rawseti(L, -2, (lua_Integer)c + 1);
  }
  if (ratios)
    push_ratios(L, 2, &s);
  return ratios ? 2 : 1;
}

/*** core.statistics.ratio(above, below, {replicates=, seed=}) -> estimate
**
** The sum of one column over the sum of another: a precision, a micro F1.
*/
int statistics_ratio(lua_State *L) {
  resampling how = resampling_check(L, 3);
  sampled s;
  lua_createtable(L, 2, 0);
  for (int c = 1; c <= 2; c++) {
    lua_pushvalue(L, c);
    lua_rawseti(L, -2, c);
  }
  s = push_sampled(L, lua_gettop(L), &how);
  push_ratio(L, &s, 0, 1);
  return 1;
}
