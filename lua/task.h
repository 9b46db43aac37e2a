/* task.h: a task is a coroutine that may wait. A root task works on its own
** behalf and has a quota; the children that `sample` gives it share that, and
** end with it.
**
**      loop            roots: the tasks that loop:run was handed
**       +- root        one quota for all below
**           +- child   results go into the parent's list, by index
**           +- child
*/
#ifndef TASK_H
#define TASK_H

#include <lua.h>
#include <stdint.h>

#include "ecrb.h"
#include "links.h"
#include "quota.h"

typedef struct loop loop;
typedef struct gate gate;
typedef struct promise promise;

enum task_state {
  TASK_READY, /* in the loop's queue of tasks to resume */
  TASK_RUNNING,
  TASK_FETCHING,  /* a request is under way */
  TASK_EXPECTING, /* a promise is not kept yet */
  TASK_SLEEPING,  /* in the loop's heap */
  TASK_QUEUING,   /* in a gate's heap */
  TASK_SAMPLING,  /* children are alive */
  TASK_PARKED     /* the loop is stopping: waits for its end */
};

typedef struct task {
  loop *loop;
  quota *quota;
  lua_State *thread;
  int thread_ref, tag_ref; /* in the registry */
  enum task_state state;
  struct task *root, *parent; /* a root's parent is NULL */
  links sibling;              /* among its parent's children or the roots */
  links children;
  links queue;       /* in the loop's ready queue */
  lua_Integer index; /* of a child, from 1 */
  int depth;         /* of a root: 0 */
  int busy;          /* of a root: its tasks that can go on, stop or no stop */
  uint64_t number;   /* of its root, in the order in which roots began */
  double rank;       /* in a heap: when it wakes, or its turn at a gate */
  uint64_t order;    /* of equal ranks, by who came first */
  size_t place;      /* in the heap, from 1 */
  uint64_t ticket;
  const ecrb_http_response *response; /* while it is handed over */
  gate *gate;                         /* whose queue it is in */
  promise *promise;                   /* that it waits for */
  links holds;                        /* places in gates */
} task;

/* The task whose own coroutine L is; NULL outside of one. */
task *task_of(lua_State *L);

/* [-0, +0] Raises unless L is a task's own coroutine and may wait here; `what`
** names the function that wants to. */
task *task_check_waiting(lua_State *L, const char *what);

/* [-1, +1] A coroutine that will call the function on top of L under the limits
** of the quota that is charged now, and end with `ok, value`. */
lua_State *task_coroutine(lua_State *L);

/* The same with protection: LUA_OK, or the status of an error on top. */
int task_coroutine_for(lua_State *L, quota *q);

/* [-1, +0] A task that will call the function on top of L (with `index` for a
** child) once it is resumed. Raises where memory is used up. */
task *task_new_root(lua_State *L, loop *loop, const limits *most);
task *task_new_child(lua_State *L, task *parent, lua_Integer index);

void task_set_state(task *t, enum task_state state);

/* Resumes a coroutine under its quota. Returns Lua's status; unless that is
** LUA_YIELD it holds `ok, value`. */
int task_run(lua_State *L, lua_State *thread, quota *q, int arguments);

/* Puts `false, why` in place of what a coroutine yielded. */
void task_refuse_yield(lua_State *thread);

/* Runs the task until it waits or ends; true when it has ended: then its
** coroutine holds `ok, value`. */
bool task_resume(lua_State *L, task *t);

/* [-0, +2] Moves `ok, value` of a coroutine that ended to L, the value of a
** failure made safe. */
void task_push_outcome(lua_State *L, lua_State *thread, quota *q);

/* Ends a task and its children wherever they are, and frees them. */
void task_free(lua_State *L, task *t);

/* [-0, +1] A failure's value without anything that could run: a bounded,
** visible text, or of a table {code=, class=, message=} with such a message. */
void task_push_safe_error(lua_State *L, int index);

#endif
