/* gate.c: counting gates. Whoever comes first enters first; a place that a task
** still holds when it ends is given back. */
#include <lauxlib.h>
#include <stdlib.h>

#include "binding.h"
#include "loop.h"

#define GATE_TYPE "ecrb.gate"

struct gate {
  lua_Integer width, inside, waiting;
  links queue;
  size_t users; /* the handle, and every place that is held */
};

/* A place inside, held by a task. */
typedef struct hold {
  links link;
  gate *gate;
} hold;

static gate *check_gate(lua_State *L) {
  gate *g = *(gate **)luaL_checkudata(L, 1, GATE_TYPE);
  if (!g)
    luaL_argerror(L, 1, "the gate is closed");
  return g;
}

static lua_Integer check_width(lua_State *L, int arg) {
  lua_Integer width = luaL_checkinteger(L, arg);
  luaL_argcheck(L, width >= 0, arg, "a gate's width is 0 or more");
  return width;
}

static void let_go(gate *g) {
  if (--g->users == 0)
    free(g);
}

/* Every task in the queue keeps the gate's handle on its stack. */
static int gate_gc(lua_State *L) {
  gate **handle = luaL_checkudata(L, 1, GATE_TYPE);
  if (*handle)
    let_go(*handle);
  *handle = NULL;
  return 0;
}

/*** core.sched.gate(width) -> gate
**
** A counting gate: at most `width` tasks are inside at a time.
*/
int gate_new(lua_State *L) {
  lua_Integer width = check_width(L, 1);
  gate **handle = lua_newuserdatauv(L, sizeof *handle, 0);
  *handle = NULL;
  luaL_setmetatable(L, GATE_TYPE);
  *handle = calloc(1, sizeof **handle);
  if (!*handle)
    return bind_fail(L, "memory", "no memory for a gate");
  (*handle)->width = width;
  (*handle)->users = 1;
  links_init(&(*handle)->queue);
  return 1;
}

static bool take_place(gate *g, task *t) {
  hold *h = malloc(sizeof *h);
  if (!h)
    return false;
  h->gate = g;
  links_add(&t->holds, &h->link);
  g->users++;
  g->inside++;
  return true;
}

static void admit_next(gate *g) {
  task *t = LINKED(g->queue.next, task, queue);
  gate_leave_queue(t);
  task_set_state(t, TASK_READY);
}

/* False where there is no place, nobody, or no sense in it any more. */
static bool may_admit(const gate *g) {
  return g->inside < g->width && !links_empty(&g->queue) &&
         LINKED(g->queue.next, task, queue)->loop->stops == 0;
}

static void admit_waiting(gate *g) {
  while (may_admit(g) && take_place(g, LINKED(g->queue.next, task, queue)))
    admit_next(g);
}

static void give_back(hold *h) {
  gate *g = h->gate;
  links_remove(&h->link);
  free(h);
  g->inside--;
  admit_waiting(g);
  let_go(g);
}

void gate_leave_queue(task *t) {
  t->gate->waiting--;
  t->gate = NULL;
  links_remove(&t->queue);
}

void gate_release_all(task *t) {
  while (!links_empty(&t->holds))
    give_back(LINKED(t->holds.next, hold, link));
}

static int entered(lua_State *L, int status, lua_KContext context) {
  (void)L;
  (void)status;
  (void)context;
  return 0;
}

/*** gate:enter()
**
** Waits until there is a place inside, first come first served, and takes it.
*/
static int gate_enter(lua_State *L) {
  gate *g = check_gate(L);
  task *t = task_check_waiting(L, "gate:enter");
  if (g->inside < g->width && links_empty(&g->queue)) {
    if (!take_place(g, t))
      return bind_fail(L, "memory", "no memory for a place in a gate");
    return entered(L, LUA_OK, 0);
  }
  t->gate = g;
  g->waiting++;
  links_add(&g->queue, &t->queue);
  task_set_state(t, TASK_QUEUING);
  return lua_yieldk(L, 0, 0, entered);
}

/*** gate:leave()
**
** Gives the place back that this task took last. A task that ends gives back
** what it still holds.
*/
static int gate_leave(lua_State *L) {
  gate *g = check_gate(L);
  task *t = task_of(L);
  links *l = t ? t->holds.prev : NULL;
  while (l && l != &t->holds && LINKED(l, hold, link)->gate != g)
    l = l->prev;
  if (!l || l == &t->holds)
    return luaL_error(L, "gate:leave without gate:enter in this task");
  give_back(LINKED(l, hold, link));
  return 0;
}

/*** gate:width(n) -> number
**
** Sets how many tasks may be inside (0 lets nobody in) where `n` is given, and
** returns it. A narrower gate drives nobody out.
*/
static int gate_width(lua_State *L) {
  gate *g = check_gate(L);
  if (!lua_isnoneornil(L, 2)) {
    g->width = check_width(L, 2);
    admit_waiting(g);
  }
  lua_pushinteger(L, g->width);
  return 1;
}

/*** gate:state() -> inside, waiting
**
** How many tasks are inside and how many wait.
*/
static int gate_state(lua_State *L) {
  gate *g = check_gate(L);
  lua_pushinteger(L, g->inside);
  lua_pushinteger(L, g->waiting);
  return 2;
}

static const luaL_Reg methods[] = {{"enter", gate_enter},
                                   {"leave", gate_leave},
                                   {"state", gate_state},
                                   {"width", gate_width},
                                   {NULL, NULL}};
static const luaL_Reg metamethods[] = {{"__gc", gate_gc}, {NULL, NULL}};

void gate_open(lua_State *L) {
  bind_new_type(L, GATE_TYPE, methods, metamethods);
}
