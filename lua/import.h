/* import.h: the parts of core.import. */
#ifndef IMPORT_H
#define IMPORT_H

#include <lua.h>

/* [-0, +1] core.import.builder: l_builder.c. */
void import_push_builder(lua_State *L);

int import_survey(lua_State *L); /* l_survey.c */

#endif
