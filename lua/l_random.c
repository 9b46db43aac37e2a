/* l_random.c: core.random, the seeded generator of core/rng.c as a stream. */
#include "binding.h"
#include "modules.h"

#define STREAM_TYPE "ecrb.random"

static ecrb_rng *check_stream(lua_State *L) {
  return luaL_checkudata(L, 1, STREAM_TYPE);
}

static uint32_t check_size(lua_State *L, int arg) {
  lua_Integer n = luaL_checkinteger(L, arg);
  luaL_argcheck(L, n > 0 && n <= (lua_Integer)UINT32_MAX, arg,
                "must be from 1 to 4294967295");
  return (uint32_t)n;
}

/*** core.random.stream(seed) -> stream
**
** A stream of numbers that is the same on every machine (SplitMix64).
*/
static int random_stream(lua_State *L) {
  lua_Integer seed = luaL_checkinteger(L, 1);
  ecrb_rng *stream = lua_newuserdatauv(L, sizeof *stream, 0);
  *stream = ecrb_rng_seed((uint64_t)seed);
  luaL_setmetatable(L, STREAM_TYPE);
  return 1;
}

/*** stream:below(n) -> integer
**
** The next number from 1 to n.
*/
static int stream_below(lua_State *L) {
  ecrb_rng *stream = check_stream(L);
  uint32_t n = check_size(L, 2);
  lua_pushinteger(L, (lua_Integer)ecrb_rng_below(stream, n) + 1);
  return 1;
}

static const luaL_Reg methods[] = {{"below", stream_below}, {NULL, NULL}};

static const luaL_Reg functions[] = {{"stream", random_stream}, {NULL, NULL}};

int luaopen_core_random(lua_State *L) {
  bind_new_type(L, STREAM_TYPE, methods, NULL);
  luaL_newlib(L, functions);
  return 1;
}
