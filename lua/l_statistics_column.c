/* l_statistics_column.c: columns of numbers between Lua and C. */
#include <lauxlib.h>
#include <lua.h>
#include <math.h>

#include "binding.h"
#include "l_statistics.h"

void *memory_push(lua_State *L, size_t n, size_t size) {
  luaL_checkstack(L, 4, "too many columns");
  return lua_newuserdatauv(L, (n > 0 ? n : 1) * size, 0);
}

static double number_at(lua_State *L, int arg, size_t i, double otherwise) {
  double value = otherwise;
  int type = lua_rawgeti(L, arg, (lua_Integer)i + 1);
  if (type == LUA_TNUMBER)
    value = lua_tonumber(L, -1);
  else if (type == LUA_TBOOLEAN)
    value = lua_toboolean(L, -1) ? 1 : otherwise;
  else
    luaL_error(L, "value %d of a column is a %s", (int)i + 1,
               luaL_typename(L, -1));
  lua_pop(L, 1);
  return value;
}

column column_push(lua_State *L, int arg, double otherwise) {
  column c;
  if (arg > 0)
    luaL_checktype(L, arg, LUA_TTABLE);
  else if (lua_type(L, arg) != LUA_TTABLE)
    luaL_error(L, "a column is a %s", luaL_typename(L, arg));
  arg = lua_absindex(L, arg);
  c.n = lua_rawlen(L, arg);
  c.at = memory_push(L, c.n, sizeof *c.at);
  for (size_t i = 0; i < c.n; i++)
    c.at[i] = number_at(L, arg, i, otherwise);
  return c;
}

column column_push_beside(lua_State *L, int arg, size_t n) {
  column c = column_push(L, arg, 0);
  if (c.n != n)
    luaL_error(L, "columns of %d and %d values", (int)n, (int)c.n);
  return c;
}

column column_push_each(lua_State *L, column kinds, const numbers *of) {
  column c;
  if (!of)
    return kinds;
  c.n = of->n;
  c.at = memory_push(L, c.n, sizeof *c.at);
  for (size_t i = 0; i < c.n; i++)
    c.at[i] = kinds.at[of->at[i]];
  return c;
}

void column_set(lua_State *L, lua_Integer i, double value) {
  if (isnan(value))
    lua_pushboolean(L, 0);
  else
    lua_pushnumber(L, value);
  lua_rawseti(L, -2, i);
}
