/* sandbox.c: core.sandbox, what the policy builds a script's world from. */
#include <lauxlib.h>
#include <string.h>

#include "binding.h"
#include "frozen.h"
#include "library.h"
#include "modules.h"
#include "quota.h"
#include "task.h"

/*** core.sandbox.frozen(table, name) -> proxy
**
** A read-only view of a copy of the table, tables inside it frozen likewise;
** `name`, if given, stands in the message of a refused write.
*/
static int sandbox_frozen(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const char *name = luaL_optstring(L, 2, NULL);
  lua_pushvalue(L, 1);
  frozen_push(L, name);
  return 1;
}

/* A script as Lua's loader reads it: in two pieces, the first of which makes
** the chunk's argument its environment. */
typedef struct pieces {
  ecrb_span at[2];
  int next;
} pieces;

static const char *read_piece(lua_State *L, void *data, size_t *n) {
  pieces *p = data;
  (void)L;
  if (p->next == 2)
    return NULL;
  *n = p->at[p->next].n;
  return p->at[p->next++].at;
}

/* A first line that begins with # is the shell's. */
static ecrb_span without_shebang(ecrb_span text) {
  const char *end;
  if (text.n == 0 || *text.at != '#')
    return text;
  end = memchr(text.at, '\n', text.n);
  if (!end)
    end = text.at + text.n;
  return (ecrb_span){end, text.n - (size_t)(end - text.at)};
}

/*** core.sandbox.compile(path, text) -> function(env)
**
** A script as a function that runs it afresh in the environment `env`; `path`
** stands in messages. A mistake in the text raises file and line.
*/
static int sandbox_compile(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  ecrb_span text = without_shebang(bind_check_span(L, 2));
  pieces p = {{ecrb_span_of("local _ENV = ...; "), text}, 0};
  const char *name = lua_pushfstring(L, "@%s", path);
  if (lua_load(L, read_piece, &p, name, "t") != LUA_OK)
    return lua_error(L);
  lua_pushnil(L);
  lua_setupvalue(L, -2, 1); /* the real globals */
  return 1;
}

/*** core.sandbox.message(err) -> text
**
** The text of an error value, safe to show and to keep: nothing in the value
** is run, control characters are visible, its length is bounded.
*/
static int sandbox_message(lua_State *L) {
  luaL_checkany(L, 1);
  bind_push_message(L, 1);
  return 1;
}

/* Gives up before the coroutine has begun. */
static int no_memory(lua_State *L, quota *q) {
  if (q)
    quota_close(q);
  return bind_fail(L, "memory", "no memory for a script");
}

/*** core.sandbox.run(limits, f, ...) -> ok, value
**
** Calls f at once within limits {instructions=, memory=, seconds=}, as the loop
** runs a task: true and what f returned, or false and why it failed. It may
** not wait.
*/
static int sandbox_run(lua_State *L) {
  limits most = limits_check(L, 1);
  int arguments = lua_gettop(L) - 2;
  lua_State *thread;
  quota *q;
  luaL_checktype(L, 2, LUA_TFUNCTION);
  q = quota_new(&most);
  lua_pushvalue(L, 2);
  if (!q || task_coroutine_for(L, q) != LUA_OK)
    return no_memory(L, q);
  thread = lua_tothread(L, -1);
  lua_replace(L, 1);
  if (!lua_checkstack(thread, arguments))
    return no_memory(L, q);
  lua_xmove(L, thread, arguments);
  if (task_run(L, thread, q, arguments + 1) == LUA_YIELD)
    task_refuse_yield(thread);
  task_push_outcome(L, thread, q);
  quota_close(q);
  return 2;
}

static int watched_again(lua_State *L, int status, lua_KContext context) {
  (void)context;
  quota_watch(L);
  if (status != LUA_OK && status != LUA_YIELD)
    return lua_error(L);
  return lua_gettop(L);
}

static int ended(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  return lua_gettop(L);
}

static int call_unwatched(lua_State *L) {
  int arguments = lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (quota_unwatch(L))
    return watched_again(
        L, lua_pcallk(L, arguments, LUA_MULTRET, 0, 0, watched_again), 0);
  lua_callk(L, arguments, LUA_MULTRET, 0, ended);
  return ended(L, LUA_OK, 0);
}

/*** core.sandbox.unwatched(f) -> function
**
** f for scripts to call, where it is the host's own code: its instructions are
** not the script's and are not counted, only its memory and its time. It calls
** back nothing of the script's.
*/
static int sandbox_unwatched(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_pushcclosure(L, call_unwatched, 1);
  return 1;
}

static const luaL_Reg functions[] = {
    {"compile", sandbox_compile},     {"frozen", sandbox_frozen},
    {"message", sandbox_message},     {"run", sandbox_run},
    {"unwatched", sandbox_unwatched}, {NULL, NULL}};

int luaopen_core_sandbox(lua_State *L) {
  luaL_newlib(L, functions);
  library_add(L);
  lua_getfield(L, -1, "string");
  library_guard_strings(L, -1);
  lua_pop(L, 1);
  return 1;
}
