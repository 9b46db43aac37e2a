/* task.c: the life of a task, from its function to its outcome. */
#include "task.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "loop.h"

enum { TEXT_MOST = 200 }; /* bytes of an error value's code */

task *task_of(lua_State *L) {
  return *(task **)lua_getextraspace(L);
}

/* [-0, +1] The nearest C function on the stack, as text. */
static const char *push_nearest_c(lua_State *L) {
  lua_Debug frame;
  for (int level = 1; lua_getstack(L, level, &frame); level++) {
    lua_getinfo(L, "Sn", &frame);
    if (*frame.what == 'C')
      return lua_pushfstring(L, "'%s'", frame.name ? frame.name : "?");
  }
  return lua_pushliteral(L, "a C function");
}

task *task_check_waiting(lua_State *L, const char *what) {
  task *t = task_of(L);
  if (!t)
    luaL_error(L,
               "%s waits, and only a task of a running loop may wait (nor may "
               "a coroutine inside one)",
               what);
  if (!lua_isyieldable(L))
    luaL_error(L,
               "%s waits, and nothing may wait inside %s: call it before or "
               "after, not in the function that is handed over",
               what, push_nearest_c(L));
  return t;
}

static bool is_busy(enum task_state state) {
  return state == TASK_READY || state == TASK_RUNNING ||
         state == TASK_FETCHING || state == TASK_EXPECTING;
}

void task_set_state(task *t, enum task_state state) {
  t->root->busy += is_busy(state) - is_busy(t->state);
  t->state = state;
  if (state == TASK_READY)
    links_add(&t->loop->ready, &t->queue);
}

static int ended(lua_State *L, int status, lua_KContext context) {
  (void)context;
  lua_pushboolean(L, status == LUA_OK || status == LUA_YIELD);
  lua_replace(L, 1);
  return 2;
}

/* The bottom of a task's coroutine: f, arguments... -> ok, value. Errors come
** back here, so that what must be closed is closed under the limits. */
static int bottom(lua_State *L) {
  lua_pushnil(L);
  lua_insert(L, 1);
  return ended(L, lua_pcallk(L, lua_gettop(L) - 2, 1, 0, 0, ended), 0);
}

lua_State *task_coroutine(lua_State *L) {
  lua_State *thread = lua_newthread(L);
  *(task **)lua_getextraspace(thread) = NULL;
  quota_watch(thread);
  lua_pushcfunction(thread, bottom);
  lua_insert(L, -2);
  lua_xmove(L, thread, 1);
  return thread;
}

static int make_coroutine(lua_State *L) {
  task_coroutine(L);
  return 1;
}

int task_coroutine_for(lua_State *L, quota *q) {
  ecrb_host *host = host_of(L);
  quota *before;
  int status;
  lua_pushcfunction(L, make_coroutine);
  lua_insert(L, -2);
  before = quota_enter(host, q, NULL);
  status = lua_pcall(L, 1, 1, 0);
  quota_leave(host, before);
  return status;
}

static task *new_task(lua_State *L, loop *l, task *parent) {
  task *t = calloc(1, sizeof *t);
  if (!t)
    bind_fail(L, "memory", "no memory for a task");
  t->loop = l;
  t->parent = parent;
  t->root = parent ? parent->root : t;
  t->depth = parent ? parent->depth + 1 : 0;
  t->number = parent ? parent->number : l->begun++;
  t->quota = t->root->quota;
  t->thread_ref = t->tag_ref = LUA_NOREF;
  links_init(&t->children);
  links_init(&t->queue);
  links_init(&t->holds);
  links_add(parent ? &parent->children : &l->roots, &t->sibling);
  t->state = TASK_PARKED;
  return t;
}

/* [-1, +0] Gives the task the coroutine on top. */
static void begin(lua_State *L, task *t) {
  t->thread = lua_tothread(L, -1);
  *(task **)lua_getextraspace(t->thread) = t;
  t->thread_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  task_set_state(t, TASK_READY);
}

task *task_new_root(lua_State *L, loop *l, const limits *most) {
  task *t = new_task(L, l, NULL);
  t->quota = quota_new(most);
  if (!t->quota || task_coroutine_for(L, t->quota) != LUA_OK) {
    task_free(L, t);
    bind_fail(L, "memory", "no memory for a task");
  }
  begin(L, t);
  return t;
}

task *task_new_child(lua_State *L, task *parent, lua_Integer index) {
  task *t = new_task(L, parent->loop, parent);
  lua_pushinteger(task_coroutine(L), index);
  begin(L, t);
  t->index = index;
  return t;
}

int task_run(lua_State *L, lua_State *thread, quota *q, int arguments) {
  ecrb_host *host = host_of(L);
  quota *before = quota_enter(host, q, thread);
  int results, status = lua_resume(thread, L, arguments, &results);
  quota_leave(host, before);
  if (status != LUA_OK && status != LUA_YIELD) { /* not even `bottom` held */
    lua_pushboolean(thread, 0);
    lua_insert(thread, -2);
  }
  return status;
}

void task_refuse_yield(lua_State *thread) {
  lua_settop(thread, 0);
  lua_pushboolean(thread, 0);
  lua_pushliteral(thread, "a script yielded by itself; it may only wait in "
                          "fetch, sleep, sample and gate:enter");
}

bool task_resume(lua_State *L, task *t) {
  int arguments = lua_status(t->thread) == LUA_OK ? 1 + (t->parent != NULL) : 0;
  int status;
  task_set_state(t, TASK_RUNNING);
  status = task_run(L, t->thread, t->quota, arguments);
  if (status == LUA_YIELD && t->state != TASK_RUNNING)
    return false;
  if (status == LUA_YIELD)
    task_refuse_yield(t->thread);
  return true;
}

/* [-0, +0] table on top[field] = the short text at `from`[field], if any. */
static void copy_text(lua_State *L, int from, const char *field) {
  lua_pushstring(L, field);
  lua_rawget(L, from);
  if (lua_type(L, -1) == LUA_TSTRING && lua_rawlen(L, -1) <= TEXT_MOST)
    lua_setfield(L, -2, field);
  else
    lua_pop(L, 1);
}

void task_push_safe_error(lua_State *L, int index) {
  const char *message;
  index = lua_absindex(L, index);
  message = bind_push_message(L, index);
  if (lua_type(L, index) != LUA_TTABLE)
    return;
  bind_push_error(L, "script", message);
  copy_text(L, index, "code");
  copy_text(L, index, "class");
  lua_remove(L, -2);
}

/* Lua's string buffers do not ask a second time; what they were refused is the
** same breach. */
static bool ran_out(lua_State *thread, const quota *q) {
  return q->refused && !lua_toboolean(thread, -2);
}

void task_push_outcome(lua_State *L, lua_State *thread, quota *q) {
  luaL_checkstack(L, 12, NULL);
  if (ran_out(thread, q))
    quota_breach(q, "memory");
  if (q->breach) {
    lua_pushboolean(L, 0);
    quota_push_breach(L, q);
    return;
  }
  lua_xmove(thread, L, 2);
  if (!lua_toboolean(L, -2)) {
    task_push_safe_error(L, -1);
    lua_remove(L, -2);
  }
}

static void free_children(lua_State *L, task *t) {
  while (!links_empty(&t->children))
    task_free(L, LINKED(t->children.next, task, sibling));
}

/* Unwinds the coroutine; what it must close is closed under its quota. */
static void unwind(task *t) {
  quota *before;
  if (!t->thread)
    return;
  before = quota_enter(t->loop->host, t->quota, t->thread);
  lua_resetthread(t->thread);
  quota_leave(t->loop->host, before);
  *(task **)lua_getextraspace(t->thread) = NULL;
}

void task_free(lua_State *L, task *t) {
  free_children(L, t);
  loop_forget_wait(t);
  unwind(t);
  gate_release_all(t);
  task_set_state(t, TASK_PARKED);
  links_remove(&t->sibling);
  luaL_unref(L, LUA_REGISTRYINDEX, t->thread_ref);
  luaL_unref(L, LUA_REGISTRYINDEX, t->tag_ref);
  if (!t->parent && t->quota)
    quota_close(t->quota);
  free(t);
}
