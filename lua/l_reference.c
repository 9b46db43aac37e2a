/* l_reference.c: core.reference, what the documentation comments say. */
#include "reference.h"

#include "binding.h"
#include "modules.h"

/*** core.reference -> {{call=, text=}...}
**
** The documentation of every function of core.*, this list among them.
*/
int luaopen_core_reference(lua_State *L) {
  lua_newtable(L);
  for (lua_Integer i = 0; reference_entries[i].call; i++) {
    lua_createtable(L, 0, 2);
    bind_set_span(L, "call", ecrb_span_of(reference_entries[i].call));
    bind_set_span(L, "text", ecrb_span_of(reference_entries[i].text));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}
