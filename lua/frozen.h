/* frozen.h: tables that can be read and not changed. */
#ifndef FROZEN_H
#define FROZEN_H

#include <lua.h>
#include <stdbool.h>

/* [-1, +1] A read-only proxy for a copy of the table on top, tables inside it
** frozen likewise; a proxy is its own. `name` (or NULL) stands in messages. If
** the table has a metatable with a function `__index`, absent fields ask it. */
void frozen_push(lua_State *L, const char *name);

/* [-0, +1] What stands behind the proxy at `index`; false and nothing pushed
** where there is none. */
bool frozen_push_content(lua_State *L, int index);

#endif
