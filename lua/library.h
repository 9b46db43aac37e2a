/* library.h: Lua's own functions as scripts may have them. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <lua.h>

/* [-0, +0] Adds to the table on top: base (a plain table of functions) and the
** frozen libraries string, table, math, utf8. */
void library_add(lua_State *L);

/* [-0, +0] Makes methods on strings see, inside a task, the frozen library at
** `index` alone. */
void library_guard_strings(lua_State *L, int index);

#endif
