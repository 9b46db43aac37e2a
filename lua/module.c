/* module.c: ecrb.core, the primitives for any Lua 5.4; lua/ecrb/init.lua is
** what a program requires. No host is needed, so nothing here waits, asks a
** model or limits a script. */
#include <lauxlib.h>

#include "ecrb_host.h"
#include "modules.h"

static const luaL_Reg primitives[] = {
#define MODULE(name) {#name, luaopen_core_##name},
    ECRB_PRIMITIVES(MODULE)
#undef MODULE
        {NULL, NULL}};

int luaopen_ecrb_core(lua_State *L) {
  luaL_newlibtable(L, primitives);
  for (const luaL_Reg *module = primitives; module->name; module++) {
    lua_pushcfunction(L, module->func);
    lua_call(L, 0, 1);
    lua_setfield(L, -2, module->name);
  }
  lua_pushliteral(L, ECRB_VERSION);
  lua_setfield(L, -2, "version");
  return 1;
}
