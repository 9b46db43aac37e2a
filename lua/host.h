/* host.h: what the files of lua/ know of the host that they belong to. */
#ifndef HOST_H
#define HOST_H

#include <lua.h>
#include <stdatomic.h>
#include <stddef.h>

#include "ecrb_host.h"
#include "quota.h"

struct ecrb_host {
  lua_State *L;
  quota *running;              /* whose work is done now; NULL: the host's */
  size_t bytes;                /* all that Lua holds */
  _Atomic(void *) waiting;     /* what the loop that runs waits for */
  void (*wake)(void *waiting); /* safe in a signal handler */
  atomic_int interrupts;       /* since that loop began */
  char *home;
  char *message;
};

/* The host of any of its threads: it is the user data of their allocator. */
ecrb_host *host_of(lua_State *L);

int host_interrupts(const ecrb_host *host);

#endif
