/* process.c: core.system.start, a program that runs beside this one and never
** outlives it, nor do the programs that it starts (mmseqs is a shell script).
**
**   ecrb -- keeper -- program -- ...
**           \____ a process group ____/
**
** The keeper is a fork of this process. It asks the kernel for a signal when
** its parent dies, however that happens, and then kills its group; otherwise it
** waits for the program and hands on its exit code. The group is one of its
** own, so that a Ctrl-C on the terminal is for this process to handle. Whether
** the program could be started comes back through a pipe that a successful exec
** closes. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "binding.h"
#include "system.h"

#define PROCESS_TYPE "ecrb.process"
#define RUNNING (-1)
#define LONGEST_MS 3600000.0

typedef struct process {
  pid_t pid; /* the keeper; 0: there is none to be waited for */
  int fd;    /* readable when it has ended */
  int code;  /* or RUNNING */
} process;

/* What the keeper and the program to be need. */
typedef struct launch {
  char **argv;
  const char *output, *errors; /* files, or NULL for /dev/null */
  int failed;                  /* end of the pipe that takes errno */
  pid_t parent;
} launch;

/* {====================================================================
** In the keeper and the program to be: only calls that are safe after fork
** ===================================================================== */

static void end_group(int number) {
  (void)number;
  kill(0, SIGKILL);
}

static bool redirect(const char *path, int flags, int to) {
  int fd = open(path ? path : "/dev/null", flags, 0666);
  if (fd < 0)
    return false;
  if (fd == to)
    return true;
  return dup2(fd, to) >= 0 && close(fd) == 0;
}

static bool redirect_all(const launch *l) {
  const int writing = O_WRONLY | O_CREAT | O_TRUNC;
  return redirect(NULL, O_RDONLY, 0) && redirect(l->output, writing, 1) &&
         redirect(l->errors, writing, 2);
}

static _Noreturn void give_up(const launch *l) {
  int error = errno;
  while (write(l->failed, &error, sizeof error) < 0 && errno == EINTR)
    continue;
  _exit(127);
}

static _Noreturn void become_program(const launch *l) {
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && redirect_all(l))
    execvp(l->argv[0], l->argv);
  give_up(l);
}

static _Noreturn void become_keeper(const launch *l) {
  pid_t program = -1;
  prctl(PR_SET_NAME, "ecrb-keeper");
  signal(SIGINT, SIG_DFL);
  if (setpgid(0, 0) == 0 && signal(SIGTERM, end_group) != SIG_ERR &&
      prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == l->parent)
    program = fork();
  if (program < 0)
    give_up(l);
  if (program == 0)
    become_program(l);
  close_range(STDERR_FILENO + 1, UINT_MAX, 0);
  _exit(system_reap(program));
}

/* }==================================================================== */

/* 0, or the errno that the child left in the pipe. */
static int read_failure(int fd) {
  int error = 0;
  ssize_t n;
  do
    n = read(fd, &error, sizeof error);
  while (n < 0 && errno == EINTR);
  return n == sizeof error ? error : 0;
}

/* Starts the program; 0 or an errno. */
static int spawn(launch *l, process *p) {
  int ends[2], error;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return errno;
  l->failed = ends[1];
  l->parent = getpid();
  p->pid = fork();
  error = errno;
  if (p->pid == 0)
    become_keeper(l);
  close(ends[1]);
  if (p->pid > 0)
    error = read_failure(ends[0]);
  close(ends[0]);
  if (p->pid > 0 && error != 0)
    system_reap(p->pid);
  if (error != 0 || p->pid < 0)
    p->pid = 0;
  return p->pid == 0 ? error : 0;
}

static void forget(process *p, int code) {
  if (p->fd >= 0)
    close(p->fd);
  *p = (process){.fd = -1, .code = code};
}

static void stop(process *p) {
  if (p->pid == 0)
    return;
  kill(-p->pid, SIGKILL);
  forget(p, system_reap(p->pid));
}

static int process_stop(lua_State *L) {
  stop(luaL_checkudata(L, 1, PROCESS_TYPE));
  return 0;
}

/* Waits until the process ends or the time has passed. */
static bool ended_within(const process *p, double ms) {
  struct pollfd end = {.fd = p->fd, .events = POLLIN};
  return poll(&end, 1, (int)ceil(fmin(fmax(ms, 0), LONGEST_MS))) > 0;
}

/*** process:wait(seconds) -> code
**
** Waits so long at most (0) for the program to end. Its exit code, or 128 and
** the number of the signal that ended it; nil while it runs.
*/
static int process_wait(lua_State *L) {
  process *p = luaL_checkudata(L, 1, PROCESS_TYPE);
  lua_Number seconds = luaL_optnumber(L, 2, 0);
  if (p->pid != 0 && ended_within(p, seconds * 1000))
    forget(p, system_reap(p->pid));
  if (p->code == RUNNING)
    luaL_pushfail(L);
  else
    lua_pushinteger(L, p->code);
  return 1;
}

/*** core.system.start(argv, {output =, errors =}) -> process
**
** Starts a program of the PATH without a shell and does not wait for it. Its
** input is empty; what it writes goes to the named files, or nowhere.
** process:wait(seconds), process:stop(); it is ended with its handle
** (`<close>`), and with this process, even if that is killed. Raises where
** there is no such program.
*/
int system_start(lua_State *L) {
  static const char *const options[] = {"output", "errors", NULL};
  launch l = {0};
  process *p;
  int error;
  lua_settop(L, 2);
  bind_check_keys(L, 2, options);
  l.output = bind_text_field(L, 2, "output");
  l.errors = bind_text_field(L, 2, "errors");
  l.argv = system_check_argv(L, 1);
  p = lua_newuserdatauv(L, sizeof *p, 0);
  *p = (process){.fd = -1, .code = RUNNING};
  luaL_setmetatable(L, PROCESS_TYPE);
  error = spawn(&l, p);
  if (error != 0)
    return bind_fail(L, "io", "%s: %s", l.argv[0], strerror(error));
  p->fd = (int)syscall(SYS_pidfd_open, p->pid, 0);
  if (p->fd < 0) {
    stop(p);
    return bind_fail_errno(L, l.argv[0]);
  }
  return 1;
}

static const luaL_Reg methods[] = {
    {"stop", process_stop}, {"wait", process_wait}, {NULL, NULL}};
static const luaL_Reg metamethods[] = {
    {"__gc", process_stop}, {"__close", process_stop}, {NULL, NULL}};

void system_open_processes(lua_State *L) {
  bind_new_type(L, PROCESS_TYPE, methods, metamethods);
}
