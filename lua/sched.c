/* sched.c: core.sched: loops as handles, and one run from its first task to its
** last. */
#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "loop.h"
#include "modules.h"

#define LOOP_TYPE "ecrb.loop"

static loop *check_loop(lua_State *L) {
  return luaL_checkudata(L, ARG_LOOP, LOOP_TYPE);
}

static loop *check_open_loop(lua_State *L) {
  loop *l = check_loop(L);
  luaL_argcheck(L, l->http, ARG_LOOP, "the loop is closed");
  return l;
}

static void wake(void *l) {
  ecrb_http_wake(((loop *)l)->http);
}

/* Also the continuation, when whoever runs the loop has resumed it. */
static int run_on(lua_State *L, int status, lua_KContext context) {
  run *r = lua_touserdata(L, AT_RUN);
  (void)status;
  (void)context;
  lua_settop(L, AT_RUN);
  while (!loop_is_over(r))
    if (!loop_turn(L, r))
      return lua_yieldk(L, 0, 0, run_on);
  return 0;
}

static int run_to_the_end(lua_State *L) {
  return run_on(L, LUA_OK, 0);
}

static void begin_run(loop *l) {
  l->fed_up = false;
  l->stops = 0;
  l->host->wake = wake;
  atomic_store(&l->host->interrupts, 0);
  atomic_store(&l->host->waiting, l);
}

static void end_run(lua_State *L, loop *l) {
  while (!links_empty(&l->roots))
    task_free(L, LINKED(l->roots.next, task, sibling));
  gate_hand_on(l);
  l->alive = 0;
  atomic_store(&l->host->waiting, NULL);
}

static void check_function(lua_State *L, const char *field) {
  if (lua_getfield(L, ARG_SPEC, field) != LUA_TFUNCTION)
    luaL_error(L, "loop:run: field '%s' is no function", field);
}

/* [-0, +4] next, done, tick, and the run. */
static run *check_run(lua_State *L) {
  static const char *const fields[] = {"next", "done", "width", "tick", NULL};
  ecrb_host *host = host_of(L);
  run r = {.loop = check_open_loop(L), .next_tick = HUGE_VAL}, *made;
  luaL_checktype(L, ARG_SPEC, LUA_TTABLE);
  lua_settop(L, ARG_SPEC);
  bind_check_keys(L, ARG_SPEC, fields);
  check_function(L, "next");
  check_function(L, "done");
  if (lua_getfield(L, ARG_SPEC, "tick") != LUA_TNIL)
    r.next_tick = 0;
  r.width = (lua_Integer)bind_number_field(L, ARG_SPEC, "width", 1);
  if (r.width < 1)
    luaL_error(L, "loop:run: field 'width' must be 1 or more");
  if (host->running || atomic_load(&host->waiting))
    luaL_error(L, "loop:run inside a task or another loop:run");
  made = lua_newuserdatauv(L, sizeof *made, 0);
  *made = r;
  return made;
}

static int run_over(lua_State *L, int status, lua_KContext context) {
  loop *l = ((run *)lua_touserdata(L, AT_RUN))->loop;
  (void)context;
  end_run(L, l);
  if (status != LUA_OK && status != LUA_YIELD)
    return lua_error(L);
  lua_pushstring(L, host_interrupts(l->host) > 0 ? "interrupted"
                    : l->stops > 0               ? "stopped"
                                                 : "done");
  return 1;
}

/*** loop:run{next=, done=, width=, tick=} -> how
**
** Runs root tasks, at most `width` (1) at a time. `next()` returns a function
** to run as a task, a tag, and the task's limits; nil when there are no more;
** false when there are none until a root task has ended. `done(ok, value, tag)`
** is called as each task ends, with what the function returned or why it failed:
** a text, or {code=, message=} (`limit` where it passed a limit, `cancelled`
** where the loop was stopped).
** `tick(now)`, if given, is called at most four times a second. Returns `done`,
** `stopped` after loop:stop, or `interrupted` after a signal.
**
** In a coroutine it yields where nothing can go on before a promise is kept.
*/
static int loop_run(lua_State *L) {
  run *r = check_run(L);
  lua_pushcfunction(L, run_to_the_end);
  for (int i = ARG_LOOP; i <= AT_RUN; i++)
    lua_pushvalue(L, i);
  begin_run(r->loop);
  return run_over(L, lua_pcallk(L, AT_RUN, 0, 0, 0, run_over), 0);
}

/*** loop:rest(seconds)
**
** Waits so long (without `seconds`: for ever) until the loop is woken, by the
** program that runs it or by a signal.
*/
static int loop_rest(lua_State *L) {
  lua_Number seconds = luaL_optnumber(L, 2, HUGE_VAL);
  bool for_ever = !(seconds * 1000 < INT_MAX);
  ecrb_http_rest(check_open_loop(L)->http,
                 for_ever ? -1 : (long)ceil(fmax(seconds, 0) * 1000));
  return 0;
}

/*** loop:stop(reason)
**
** Lets nothing new begin: no task, no request, no sleep. Requests under way are
** waited for; tasks that cannot go on end as `cancelled`. A second call ends
** everything at once.
*/
static int loop_stop(lua_State *L) {
  loop *l = check_loop(L);
  l->reason = luaL_optstring(L, 2, "the run stops");
  lua_settop(L, 2);
  lua_setiuservalue(L, ARG_LOOP, 1);
  if (l->stops < 2)
    l->stops++;
  return 0;
}

/*** loop:stopping() -> reason
**
** Why the loop is stopping, nil where it is not.
*/
static int loop_stopping(lua_State *L) {
  loop *l = check_loop(L);
  loop_heed_signals(l);
  lua_pushstring(L, l->stops > 0 ? l->reason : NULL);
  return 1;
}

static int loop_gc(lua_State *L) {
  loop *l = check_loop(L);
  ecrb_http_free(l->http);
  heap_free(&l->sleepers);
  l->http = NULL;
  l->sleepers = (heap){0};
  free(l->fetching);
  l->fetching = NULL;
  l->room = 0;
  return 0;
}

/*** loop:close()
**
** Gives back the connections and what requests took. The loop runs no more.
*/
static int loop_close(lua_State *L) {
  loop *l = check_loop(L);
  if (atomic_load(&l->host->waiting) == l)
    luaL_error(L, "loop:close inside its loop:run");
  loop_gc(L);
  return 0;
}

static long milliseconds(lua_State *L, const char *field, long otherwise) {
  lua_Number ms =
      1000 * bind_number_field(L, 1, field, (lua_Number)otherwise / 1000);
  if (!(ms >= 0))
    luaL_error(L, "sched.loop: field '%s' is below 0", field);
  return (long)fmin(ms, 1e9);
}

static ecrb_http_limits check_http_limits(lua_State *L) {
  static const char *const fields[] = {
      "connect", "first_byte", "idle", "total", "body", "connections", NULL};
  ecrb_http_limits l = ecrb_http_limits_default();
  bind_check_keys(L, 1, fields);
  l.connect_ms = milliseconds(L, "connect", l.connect_ms);
  l.first_byte_ms = milliseconds(L, "first_byte", l.first_byte_ms);
  l.idle_ms = milliseconds(L, "idle", l.idle_ms);
  l.total_ms = milliseconds(L, "total", l.total_ms);
  l.body_bytes = (size_t)fmin(
      fmax(bind_number_field(L, 1, "body", (lua_Number)l.body_bytes), 0), 1e15);
  l.connections =
      (long)fmin(fmax(bind_number_field(L, 1, "connections", 0), 0), 1e6);
  return l;
}

/*** core.sched.loop{connect=, first_byte=, idle=, total=, body=, connections=}
***   -> loop
**
** An event loop with the clocks of its requests in seconds (10; 600; 0, which
** is off; 900), the most bytes of a response (64 MiB) and of connections (no
** limit of its own).
*/
static int new_loop(lua_State *L) {
  ecrb_http_limits http_limits = check_http_limits(L);
  loop *l = lua_newuserdatauv(L, sizeof *l, 1);
  ecrb_err err;
  memset(l, 0, sizeof *l);
  l->host = host_of(L);
  links_init(&l->roots);
  links_init(&l->ready);
  links_init(&l->batch);
  links_init(&l->freed);
  luaL_setmetatable(L, LOOP_TYPE);
  bind_check(L, ecrb_http_new(&http_limits, &l->http, &err), &err);
  return 1;
}

static const luaL_Reg methods[] = {{"close", loop_close},
                                   {"rest", loop_rest},
                                   {"run", loop_run},
                                   {"stop", loop_stop},
                                   {"stopping", loop_stopping},
                                   {NULL, NULL}};
static const luaL_Reg metamethods[] = {{"__gc", loop_gc}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"fetch", sched_fetch},
                                     {"gate", gate_new},
                                     {"loop", new_loop},
                                     {"promise", promise_new},
                                     {"sample", sched_sample},
                                     {"sleep", sched_sleep},
                                     {NULL, NULL}};

int luaopen_core_sched(lua_State *L) {
  bind_new_type(L, LOOP_TYPE, methods, metamethods);
  gate_open(L);
  promise_open(L);
  luaL_newlib(L, functions);
  return 1;
}
