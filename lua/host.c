/* host.c: one Lua state with core.* preloaded and ecrb's Lua files on the
** path. What runs in it runs under one protected call with one handler. */
#include "host.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "home.h"
#include "modules.h"

typedef struct call {
  int argc;
  const char *const *argv;
} call;

void host_wake(ecrb_host *host) {
  void *waiting = atomic_load(&host->waiting);
  if (waiting)
    host->wake(waiting);
}

bool ecrb_host_interrupt(ecrb_host *host) {
  if (!atomic_load(&host->waiting))
    return false;
  atomic_fetch_add(&host->interrupts, 1);
  host_wake(host);
  return true;
}

static void preload(lua_State *L) {
  static const luaL_Reg modules[] = {
      {"ecrb.core", luaopen_ecrb_core},
#define MODULE(name) {"core." #name, luaopen_core_##name},
      ECRB_MODULES(MODULE)
#undef MODULE
          {NULL, NULL}};
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  luaL_setfuncs(L, modules, 0);
  lua_pop(L, 1);
}

/* [-0, +0] package[field] = `first`, then the entries that the system set, less
** those that depend on the current folder. */
static void set_path(lua_State *L, const char *field, const char *first) {
  luaL_Buffer b;
  const char *entry;
  lua_getglobal(L, "package");
  lua_getfield(L, -1, field);
  entry = lua_tostring(L, -1);
  luaL_buffinit(L, &b);
  luaL_addstring(&b, first);
  while (*entry) {
    size_t n = strcspn(entry, ";");
    if (*entry != '.') {
      if (luaL_bufflen(&b) > 0)
        luaL_addchar(&b, ';');
      luaL_addlstring(&b, entry, n);
    }
    entry += n + (entry[n] == ';');
  }
  luaL_pushresult(&b);
  lua_setfield(L, -3, field);
  lua_pop(L, 2);
}

static int open_state(lua_State *L) {
  const char *home = host_of(L)->home;
  *(void **)lua_getextraspace(L) = NULL;
  luaL_openlibs(L);
  preload(L);
  lua_pushfstring(L, "%s/lua/?.lua;%s/lua/?/init.lua", home, home);
  set_path(L, "path", lua_tostring(L, -1));
  set_path(L, "cpath", "");
  return 0;
}

/* What reached the top, as text; with a traceback for those who ask. */
static int explain(lua_State *L) {
  const char *text = bind_push_message(L, 1);
  if (getenv("ECRB_DEBUG"))
    luaL_traceback(L, L, text, 1);
  return 1;
}

static void keep_message(ecrb_host *host) {
  const char *text = lua_tostring(host->L, -1);
  free(host->message);
  host->message = strdup(text ? text : "memory ran out");
}

static int status_of(int lua_status) {
  if (lua_status == LUA_OK)
    return ECRB_OK;
  return lua_status == LUA_ERRMEM ? ECRB_ENOMEM : ECRB_EFORMAT;
}

int host_protect(ecrb_host *host, lua_CFunction f, const void *what,
                 int *exit_code) {
  lua_State *L = host->L;
  int status;
  lua_settop(L, 0);
  lua_pushcfunction(L, explain);
  lua_pushcfunction(L, f);
  lua_pushlightuserdata(L, (void *)(uintptr_t)what);
  status = lua_pcall(L, 1, 1, 1);
  if (status != LUA_OK)
    keep_message(host);
  else if (exit_code)
    *exit_code = (int)lua_tointeger(L, -1);
  lua_settop(L, 0);
  return status_of(status);
}

int ecrb_host_new(const char *home, ecrb_host **out, ecrb_err *err) {
  ecrb_host *host = calloc(1, sizeof *host);
  int status;
  *out = NULL;
  if (!host)
    return ecrb_fail(err, ECRB_ENOMEM, "memory ran out");
  status = home_find(home, &host->home, err);
  if (status == ECRB_OK && !(host->L = lua_newstate(quota_alloc, host)))
    status = ecrb_fail(err, ECRB_ENOMEM, "memory ran out");
  if (status == ECRB_OK) {
    status = host_protect(host, open_state, NULL, NULL);
    if (status != ECRB_OK)
      ecrb_fail(err, status, "%s", ecrb_host_message(host));
  }
  if (status == ECRB_OK)
    *out = host;
  else
    ecrb_host_free(host);
  return status;
}

void ecrb_host_free(ecrb_host *host) {
  if (!host)
    return;
  if (host->L)
    lua_close(host->L);
  pool_free(&host->blocks);
  free(host->home);
  free(host->message);
  free(host);
}

/* [-0, +1] argv from number `first` on; argv[first - 1] is element 0. */
static void push_arguments(lua_State *L, const call *what, int first) {
  lua_createtable(L, what->argc, 1);
  for (int i = first - 1; i < what->argc; i++) {
    lua_pushstring(L, what->argv[i]);
    lua_rawseti(L, -2, i - first + 1);
  }
}

static int call_main(lua_State *L) {
  const call *what = lua_touserdata(L, 1);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "ecrb.cli");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "main");
  push_arguments(L, what, 1);
  lua_call(L, 1, 1);
  return 1;
}

int ecrb_host_main(ecrb_host *host, int argc, const char *const *argv,
                   int *exit_code) {
  call what = {argc, argv};
  return host_protect(host, call_main, &what, exit_code);
}

static int call_file(lua_State *L) {
  const call *what = lua_touserdata(L, 1);
  int n = what->argc - 1;
  if (luaL_loadfilex(L, what->argv[0], "t") != LUA_OK)
    return lua_error(L);
  push_arguments(L, what, 1);
  lua_setglobal(L, "arg");
  luaL_checkstack(L, n, "too many arguments");
  for (int i = 1; i <= n; i++)
    lua_pushstring(L, what->argv[i]);
  lua_call(L, n, 1);
  return 1;
}

int ecrb_host_file(ecrb_host *host, int argc, const char *const *argv,
                   int *exit_code) {
  call what = {argc, argv};
  return host_protect(host, call_file, &what, exit_code);
}

const char *ecrb_host_message(const ecrb_host *host) {
  return host->message ? host->message : "memory ran out";
}

struct lua_State *ecrb_host_state(ecrb_host *host) {
  return host->L;
}
