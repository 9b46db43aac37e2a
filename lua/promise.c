/* promise.c: a value that comes from outside of the loop. A task waits for it;
** whoever runs the loop keeps the promise, once. */
#include <lauxlib.h>

#include "binding.h"
#include "loop.h"

#define PROMISE_TYPE "ecrb.promise"

struct promise {
  task *waiting; /* it has the promise on its stack */
  bool kept;     /* the value is the user value */
};

static promise *check_promise(lua_State *L) {
  return luaL_checkudata(L, 1, PROMISE_TYPE);
}

/*** core.sched.promise() -> promise
**
** A promise of one value, for one task.
*/
int promise_new(lua_State *L) {
  promise *p = lua_newuserdatauv(L, sizeof *p, 1);
  *p = (promise){0};
  luaL_setmetatable(L, PROMISE_TYPE);
  return 1;
}

static int kept(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  lua_getiuservalue(L, 1, 1);
  return 1;
}

/*** promise:wait() -> value
**
** Waits until the promise is kept. A loop that stops lets it be kept still.
*/
static int promise_wait(lua_State *L) {
  promise *p = check_promise(L);
  task *t = task_check_waiting(L, "promise:wait");
  if (p->kept)
    return kept(L, LUA_OK, 0);
  if (p->waiting)
    return luaL_error(L, "another task waits for this promise");
  p->waiting = t;
  t->promise = p;
  t->loop->expecting++;
  task_set_state(t, TASK_EXPECTING);
  return lua_yieldk(L, 0, 0, kept);
}

void promise_forget(task *t) {
  t->promise->waiting = NULL;
  t->promise = NULL;
  t->loop->expecting--;
}

/*** promise:keep(value)
**
** Gives the value to the task that waits, or will wait, for it.
*/
static int promise_keep(lua_State *L) {
  promise *p = check_promise(L);
  task *t = p->waiting;
  if (p->kept)
    return luaL_error(L, "the promise is kept already");
  lua_settop(L, 2);
  lua_setiuservalue(L, 1, 1);
  p->kept = true;
  if (t) {
    promise_forget(t);
    task_set_state(t, TASK_READY);
  }
  return 0;
}

static const luaL_Reg methods[] = {
    {"keep", promise_keep}, {"wait", promise_wait}, {NULL, NULL}};

void promise_open(lua_State *L) {
  bind_new_type(L, PROMISE_TYPE, methods, NULL);
}
