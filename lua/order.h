/* order.h: orders that are the same on every machine and in every run. */
#ifndef ORDER_H
#define ORDER_H

#include <lua.h>

/* Lua functions. pairs(t): keys in order, numbers before texts before others.
** sort(t, before): a stable merge sort. */
int order_pairs(lua_State *L);
int order_sort(lua_State *L);

#endif
