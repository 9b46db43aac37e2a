/* loop.h: the event loop behind core.sched. */
#ifndef LOOP_H
#define LOOP_H

#include <lua.h>

#include "ecrb.h"
#include "heap.h"
#include "host.h"
#include "task.h"

struct loop {
  ecrb_host *host;
  ecrb_http *http;
  task **fetching; /* by the low half of their tickets; NULL where nobody waits */
  size_t room;     /* of `fetching` */
  bool fed_up;        /* `next` has nothing more */
  int stops;          /* 1: nothing new begins; 2: everything ends */
  const char *reason; /* of the stop; anchored in the user value */
  links roots;
  links ready; /* to be resumed at the next turn */
  links batch; /* what is left of this turn's */
  heap sleepers;
  links freed;    /* gates that have places to hand on */
  size_t alive;   /* roots */
  size_t expecting; /* tasks that wait for promises */
  uint64_t begun; /* roots so far */
  uint64_t waits; /* in heaps, so far */
};

/* Where loop:run keeps its things on the stack. */
enum { ARG_LOOP = 1, ARG_SPEC, AT_NEXT, AT_DONE, AT_TICK, AT_RUN };

typedef struct run {
  loop *loop;
  lua_Integer width;
  bool resting;     /* `next` has nothing until a root has ended */
  double next_tick; /* HUGE_VAL: there is no `tick` */
} run;

/* By the monotonic clock, in seconds. */
double loop_now(void);

/* Starts, resumes, reports, and waits for what comes next; false where that is
** a promise and L may yield: then whoever runs the loop is to wait. */
bool loop_turn(lua_State *L, run *r);
bool loop_is_over(const run *r);

/* Takes signals since the run began for calls of loop:stop. */
void loop_heed_signals(loop *l);

/* Finds the task again when its reply comes; false without memory. */
bool loop_expect_reply(task *t);

/* Gives up whatever the task waits for. */
void loop_forget_wait(task *t);

/* gate.c */
void gate_open(lua_State *L);
int gate_new(lua_State *L);
void gate_leave_queue(task *t);
void gate_release_all(task *t);

/* Hands the places on that were given back. */
void gate_hand_on(loop *l);

/* promise.c */
void promise_open(lua_State *L);
int promise_new(lua_State *L);
void promise_forget(task *t);

/* waits.c: what waits inside a task. */
int sched_fetch(lua_State *L);
int sched_sample(lua_State *L);
int sched_sleep(lua_State *L);

#endif
