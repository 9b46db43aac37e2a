/* host.h: what the files of lua/ know of the host that they belong to. */
#ifndef HOST_H
#define HOST_H

#include <lua.h>
#include <stdatomic.h>
#include <stddef.h>

#include "ecrb_host.h"
#include "pool.h"
#include "quota.h"

struct ecrb_host {
  lua_State *L;
  quota *running;              /* whose work is done now; NULL: the host's */
  size_t bytes;                /* all that Lua holds */
  pool blocks;                 /* where it stands */
  _Atomic(void *) waiting;     /* what the loop that runs waits for */
  void (*wake)(void *waiting); /* safe in a signal handler */
  atomic_int interrupts;       /* since that loop began */
  char *home;
  char *message;
};

/* Runs f(what) in protected mode; *exit_code (may be NULL) is the integer that
** it returns. The message of an error is kept. */
int host_protect(ecrb_host *host, lua_CFunction f, const void *what,
                 int *exit_code);

/* Wakes the loop that runs, if any: from any thread, or a signal handler. */
void host_wake(ecrb_host *host);

static inline int host_interrupts(const ecrb_host *host) {
  return atomic_load(&host->interrupts);
}

#endif
