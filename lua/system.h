/* system.h: the parts of core.system. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <lauxlib.h>
#include <sys/types.h>

extern const luaL_Reg system_files[];    /* files.c */
extern const luaL_Reg system_programs[]; /* spawn.c */

/* process.c: core.system.start, and the type that it returns. */
void system_open_processes(lua_State *L);
int system_start(lua_State *L);

/* [-0, +1] The argument vector, NULL-ended, anchored on the stack together
** with the table that holds its strings. */
char **system_check_argv(lua_State *L, int arg);

/* Waits for a child to end: its exit code, 128 and the number of the signal that
** ended it, or 128 where the system does not know. Safe after a fork. */
int system_reap(pid_t pid);

#endif
