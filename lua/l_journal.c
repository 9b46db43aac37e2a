/* l_journal.c: core.journal, append-only files of JSON lines. */
#include <string.h>

#include "binding.h"
#include "modules.h"

#define JOURNAL_TYPE "ecrb.journal"

enum { PIECES_MAX = 8 }; /* of a line that is appended */

static ecrb_journal **check_handle(lua_State *L) {
  return luaL_checkudata(L, 1, JOURNAL_TYPE);
}

static ecrb_journal *check_journal(lua_State *L) {
  ecrb_journal *journal = *check_handle(L);
  if (!journal)
    luaL_argerror(L, 1, "the journal is closed");
  return journal;
}

static int journal_close(lua_State *L) {
  ecrb_journal **handle = check_handle(L);
  ecrb_journal_close(*handle);
  *handle = NULL;
  return 0;
}

/*** core.journal.open(path, mode) -> journal, {lines=, torn=}
**
** Opens a journal for reading ("r") or for appending too ("a", which creates
** it and keeps other processes from appending). Every line is a JSON object
** that begins with {"key":"...". `torn` counts the bytes of a last line that
** was cut short; appending drops them. A malformed line raises file and line.
*/
static int open_journal(lua_State *L) {
  static const char *const modes[] = {"r", "a", NULL};
  const char *path = luaL_checkstring(L, 1);
  int mode = luaL_checkoption(L, 2, "r", modes);
  ecrb_journal **handle = lua_newuserdatauv(L, sizeof *handle, 0);
  ecrb_journal_state state;
  ecrb_err err;
  *handle = NULL;
  luaL_setmetatable(L, JOURNAL_TYPE);
  bind_check(L,
             ecrb_journal_open(
                 path, mode == 0 ? ECRB_JOURNAL_READ : ECRB_JOURNAL_APPEND,
                 handle, &state, &err),
             &err);
  lua_createtable(L, 0, 2);
  bind_set_integer(L, "lines", (lua_Integer)state.lines);
  bind_set_integer(L, "torn", (lua_Integer)state.torn);
  return 2;
}

/*** journal:append(piece, ...)
**
** Writes one line whole, which the pieces (8 at most) make together. A key that
** stands already raises: what is recorded is never overwritten.
*/
static int journal_append(lua_State *L) {
  ecrb_err err;
  ecrb_journal *journal = check_journal(L);
  ecrb_span pieces[PIECES_MAX];
  int n = lua_gettop(L) - 1;
  luaL_argcheck(L, n >= 1 && n <= PIECES_MAX, 2, "one to eight pieces");
  for (int i = 0; i < n; i++)
    pieces[i] = bind_check_span(L, i + 2);
  bind_check(L, ecrb_journal_append_pieces(journal, pieces, (size_t)n, &err),
             &err);
  return 0;
}

/* [-0, +1] The line, or nil where the status says that there is none. */
static int push_line(lua_State *L, int status, ecrb_span line,
                     const ecrb_err *err) {
  if (status == ECRB_ENONE) {
    luaL_pushfail(L);
  } else {
    bind_check(L, status, err);
    bind_push_span(L, line);
  }
  return 1;
}

/*** journal:find(key) -> line
**
** The line of that key, without its line end; nil where there is none.
*/
static int journal_find(lua_State *L) {
  ecrb_err err;
  ecrb_span line;
  ecrb_journal *journal = check_journal(L);
  int status = ecrb_journal_find(journal, bind_check_span(L, 2), &line, &err);
  return push_line(L, status, line, &err);
}

/*** journal:count() -> number
**
** How many lines there are.
*/
static int journal_count(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)ecrb_journal_count(check_journal(L)));
  return 1;
}

/*** journal:line(n) -> line
**
** The n-th line of the file, from 1; nil beyond its end.
*/
static int journal_line(lua_State *L) {
  ecrb_err err;
  ecrb_span line;
  ecrb_journal *journal = check_journal(L);
  lua_Integer n = luaL_checkinteger(L, 2);
  if (n < 1 || (size_t)n > ecrb_journal_count(journal)) {
    luaL_pushfail(L);
    return 1;
  }
  return push_line(L, ecrb_journal_line(journal, (size_t)n - 1, &line, &err),
                   line, &err);
}

/* [-0, +1] One span for each line: those of the table at `at`, by number. */
static const ecrb_span *check_replacements(lua_State *L, int at, size_t count) {
  ecrb_span *instead;
  if (lua_isnoneornil(L, at))
    return NULL;
  luaL_checktype(L, at, LUA_TTABLE);
  instead = lua_newuserdatauv(L, (count + 1) * sizeof *instead, 0);
  memset(instead, 0, (count + 1) * sizeof *instead);
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    lua_Integer n = lua_tointeger(L, -2);
    luaL_argcheck(L, n >= 1 && (size_t)n <= count, at, "there is no such line");
    luaL_argcheck(L, lua_type(L, -1) == LUA_TSTRING, at, "a line is a text");
    instead[n - 1] = bind_check_span(L, -1);
  }
  return instead;
}

/*** journal:reorder({n...}, {[n]=line})
**
** Rewrites the file with its lines in this order, each number once. `line`, if
** given, takes the place of the n-th line, whose key it must have.
*/
static int journal_reorder(lua_State *L) {
  ecrb_err err;
  ecrb_journal *journal = check_journal(L);
  size_t count = ecrb_journal_count(journal), *order;
  const ecrb_span *instead;
  lua_settop(L, 3);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_argcheck(L, lua_rawlen(L, 2) == count, 2,
                "the order must name every line once");
  order = lua_newuserdatauv(L, (count + 1) * sizeof *order, 0);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 2, (lua_Integer)i + 1);
    order[i] = (size_t)lua_tointeger(L, -1) - 1;
    lua_pop(L, 1);
  }
  instead = check_replacements(L, 3, count);
  bind_check(L, ecrb_journal_rewrite(journal, order, instead, &err), &err);
  return 0;
}

/*** journal:keep(seconds, lines)
**
** From now on a thread puts appended lines on the disk, once one has waited so
** long or so many wait.
*/
static int journal_keep(lua_State *L) {
  ecrb_err err;
  ecrb_journal *journal = check_journal(L);
  lua_Number seconds = luaL_checknumber(L, 2);
  lua_Integer lines = luaL_checkinteger(L, 3);
  luaL_argcheck(L, seconds >= 0 && seconds <= 3600, 2, "from 0 to 3600");
  luaL_argcheck(L, lines >= 1, 3, "1 or more");
  bind_check(
      L,
      ecrb_journal_keep(journal, (long)(seconds * 1000), (size_t)lines, &err),
      &err);
  return 0;
}

/*** journal:kept() -> number
**
** How many lines that thread has put on the disk. Raises where it could not.
*/
static int journal_kept(lua_State *L) {
  ecrb_err err;
  size_t lines;
  bind_check(L, ecrb_journal_kept(check_journal(L), &lines, &err), &err);
  lua_pushinteger(L, (lua_Integer)lines);
  return 1;
}

/*** journal:sync()
**
** Asks the system to put what was written on the disk, and waits for it.
*/
static int journal_sync(lua_State *L) {
  ecrb_err err;
  bind_check(L, ecrb_journal_sync(check_journal(L), &err), &err);
  return 0;
}

static const luaL_Reg methods[] = {
    {"append", journal_append}, {"close", journal_close},
    {"count", journal_count},   {"find", journal_find},
    {"keep", journal_keep},     {"kept", journal_kept},
    {"line", journal_line},     {"reorder", journal_reorder},
    {"sync", journal_sync},     {NULL, NULL}};
static const luaL_Reg metamethods[] = {
    {"__gc", journal_close}, {"__close", journal_close}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"open", open_journal}, {NULL, NULL}};

int luaopen_core_journal(lua_State *L) {
  bind_new_type(L, JOURNAL_TYPE, methods, metamethods);
  luaL_newlib(L, functions);
  return 1;
}
