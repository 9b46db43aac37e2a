/* quota.c: limits that a script cannot outlive.
**
** Every block that Lua allocates carries its owner in front, so that what a
** task holds is known exactly, whoever runs when the collector frees it. When
** a growth does not fit, the first refusal makes Lua collect and ask again;
** the second one is the breach. From a breach on the count hook fires at every
** instruction of the task, so no pcall survives it. */
#include "quota.h"

#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "clock.h"
#include "host.h"

enum {
  STRIDE = 1000,            /* instructions between two looks at the limits */
  MEMORY_LEAST = 64 * 1024, /* bytes without which no task can begin */
  LAST_WORDS = 256 * 1024,  /* bytes that a task over its limit may die with */
  ALLOCATIONS = 64          /* between two looks where no hook is on */
};

typedef struct header {
  quota *owner;
} header;

static lua_Number limit_field(lua_State *L, int index, const char *field,
                              lua_Number otherwise, lua_Number most) {
  lua_Number value = bind_number_field(L, index, field, otherwise);
  if (!(value > 0))
    luaL_error(L, "limit '%s' must be above 0", field);
  return value < most ? value : most;
}

limits limits_check(lua_State *L, int index) {
  static const char *const fields[] = {"instructions", "memory", "seconds",
                                       NULL};
  limits l = {200 * 1000 * 1000, 64 * 1024 * 1024, 30};
  size_t memory;
  bind_check_keys(L, index, fields);
  l.instructions = (lua_Integer)limit_field(L, index, "instructions",
                                            (lua_Number)l.instructions, 1e18);
  memory = (size_t)limit_field(L, index, "memory", (lua_Number)l.memory, 1e15);
  l.memory = memory < MEMORY_LEAST ? MEMORY_LEAST : memory;
  l.seconds = limit_field(L, index, "seconds", l.seconds, HUGE_VAL);
  return l;
}

quota *quota_new(const limits *most) {
  quota *q = calloc(1, sizeof *q);
  if (q)
    q->most = *most;
  return q;
}

static void free_unless_held(quota *q) {
  if (q->closed && q->used.memory == 0)
    free(q);
}

void quota_close(quota *q) {
  q->closed = true;
  q->thread = NULL;
  free_unless_held(q);
}

static const double UNMARKED = 0.01; /* seconds */

/* A stretch that goes on is counted by the processor's clock, so that neither a
** busy machine nor a stopped process costs a task its limit. That clock is a
** system call; most stretches end before it is worth it. */
static double stretch(const quota *q) {
  if (q->marked > 0)
    return UNMARKED + clock_seconds(CLOCK_THREAD_CPUTIME_ID) - q->marked;
  return clock_seconds(CLOCK_MONOTONIC) - q->begun;
}

static bool out_of_time(quota *q) {
  double passed = clock_seconds(CLOCK_MONOTONIC) - q->begun;
  if (passed > UNMARKED && q->marked == 0)
    q->marked = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
  return q->used.seconds + passed > q->most.seconds &&
         q->used.seconds + stretch(q) > q->most.seconds;
}

quota *quota_enter(ecrb_host *host, quota *q, lua_State *thread) {
  quota *before = host->running;
  q->begun = clock_seconds(CLOCK_MONOTONIC);
  q->marked = 0;
  q->thread = thread;
  host->running = q;
  return before;
}

void quota_leave(ecrb_host *host, quota *before) {
  quota *q = host->running;
  q->used.seconds += stretch(q);
  q->thread = NULL;
  host->running = before;
}

ecrb_host *host_of(lua_State *L) {
  void *host;
  return lua_getallocf(L, &host) == quota_alloc ? host : NULL;
}

static void fire(lua_State *L, lua_Debug *where);

void quota_breach(quota *q, const char *limit) {
  if (q->breach)
    return;
  q->breach = limit;
  q->most.memory += LAST_WORDS;
  if (q->thread)
    lua_sethook(q->thread, fire, LUA_MASKCOUNT, 1);
}

static int stride_of(const quota *q) {
  return q && q->breach ? 1 : STRIDE;
}

void quota_watch(lua_State *thread) {
  ecrb_host *host = host_of(thread);
  lua_sethook(thread, fire, LUA_MASKCOUNT, stride_of(host->running));
}

static bool is_watched(lua_State *thread) {
  return (lua_gethookmask(thread) & LUA_MASKCOUNT) != 0;
}

bool quota_unwatch(lua_State *thread) {
  if (!is_watched(thread))
    return false;
  lua_sethook(thread, NULL, 0, 0);
  return true;
}

/* A light userdata needs no memory; the scheduler puts the readable error in
** its place. */
static void stop(lua_State *L, quota *q) {
  if (lua_gethookcount(L) != 1)
    lua_sethook(L, fire, LUA_MASKCOUNT, 1);
  lua_pushlightuserdata(L, q);
  lua_error(L);
}

static void look(ecrb_host *host, quota *q) {
  if (q->used.instructions > q->most.instructions)
    quota_breach(q, "instructions");
  else if (out_of_time(q))
    quota_breach(q, "seconds");
  else if (host_interrupts(host) > 1)
    quota_breach(q, "interrupted");
}

static void look_and_stop(lua_State *L, ecrb_host *host, quota *q) {
  look(host, q);
  if (q->breach)
    stop(L, q);
}

static void fire(lua_State *L, lua_Debug *where) {
  ecrb_host *host = host_of(L);
  (void)where;
  if (host->running) {
    host->running->used.instructions += STRIDE;
    look_and_stop(L, host, host->running);
  }
}

void quota_charge(lua_State *L, lua_Unsigned work) {
  ecrb_host *host = host_of(L);
  quota *q = host ? host->running : NULL;
  if (!q)
    return;
  if (work > (lua_Unsigned)q->most.instructions)
    q->used.instructions = q->most.instructions + 1;
  else
    q->used.instructions += (lua_Integer)work;
  if (work > STRIDE || q->used.instructions > q->most.instructions)
    look_and_stop(L, host, q);
}

static const char *breach_text(lua_State *L, const quota *q) {
  if (strcmp(q->breach, "memory") == 0)
    return lua_pushfstring(L, "the task needs more than its %f MB of memory",
                           (lua_Number)(q->most.memory - LAST_WORDS) / 1e6);
  if (strcmp(q->breach, "instructions") == 0)
    return lua_pushfstring(L, "the task ran for more than its %I instructions",
                           (LUAI_UACINT)q->most.instructions);
  if (strcmp(q->breach, "seconds") == 0)
    return lua_pushfstring(L, "the task ran for more than its %f seconds",
                           q->most.seconds);
  return lua_pushstring(L, "interrupted");
}

void quota_push_breach(lua_State *L, const quota *q) {
  bool interrupted = strcmp(q->breach, "interrupted") == 0;
  bind_push_error(L, interrupted ? "cancelled" : "limit", breach_text(L, q));
  lua_remove(L, -2);
}

/* The growth of a block fits, or is refused. */
static bool admit(quota *q, size_t growth) {
  bool fits = growth <= q->most.memory - q->used.memory;
  if (!fits && q->refused)
    quota_breach(q, "memory");
  q->refused = !fits;
  return fits;
}

static void account(ecrb_host *host, quota *q, size_t more, size_t less) {
  host->bytes += more - less;
  if (q)
    q->used.memory += more - less;
}

/* Where the host's own code runs, nothing but its allocations tells of it. */
static void look_now_and_then(ecrb_host *host, quota *q) {
  if (++q->asked < ALLOCATIONS)
    return;
  q->asked = 0;
  if (q->thread && !is_watched(q->thread))
    look(host, q);
}

static void *release(ecrb_host *host, header *h, size_t size) {
  if (h) {
    quota *q = h->owner;
    account(host, q, 0, size);
    pool_release(&host->blocks, h, sizeof *h + size);
    if (q)
      free_unless_held(q);
  }
  return NULL;
}

void *quota_alloc(void *ud, void *block, size_t old_size, size_t size) {
  ecrb_host *host = ud;
  header *h = block ? (header *)block - 1 : NULL;
  quota *q = h ? h->owner : host->running;
  if (!h)
    old_size = 0;
  if (size == 0)
    return release(host, h, old_size);
  if (host->running)
    look_now_and_then(host, host->running);
  if (size > SIZE_MAX - sizeof *h ||
      (q && size > old_size && !admit(q, size - old_size)))
    return NULL;
  h = pool_resize(&host->blocks, h, h ? sizeof *h + old_size : 0,
                  sizeof *h + size);
  if (!h) /* Lua relies on a block that shrinks */
    return size > old_size ? NULL : block;
  h->owner = q;
  account(host, q, size, old_size);
  return h + 1;
}
