/* l_statistics_numbers.c: lists of whole numbers in four bytes each, where a
** table takes sixteen: of many items, which kind each is of. */
#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "l_statistics.h"

#define NUMBERS "ecrb.numbers"

enum { ROOM_FIRST = 64 };

static numbers *check_numbers(lua_State *L, int arg) {
  return luaL_checkudata(L, arg, NUMBERS);
}

const numbers *numbers_check(lua_State *L, int arg) {
  return check_numbers(L, arg);
}

/*** core.statistics.numbers() -> numbers
**
** An empty list of whole numbers from 1 to 4294967295, four bytes each:
** numbers:add(k), #numbers, numbers[i]. As the option `of` it says of which kind
** each item is, where columns are by kind.
*/
int statistics_numbers(lua_State *L) {
  numbers *list = lua_newuserdatauv(L, sizeof *list, 0);
  *list = (numbers){0};
  luaL_setmetatable(L, NUMBERS);
  return 1;
}

static void make_room(lua_State *L, numbers *list) {
  size_t room = list->room > 0 ? list->room + list->room / 2 : ROOM_FIRST;
  uint32_t *at;
  if (list->n < list->room)
    return;
  at = realloc(list->at, room * sizeof *at);
  if (!at)
    bind_fail(L, "memory", "no memory for a list of %I numbers",
              (LUAI_UACINT)list->n + 1);
  list->at = at;
  list->room = room;
}

/*** numbers:add(k)
**
** One more number.
*/
static int numbers_add(lua_State *L) {
  numbers *list = check_numbers(L, 1);
  lua_Integer k = luaL_checkinteger(L, 2);
  luaL_argcheck(L, k >= 1 && k <= UINT32_MAX, 2, "1 to 4294967295");
  make_room(L, list);
  list->at[list->n++] = (uint32_t)k - 1;
  if ((size_t)k > list->most)
    list->most = (size_t)k;
  return 0;
}

/*** numbers:counts(n) -> {count...}
**
** How often each number from 1 to n is there, which no number passes.
*/
static int numbers_counts(lua_State *L) {
  lua_Integer n = luaL_checkinteger(L, 2);
  const numbers *list;
  size_t *count;
  luaL_argcheck(L, n >= 0 && n <= UINT32_MAX, 2, "0 to 4294967295");
  list = check_numbers(L, 1);
  luaL_argcheck(L, list->most <= (size_t)n, 2, "there are greater numbers");
  count = memory_push(L, (size_t)n, sizeof *count);
  memset(count, 0, (size_t)n * sizeof *count);
  for (size_t i = 0; i < list->n; i++)
    count[list->at[i]]++;
  lua_createtable(L, (int)n, 0);
  for (lua_Integer k = 1; k <= n; k++) {
    lua_pushinteger(L, (lua_Integer)count[k - 1]);
    lua_rawseti(L, -2, k);
  }
  return 1;
}

typedef struct placed {
  uint32_t place, number;
} placed;

static int by_place(const void *a, const void *b) {
  const placed *left = a, *right = b;
  return (left->place > right->place) - (left->place < right->place);
}

/*** numbers:sort(places)
**
** Puts the numbers in the order of their places, as many other numbers.
*/
static int numbers_sort(lua_State *L) {
  numbers *list = check_numbers(L, 1);
  const numbers *places = check_numbers(L, 2);
  placed *pairs;
  luaL_argcheck(L, places->n == list->n, 2, "a place for each");
  pairs = memory_push(L, list->n, sizeof *pairs);
  for (size_t i = 0; i < list->n; i++)
    pairs[i] = (placed){places->at[i], list->at[i]};
  qsort(pairs, list->n, sizeof *pairs, by_place);
  for (size_t i = 0; i < list->n; i++)
    list->at[i] = pairs[i].number;
  return 0;
}

static int numbers_size(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)check_numbers(L, 1)->n);
  return 1;
}

/* A number, or a method. */
static int numbers_index(lua_State *L) {
  const numbers *list = check_numbers(L, 1);
  lua_Integer i = lua_tointeger(L, 2);
  if (lua_type(L, 2) != LUA_TNUMBER)
    lua_rawget(L, lua_upvalueindex(1));
  else if (i >= 1 && (size_t)i <= list->n)
    lua_pushinteger(L, (lua_Integer)list->at[i - 1] + 1);
  else
    luaL_pushfail(L);
  return 1;
}

static int numbers_free(lua_State *L) {
  numbers *list = check_numbers(L, 1);
  free(list->at);
  *list = (numbers){0};
  return 0;
}

void statistics_open_numbers(lua_State *L) {
  static const luaL_Reg methods[] = {{"add", numbers_add},
                                     {"counts", numbers_counts},
                                     {"sort", numbers_sort},
                                     {NULL, NULL}};
  static const luaL_Reg metamethods[] = {{"__len", numbers_size},
                                         {"__gc", numbers_free},
                                         {NULL, NULL}};
  bind_new_type(L, NUMBERS, NULL, metamethods);
  luaL_getmetatable(L, NUMBERS);
  luaL_newlib(L, methods);
  lua_pushcclosure(L, numbers_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}
