/* frozen.c: a proxy is an empty table whose metatable leads to a copy that
** nobody else holds. It is safe because scripts can neither write raw nor
** reach a metatable. */
#include "frozen.h"

#include <lauxlib.h>

#include "binding.h"
#include "order.h"

#define MARK "__frozen" /* in a proxy's metatable: the copy */

bool frozen_push_content(lua_State *L, int index) {
  return luaL_getmetafield(L, index, MARK) != LUA_TNIL;
}

/* Upvalue 1: the table's name, or nil. */
static int refuse_write(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(1));
  const char *key = bind_push_message(L, 2);
  if (name)
    return luaL_error(L, "%s.%s cannot be set: %s is read-only", name, key,
                      name);
  return luaL_error(L, "field '%s' cannot be set: the table is read-only", key);
}

static int content_length(lua_State *L) {
  frozen_push_content(L, 1);
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
  return 1;
}

static void freeze(lua_State *L, int seen, const char *name);

/* [-1, +1] The value on top, frozen if it is a table. */
static void freeze_value(lua_State *L, int seen) {
  if (lua_type(L, -1) == LUA_TTABLE)
    freeze(L, seen, NULL);
}

/* [-0, +0] Fills the copy on top from the table at `from`. */
static void copy_fields(lua_State *L, int from, int seen) {
  int copy = lua_gettop(L);
  luaL_checkstack(L, 8, "tables too deep to freeze");
  for (lua_pushnil(L); lua_next(L, from); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    freeze_value(L, seen);
    lua_rawset(L, copy);
  }
  if (luaL_getmetafield(L, from, "__index") == LUA_TNIL)
    return;
  lua_createtable(L, 0, 1);
  lua_insert(L, -2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, copy);
}

/* [-1, +1] The metatable that leads to the copy on top. */
static void push_metatable(lua_State *L, const char *name) {
  lua_createtable(L, 0, 6);
  lua_insert(L, -2);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, MARK);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, name);
  lua_pushcclosure(L, refuse_write, 1);
  lua_setfield(L, -2, "__newindex");
  lua_pushcfunction(L, content_length);
  lua_setfield(L, -2, "__len");
  lua_pushcfunction(L, order_pairs);
  lua_setfield(L, -2, "__pairs");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
}

/* [-1, +1] `seen` maps tables to their proxies, so that what is shared or
** circular stays so. */
static void freeze(lua_State *L, int seen, const char *name) {
  int from = lua_gettop(L);
  lua_pushvalue(L, from);
  if (lua_rawget(L, seen) == LUA_TNIL) {
    lua_pop(L, 1);
    if (frozen_push_content(L, from)) {
      lua_settop(L, from);
      return;
    }
    lua_newtable(L);
    lua_pushvalue(L, from);
    lua_pushvalue(L, -2);
    lua_rawset(L, seen);
    lua_newtable(L);
    copy_fields(L, from, seen);
    push_metatable(L, name);
    lua_setmetatable(L, -2);
  }
  lua_replace(L, from);
}

void frozen_push(lua_State *L, const char *name) {
  lua_newtable(L);
  lua_insert(L, -2);
  freeze(L, lua_gettop(L) - 1, name);
  lua_remove(L, -2);
}
