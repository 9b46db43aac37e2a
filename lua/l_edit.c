/* l_edit.c: core.edit, line editing on a terminal by libedit: history, emacs
** keys, completion by a Lua function. Ctrl-C is a key here, not a signal, so
** that it drops the line and nothing else. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "binding.h"
#include "editline.h"
#include "modules.h"

#define EDITOR_TYPE "ecrb.editor"
#define HISTORY_LINES 1000

enum { COMPLETE_REF = 1 }; /* user value: the completing function */

typedef struct editor {
  editline lib;
  EditLine *el;
  History *history;
  lua_State *L;       /* of the call to editor:line that is under way */
  const char *prompt; /* likewise */
  bool dropped;       /* Ctrl-C ended the line */
  locale_t locale;    /* the user's, for the characters that are typed */
} editor;

static editor *check_editor(lua_State *L) {
  editor *e = luaL_checkudata(L, 1, EDITOR_TYPE);
  luaL_argcheck(L, e->el, 1, "the editor is closed");
  return e;
}

static char *show_prompt(EditLine *el) {
  const editor *e = editline_data(el);
  return (char *)(uintptr_t)(e->prompt ? e->prompt : "");
}

/* {====================================================================
** Keys
** ===================================================================== */

static unsigned char drop_line(EditLine *el, int key) {
  editor *e = editline_data(el);
  (void)key;
  e->dropped = true;
  fputs("^C\r\n", stdout);
  fflush(stdout);
  return CC_EOF;
}

/* [-0, +1] What the function makes of the line up to the cursor, or nil. */
static void push_completion(lua_State *L, const LineInfo *line) {
  lua_getiuservalue(L, 1, COMPLETE_REF);
  if (!lua_isfunction(L, -1))
    return;
  lua_pushlstring(L, line->buffer, (size_t)(line->cursor - line->buffer));
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
    lua_pop(L, 1);
    lua_pushnil(L);
  }
}

/* The function returns {insert=, list=}: text to put in at the cursor, and a
** list to show where more than one thing fits. */
static unsigned char complete_word(EditLine *el, int key) {
  editor *e = editline_data(el);
  unsigned char did = CC_ERROR;
  const char *insert, *list;
  (void)key;
  push_completion(e->L, e->lib.el_line(el));
  if (lua_istable(e->L, -1)) {
    lua_getfield(e->L, -1, "insert");
    lua_getfield(e->L, -2, "list");
    insert = lua_tostring(e->L, -2);
    list = lua_tostring(e->L, -1);
    if (insert && *insert && e->lib.el_insertstr(el, insert) == 0)
      did = CC_REFRESH;
    if (list && *list) {
      printf("\r\n%s\r\n", list);
      fflush(stdout);
      did = CC_REDISPLAY;
    }
    lua_pop(e->L, 2);
  }
  lua_pop(e->L, 1);
  return did;
}
/* }==================================================================== */

static int editor_close(lua_State *L) {
  editor *e = luaL_checkudata(L, 1, EDITOR_TYPE);
  if (e->history)
    e->lib.history_end(e->history);
  if (e->el)
    e->lib.el_end(e->el);
  if (e->locale)
    freelocale(e->locale);
  editline_unload(&e->lib);
  e->history = NULL;
  e->el = NULL;
  e->locale = NULL;
  return 0;
}

static void bind_keys(editor *e) {
  __typeof__(el_set) *set = e->lib.el_set;
  set(e->el, EL_ADDFN, "ecrb-drop", "Drop the line", drop_line);
  set(e->el, EL_ADDFN, "ecrb-complete", "Complete", complete_word);
  set(e->el, EL_BIND, "^C", "ecrb-drop", NULL);
  set(e->el, EL_BIND, "^I", "ecrb-complete", NULL);
  set(e->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
}

static bool set_up(editor *e) {
  __typeof__(el_set) *set = e->lib.el_set;
  HistEvent event;
  e->locale = newlocale(LC_CTYPE_MASK, "", NULL);
  if (!e->locale) /* one that the system does not have */
    e->locale = newlocale(LC_CTYPE_MASK, "C", NULL);
  if (!e->locale)
    return false;
  uselocale(e->locale);
  e->el = e->lib.el_init("ecrb", stdin, stdout, stderr);
  e->history = e->lib.history_init();
  if (!e->el || !e->history)
    return false;
  set(e->el, EL_CLIENTDATA, e);
  set(e->el, EL_PROMPT, show_prompt);
  set(e->el, EL_EDITOR, "emacs");
  set(e->el, EL_SIGNAL, 1);
  set(e->el, EL_SETTY, "-d", "-isig", NULL);
  bind_keys(e);
  e->lib.history(e->history, &event, H_SETSIZE, HISTORY_LINES);
  e->lib.history(e->history, &event, H_SETUNIQUE, 1);
  set(e->el, EL_HIST, e->lib.history, e->history);
  return true;
}

/*** core.edit.open(complete) -> editor
**
** A line editor on standard input and output. `complete(text)` gets the line
** up to the cursor and returns {insert=, list=} or nil.
*/
static int edit_open(lua_State *L) {
  editor *e;
  ecrb_err err;
  luaL_checktype(L, 1, LUA_TFUNCTION);
  e = lua_newuserdatauv(L, sizeof *e, COMPLETE_REF);
  memset(e, 0, sizeof *e);
  luaL_setmetatable(L, EDITOR_TYPE);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, COMPLETE_REF);
  bind_check(L, editline_load(&e->lib, &err), &err);
  locale_t before = uselocale(NULL); /* of the thread: the process keeps its */
  bool ready = set_up(e);
  uselocale(before);
  if (!ready)
    return bind_fail(L, "memory", "the line editor cannot be set up");
  return 1;
}

/*** editor:line(prompt) -> text
**
** Reads one line, without its end. nil at the end of input; false where Ctrl-C
** dropped the line.
*/
static int editor_line(lua_State *L) {
  editor *e = check_editor(L);
  locale_t before;
  const char *line;
  int length = 0;
  e->L = L;
  e->prompt = luaL_checkstring(L, 2);
  e->dropped = false;
  before = uselocale(e->locale);
  line = e->lib.el_gets(e->el, &length);
  uselocale(before);
  e->L = NULL;
  e->prompt = NULL;
  if (e->dropped)
    lua_pushboolean(L, 0);
  else if (!line || length <= 0)
    luaL_pushfail(L);
  else
    lua_pushlstring(L, line, (size_t)(length - (line[length - 1] == '\n')));
  return 1;
}

/*** editor:remember(text)
**
** Puts a line into the history.
*/
static int editor_remember(lua_State *L) {
  HistEvent event;
  editor *e = check_editor(L);
  e->lib.history(e->history, &event, H_ENTER, luaL_checkstring(L, 2));
  return 0;
}

/*** editor:load(path) / editor:save(path) -> boolean
**
** Reads the history from a file, or writes it there.
*/
static int move_history(lua_State *L, int how) {
  HistEvent event;
  editor *e = check_editor(L);
  const char *path = luaL_checkstring(L, 2);
  locale_t before = uselocale(e->locale);
  int status = e->lib.history(e->history, &event, how, path);
  uselocale(before);
  lua_pushboolean(L, status != -1);
  return 1;
}

static int editor_load(lua_State *L) {
  return move_history(L, H_LOAD);
}

static int editor_save(lua_State *L) {
  return move_history(L, H_SAVE);
}

int luaopen_core_edit(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"line", editor_line},   {"remember", editor_remember},
      {"load", editor_load},   {"save", editor_save},
      {"close", editor_close}, {NULL, NULL}};
  static const luaL_Reg metamethods[] = {
      {"__gc", editor_close}, {"__close", editor_close}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"open", edit_open}, {NULL, NULL}};
  bind_new_type(L, EDITOR_TYPE, methods, metamethods);
  luaL_newlib(L, functions);
  return 1;
}
