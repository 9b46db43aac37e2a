/* order.c: a stable merge sort, bottom up between two lists, and traversal in
** the order of the keys. Lua's own sort picks pivots by the clock and its own
** traversal follows a hash that differs from run to run. */
#include "order.h"

#include <lauxlib.h>
#include <stdbool.h>

#include "frozen.h"
#include "quota.h"

/* Whether the value at `b` belongs before the one at `a`. */
typedef bool overtakes(lua_State *L, int b, int a);

typedef struct merge {
  int from, to; /* stack indices of the lists */
  overtakes *overtakes;
} merge;

/* Merges from[low .. middle - 1] and from[middle .. high - 1]. */
static void merge_runs(lua_State *L, const merge *m, lua_Integer low,
                       lua_Integer middle, lua_Integer high) {
  lua_Integer a = low, b = middle;
  for (lua_Integer i = low; i < high; i++) {
    bool take_b = a == middle;
    lua_rawgeti(L, m->from, a);
    lua_rawgeti(L, m->from, b);
    if (a < middle && b < high)
      take_b = m->overtakes(L, -1, -2);
    lua_pop(L, take_b ? 0 : 1);
    lua_rawseti(L, m->to, i);
    lua_pop(L, take_b ? 1 : 0);
    if (take_b)
      b++;
    else
      a++;
  }
}

static lua_Integer at_most(lua_Integer a, lua_Integer b) {
  return a < b ? a : b;
}

/* Sorts the list at m->from with m->to as scratch; the result is in m->from. */
static void sort_list(lua_State *L, merge *m, lua_Integer n) {
  for (lua_Integer run = 1; run < n; run *= 2) {
    int to = m->to;
    quota_charge(L, (lua_Unsigned)n);
    for (lua_Integer low = 1; low <= n; low += 2 * run)
      merge_runs(L, m, low, at_most(low + run, n + 1),
                 at_most(low + 2 * run, n + 1));
    m->to = m->from;
    m->from = to;
  }
}

/* [-0, +0] to[1 .. n] = from[1 .. n] */
static void copy_list(lua_State *L, int from, int to, lua_Integer n) {
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, from, i);
    lua_rawseti(L, to, i);
  }
}

/* {====================================================================
** sort
** ===================================================================== */

static bool less(lua_State *L, int b, int a) {
  return lua_compare(L, b, a, LUA_OPLT);
}

/* The script's function stands at 2. */
static bool less_by_function(lua_State *L, int b, int a) {
  bool result;
  b = lua_absindex(L, b);
  a = lua_absindex(L, a);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, b);
  lua_pushvalue(L, a);
  lua_call(L, 2, 1);
  result = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return result;
}

int order_sort(lua_State *L) {
  merge m = {.overtakes = less};
  lua_Integer n;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argcheck(L, !lua_getmetatable(L, 1), 1, "the table is read-only");
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TFUNCTION);
    m.overtakes = less_by_function;
  }
  lua_settop(L, 2);
  n = (lua_Integer)lua_rawlen(L, 1);
  quota_charge(L, (lua_Unsigned)n);
  lua_createtable(L, (int)at_most(n, 1 << 20), 0);
  lua_createtable(L, (int)at_most(n, 1 << 20), 0);
  m.from = 3;
  m.to = 4;
  copy_list(L, 1, m.from, n);
  sort_list(L, &m, n);
  copy_list(L, m.from, 1, n);
  return 0;
}

/* }==================================================================== */

/* {====================================================================
** pairs
** ===================================================================== */

static int rank(int type) {
  return type == LUA_TNUMBER ? 0 : type == LUA_TSTRING ? 1 : 2;
}

static bool key_before(lua_State *L, int b, int a) {
  int rank_a = rank(lua_type(L, a)), rank_b = rank(lua_type(L, b));
  if (rank_a != rank_b)
    return rank_b < rank_a;
  return rank_a < 2 && lua_compare(L, b, a, LUA_OPLT);
}

/* [-0, +1] The keys of the table at `index`, in order. */
static void push_keys(lua_State *L, int index) {
  merge m = {.overtakes = key_before};
  lua_Integer n = 0;
  lua_newtable(L);
  lua_newtable(L);
  m.to = lua_gettop(L);
  m.from = m.to - 1;
  for (lua_pushnil(L); lua_next(L, index);) {
    quota_charge(L, 1);
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_rawseti(L, m.from, ++n);
  }
  sort_list(L, &m, n);
  lua_pushvalue(L, m.from);
  lua_replace(L, index + 1);
  lua_settop(L, index + 1);
}

/* Upvalues: the table, its keys, how many were visited. A key whose value is
** gone meanwhile is passed over. */
static int next_pair(lua_State *L) {
  lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));
  for (;;) {
    if (lua_rawgeti(L, lua_upvalueindex(2), ++i) == LUA_TNIL)
      return 1;
    lua_pushvalue(L, -1);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
      break;
    lua_pop(L, 2);
  }
  lua_pushinteger(L, i);
  lua_replace(L, lua_upvalueindex(3));
  return 2;
}

int order_pairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  if (frozen_push_content(L, 1))
    lua_replace(L, 1);
  push_keys(L, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 3);
  return 1;
}

/* }==================================================================== */
