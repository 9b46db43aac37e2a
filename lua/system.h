/* system.h: the parts of core.system. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <lauxlib.h>

extern const luaL_Reg system_files[];    /* files.c */
extern const luaL_Reg system_programs[]; /* spawn.c */

#endif
