/* l_system.c: core.system, what the policy needs of the machine: clocks,
** terminal, environment, locks. Files stand in files.c, programs in spawn.c. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "binding.h"
#include "clock.h"
#include "host.h"
#include "modules.h"
#include "system.h"

#define LOCK_TYPE "ecrb.lock"

/*** core.system.isatty(fd) -> boolean
**
** Whether a file descriptor (0, 1, 2) is a terminal.
*/
static int system_isatty(lua_State *L) {
  lua_pushboolean(L, isatty((int)luaL_checkinteger(L, 1)));
  return 1;
}

static int terminal_columns(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/*** core.system.rows() -> number
**
** The height of the terminal, 24 where that cannot be told.
*/
static int system_rows(lua_State *L) {
  struct winsize size;
  bool told = ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
  lua_pushinteger(L, told ? size.ws_row : 24);
  return 1;
}

/*** core.system.columns() -> number
**
** The width of the terminal, else $COLUMNS, else 80.
*/
static int system_columns(lua_State *L) {
  const char *given = getenv("COLUMNS");
  int columns = terminal_columns(1);
  if (columns == 0)
    columns = terminal_columns(2);
  if (columns == 0 && given)
    columns = atoi(given);
  lua_pushinteger(L, columns > 0 ? columns : 80);
  return 1;
}

static int push_clock(lua_State *L, clockid_t clock) {
  lua_pushnumber(L, clock_seconds(clock));
  return 1;
}

/*** core.system.tidy()
**
** Collects garbage and gives the system back what is free: for a program that
** needed much for a while and goes on.
*/
static int system_tidy(lua_State *L) {
  lua_gc(L, LUA_GCCOLLECT);
  pool_trim(&host_of(L)->blocks);
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return 0;
}

/*** core.system.now() -> seconds
**
** Seconds since 1970, with fraction.
*/
static int system_now(lua_State *L) {
  return push_clock(L, CLOCK_REALTIME);
}

/*** core.system.monotonic() -> seconds
**
** A clock for durations: it never jumps.
*/
static int system_monotonic(lua_State *L) {
  return push_clock(L, CLOCK_MONOTONIC);
}

/*** core.system.cpu() -> seconds
**
** Processor time of this process so far.
*/
static int system_cpu(lua_State *L) {
  return push_clock(L, CLOCK_PROCESS_CPUTIME_ID);
}

/*** core.system.pid() -> number
**
** The number of this process.
*/
static int system_pid(lua_State *L) {
  lua_pushinteger(L, getpid());
  return 1;
}

/*** core.system.getenv(name) -> value
**
** An environment variable; nil where it is not set or empty.
*/
static int system_getenv(lua_State *L) {
  const char *value = getenv(luaL_checkstring(L, 1));
  lua_pushstring(L, value && *value ? value : NULL);
  return 1;
}

static int lock_release(lua_State *L) {
  int *fd = luaL_checkudata(L, 1, LOCK_TYPE);
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
  return 0;
}

/*** core.system.cpus() -> number
**
** How many processors this process may use.
*/
static int system_cpus(lua_State *L) {
  cpu_set_t set;
  int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  lua_pushinteger(L, n);
  return 1;
}

/*** core.system.files() -> number
**
** How many files more this process may open.
*/
static int system_room_for_files(lua_State *L) {
  struct rlimit limit = {0};
  int lowest = open("/dev/null", O_RDONLY | O_CLOEXEC);
  getrlimit(RLIMIT_NOFILE, &limit);
  lua_Integer most = limit.rlim_cur < INT_MAX ? (int)limit.rlim_cur : INT_MAX;
  lua_pushinteger(L, lowest < 0 ? 0 : most - lowest);
  if (lowest >= 0)
    close(lowest);
  return 1;
}

static int take_lock(int fd, bool patient) {
  int status;
  do
    status = flock(fd, patient ? LOCK_EX : LOCK_EX | LOCK_NB);
  while (status != 0 && errno == EINTR);
  return status;
}

/*** core.system.lock(path, patient) -> lock
**
** Takes the exclusive lock that stands for `path` (an empty file that is left
** behind) until lock:release(), the end of its scope (`<close>`) or of the
** process. Where another process holds it: nil, or with `patient` it waits.
*/
static int system_lock(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  bool patient = lua_toboolean(L, 2);
  int *fd = lua_newuserdatauv(L, sizeof *fd, 0);
  *fd = -1;
  luaL_setmetatable(L, LOCK_TYPE);
  *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (*fd < 0)
    return bind_fail_errno(L, path);
  if (take_lock(*fd, patient) == 0)
    return 1;
  if (errno != EWOULDBLOCK)
    return bind_fail_errno(L, path);
  luaL_pushfail(L);
  return 1;
}

static const luaL_Reg lock_methods[] = {{"release", lock_release},
                                        {NULL, NULL}};
static const luaL_Reg lock_metamethods[] = {
    {"__gc", lock_release}, {"__close", lock_release}, {NULL, NULL}};

static const luaL_Reg functions[] = {{"columns", system_columns},
                                     {"cpu", system_cpu},
                                     {"cpus", system_cpus},
                                     {"files", system_room_for_files},
                                     {"getenv", system_getenv},
                                     {"isatty", system_isatty},
                                     {"lock", system_lock},
                                     {"monotonic", system_monotonic},
                                     {"now", system_now},
                                     {"pid", system_pid},
                                     {"rows", system_rows},
                                     {"start", system_start},
                                     {"tidy", system_tidy},
                                     {NULL, NULL}};

int luaopen_core_system(lua_State *L) {
  bind_new_type(L, LOCK_TYPE, lock_methods, lock_metamethods);
  system_open_processes(L);
  luaL_newlib(L, functions);
  luaL_setfuncs(L, system_files, 0);
  luaL_setfuncs(L, system_programs, 0);
  lua_pushstring(L, host_of(L)->home);
  lua_setfield(L, -2, "self");
  lua_pushstring(L, getenv("HOME"));
  lua_setfield(L, -2, "home");
  lua_pushliteral(L, ECRB_VERSION);
  lua_setfield(L, -2, "version");
  return 1;
}
