/* gate.c: counting gates. Of those who wait, whoever works for the root that
** began first enters first: what is begun is finished before more is begun. For
** the same end a place that is given back is handed on only when the task that
** held it waits or has ended: it may want it again at once. When nothing more is
** to begin, those who are left take turns, so that all end together and no place
** stays empty. A place that a task still holds when it ends is given back. */
#include <lauxlib.h>
#include <stdlib.h>

#include "binding.h"
#include "loop.h"

#define GATE_TYPE "ecrb.gate"

struct gate {
  lua_Integer width, inside;
  heap queue;
  links freed;  /* in the loop's list of gates that have places to hand on */
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
  if (--g->users > 0)
    return;
  links_remove(&g->freed);
  heap_free(&g->queue);
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
  links_init(&(*handle)->freed);
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

/* The task that may enter now; NULL where there is no place, nobody, or no
** sense in it any more. */
static task *next_in(const gate *g) {
  task *t = g->inside < g->width ? heap_first(&g->queue) : NULL;
  return t && t->loop->stops == 0 ? t : NULL;
}

static void admit_waiting(gate *g) {
  task *t;
  while ((t = next_in(g)) && take_place(g, t)) {
    gate_leave_queue(t);
    task_set_state(t, TASK_READY);
  }
}

static void give_back(loop *l, hold *h) {
  gate *g = h->gate;
  links_remove(&h->link);
  free(h);
  g->inside--;
  links_remove(&g->freed);
  links_add(&l->freed, &g->freed);
  let_go(g);
}

void gate_hand_on(loop *l) {
  while (!links_empty(&l->freed)) {
    gate *g = LINKED(l->freed.next, gate, freed);
    links_remove(&g->freed);
    admit_waiting(g);
  }
}

void gate_leave_queue(task *t) {
  heap_remove(&t->gate->queue, t);
  t->gate = NULL;
}

void gate_release_all(task *t) {
  while (!links_empty(&t->holds))
    give_back(t->loop, LINKED(t->holds.next, hold, link));
}

static int entered(lua_State *L, int status, lua_KContext context) {
  (void)L;
  (void)status;
  (void)context;
  return 0;
}

static double rank_of(const task *t) {
  return (double)(t->loop->fed_up ? t->loop->begun : t->number);
}

/* Places that nobody was admitted to yet are for the first in turn. */
static bool may_enter(const gate *g, const task *t) {
  const task *first = heap_first(&g->queue);
  return g->inside < g->width && (!first || rank_of(t) < first->rank);
}

/*** gate:enter()
**
** Waits until there is a place inside and takes it: first those of the root task
** that began first, among them whoever came first. When no more root tasks are to
** come, whoever came first.
*/
static int gate_enter(lua_State *L) {
  gate *g = check_gate(L);
  task *t = task_check_waiting(L, "gate:enter");
  if (may_enter(g, t)) {
    if (!take_place(g, t))
      return bind_fail(L, "memory", "no memory for a place in a gate");
    return entered(L, LUA_OK, 0);
  }
  if (!heap_add(&g->queue, t, rank_of(t)))
    return bind_fail(L, "memory", "no memory for a place in a queue");
  t->gate = g;
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
  give_back(t->loop, LINKED(l, hold, link));
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
  lua_pushinteger(L, (lua_Integer)g->queue.n);
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
