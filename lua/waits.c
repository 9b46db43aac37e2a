/* waits.c: what waits inside a task. Each has the same shape: set the wait up,
** yield with a continuation, and let the continuation return the result. Once
** the loop is stopping nothing new begins: the task is parked until its end. */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "binding.h"
#include "loop.h"

enum { CHILDREN_MOST = 10000, DEPTH_MOST = 16, HEADERS_MOST = 64 };

static int nothing(lua_State *L, int status, lua_KContext context) {
  (void)L;
  (void)status;
  (void)context;
  return 0;
}

static int park(lua_State *L, task *t) {
  task_set_state(t, TASK_PARKED);
  return lua_yieldk(L, 0, 0, nothing);
}

/*** core.sched.sleep(seconds)
**
** Waits that long; other tasks run meanwhile.
*/
int sched_sleep(lua_State *L) {
  lua_Number seconds = luaL_checknumber(L, 1);
  task *t = task_check_waiting(L, "sleep");
  luaL_argcheck(L, seconds >= 0 && seconds < HUGE_VAL, 1,
                "seconds must be 0 or more");
  if (t->loop->stops > 0)
    return park(L, t);
  if (!heap_add(&t->loop->sleepers, t, loop_now() + seconds))
    return bind_fail(L, "memory", "no memory for a sleeping task");
  task_set_state(t, TASK_SLEEPING);
  return lua_yieldk(L, 0, 0, nothing);
}

static int sampled(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  lua_settop(L, 3);
  return 1;
}

/*** core.sched.sample(k, f) -> {{ok=, value=}...}
**
** Runs f(1) .. f(k) at once as children of this task, which share its limits
** and end with it, and waits for all of them. Results stand in the order of
** the numbers: `value` is what f returned, or why it failed.
*/
int sched_sample(lua_State *L) {
  lua_Integer k = luaL_checkinteger(L, 1);
  task *t;
  luaL_checktype(L, 2, LUA_TFUNCTION);
  luaL_argcheck(L, k >= 0 && k <= CHILDREN_MOST, 1, "from 0 to 10000 children");
  t = task_check_waiting(L, "sample");
  if (t->depth == DEPTH_MOST)
    luaL_error(L, "sample inside %d others", DEPTH_MOST);
  lua_settop(L, 2);
  lua_createtable(L, (int)k, 0);
  for (lua_Integer i = 1; i <= k; i++) {
    lua_pushvalue(L, 2);
    task_new_child(L, t, i);
  }
  if (k == 0)
    return sampled(L, LUA_OK, 0);
  task_set_state(t, TASK_SAMPLING);
  return lua_yieldk(L, 0, 0, sampled);
}

static const char *ending_name(enum ecrb_http_end end) {
  static const char *const names[] = {
      "done",       "dns",  "connect", "tls",       "reset", "cut",
      "first_byte", "idle", "total",   "too_large", "other"};
  return names[end];
}

static int fetched(lua_State *L, int status, lua_KContext context) {
  const ecrb_http_response *r = task_of(L)->response;
  (void)status;
  (void)context;
  lua_createtable(L, 0, 7);
  lua_pushstring(L, ending_name(r->end));
  lua_setfield(L, -2, "ending");
  bind_set_integer(L, "status", r->status);
  bind_set_span(L, "body", r->body);
  bind_set_span(L, "headers", r->headers);
  bind_set_number(L, "first_byte", r->first_byte_s);
  bind_set_number(L, "total", r->total_s);
  bind_set_span(L, "detail", ecrb_span_of(r->detail));
  return 1;
}

typedef struct request {
  const char *url, *proxy;
  const char *headers[HEADERS_MOST + 1];
  ecrb_span body;
  bool posts;
} request;

/* [-0, +1] A text field of the table at 1; NULL where it is missing. The text
** stays on the stack, where the request needs it until its end. */
static const char *text_field(lua_State *L, const char *field, size_t *n) {
  int type = lua_getfield(L, 1, field);
  if (type != LUA_TNIL && type != LUA_TSTRING)
    luaL_error(L, "fetch: field '%s' is no text", field);
  return lua_tolstring(L, -1, n);
}

/* [-0, +1] The texts stay alive with the table at 1. */
static void read_headers(lua_State *L, request *r) {
  lua_Unsigned n;
  int type = lua_getfield(L, 1, "headers");
  if (type == LUA_TNIL)
    return;
  n = type == LUA_TTABLE ? lua_rawlen(L, -1) : HEADERS_MOST + 1;
  if (n > HEADERS_MOST)
    luaL_error(L, "fetch: 'headers' is a list of at most 64 texts");
  for (lua_Unsigned i = 0; i < n; i++) {
    if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TSTRING)
      luaL_error(L, "fetch: header %d is no text", (int)i + 1);
    r->headers[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
}

static void read_request(lua_State *L, request *r) {
  static const char *const fields[] = {"url",   "headers", "body",
                                       "proxy", "method",  NULL};
  const char *method;
  memset(r, 0, sizeof *r);
  bind_check_keys(L, 1, fields);
  luaL_checktype(L, 1, LUA_TTABLE);
  r->url = text_field(L, "url", NULL);
  if (!r->url)
    luaL_error(L, "fetch: field 'url' is missing");
  r->proxy = text_field(L, "proxy", NULL);
  r->body.at = text_field(L, "body", &r->body.n);
  r->posts = r->body.at != NULL;
  method = text_field(L, "method", NULL);
  if (method && strcmp(method, r->posts ? "POST" : "GET") != 0)
    luaL_error(L,
               "fetch: method '%s' does not fit: with a body it is POST, "
               "without one GET",
               method);
  read_headers(L, r);
}

/*** core.sched.fetch{url=, headers={...}, body=, proxy=, method=} -> response
**
** Sends a request and waits for its end: POST with a body, else GET. `headers`
** are texts `Name: value`. The response is {ending=, status=, body=, headers=,
** first_byte=, total=, detail=}: `ending` is `done` for a whole response of
** whatever status, or what cut it short (dns, connect, tls, reset, cut,
** first_byte, idle, total, too_large, other), `status` 0 where none came,
** `headers` the raw lines, times in seconds from the start of the transfer.
*/
int sched_fetch(lua_State *L) {
  request r;
  task *t;
  ecrb_err err;
  lua_settop(L, 1);
  read_request(L, &r);
  t = task_check_waiting(L, "fetch");
  if (t->loop->stops > 0)
    return park(L, t);
  bind_check(L,
             ecrb_http_start(t->loop->http, r.url, r.headers,
                             r.posts ? &r.body : NULL, r.proxy, &t->ticket,
                             &err),
             &err);
  if (!loop_expect_reply(t)) {
    ecrb_http_cancel(t->loop->http, t->ticket);
    return bind_fail(L, "memory", "no memory for a request");
  }
  task_set_state(t, TASK_FETCHING);
  return lua_yieldk(L, 0, 0, fetched);
}
