/* host.c: a target in Lua. The file of this program's own name (fuzz_reply.lua
** for fuzz_reply) returns a function that takes the bytes; what it raises is a
** find.
**
** libFuzzer sees no Lua, so a hook tells it, by counters of its own, which line
** followed which. Run it in the project's folder. */
#include <lauxlib.h>
#include <lua.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecrb_host.h"

#define EDGES (1 << 15)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t
    edges[EDGES];

static ecrb_host *host;

static void note_line(lua_State *L, lua_Debug *at) {
  static uintptr_t before;
  lua_getinfo(L, "S", at);
  uintptr_t place = ((uintptr_t)at->source >> 4) * 31 + (uintptr_t)at->currentline;
  edges[(before ^ place * 2654435761u) % EDGES]++;
  before = place;
}

static void refuse(const char *why) {
  fprintf(stderr, "%s\n", why);
  abort();
}

/* Leaves a traceback's function and the target on the stack. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *slash = strrchr((*argv)[0], '/');
  char path[256];
  ecrb_err err;
  (void)argc;
  if (ecrb_host_new(".", &host, &err) != ECRB_OK)
    refuse(err.msg);
  lua_State *L = ecrb_host_state(host);
  snprintf(path, sizeof path, "tests/fuzz/%s.lua",
           slash ? slash + 1 : (*argv)[0]);
  lua_settop(L, 0);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, "debug");
  lua_getfield(L, -1, "traceback");
  lua_replace(L, 1);
  lua_settop(L, 1);
  if (luaL_dofile(L, path) != LUA_OK)
    refuse(lua_tostring(L, -1));
  luaL_checktype(L, 2, LUA_TFUNCTION);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  lua_State *L = ecrb_host_state(host);
  lua_sethook(L, note_line, LUA_MASKLINE, 0);
  lua_settop(L, 2);
  lua_pushvalue(L, 2);
  lua_pushlstring(L, (const char *)data, size);
  if (lua_pcall(L, 1, 0, 1) != LUA_OK)
    refuse(luaL_tolstring(L, -1, NULL));
  return 0;
}
