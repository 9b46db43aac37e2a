/* loop.c: the turns of an event loop. Nothing is polled and nobody walks over
** those who wait: a task is resumed when its reply, its time, its place in a
** gate or its children's end has come, in that order of arrival, from one
** queue. Results never depend on the order. */
#include "loop.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "binding.h"
#include "clock.h"

enum {
  BEGUN_AT_ONCE = 8, /* before they are resumed */
  TICK_MS = 250,
  LONGEST_WAIT_MS = 3600 * 1000
};

double loop_now(void) {
  return clock_seconds(CLOCK_MONOTONIC);
}

/* {====================================================================
** Tasks of the loop
** ===================================================================== */

static size_t number_of(uint64_t ticket) {
  return (uint32_t)ticket;
}

bool loop_expect_reply(task *t) {
  loop *l = t->loop;
  size_t number = number_of(t->ticket), room = l->room > 0 ? l->room : 64;
  task **more;
  while (room <= number)
    room *= 2;
  if (room > l->room) {
    more = realloc(l->fetching, room * sizeof *more);
    if (!more)
      return false;
    memset(more + l->room, 0, (room - l->room) * sizeof *more);
    l->fetching = more;
    l->room = room;
  }
  l->fetching[number] = t;
  return true;
}

void loop_forget_wait(task *t) {
  if (t->state == TASK_FETCHING) {
    ecrb_http_cancel(t->loop->http, t->ticket);
    t->loop->fetching[number_of(t->ticket)] = NULL;
  } else if (t->state == TASK_EXPECTING) {
    promise_forget(t);
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
  r->resting = false;
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
  gate_hand_on(r->loop);
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
  const loop *l = r->loop;
  return !l->fed_up && !r->resting && l->stops == 0 &&
         l->alive < (size_t)r->width;
}

static void feed(lua_State *L, run *r) {
  for (int n = 0; n < BEGUN_AT_ONCE && is_hungry(r); n++) {
    lua_pushvalue(L, AT_NEXT);
    lua_call(L, 0, 3);
    if (!lua_toboolean(L, -3)) {
      r->loop->fed_up = lua_isnil(L, -3);
      r->resting = true;
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
  double now = loop_now();
  task *t;
  while (l->stops == 0 && (t = heap_first(&l->sleepers)) && t->rank <= now) {
    heap_remove(&l->sleepers, t);
    task_set_state(t, TASK_READY);
  }
}

/* The task whose reply this is. */
static void hand_over(lua_State *L, run *r, const ecrb_http_response *reply) {
  task **place = &r->loop->fetching[number_of(reply->ticket)], *t = *place;
  if (!t)
    return;
  *place = NULL;
  t->response = reply;
  resume(L, r, t);
}

/* One at a time: whoever gets the place that a reply frees sends at once, and
** not when all replies that came together have been read. */
static void take_reply(lua_State *L, run *r, long timeout_ms) {
  ecrb_http_response reply;
  ecrb_err err;
  int status = ecrb_http_wait(r->loop->http, timeout_ms, &reply, &err);
  if (status == ECRB_ENONE)
    return;
  bind_check(L, status, &err);
  hand_over(L, r, &reply);
}

static long ms_until(double moment) {
  double ms = ceil((moment - loop_now()) * 1000);
  return (long)fmin(fmax(ms, 0), LONGEST_WAIT_MS);
}

/* How long nothing can happen but a reply or a signal; -1: forever. A tick only
** looks on. */
static long idle_ms(const run *r) {
  const task *sleeper =
      r->loop->stops == 0 ? heap_first(&r->loop->sleepers) : NULL;
  if (!links_empty(&r->loop->ready) || is_hungry(r))
    return 0;
  return sleeper ? ms_until(sleeper->rank) : -1;
}

/* The same, but for the next tick. */
static long rest_ms(const run *r, long idle) {
  long tick = r->next_tick < HUGE_VAL ? ms_until(r->next_tick) : -1;
  return idle < 0 || (tick >= 0 && tick < idle) ? tick : idle;
}

/* False where others are to wait. */
static bool wait_for_something(lua_State *L, run *r) {
  const loop *l = r->loop;
  long ms = idle_ms(r);
  if (ecrb_http_under_way(l->http) > 0)
    take_reply(L, r, rest_ms(r, ms));
  else if (ms < 0 && l->expecting > 0 && lua_isyieldable(L))
    return false;
  else if (ms < 0 && (l->stops == 0 || l->expecting > 0))
    luaL_error(L, "every task waits at a gate that nobody will leave, or for a "
                  "promise that nobody will keep");
  else if (ms > 0 && l->stops == 0)
    ecrb_http_rest(l->http, rest_ms(r, ms));
  return true;
}

static void tick(lua_State *L, run *r) {
  double now = loop_now();
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

void loop_heed_signals(loop *l) {
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
  gate_hand_on(r->loop);
}

/* }==================================================================== */

bool loop_is_over(const run *r) {
  return r->loop->alive == 0 && (r->loop->fed_up || r->loop->stops > 0);
}

bool loop_turn(lua_State *L, run *r) {
  bool waited = true;
  feed(L, r);
  run_ready(L, r);
  tick(L, r);
  loop_heed_signals(r->loop);
  if (r->loop->stops > 0)
    cancel_stuck(L, r);
  if (!loop_is_over(r))
    waited = wait_for_something(L, r);
  wake_sleepers(r->loop);
  return waited;
}
