/* l_bench.h: benchmarks as Lua values, for the bindings that read them. */
#ifndef L_BENCH_H
#define L_BENCH_H

#include <lua.h>

#include "ecrb.h"

/* The open benchmark that is the argument. */
ecrb_bench *bind_check_bench(lua_State *L, int arg);

/* The position, 0-based, of the item whose 1-based number is the argument. */
size_t bind_check_index(lua_State *L, int arg, const ecrb_bench *bench);

#endif
