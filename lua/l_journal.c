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

typedef int appending(ecrb_journal *journal, const ecrb_span *pieces, size_t n,
                      ecrb_err *err);

static int append_with(lua_State *L, appending *append) {
  ecrb_err err;
  ecrb_journal *journal = check_journal(L);
  ecrb_span pieces[PIECES_MAX];
  int n = lua_gettop(L) - 1;
  luaL_argcheck(L, n >= 1 && n <= PIECES_MAX, 2, "one to eight pieces");
  for (int i = 0; i < n; i++)
    pieces[i] = bind_check_span(L, i + 2);
  bind_check(L, append(journal, pieces, (size_t)n, &err), &err);
  return 0;
}

/*** journal:append(piece, ...)
**
** Writes one line whole, which the pieces (8 at most) make together. A key that
** stands already raises: what is recorded is never overwritten.
*/
static int journal_append(lua_State *L) {
  return append_with(L, ecrb_journal_append_pieces);
}

/*** journal:append_unseen(piece...)
**
** The same for a line that nobody asks for before the journal is opened again: it
** takes no memory, and its key is not compared with others.
*/
static int journal_append_unseen(lua_State *L) {
  return append_with(L, ecrb_journal_append_unseen);
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

enum { AT_KEY_OF = 2, AT_INSTEAD = 4 };

/* A sort under way. The arrays are userdata: an error may come from Lua. */
typedef struct sorting {
  ecrb_journal *journal;
  size_t count, places;
  uint32_t *order;
  size_t ordered;     /* so many lines have their place */
  bool *placed;       /* per line */
  ecrb_span *instead; /* per line; NULL where none gives way */
} sorting;

static void *new_array(lua_State *L, size_t n, size_t size) {
  void *array = lua_newuserdatauv(L, (n + 1) * size, 0);
  return memset(array, 0, (n + 1) * size);
}

static sorting check_sorting(lua_State *L) {
  sorting s = {.journal = check_journal(L)};
  lua_Integer places = luaL_checkinteger(L, 3);
  luaL_checktype(L, AT_KEY_OF, LUA_TFUNCTION);
  luaL_argcheck(L, places >= 0 && places < UINT32_MAX, 3, "too many places");
  luaL_checktype(L, AT_INSTEAD, LUA_TTABLE);
  lua_settop(L, AT_INSTEAD);
  s.count = ecrb_journal_count(s.journal);
  s.places = (size_t)places;
  s.order = new_array(L, s.count, sizeof *s.order);
  s.placed = new_array(L, s.count, sizeof *s.placed);
  return s;
}

/* [-1, +0] The number of the line of the key on top; false where there is none. */
static bool line_of(lua_State *L, const sorting *s, size_t *number) {
  ecrb_err err;
  int status = ecrb_journal_number(s->journal, bind_check_span(L, -1), number,
                                   &err);
  if (status != ECRB_ENONE)
    bind_check(L, status, &err);
  lua_pop(L, 1);
  return status == ECRB_OK;
}

static void place_line(sorting *s, size_t number) {
  if (s->placed[number])
    return;
  s->placed[number] = true;
  s->order[s->ordered++] = (uint32_t)number;
}

/* The lines whose keys the places have, then the others as they stand. */
static void place_lines(lua_State *L, sorting *s) {
  size_t number;
  for (size_t place = 1; place <= s->places; place++) {
    lua_pushvalue(L, AT_KEY_OF);
    lua_pushinteger(L, (lua_Integer)place);
    lua_call(L, 1, 1);
    if (lua_isnil(L, -1))
      lua_pop(L, 1);
    else if (line_of(L, s, &number))
      place_line(s, number);
  }
  for (number = 0; number < s->count; number++)
    place_line(s, number);
}

/* [-0, +0, or 1 where a line gives way] */
static void push_instead(lua_State *L, sorting *s) {
  size_t number;
  lua_pushnil(L);
  if (!lua_next(L, AT_INSTEAD))
    return;
  lua_pop(L, 2);
  s->instead = new_array(L, s->count, sizeof *s->instead);
  lua_pushnil(L);
  while (lua_next(L, AT_INSTEAD)) {
    if (lua_type(L, -1) != LUA_TSTRING || lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "a line is a text, and so is its key");
    lua_pushvalue(L, -2);
    if (!line_of(L, s, &number))
      luaL_error(L, "no line has the key of one that is to stand for it");
    s->instead[number] = bind_check_span(L, -1);
    lua_pop(L, 1);
  }
}

/*** journal:sort(key_of, places, {[key]=line})
**
** Rewrites the file with its lines in the order of the places from 1 to `places`,
** each of which key_of(place) gives the key of, or nil; lines without a place come
** last, in the order in which they stood. A line of the table takes the place of
** that of its key.
*/
static int journal_sort(lua_State *L) {
  ecrb_err err;
  sorting s = check_sorting(L);
  place_lines(L, &s);
  push_instead(L, &s);
  bind_check(L, ecrb_journal_rewrite(s.journal, s.order, s.instead, &err),
             &err);
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

/*** journal:check()
**
** Raises where the file of a journal that is open for appending is no longer what
** was written: removed, cut or added to meanwhile.
*/
static int journal_check(lua_State *L) {
  ecrb_err err;
  bind_check(L, ecrb_journal_check(check_journal(L), &err), &err);
  return 0;
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

static const luaL_Reg methods[] = {{"append", journal_append},
                                   {"append_unseen", journal_append_unseen},
                                   {"check", journal_check},
                                   {"close", journal_close},
                                   {"count", journal_count},
                                   {"find", journal_find},
                                   {"keep", journal_keep},
                                   {"kept", journal_kept},
                                   {"line", journal_line},
                                   {"sort", journal_sort},
                                   {"sync", journal_sync},
                                   {NULL, NULL}};
static const luaL_Reg metamethods[] = {
    {"__gc", journal_close}, {"__close", journal_close}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"open", open_journal}, {NULL, NULL}};

int luaopen_core_journal(lua_State *L) {
  bind_new_type(L, JOURNAL_TYPE, methods, metamethods);
  luaL_newlib(L, functions);
  return 1;
}
