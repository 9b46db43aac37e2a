/* embed_host.c: the whole host inside a program of your own: it runs a Lua file
** with core.* and ecrb.* in reach, and lends it a function written in C.
**
**   make examples && .build/opt/examples/embed_host \
**       examples/embed_host.lua 2.7.1.1
*/
#include <lua.h>
#include <stdio.h>

#include "ecrb_host.h"

/* What the program adds to Lua. */
static int twice(lua_State *L) {
  lua_pushinteger(L, 2 * lua_tointeger(L, 1));
  return 1;
}

int main(int argc, char **argv) {
  ecrb_host *host;
  ecrb_err err;
  int exit_code = 0;
  if (argc < 2) {
    fprintf(stderr, "usage: embed_host FILE [ARGS]\n");
    return 2;
  }
  if (ecrb_host_new(NULL, &host, &err) != ECRB_OK) {
    fprintf(stderr, "embed_host: %s\n", err.msg);
    return 2;
  }
  lua_register(ecrb_host_state(host), "twice", twice);
  if (ecrb_host_file(host, argc - 1, (const char *const *)argv + 1,
                     &exit_code) != ECRB_OK) {
    fprintf(stderr, "embed_host: %s\n", ecrb_host_message(host));
    exit_code = 2;
  }
  ecrb_host_free(host);
  return exit_code;
}
