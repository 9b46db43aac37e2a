/* library.c: an allow-list of Lua's own functions. One whose work does not grow
** with what the script already paid for announces it first, so that no call
** runs for long unseen; those that depend on addresses, clocks or the hash of
** the day are replaced. */
#include "library.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "binding.h"
#include "frozen.h"
#include "host.h"
#include "order.h"
#include "quota.h"

enum {
  BYTES_PER_STEP = 16,
  PCALL_DEPTH = 200 /* calls */
};

typedef lua_Unsigned cost_function(lua_State *L);

/* {====================================================================
** What a call costs, in steps
** ===================================================================== */

static lua_Unsigned cost_of_text(lua_State *L) {
  size_t n = 0;
  lua_tolstring(L, 1, &n);
  return n / BYTES_PER_STEP;
}

static lua_Unsigned cost_of_rep(lua_State *L) {
  lua_Integer n = luaL_optinteger(L, 2, 0);
  return n > 0 ? (lua_Unsigned)n : 0;
}

static lua_Unsigned distance(lua_Integer from, lua_Integer to) {
  return to < from ? 0 : (lua_Unsigned)to - (lua_Unsigned)from + 1;
}

static void check_plain(lua_State *L, int arg) {
  luaL_checktype(L, arg, LUA_TTABLE);
  if (lua_getmetatable(L, arg))
    luaL_argerror(L, arg, "the table is read-only");
}

/* Everything behind the position moves. */
static lua_Unsigned cost_of_shift(lua_State *L, bool at_position) {
  check_plain(L, 1);
  if (!at_position)
    return 0;
  return distance(luaL_checkinteger(L, 2), (lua_Integer)lua_rawlen(L, 1));
}

static lua_Unsigned cost_of_insert(lua_State *L) {
  return cost_of_shift(L, lua_gettop(L) > 2);
}

static lua_Unsigned cost_of_remove(lua_State *L) {
  return cost_of_shift(L, lua_gettop(L) > 1);
}

static lua_Unsigned cost_of_move(lua_State *L) {
  check_plain(L, lua_isnoneornil(L, 5) ? 1 : 5);
  return distance(luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
}

static lua_Unsigned cost_of_range(lua_State *L, int first) {
  luaL_checktype(L, 1, LUA_TTABLE);
  return distance(luaL_optinteger(L, first, 1),
                  lua_isnoneornil(L, first + 1)
                      ? luaL_len(L, 1)
                      : luaL_checkinteger(L, first + 1));
}

static lua_Unsigned cost_of_concat(lua_State *L) {
  return cost_of_range(L, 3);
}

static lua_Unsigned cost_of_unpack(lua_State *L) {
  return cost_of_range(L, 2);
}

/* In a coroutine pcalls nest without end, since an error that one of them
** catches frees the C stack for more; and each walks all calls below it when it
** catches one. */
static lua_Unsigned cost_of_pcall(lua_State *L) {
  lua_Debug frame;
  if (lua_getstack(L, PCALL_DEPTH, &frame))
    luaL_error(L, "pcall inside more than %d calls", PCALL_DEPTH);
  return 0;
}

/* }==================================================================== */

typedef struct entry {
  const char *name;
  cost_function *cost; /* NULL: nothing worth announcing */
} entry;

static const entry string_entries[] = {
    {"byte", NULL},     {"char", NULL},          {"format", NULL},
    {"len", NULL},      {"lower", cost_of_text}, {"pack", NULL},
    {"packsize", NULL}, {"rep", cost_of_rep},    {"reverse", cost_of_text},
    {"sub", NULL},      {"unpack", NULL},        {"upper", cost_of_text},
    {NULL, NULL}};

static const entry table_entries[] = {{"concat", cost_of_concat},
                                      {"insert", cost_of_insert},
                                      {"move", cost_of_move},
                                      {"pack", NULL},
                                      {"remove", cost_of_remove},
                                      {"unpack", cost_of_unpack},
                                      {NULL, NULL}};

static const entry math_entries[] = {
    {"abs", NULL},        {"acos", NULL},       {"asin", NULL},
    {"atan", NULL},       {"ceil", NULL},       {"cos", NULL},
    {"deg", NULL},        {"exp", NULL},        {"floor", NULL},
    {"fmod", NULL},       {"huge", NULL},       {"log", NULL},
    {"max", NULL},        {"maxinteger", NULL}, {"min", NULL},
    {"mininteger", NULL}, {"modf", NULL},       {"pi", NULL},
    {"rad", NULL},        {"sin", NULL},        {"sqrt", NULL},
    {"tan", NULL},        {"tointeger", NULL},  {"type", NULL},
    {"ult", NULL},        {NULL, NULL}};

static const entry utf8_entries[] = {
    {"char", NULL},  {"charpattern", NULL}, {"codepoint", cost_of_text},
    {"codes", NULL}, {"len", cost_of_text}, {"offset", cost_of_text},
    {NULL, NULL}};

static const entry base_entries[] = {
    {"assert", NULL},         {"error", NULL},  {"ipairs", NULL},
    {"pcall", cost_of_pcall}, {"select", NULL}, {"tonumber", cost_of_text},
    {"type", NULL},           {NULL, NULL}};

/* Upvalues: Lua's own function, its entry. */
static int charged(lua_State *L) {
  const entry *e = lua_touserdata(L, lua_upvalueindex(2));
  quota_charge(L, e->cost(L));
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* [-0, +0] Copies the listed entries of the library at `from` into the table
** on top. */
static void add_entries(lua_State *L, int from, const entry *e) {
  for (; e->name; e++) {
    lua_getfield(L, from, e->name);
    if (e->cost) {
      lua_pushlightuserdata(L, (void *)(uintptr_t)e);
      lua_pushcclosure(L, charged, 2);
    }
    lua_setfield(L, -2, e->name);
  }
}

/* {====================================================================
** Replacements
** ===================================================================== */

/* An address would differ from run to run. */
static bool shows_address(lua_State *L, int index) {
  int type = lua_type(L, index);
  if (type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER ||
      type == LUA_TSTRING)
    return false;
  if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL)
    return true;
  lua_pop(L, 1);
  return false;
}

/*** tostring(value) -> text
**
** As Lua's, but a table or function is shown by its type alone.
*/
static int plain_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  if (shows_address(L, 1))
    lua_pushstring(L, luaL_typename(L, 1));
  else
    luaL_tolstring(L, 1, NULL);
  return 1;
}

static bool asks_for_address(const char *format) {
  for (; (format = strchr(format, '%')); format++) {
    format += 1 + strspn(format + 1, "-+ #0.123456789");
    if (*format == 'p')
      return true;
    if (*format == '\0')
      return false;
  }
  return false;
}

/* Upvalue: Lua's string.format. */
static int plain_format(lua_State *L) {
  int n = lua_gettop(L);
  luaL_argcheck(L, !asks_for_address(luaL_checkstring(L, 1)), 1,
                "scripts have no '%p'");
  for (int i = 2; i <= n; i++)
    if (shows_address(L, i)) {
      lua_pushstring(L, luaL_typename(L, i));
      lua_replace(L, i);
    }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* }==================================================================== */

/* {====================================================================
** Libraries
** ===================================================================== */

static bool matches_patterns(const char *name) {
  return strcmp(name, "find") == 0 || strcmp(name, "match") == 0 ||
         strcmp(name, "gmatch") == 0 || strcmp(name, "gsub") == 0;
}

/* [-1, +1] Puts the place in the script before the message on top. */
static void add_place(lua_State *L) {
  lua_Debug frame;
  int level = 0;
  while (lua_getstack(L, level, &frame) && lua_getinfo(L, "l", &frame) &&
         frame.currentline < 0)
    level++;
  luaL_where(L, level);
  lua_insert(L, -2);
  lua_concat(L, 2);
}

/* Upvalue: the library's name. */
static int missing(lua_State *L) {
  const char *library = lua_tostring(L, lua_upvalueindex(1));
  const char *name = bind_push_message(L, 2);
  if (strcmp(library, "string") == 0 && matches_patterns(name))
    lua_pushfstring(L,
                    "scripts have no string.%s, whose patterns could run "
                    "without end: use find(text, regex)",
                    name);
  else
    lua_pushfstring(L, "scripts have no %s.%s", library, name);
  add_place(L);
  return lua_error(L);
}

/* [-1, +1] The library on top, frozen; absent names raise. */
static void freeze_library(lua_State *L, const char *name) {
  lua_createtable(L, 0, 1);
  lua_pushstring(L, name);
  lua_pushcclosure(L, missing, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  frozen_push(L, name);
}

/* [-0, +1] A table with the listed entries of Lua's library. */
static void push_library(lua_State *L, const char *name, const entry *e) {
  lua_getglobal(L, name);
  lua_newtable(L);
  add_entries(L, lua_gettop(L) - 1, e);
  lua_remove(L, -2);
}

static void add_frozen(lua_State *L, const char *name, const entry *e) {
  push_library(L, name, e);
  freeze_library(L, name);
  lua_setfield(L, -2, name);
}

static void add_string(lua_State *L) {
  push_library(L, "string", string_entries);
  lua_getfield(L, -1, "format");
  lua_pushcclosure(L, plain_format, 1);
  lua_setfield(L, -2, "format");
  freeze_library(L, "string");
  lua_setfield(L, -2, "string");
}

static void add_table(lua_State *L) {
  push_library(L, "table", table_entries);
  lua_pushcfunction(L, order_sort);
  lua_setfield(L, -2, "sort");
  freeze_library(L, "table");
  lua_setfield(L, -2, "table");
}

static void add_base(lua_State *L) {
  push_library(L, "_G", base_entries);
  lua_pushcfunction(L, order_pairs);
  lua_setfield(L, -2, "pairs");
  lua_pushcfunction(L, plain_tostring);
  lua_setfield(L, -2, "tostring");
  lua_setfield(L, -2, "base");
}

void library_add(lua_State *L) {
  add_base(L);
  add_string(L);
  add_table(L);
  add_frozen(L, "math", math_entries);
  add_frozen(L, "utf8", utf8_entries);
}

/* Upvalues: Lua's library, the frozen one. */
static int string_index(lua_State *L) {
  bool inside = host_of(L)->running != NULL;
  lua_settop(L, 2);
  lua_gettable(L, lua_upvalueindex(inside ? 2 : 1));
  return 1;
}

void library_guard_strings(lua_State *L, int index) {
  index = lua_absindex(L, index);
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_getglobal(L, "string");
  lua_pushvalue(L, index);
  lua_pushcclosure(L, string_index, 2);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}

/* }==================================================================== */
