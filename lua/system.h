/* system.h: the parts of core.system. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <lauxlib.h>

extern const luaL_Reg system_files[];    /* files.c */
extern const luaL_Reg system_programs[]; /* spawn.c */

/* process.c: core.system.start, and the type that it returns. */
void system_open_processes(lua_State *L);
int system_start(lua_State *L);

/* [-0, +1] The argument vector, NULL-ended, anchored on the stack together
** with the table that holds its strings. */
char **system_check_argv(lua_State *L, int arg);

/* The exit code, or 128 and the signal's number, of a status of waitpid. */
int system_exit_code(int status);

#endif
