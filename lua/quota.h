/* quota.h: what one root task and its children may use: memory, instructions
** and seconds of the processor. A quota is charged while it is the host's
** `running` one: by the allocator, by the count hook, and by C functions that
** announce their work. It outlives its task for as long as memory that the
** task allocated is alive (somebody else may hold it). */
#ifndef QUOTA_H
#define QUOTA_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct ecrb_host ecrb_host;

typedef struct limits {
  lua_Integer instructions;
  size_t memory; /* bytes */
  double seconds;
} limits;

typedef struct quota {
  limits most;
  limits used;
  double begun;       /* when the running stretch began, by the wall's clock */
  double marked;      /* the processor's clock a moment later, or 0 */
  lua_State *thread;  /* the coroutine of the running stretch */
  const char *breach; /* the limit that was passed, or NULL */
  bool refused;       /* the last growth did not fit; a collection follows */
  bool closed;        /* the task is over */
  unsigned char asked; /* allocations since the allocator looked at the clock */
} quota;

/* [-0, +0] The table at `index`, {instructions=, memory=, seconds=}, over the
** defaults; nil is all defaults. */
limits limits_check(lua_State *L, int index);

/* NULL where memory ran out. */
quota *quota_new(const limits *most);
void quota_close(quota *q);

/* Between enter and leave, everything counts for `q`; leave restores `before`,
** which enter returned. */
quota *quota_enter(ecrb_host *host, quota *q, lua_State *thread);
void quota_leave(ecrb_host *host, quota *before);

/* Ends whatever runs in `q`, at its next instruction. */
void quota_breach(quota *q, const char *limit);

/* Arms the count hook of a new coroutine. */
void quota_watch(lua_State *thread);

/* Takes the count hook off while the host's own code runs, whose every step it
** would make a third dearer; false where none was on. What allocates without
** end there is still ended at the limits of memory and time. */
bool quota_unwatch(lua_State *thread);

/* Announces `work` steps of a C function (one step = one instruction);
** raises when the running task may not do so much. */
void quota_charge(lua_State *L, lua_Unsigned work);

/* [-0, +1] The error value that stands for the breach: {code="limit",
** message=...}, or "cancelled" for the second interruption. */
void quota_push_breach(lua_State *L, const quota *q);

/* The host of any of its threads: it is the user data of their allocator. NULL
** in a Lua that is not ours (module.c). */
ecrb_host *host_of(lua_State *L);

/* The state's allocator; `host` is its user data. */
void *quota_alloc(void *host, void *block, size_t old_size, size_t size);

#endif
