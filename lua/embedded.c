/* embedded.c: a run for a program in C. What a run is stands in
** lua/ecrb/embedded.lua; here its two functions meet those of the program. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "binding.h"
#include "desk.h"
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
  desk *desk; /* NULL: the model answers */
  bool labelled;
  ecrb_item_score *scores; /* of the items so far; room for `size` */
  size_t *indices;         /* in the benchmark; of ascending order */
  size_t scored;
};

/* [-0, +0] How an error of the last protected call is told to the program. */
static int tell(const ecrb_run *run, int status, ecrb_err *err) {
  if (status == ECRB_OK)
    return ECRB_OK;
  return ecrb_fail(err, status, "%s", ecrb_host_message(run->host));
}

static const char NO_REASON[] = "the program's model failed";

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
  lua_pushstring(L, err.msg[0] ? err.msg : NO_REASON);
  return 2;
}
/* }==================================================================== */

/* {====================================================================
** Open questions
** ===================================================================== */

/* ticket() -> number */
static int open_ticket(lua_State *L) {
  uint64_t ticket = desk_open(upvalue_run(L)->desk);
  if (ticket == 0)
    return bind_fail(L, "memory", "no memory for an open question");
  lua_pushinteger(L, (lua_Integer)ticket);
  return 1;
}

/* answered() -> ticket, text; or ticket, nil and why; or nothing. */
static int take_answer(lua_State *L) {
  desk_slip taken;
  if (!desk_take(upvalue_run(L)->desk, &taken))
    return 0;
  lua_pushinteger(L, (lua_Integer)taken.ticket);
  if (taken.lost)
    luaL_pushfail(L);
  bind_push_span(L, taken.text);
  return taken.lost ? 3 : 2;
}

/* [-0, +0] The table on top, {ticket=, messages=, body=}, as a question that it
** holds on to. */
static ecrb_question read_question(lua_State *L) {
  int table = lua_gettop(L);
  ecrb_question question = {.request = text_field(L, table, "body")};
  lua_getfield(L, table, "ticket");
  question.ticket = (uint64_t)lua_tointeger(L, -1);
  lua_getfield(L, table, "messages");
  question.count = lua_rawlen(L, -1);
  question.messages = push_messages(L, lua_gettop(L), question.count);
  lua_setfield(L, table, "list");
  lua_settop(L, table);
  return question;
}

/* A run with a model has no open questions, and the other way round. */
static int check_form(const ecrb_run *run, bool open, ecrb_err *err) {
  if ((run->desk != NULL) == open)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EARG,
                   open ? "the run was opened without `open`: ecrb_run_all "
                          "asks its questions"
                        : "the run was opened with `open`: ecrb_run_next "
                          "hands its questions out");
}

static int put_answer(ecrb_run *run, const desk_slip *given, ecrb_err *err) {
  int status = check_form(run, true, err);
  return status == ECRB_OK ? desk_answer(run->desk, given, err) : status;
}

int ecrb_run_answer(ecrb_run *run, uint64_t ticket, ecrb_span reply,
                    ecrb_err *err) {
  desk_slip given = {ticket, reply, false};
  return put_answer(run, &given, err);
}

int ecrb_run_lose(ecrb_run *run, uint64_t ticket, const char *why,
                  ecrb_err *err) {
  desk_slip given = {ticket, ecrb_span_of(why ? why : NO_REASON), true};
  return put_answer(run, &given, err);
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

/* Whatever order items end in, the sum of their scores is the same. */
static void keep_score(ecrb_run *run, const ecrb_result *result) {
  size_t at = run->scored++;
  for (; at > 0 && run->indices[at - 1] > result->index; at--) {
    run->indices[at] = run->indices[at - 1];
    run->scores[at] = run->scores[at - 1];
  }
  run->indices[at] = result->index;
  run->scores[at] = result->score;
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
    keep_score(run, &result);
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
  if (spec->open > 0) {
    bind_set_integer(L, "open", (lua_Integer)spec->open);
    set_function(L, "ticket", open_ticket, what->run);
    set_function(L, "answered", take_answer, what->run);
  }
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

static int with_room(ecrb_run *run, const ecrb_run_spec *spec, ecrb_err *err) {
  run->scores = calloc(run->size + 1, sizeof *run->scores);
  run->indices = calloc(run->size + 1, sizeof *run->indices);
  if (spec->open > 0)
    run->desk = desk_new(run->host);
  if (run->scores && run->indices && (run->desk || spec->open == 0))
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
    status = with_room(run, spec, err);
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
  int ended_early = 0, status = check_form(run, false, err);
  if (status != ECRB_OK)
    return status;
  run->each = function;
  run->scored = 0;
  status = tell(run, host_protect(run->host, call_all, run, &ended_early), err);
  run->each = NULL;
  if (status == ECRB_OK && ended_early)
    return ecrb_fail(err, ECRB_ELIMIT, "the run ended early");
  return status;
}

typedef struct turn {
  const ecrb_run *run;
  long timeout_ms;
  ecrb_question *out;
  bool *over, *early;
} turn;

/* next(run, milliseconds) -> question; false for none as yet; nil and whether
** the run ended early. */
static int call_next(lua_State *L) {
  const turn *t = lua_touserdata(L, 1);
  push_policy(L, "next");
  lua_rawgeti(L, LUA_REGISTRYINDEX, t->run->ref);
  lua_pushinteger(L, t->timeout_ms);
  lua_call(L, 2, 2);
  *t->over = lua_isnil(L, -2);
  *t->early = lua_toboolean(L, -1);
  lua_pop(L, 1);
  if (lua_istable(L, -1))
    *t->out = read_question(L);
  return 0;
}

/* A run that has failed is over: a question may be lost. */
static void end_run(ecrb_run *run, int status) {
  if (status != ECRB_OK)
    host_protect(run->host, call_close, run, NULL);
  desk_clear(run->desk);
}

int ecrb_run_next(ecrb_run *run, long timeout_ms, ecrb_each *function,
                  ecrb_question *out, ecrb_err *err) {
  bool over = false, early = false;
  turn what = {run, timeout_ms, out, &over, &early};
  int status = check_form(run, true, err);
  *out = (ecrb_question){0};
  if (status != ECRB_OK)
    return status;
  run->each = function;
  status = tell(run, host_protect(run->host, call_next, &what, NULL), err);
  run->each = NULL;
  if (status != ECRB_OK || over)
    end_run(run, status);
  if (status != ECRB_OK || !over)
    return status;
  return early ? ecrb_fail(err, ECRB_ELIMIT, "the run ended early")
               : ecrb_fail(err, ECRB_ENONE, "every item has its record");
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
  desk_free(run->desk);
  free(run->scores);
  free(run->indices);
  free(run);
}
