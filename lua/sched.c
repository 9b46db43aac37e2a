/* sched.c: core.sched, the event loop. Nothing is polled and nobody walks over
** those who wait: a task is resumed when its reply, its time, its place in a
** gate or its children's end has come, in that order of arrival, from one
** queue. Results never depend on the order. */
#include "loop.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "binding.h"
#include "modules.h"

#define LOOP_TYPE "ecrb.loop"

enum {
  REPLIES_AT_ONCE = 256, /* before the sleepers get their turn */
  TICK_MS = 250,
  LONGEST_WAIT_MS = 3600 * 1000
};

/* Where loop:run keeps its things on the stack. */
enum { ARG_LOOP = 1, ARG_SPEC, AT_NEXT, AT_DONE, AT_TICK };

typedef struct run {
  loop *loop;
  lua_Integer width;
  bool fed_up;      /* `next` has nothing more */
  double next_tick; /* HUGE_VAL: there is no `tick` */
} run;

double sched_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* {====================================================================
** Tasks of the loop
** ===================================================================== */

static void forget_ticket(lua_State *L, task *t) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, t->loop->tickets_ref);
  lua_pushnil(L);
  lua_rawseti(L, -2, (lua_Integer)t->ticket);
  lua_pop(L, 1);
}

void sched_forget_wait(lua_State *L, task *t) {
  if (t->state == TASK_FETCHING) {
    ecrb_http_cancel(t->loop->http, t->ticket);
    forget_ticket(L, t);
  } else if (t->state == TASK_SLEEPING) {
    heap_remove(&t->loop->sleepers, t);
  } else if (t->state == TASK_QUEUING) {
    gate_leave_queue(t);
  } else if (t->state == TASK_READY) {
    links_remove(&t->queue);
  }
}

/* [-2, +0] Hands `ok, value` of a root on top of the stack to `done`, and frees
** the root. */
static void report(lua_State *L, run *r, task *root) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, root->tag_ref);
  task_free(L, root);
  r->loop->alive--;
  lua_pushvalue(L, AT_DONE);
  lua_insert(L, -4);
  lua_call(L, 3, 0);
}

static void end_root(lua_State *L, run *r, task *root) {
  task_push_outcome(L, root->thread, root->quota);
  report(L, r, root);
}

static void cancel_root(lua_State *L, run *r, task *root) {
  lua_pushboolean(L, 0);
  bind_push_error(L, "cancelled", r->loop->reason);
  report(L, r, root);
}

/* The parent's list is the third thing on its stack. */
static void end_child(lua_State *L, task *child) {
  task *parent = child->parent;
  lua_createtable(L, 0, 2);
  task_push_outcome(L, child->thread, child->quota);
  lua_setfield(L, -3, "value");
  lua_setfield(L, -2, "ok");
  lua_xmove(L, parent->thread, 1);
  lua_rawseti(parent->thread, 3, child->index);
  task_free(L, child);
  if (links_empty(&parent->children))
    task_set_state(parent, TASK_READY);
}

static void resume(lua_State *L, run *r, task *t) {
  bool ended = task_resume(L, t);
  if (t->quota->breach)
    end_root(L, r, t->root);
  else if (ended && t->parent)
    end_child(L, t);
  else if (ended)
    end_root(L, r, t);
}

/* }==================================================================== */

/* {====================================================================
** One turn of the loop
** ===================================================================== */

/* [-3, +0] Starts a root task for `fn, tag, limits` on top of the stack. */
static void start_root(lua_State *L, run *r) {
  limits most = limits_check(L, lua_gettop(L));
  task *t;
  lua_pop(L, 1);
  lua_insert(L, -2);
  t = task_new_root(L, r->loop, &most);
  t->tag_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  r->loop->alive++;
}

static bool is_hungry(const run *r) {
  return !r->fed_up && r->loop->stops == 0 && r->loop->alive < (size_t)r->width;
}

static void feed(lua_State *L, run *r) {
  while (is_hungry(r)) {
    lua_pushvalue(L, AT_NEXT);
    lua_call(L, 0, 3);
    if (lua_isnil(L, -3)) {
      r->fed_up = true;
      lua_pop(L, 3);
    } else {
      luaL_checktype(L, -3, LUA_TFUNCTION);
      start_root(L, r);
    }
  }
}

/* What becomes ready meanwhile waits for the next turn. */
static void run_ready(lua_State *L, run *r) {
  links *ready = &r->loop->ready, *batch = &r->loop->batch;
  while (!links_empty(ready)) {
    links *first = ready->next;
    links_remove(first);
    links_add(batch, first);
  }
  while (!links_empty(batch)) {
    links *first = batch->next;
    links_remove(first);
    resume(L, r, LINKED(first, task, queue));
  }
}

static void wake_sleepers(loop *l) {
  double now = sched_now();
  task *t;
  while (l->stops == 0 && (t = heap_first(&l->sleepers)) && t->wake <= now) {
    heap_remove(&l->sleepers, t);
    task_set_state(t, TASK_READY);
  }
}

/* The task whose reply this is. */
static void hand_over(lua_State *L, run *r, const ecrb_http_response *reply) {
  task *t;
  lua_rawgeti(L, LUA_REGISTRYINDEX, r->loop->tickets_ref);
  lua_rawgeti(L, -1, (lua_Integer)reply->ticket);
  t = lua_touserdata(L, -1);
  lua_pop(L, 2);
  if (!t)
    return;
  forget_ticket(L, t);
  t->response = reply;
  resume(L, r, t);
}

static void pause_for(long ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
  nanosleep(&t, NULL); /* a signal ends it */
}

static void take_replies(lua_State *L, run *r, long timeout_ms) {
  ecrb_http_response reply;
  ecrb_err err;
  for (int n = 0; n < REPLIES_AT_ONCE; n++) {
    int status = ecrb_http_wait(r->loop->http, timeout_ms, &reply, &err);
    if (status == ECRB_ENONE)
      return;
    bind_check(L, status, &err);
    hand_over(L, r, &reply);
    timeout_ms = 0;
  }
}

/* How long nothing can happen but a reply or a signal; -1: forever. */
static long idle_ms(const run *r) {
  const task *sleeper =
      r->loop->stops == 0 ? heap_first(&r->loop->sleepers) : NULL;
  double until = fmin(sleeper ? sleeper->wake : HUGE_VAL, r->next_tick), ms;
  if (!links_empty(&r->loop->ready) || is_hungry(r))
    return 0;
  if (until == HUGE_VAL)
    return -1;
  ms = ceil((until - sched_now()) * 1000);
  return (long)fmin(fmax(ms, 0), LONGEST_WAIT_MS);
}

static void wait_for_something(lua_State *L, run *r) {
  long ms = idle_ms(r);
  if (ecrb_http_under_way(r->loop->http) > 0)
    take_replies(L, r, ms);
  else if (ms < 0 && r->loop->stops == 0)
    luaL_error(L, "every task waits at a gate that nobody will leave");
  else if (ms > 0 && r->loop->stops == 0)
    pause_for(ms < TICK_MS ? ms : TICK_MS);
}

static void tick(lua_State *L, run *r) {
  double now = sched_now();
  if (now < r->next_tick)
    return;
  r->next_tick = now + TICK_MS / 1000.0;
  lua_pushvalue(L, AT_TICK);
  lua_pushnumber(L, now);
  lua_call(L, 1, 0);
}

/* }==================================================================== */

/* {====================================================================
** Stopping: nothing new begins, requests under way are waited for; a root task
** is cancelled when none of its tasks can go on. The second stop ends all.
** ===================================================================== */

static void heed_signals(loop *l) {
  int signals = host_interrupts(l->host);
  if (signals > 0 && l->stops == 0)
    l->reason = "interrupted";
  if (signals > l->stops)
    l->stops = signals;
}

static void cancel_stuck(lua_State *L, run *r) {
  links *next;
  for (links *l = r->loop->roots.next; l != &r->loop->roots; l = next) {
    task *root = LINKED(l, task, sibling);
    next = l->next;
    if (root->busy == 0 || r->loop->stops > 1)
      cancel_root(L, r, root);
  }
}

/* }==================================================================== */

static bool is_over(const run *r) {
  return r->loop->alive == 0 && (r->fed_up || r->loop->stops > 0);
}

static void turn(lua_State *L, run *r) {
  feed(L, r);
  run_ready(L, r);
  tick(L, r);
  heed_signals(r->loop);
  if (r->loop->stops > 0)
    cancel_stuck(L, r);
  if (!is_over(r))
    wait_for_something(L, r);
  wake_sleepers(r->loop);
}

/* {====================================================================
** The module
** ===================================================================== */

static loop *check_loop(lua_State *L) {
  return luaL_checkudata(L, ARG_LOOP, LOOP_TYPE);
}

static void wake(void *l) {
  ecrb_http_wake(((loop *)l)->http);
}

static int run_to_the_end(lua_State *L) {
  run *r = lua_touserdata(L, -1);
  lua_pop(L, 1);
  while (!is_over(r))
    turn(L, r);
  return 0;
}

static void begin_run(loop *l) {
  l->running = true;
  l->stops = 0;
  l->host->wake = wake;
  atomic_store(&l->host->interrupts, 0);
  atomic_store(&l->host->waiting, l);
}

static void end_run(lua_State *L, loop *l) {
  while (!links_empty(&l->roots))
    task_free(L, LINKED(l->roots.next, task, sibling));
  l->alive = 0;
  l->running = false;
  atomic_store(&l->host->waiting, NULL);
}

static void check_function(lua_State *L, const char *field) {
  if (lua_getfield(L, ARG_SPEC, field) != LUA_TFUNCTION)
    luaL_error(L, "loop:run: field '%s' is no function", field);
}

/* [-0, +3] next, done, tick. */
static run check_run(lua_State *L) {
  static const char *const fields[] = {"next", "done", "width", "tick", NULL};
  run r = {.loop = check_loop(L), .next_tick = HUGE_VAL};
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
  if (r.loop->running || host_of(L)->running)
    luaL_error(L, "loop:run inside a task or another loop:run");
  return r;
}

/*** loop:run{next=, done=, width=, tick=} -> how
**
** Runs root tasks, at most `width` (1) at a time. `next()` returns a function
** to run as a task, a tag, and the task's limits, or nil when there are no
** more. `done(ok, value, tag)` is called as each task ends, with what the
** function returned or why it failed: a text, or {code=, message=} (`limit`
** where it passed a limit, `cancelled` where the loop was stopped).
** `tick(now)`, if given, is called at most four times a second. Returns `done`,
** `stopped` after loop:stop, or `interrupted` after a signal.
*/
static int loop_run(lua_State *L) {
  run r = check_run(L);
  int status;
  lua_pushcfunction(L, run_to_the_end);
  for (int i = ARG_LOOP; i <= AT_TICK; i++)
    lua_pushvalue(L, i);
  lua_pushlightuserdata(L, &r);
  begin_run(r.loop);
  status = lua_pcall(L, AT_TICK + 1, 0, 0);
  end_run(L, r.loop);
  if (status != LUA_OK)
    return lua_error(L);
  lua_pushstring(L, host_interrupts(r.loop->host) > 0 ? "interrupted"
                    : r.loop->stops > 0               ? "stopped"
                                                      : "done");
  return 1;
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
  heed_signals(l);
  lua_pushstring(L, l->stops > 0 ? l->reason : NULL);
  return 1;
}

static int loop_gc(lua_State *L) {
  loop *l = check_loop(L);
  ecrb_http_free(l->http);
  heap_free(&l->sleepers);
  l->http = NULL;
  l->sleepers = (heap){0};
  luaL_unref(L, LUA_REGISTRYINDEX, l->tickets_ref);
  l->tickets_ref = LUA_NOREF;
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
  l->tickets_ref = LUA_NOREF;
  links_init(&l->roots);
  links_init(&l->ready);
  links_init(&l->batch);
  luaL_setmetatable(L, LOOP_TYPE);
  lua_newtable(L);
  l->tickets_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  bind_check(L, ecrb_http_new(&http_limits, &l->http, &err), &err);
  return 1;
}

static const luaL_Reg methods[] = {{"run", loop_run},
                                   {"stop", loop_stop},
                                   {"stopping", loop_stopping},
                                   {NULL, NULL}};
static const luaL_Reg metamethods[] = {{"__gc", loop_gc}, {NULL, NULL}};
static const luaL_Reg functions[] = {
    {"fetch", sched_fetch},   {"gate", gate_new},     {"loop", new_loop},
    {"sample", sched_sample}, {"sleep", sched_sleep}, {NULL, NULL}};

int luaopen_core_sched(lua_State *L) {
  bind_new_type(L, LOOP_TYPE, methods, metamethods);
  gate_open(L);
  luaL_newlib(L, functions);
  return 1;
}

/* }==================================================================== */
