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
  int tickets_ref; /* registry table: ticket -> task */
  bool running;
  int stops;          /* 1: nothing new begins; 2: everything ends */
  const char *reason; /* of the stop; anchored in the user value */
  links roots;
  links ready; /* to be resumed at the next turn */
  links batch; /* what is left of this turn's */
  heap sleepers;
  size_t alive;   /* roots */
  uint64_t slept; /* sleeps so far */
};

double sched_now(void);

/* Gives up whatever the task waits for. */
void sched_forget_wait(lua_State *L, task *t);

/* gate.c */
void gate_open(lua_State *L);
int gate_new(lua_State *L);
void gate_leave_queue(task *t);
void gate_release_all(task *t);

/* waits.c: what waits inside a task. */
int sched_fetch(lua_State *L);
int sched_sample(lua_State *L);
int sched_sleep(lua_State *L);

#endif
