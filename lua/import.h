/* import.h: the parts of core.import. */
#ifndef IMPORT_H
#define IMPORT_H

#include <lua.h>

/* [-0, +1] core.import.builder: l_builder.c. */
void import_push_builder(lua_State *L);

/* The path that is argument `arg`. What is surveyed is read again later, which a
** pipe cannot be: it is refused. A path that leads nowhere is for the reader. */
const char *import_check_lasting(lua_State *L, int arg);

int import_survey(lua_State *L); /* l_survey.c */

#endif
