/* l_score.c: core.score, predictions against the labels that stay in C. */
#include <lauxlib.h>
#include <lua.h>
#include <math.h>

#include "binding.h"
#include "l_bench.h"
#include "l_score.h"
#include "modules.h"

enum { SET_MOST = 64 };

/* [-0, +0] Level `level` of the path, a list of EC numbers on top. */
static void read_level(lua_State *L, ecrb_path *path, int level) {
  if (lua_rawgeti(L, -1, level) != LUA_TNIL) {
    if (path->depth != level - 1)
      luaL_error(L, "a path skips level %d", level - 1);
    path->node[level - 1] = bind_check_ec(L, -1);
    path->depth = level;
  }
  lua_pop(L, 1);
}

ecrb_prediction score_check_prediction(lua_State *L) {
  ecrb_prediction p = {.confidence = NAN};
  if (lua_getfield(L, -1, "path") == LUA_TTABLE)
    for (int level = 1; level <= ECRB_LEVELS; level++)
      read_level(L, &p.path, level);
  lua_pop(L, 1);
  lua_getfield(L, -1, "may_stop");
  p.may_stop = lua_toboolean(L, -1);
  if (lua_getfield(L, -2, "confidence") == LUA_TNUMBER)
    p.confidence = lua_tonumber(L, -1);
  lua_pop(L, 2);
  p.answered = p.path.depth > 0;
  return p;
}

static void set_score(lua_State *L, const ecrb_item_score *s) {
  static const char *const levels[ECRB_LEVELS] = {"l1", "l2", "l3", "l4"};
  for (int l = 0; l < ECRB_LEVELS; l++)
    bind_set_boolean(L, levels[l], s->correct[l]);
  bind_set_boolean(L, "node", s->node_correct);
  bind_set_boolean(L, "exists", s->exists);
  bind_set_boolean(L, "valid", s->valid);
  bind_set_integer(L, "depth", s->depth);
  bind_set_integer(L, "common", s->common);
  bind_set_integer(L, "predicted", s->predicted);
  bind_set_integer(L, "gold", s->gold);
  bind_set_number(L, "hp", s->hp);
  bind_set_number(L, "hr", s->hr);
  bind_set_number(L, "hf", s->hf);
}

/* [-0, +0] How the EC numbers of the list on top meet the labels, as the field
** `set` of the table below it. */
static void set_set_score(lua_State *L, const ecrb_ec *labels, size_t n) {
  ecrb_ec predicted[SET_MOST];
  ecrb_set_score s;
  size_t count = lua_rawlen(L, -1);
  if (count > SET_MOST)
    luaL_error(L, "a set of %d EC numbers; %d are the most", (int)count,
               SET_MOST);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    predicted[i] = bind_check_ec(L, -1);
    lua_pop(L, 1);
  }
  ecrb_score_set(labels, n, predicted, count, &s);
  lua_createtable(L, 0, 4);
  bind_set_number(L, "precision", s.precision);
  bind_set_number(L, "recall", s.recall);
  bind_set_number(L, "f1", s.f1);
  bind_set_boolean(L, "exact", s.exact);
  lua_setfield(L, -3, "set");
}

/* [-0, +1] The score of the prediction on top. */
static void push_score(lua_State *L, ecrb_bench *bench) {
  ecrb_prediction p = score_check_prediction(L);
  const ecrb_ec *labels;
  size_t index, n;
  ecrb_item_score s;
  ecrb_err err;
  lua_getfield(L, -1, "index");
  index = (size_t)luaL_checkinteger(L, -1) - 1;
  lua_pop(L, 1);
  bind_check(L, ecrb_bench_labels(bench, index, &labels, &n, &err), &err);
  ecrb_score_item(ecrb_bench_tree(bench), labels, n, &p, &s);
  lua_createtable(L, 0, 13);
  set_score(L, &s);
  bind_set_integer(L, "classes", ecrb_classes(labels, n));
  if (lua_getfield(L, -2, "nodes") == LUA_TTABLE)
    set_set_score(L, labels, n);
  lua_pop(L, 1);
}

/*** core.score.items(bench, {prediction...}) -> {score...}
**
** Each prediction {index=, path={...}, may_stop=, confidence=}, an abstention
** where the path is empty, against the labels of its item: {l1=, l2=, l3=,
** l4=, node=, exists=, valid=, depth=, common=, predicted=, gold=, hp=, hr=,
** hf=, classes=}, see ecrb_item_score; `classes` is a set, bit c - 1 for class
** c. With a list `nodes` of EC numbers it adds set={precision=, recall=, f1=,
** exact=}.
*/
static int score_items(lua_State *L) {
  ecrb_bench *bench = bind_check_bench(L, 1);
  lua_Integer n;
  luaL_checktype(L, 2, LUA_TTABLE);
  n = (lua_Integer)lua_rawlen(L, 2);
  lua_createtable(L, (int)n, 0);
  for (lua_Integer i = 1; i <= n; i++) {
    if (lua_rawgeti(L, 2, i) != LUA_TTABLE)
      luaL_error(L, "prediction %d is a %s", (int)i, luaL_typename(L, -1));
    push_score(L, bench);
    lua_rawseti(L, 3, i);
    lua_pop(L, 1);
  }
  return 1;
}

/* [-0, +1] The texts of the list at `arg`, borrowed from it. */
static ecrb_span *push_spans(lua_State *L, int arg, size_t *n) {
  ecrb_span *spans;
  luaL_checktype(L, arg, LUA_TTABLE);
  *n = lua_rawlen(L, arg);
  spans = lua_newuserdatauv(L, (*n + 1) * sizeof *spans, 0);
  for (size_t i = 0; i < *n; i++) {
    if (lua_rawgeti(L, arg, (lua_Integer)i + 1) != LUA_TSTRING)
      luaL_error(L, "text %d is a %s", (int)i + 1, luaL_typename(L, -1));
    spans[i].at = lua_tolstring(L, -1, &spans[i].n);
    lua_pop(L, 1);
  }
  return spans;
}

/*** core.score.care(labels, pool) -> {l1, l2, l3, l4}
**
** CARE's own rule on one item: its label texts against a pool of predicted
** texts.
*/
static int score_care(lua_State *L) {
  size_t n_labels, n_pool;
  const ecrb_span *labels = push_spans(L, 1, &n_labels);
  const ecrb_span *pool = push_spans(L, 2, &n_pool);
  double levels[ECRB_LEVELS];
  ecrb_score_care(labels, n_labels, pool, n_pool, levels);
  lua_createtable(L, ECRB_LEVELS, 0);
  for (int l = 0; l < ECRB_LEVELS; l++) {
    lua_pushnumber(L, levels[l]);
    lua_rawseti(L, -2, l + 1);
  }
  return 1;
}

static const luaL_Reg functions[] = {
    {"care", score_care}, {"items", score_items}, {NULL, NULL}};

int luaopen_core_score(lua_State *L) {
  luaL_newlib(L, functions);
  return 1;
}
