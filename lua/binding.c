/* binding.c: arguments, results and errors as every binding writes them. */
#include "binding.h"

#include <errno.h>
#include <string.h>

#include "visible.h"

#define ERROR_TYPE "ecrb.error"

enum { MESSAGE_MOST = 2000 };

static int error_tostring(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  bind_push_message(L, 1);
  return 1;
}

void bind_push_error(lua_State *L, const char *code, const char *message) {
  lua_createtable(L, 0, 2);
  lua_pushstring(L, code);
  lua_setfield(L, -2, "code");
  lua_pushstring(L, message);
  lua_setfield(L, -2, "message");
  if (luaL_newmetatable(L, ERROR_TYPE)) {
    lua_pushcfunction(L, error_tostring);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
}

const char *bind_code_name(int status) {
  static const char *const names[] = {"ok",       "memory", "io",   "format",
                                      "argument", "none",   "busy", "limit"};
  return status <= 0 && status >= ECRB_ELIMIT ? names[-status] : "unknown";
}

void bind_check(lua_State *L, int status, const ecrb_err *err) {
  if (status == ECRB_OK)
    return;
  const char *message = err ? err->msg : bind_code_name(status);
  if (status == ECRB_EARG)
    luaL_error(L, "%s", message);
  bind_push_error(L, bind_code_name(status), message);
  lua_error(L);
}

int bind_fail(lua_State *L, const char *code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  lua_pushvfstring(L, format, arguments);
  va_end(arguments);
  bind_push_error(L, code, lua_tostring(L, -1));
  return lua_error(L);
}

int bind_fail_errno(lua_State *L, const char *path) {
  return bind_fail(L, "io", "%s: %s", path, strerror(errno));
}

/* [-0, +1] The raw text inside an error value, or nil. */
static void push_error_text(lua_State *L, int index) {
  if (lua_type(L, index) == LUA_TTABLE) {
    lua_pushliteral(L, "message");
    lua_rawget(L, index);
  } else {
    lua_pushvalue(L, index);
  }
  if (!lua_isstring(L, -1)) {
    lua_pop(L, 1);
    lua_pushnil(L);
  }
}

const char *bind_push_message(lua_State *L, int index) {
  size_t n;
  const char *text;
  index = lua_absindex(L, index);
  push_error_text(L, index);
  text = lua_tolstring(L, -1, &n);
  if (!text) {
    lua_pushfstring(L, "an error value that is a %s without a message",
                    luaL_typename(L, index));
  } else {
    visible_push(L, text, n < MESSAGE_MOST ? n : MESSAGE_MOST);
    if (n > MESSAGE_MOST)
      lua_pushfstring(L, "... (%I bytes in all)", (LUAI_UACINT)n);
    else
      lua_pushliteral(L, "");
    lua_concat(L, 2);
  }
  lua_remove(L, -2);
  return lua_tostring(L, -1);
}

ecrb_span bind_check_span(lua_State *L, int arg) {
  ecrb_span span;
  span.at = luaL_checklstring(L, arg, &span.n);
  return span;
}

void bind_push_span(lua_State *L, ecrb_span span) {
  lua_pushlstring(L, span.at, span.n);
}

bool bind_to_ec(lua_State *L, int index, ecrb_ec *out) {
  ecrb_span text = bind_check_span(L, index);
  return ecrb_ec_parse(text.at, text.n, out) == ECRB_OK;
}

ecrb_ec bind_check_ec(lua_State *L, int arg) {
  ecrb_ec ec;
  if (!bind_to_ec(L, arg, &ec)) {
    bind_push_message(L, arg);
    luaL_argerror(
        L, arg,
        lua_pushfstring(L, "'%s' is not an EC number", lua_tostring(L, -1)));
  }
  return ec;
}

ecrb_ec bind_element_ec(lua_State *L, const char *what, size_t i) {
  ecrb_ec ec;
  if (lua_type(L, -1) != LUA_TSTRING)
    luaL_error(L, "%s %d: a %s is not an EC number", what, (int)i,
               luaL_typename(L, -1));
  if (!bind_to_ec(L, -1, &ec)) {
    bind_push_message(L, -1);
    luaL_error(L, "%s %d: '%s' is not an EC number", what, (int)i,
               lua_tostring(L, -1));
  }
  return ec;
}

ecrb_ec *bind_check_ecs(lua_State *L, int arg, const char *what, size_t *n) {
  ecrb_ec *list;
  luaL_checktype(L, arg, LUA_TTABLE);
  *n = lua_rawlen(L, arg);
  list = lua_newuserdatauv(L, (*n + 1) * sizeof *list, 0);
  for (size_t i = 0; i < *n; i++) {
    lua_rawgeti(L, arg, (lua_Integer)i + 1);
    list[i] = bind_element_ec(L, what, i + 1);
    lua_pop(L, 1);
  }
  return list;
}

void bind_push_ec(lua_State *L, ecrb_ec ec) {
  char text[ECRB_EC_TEXT];
  lua_pushstring(L, ecrb_ec_format(ec, text));
}

void bind_push_ecs(lua_State *L, const ecrb_ec *list, size_t n) {
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    bind_push_ec(L, list[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

void bind_check_keys(lua_State *L, int arg, const char *const *known) {
  if (lua_isnoneornil(L, arg))
    return;
  luaL_checktype(L, arg, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, arg); lua_pop(L, 1)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2)
                                                     : luaL_typename(L, -2);
    const char *const *name = known;
    while (*name && strcmp(*name, key) != 0)
      name++;
    if (!*name)
      luaL_error(L, "unknown field '%s'", key);
  }
}

lua_Number bind_number_field(lua_State *L, int arg, const char *key,
                             lua_Number otherwise) {
  lua_Number value = otherwise;
  if (lua_isnoneornil(L, arg))
    return otherwise;
  if (lua_getfield(L, arg, key) != LUA_TNIL) {
    if (lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "field '%s' is not a number", key);
    value = lua_tonumber(L, -1);
  }
  lua_pop(L, 1);
  return value;
}

const char *bind_text_field(lua_State *L, int arg, const char *key) {
  const char *text = NULL;
  if (lua_isnoneornil(L, arg))
    return NULL;
  if (lua_getfield(L, arg, key) == LUA_TSTRING)
    text = lua_tostring(L, -1);
  else if (!lua_isnil(L, -1))
    luaL_error(L, "field '%s' is no text", key);
  lua_pop(L, 1);
  return text;
}

void bind_set_number(lua_State *L, const char *key, lua_Number value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

void bind_set_integer(lua_State *L, const char *key, lua_Integer value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, key);
}

void bind_set_boolean(lua_State *L, const char *key, int value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

void bind_set_span(lua_State *L, const char *key, ecrb_span value) {
  bind_push_span(L, value);
  lua_setfield(L, -2, key);
}

void bind_new_type(lua_State *L, const char *name, const luaL_Reg *methods,
                   const luaL_Reg *metamethods) {
  luaL_newmetatable(L, name);
  if (metamethods)
    luaL_setfuncs(L, metamethods, 0);
  if (methods) {
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
  }
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}
