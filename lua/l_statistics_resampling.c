/* l_statistics_resampling.c: figures and their intervals over resamples of the
** items, which are drawn as they are needed or kept (core.statistics.draws). */
#include <lauxlib.h>
#include <lua.h>
#include <math.h>

#include "binding.h"
#include "l_statistics.h"

enum { REPLICATES = 1000, REPLICATES_MOST = 1000000, LEVEL_PERCENT = 95 };

#define DRAWS "ecrb.draws"

typedef struct kept_draws {
  ecrb_draws *draws;
  resampling how;
} kept_draws;

/* [-0, +0] The field `draws` of the options at `arg`, good as long as they. */
static const kept_draws *draws_field(lua_State *L, int arg) {
  const kept_draws *kept = NULL;
  if (lua_istable(L, arg) && lua_getfield(L, arg, "draws") != LUA_TNIL) {
    kept = luaL_testudata(L, -1, DRAWS);
    luaL_argcheck(L, kept, arg, "field 'draws' holds no draws");
  }
  lua_settop(L, arg);
  return kept;
}

/* [-0, +0] The field `of` of the options at `arg`, good as long as they. */
static const numbers *of_field(lua_State *L, int arg) {
  const numbers *of = NULL;
  if (lua_istable(L, arg) && lua_getfield(L, arg, "of") != LUA_TNIL)
    of = numbers_check(L, -1);
  lua_settop(L, arg);
  return of;
}

static resampling with_kinds(resampling how, const numbers *of) {
  how.of = of;
  return how;
}

resampling resampling_check(lua_State *L, int arg) {
  const kept_draws *kept;
  const numbers *of;
  lua_Number replicates, seed;
  lua_settop(L, arg);
  kept = draws_field(L, arg);
  of = of_field(L, arg);
  if (kept)
    return with_kinds(kept->how, of);
  replicates = bind_number_field(L, arg, "replicates", REPLICATES);
  seed = bind_number_field(L, arg, "seed", 1);
  luaL_argcheck(L, replicates >= 0 && replicates <= REPLICATES_MOST, arg,
                "replicates are 0 to 1000000");
  luaL_argcheck(L, seed >= 0 && seed < 9e15, arg, "a seed is 0 to 9e15");
  return (resampling){(size_t)replicates, (uint64_t)seed, 0, NULL, of};
}

size_t resampling_items(lua_State *L, const resampling *how, size_t n) {
  if (!how->of)
    return n;
  if (how->of->most > n)
    luaL_error(L, "an item of kind %I, but %I values of a column",
               (LUAI_UACINT)how->of->most, (LUAI_UACINT)n);
  return how->of->n;
}

bool resampling_along(lua_State *L, const resampling *how, size_t n) {
  if (how->draws && how->n != n)
    luaL_error(L, "draws of %d items, but %d values", (int)how->n, (int)n);
  return how->draws != NULL;
}

/* Moves the replicates in which a figure exists to the front: a resample of few
** items may hold none that reports a confidence. */
static size_t keep_existing(double *replicates, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!isnan(replicates[i]))
      replicates[kept++] = replicates[i];
  return kept;
}

void estimate_push(lua_State *L, double value, double *replicates, size_t n) {
  double low, high;
  lua_createtable(L, 3, 0);
  column_set(L, 1, value);
  n = keep_existing(replicates, n);
  if (n == 0 || isnan(value))
    return;
  ecrb_interval(replicates, n, LEVEL_PERCENT / 100.0, &low, &high);
  column_set(L, 2, low);
  column_set(L, 3, high);
}

void statistic_push(lua_State *L, ecrb_statistic *statistic, const void *data,
                    size_t n, const resampling *how) {
  double *one = memory_push(L, how->replicates, sizeof *one);
  ecrb_err err;
  int status = ECRB_OK;
  if (resampling_along(L, how, n))
    ecrb_draws_statistic(how->draws, statistic, data, one);
  else if (how->replicates > 0)
    status = ecrb_bootstrap_statistic(statistic, data, n, how->replicates,
                                      how->seed, one, &err);
  bind_check(L, status, &err);
  estimate_push(L, statistic(data, NULL), one, how->replicates);
  lua_remove(L, -2);
}

/*** core.statistics.draws(n, {replicates=, seed=}) -> draws
**
** The resamples of n items, drawn once: as the option `draws` they serve every
** figure over n items and give what `replicates` and `seed` would.
*/
int statistics_draws(lua_State *L) {
  lua_Integer n = luaL_checkinteger(L, 1);
  resampling how = resampling_check(L, 2);
  kept_draws *kept;
  ecrb_err err;
  luaL_argcheck(L, n > 0, 1, "a number of items");
  kept = lua_newuserdatauv(L, sizeof *kept, 0);
  kept->draws = NULL;
  luaL_setmetatable(L, DRAWS);
  bind_check(
      L,
      ecrb_draws_new((size_t)n, how.replicates, how.seed, &kept->draws, &err),
      &err);
  kept->how = (resampling){how.replicates, how.seed, (size_t)n, kept->draws, NULL};
  return 1;
}

static int draws_free(lua_State *L) {
  kept_draws *kept = luaL_checkudata(L, 1, DRAWS);
  ecrb_draws_free(kept->draws);
  kept->draws = NULL;
  return 0;
}

static const luaL_Reg draws_metamethods[] = {{"__gc", draws_free},
                                             {NULL, NULL}};

void statistics_open_draws(lua_State *L) {
  bind_new_type(L, DRAWS, NULL, draws_metamethods);
}
