/* spawn.c: core.system.run, another program without a shell. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "binding.h"
#include "system.h"

/* Exit codes as shells have them. */
enum { SIGNALLED = 128, UNKNOWN_CODE = 128 };

extern char **environ;

char **system_check_argv(lua_State *L, int arg) {
  lua_Unsigned n;
  char **argv;
  luaL_checktype(L, arg, LUA_TTABLE);
  n = lua_rawlen(L, arg);
  luaL_argcheck(L, n > 0, arg, "name a program");
  argv = lua_newuserdatauv(L, (n + 1) * sizeof *argv, 0);
  for (lua_Unsigned i = 0; i < n; i++) {
    if (lua_rawgeti(L, arg, (lua_Integer)i + 1) != LUA_TSTRING)
      luaL_argerror(L, arg, "arguments must be strings");
    argv[i] = (char *)lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  argv[n] = NULL;
  return argv;
}

/* Starts the program with its output in `out`, or on the terminal for -1. */
static int start(char **argv, int out, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0)
    return error;
  if (out >= 0) {
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, out, 2);
  }
  error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int system_reap(pid_t pid) {
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return UNKNOWN_CODE;
  return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
}

/* [-0, +1] All that comes through the pipe. */
static int read_pipe(lua_State *L) {
  int fd = (int)lua_tointeger(L, 1);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (;;) {
    ssize_t n = read(fd, luaL_prepbuffer(&b), LUAL_BUFFERSIZE);
    if (n > 0)
      luaL_addsize(&b, (size_t)n);
    else if (n == 0 || errno != EINTR)
      break;
  }
  luaL_pushresult(&b);
  return 1;
}

static int run_on_terminal(lua_State *L, char **argv) {
  pid_t pid;
  int error = start(argv, -1, &pid);
  if (error != 0)
    return bind_fail(L, "io", "%s: %s", argv[0], strerror(error));
  lua_pushinteger(L, system_reap(pid));
  return 1;
}

static int run_captured(lua_State *L, char **argv) {
  int ends[2], error, status;
  pid_t pid;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return bind_fail_errno(L, argv[0]);
  lua_pushcfunction(L, read_pipe);
  lua_pushinteger(L, ends[0]);
  error = start(argv, ends[1], &pid);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return bind_fail(L, "io", "%s: %s", argv[0], strerror(error));
  }
  status = lua_pcall(L, 1, 1, 0);
  close(ends[0]);
  lua_pushinteger(L, system_reap(pid));
  if (status != LUA_OK) {
    lua_pop(L, 1);
    return lua_error(L);
  }
  lua_insert(L, -2);
  return 2;
}

/*** core.system.run(argv, {terminal =}) -> code, output
**
** Runs a program of the PATH with its arguments, without a shell, and waits
** for it. `output` is what it wrote, errors included; its input is empty. With
** terminal = true it has the terminal to itself and there is no output. `code`
** is its exit code, or 128 and the number of the signal that ended it. Raises
** where there is no such program.
*/
static int programs_run(lua_State *L) {
  static const char *const options[] = {"terminal", NULL};
  bool terminal = false;
  char **argv;
  bind_check_keys(L, 2, options);
  if (!lua_isnoneornil(L, 2)) {
    lua_getfield(L, 2, "terminal");
    terminal = lua_toboolean(L, -1);
  }
  argv = system_check_argv(L, 1);
  return terminal ? run_on_terminal(L, argv) : run_captured(L, argv);
}

const luaL_Reg system_programs[] = {{"run", programs_run}, {NULL, NULL}};
