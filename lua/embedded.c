/* embedded.c: a run for a program in C. What a run is stands in
** lua/ecrb/embedded.lua; here its two functions meet those of the program. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "binding.h"
#include "host.h"
#include "l_bench.h"
#include "l_score.h"

struct ecrb_run {
  ecrb_host *host;
  int ref; /* in the registry: the run that embedded.lua made */
  size_t size;
  ecrb_model *model;
  ecrb_each *each;
  void *data;
  bool labelled;
  ecrb_item_score *scores; /* of the items so far; room for `size` */
  size_t scored;
};

/* [-0, +0] How an error of the last protected call is told to the program. */
static int tell(const ecrb_run *run, int status, ecrb_err *err) {
  if (status == ECRB_OK)
    return ECRB_OK;
  return ecrb_fail(err, status, "%s", ecrb_host_message(run->host));
}

static ecrb_run *upvalue_run(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(1));
}

/* {====================================================================
** Questions
** ===================================================================== */

/* [-0, +0] The field as text that the table at `index` holds on to. */
static ecrb_span text_field(lua_State *L, int index, const char *name) {
  ecrb_span text = {"", 0};
  if (lua_getfield(L, index, name) == LUA_TSTRING)
    text.at = lua_tolstring(L, -1, &text.n);
  lua_pop(L, 1);
  return text;
}

/* [-0, +1] The list at `index`, anchored on the stack. */
static ecrb_message *push_messages(lua_State *L, int index, size_t count) {
  ecrb_message *messages =
      lua_newuserdatauv(L, (count + 1) * sizeof *messages, 0);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, index, (lua_Integer)i + 1);
    messages[i] =
        (ecrb_message){text_field(L, -1, "role"), text_field(L, -1, "content")};
    lua_pop(L, 1);
  }
  return messages;
}

/* The program's own time is not the script's. */
static int ask_uncounted(const ecrb_run *run, const ecrb_question *question,
                         ecrb_span *reply, ecrb_err *err) {
  quota *q = run->host->running;
  lua_State *thread = q ? q->thread : NULL;
  int status;
  if (q)
    quota_leave(run->host, NULL);
  status = run->model(run->data, question, reply, err);
  if (q)
    quota_enter(run->host, q, thread);
  return status;
}

/* answer(messages, request) -> text, or nil and why there is none. */
static int answer(lua_State *L) {
  const ecrb_run *run = upvalue_run(L);
  ecrb_question question = {.count = lua_rawlen(L, 1),
                            .request = bind_check_span(L, 2)};
  ecrb_span reply = {"", 0};
  ecrb_err err = {.code = ECRB_OK};
  question.messages = push_messages(L, 1, question.count);
  if (ask_uncounted(run, &question, &reply, &err) == ECRB_OK) {
    bind_push_span(L, reply);
    return 1;
  }
  luaL_pushfail(L);
  lua_pushstring(L, err.msg[0] ? err.msg : "the program's model failed");
  return 2;
}
/* }==================================================================== */

/* {====================================================================
** Results
** ===================================================================== */

static int score(const ecrb_run *run, ecrb_bench *bench, ecrb_result *result,
                 ecrb_err *err) {
  const ecrb_ec *labels;
  size_t n;
  int status = ecrb_bench_labels(bench, result->index, &labels, &n, err);
  result->labelled = status == ECRB_OK && run->labelled;
  if (result->labelled)
    ecrb_score_item(ecrb_bench_tree(bench), labels, n, &result->prediction,
                    &result->score);
  return status == ECRB_ENONE ? ECRB_OK : status;
}

/* each(bench, index, record, prediction) -> whether to go on. */
static int each(lua_State *L) {
  enum { BENCH = 1, INDEX, RECORD, PREDICTION };
  ecrb_run *run = upvalue_run(L);
  ecrb_bench *bench = bind_check_bench(L, BENCH);
  ecrb_result result = {.index = bind_check_index(L, INDEX, bench),
                        .outcome = text_field(L, RECORD, "outcome"),
                        .cause = text_field(L, RECORD, "cause"),
                        .message = text_field(L, RECORD, "message")};
  ecrb_err err = {.code = ECRB_OK};
  bind_check(L, ecrb_bench_item(bench, result.index, &result.item), NULL);
  lua_getfield(L, RECORD, "turns");
  result.calls = (size_t)lua_tointeger(L, -1);
  lua_settop(L, PREDICTION);
  result.prediction = score_check_prediction(L);
  bind_check(L, score(run, bench, &result, &err), &err);
  if (result.labelled)
    run->scores[run->scored++] = result.score;
  lua_pushboolean(L, !run->each || run->each(run->data, &result));
  return 1;
}
/* }==================================================================== */

/* {====================================================================
** Opening
** ===================================================================== */

/* [-0, +1] require("ecrb.embedded")[name] */
static void push_policy(lua_State *L, const char *name) {
  lua_getglobal(L, "require");
  lua_pushliteral(L, "ecrb.embedded");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
}

static void set_text(lua_State *L, const char *key, const char *text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

static void set_function(lua_State *L, const char *key, lua_CFunction f,
                         ecrb_run *run) {
  lua_pushlightuserdata(L, run);
  lua_pushcclosure(L, f, 1);
  lua_setfield(L, -2, key);
}

static void set_options(lua_State *L, const char *const *options) {
  lua_newtable(L);
  for (lua_Integer i = 0; options && options[i]; i++) {
    lua_pushstring(L, options[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "options");
}

typedef struct opening {
  ecrb_run *run;
  const ecrb_run_spec *spec;
} opening;

/* [-0, +1] The specification as embedded.open takes it. */
static void push_spec(lua_State *L, const opening *what) {
  const ecrb_run_spec *spec = what->spec;
  lua_newtable(L);
  set_text(L, "benchmark", spec->benchmark);
  set_text(L, "method", spec->method);
  set_text(L, "book", spec->book);
  set_text(L, "split", spec->split);
  set_text(L, "items", spec->items);
  set_text(L, "folder", spec->folder);
  set_text(L, "model_name", spec->model_name);
  set_options(L, spec->options);
  if (spec->limit > 0)
    bind_set_integer(L, "limit", (lua_Integer)spec->limit);
  bind_set_integer(L, "seed", spec->seed ? (lua_Integer)spec->seed : 1);
  if (spec->model)
    set_function(L, "answer", answer, what->run);
  set_function(L, "each", each, what->run);
}

static int open_run(lua_State *L) {
  const opening *what = lua_touserdata(L, 1);
  ecrb_run *run = what->run;
  push_policy(L, "open");
  push_spec(L, what);
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "size");
  run->size = (size_t)lua_tointeger(L, -1);
  lua_getfield(L, -2, "labelled");
  run->labelled = lua_toboolean(L, -1);
  lua_pop(L, 2);
  run->ref = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

static int with_room(ecrb_run *run, ecrb_err *err) {
  run->scores = calloc(run->size + 1, sizeof *run->scores);
  if (run->scores)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_ENOMEM, "memory ran out");
}

int ecrb_run_open(ecrb_host *host, const ecrb_run_spec *spec, ecrb_run **out,
                  ecrb_err *err) {
  ecrb_run *run = calloc(1, sizeof *run);
  opening what = {run, spec};
  int status;
  *out = NULL;
  if (!run)
    return ecrb_fail(err, ECRB_ENOMEM, "memory ran out");
  *run = (ecrb_run){
      .host = host, .ref = LUA_NOREF, .model = spec->model, .data = spec->data};
  status = tell(run, host_protect(host, open_run, &what, NULL), err);
  if (status == ECRB_OK)
    status = with_room(run, err);
  if (status == ECRB_OK)
    *out = run;
  else
    ecrb_run_close(run);
  return status;
}

size_t ecrb_run_size(const ecrb_run *run) {
  return run->size;
}
/* }==================================================================== */

/* [-0, +1] embedded[name](run) */
static int call_policy(lua_State *L, const char *name) {
  const ecrb_run *run = lua_touserdata(L, 1);
  push_policy(L, name);
  lua_rawgeti(L, LUA_REGISTRYINDEX, run->ref);
  lua_call(L, 1, 1);
  return 1;
}

static int call_all(lua_State *L) {
  return call_policy(L, "all");
}

static int call_close(lua_State *L) {
  return call_policy(L, "close");
}

int ecrb_run_all(ecrb_run *run, ecrb_each *function, ecrb_err *err) {
  int ended_early = 0, status;
  run->each = function;
  run->scored = 0;
  status = tell(run, host_protect(run->host, call_all, run, &ended_early), err);
  run->each = NULL;
  if (status == ECRB_OK && ended_early)
    return ecrb_fail(err, ECRB_ELIMIT, "the run ended early");
  return status;
}

int ecrb_run_score(const ecrb_run *run, ecrb_summary *out, size_t *n,
                   ecrb_err *err) {
  if (!run->labelled)
    return ecrb_fail(err, ECRB_ENONE, "the benchmark has no labels");
  ecrb_score_mean(run->scores, run->scored, out);
  if (n)
    *n = run->scored;
  return ECRB_OK;
}

void ecrb_run_close(ecrb_run *run) {
  if (!run)
    return;
  if (run->ref != LUA_NOREF) {
    host_protect(run->host, call_close, run, NULL);
    luaL_unref(run->host->L, LUA_REGISTRYINDEX, run->ref);
  }
  free(run->scores);
  free(run);
}
