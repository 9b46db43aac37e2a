/* l_score.c: core.score, predictions against the labels that stay in C. */
#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <string.h>

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
    path->node[level - 1] = bind_element_ec(L, "level", (size_t)level);
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

/* All that a score says. Of many items most have one that others have, too, and
** share its table. */
typedef struct whole_score {
  ecrb_item_score item;
  ecrb_set_score set;
  uint32_t classes;
  bool has_set;
} whole_score;

/* [-0, +0] How the EC numbers of the list on top meet the labels. */
static void score_set(lua_State *L, const ecrb_ec *labels, size_t n,
                      ecrb_set_score *out) {
  ecrb_ec predicted[SET_MOST];
  size_t count = lua_rawlen(L, -1);
  if (count > SET_MOST)
    luaL_error(L, "a set of %d EC numbers; %d are the most", (int)count,
               SET_MOST);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    predicted[i] = bind_element_ec(L, "node", i + 1);
    lua_pop(L, 1);
  }
  ecrb_score_set(labels, n, predicted, count, out);
}

/* [-0, +0] The score of the prediction on top. */
static void score_prediction(lua_State *L, ecrb_bench *bench,
                             whole_score *out) {
  ecrb_prediction p = score_check_prediction(L);
  const ecrb_ec *labels;
  size_t index, n;
  ecrb_err err;
  lua_getfield(L, -1, "index");
  if (!lua_isinteger(L, -1))
    luaL_error(L, "field 'index' of a prediction is no whole number");
  index = (size_t)lua_tointeger(L, -1) - 1;
  lua_pop(L, 1);
  bind_check(L, ecrb_bench_labels(bench, index, &labels, &n, &err), &err);
  memset(out, 0, sizeof *out); /* what is compared below has gaps */
  ecrb_score_item(ecrb_bench_tree(bench), labels, n, &p, &out->item);
  out->item.confidence = 0; /* the prediction has it */
  out->classes = ecrb_classes(labels, n);
  out->has_set = lua_getfield(L, -1, "nodes") == LUA_TTABLE;
  if (out->has_set)
    score_set(L, labels, n, &out->set);
  lua_pop(L, 1);
}

/* [-0, +1] */
static void push_whole(lua_State *L, const whole_score *s) {
  lua_createtable(L, 0, 15);
  set_score(L, &s->item);
  bind_set_integer(L, "classes", s->classes);
  if (!s->has_set)
    return;
  lua_createtable(L, 0, 4);
  bind_set_number(L, "precision", s->set.precision);
  bind_set_number(L, "recall", s->set.recall);
  bind_set_number(L, "f1", s->set.f1);
  bind_set_boolean(L, "exact", s->set.exact);
  lua_setfield(L, -2, "set");
}

/* [-1, +1] The score of the prediction on top, out of the table at `known`, by
** its bytes, if it is there. */
static void replace_by_score(lua_State *L, ecrb_bench *bench, int known) {
  whole_score s;
  score_prediction(L, bench, &s);
  lua_pop(L, 1);
  lua_pushlstring(L, (const char *)&s, sizeof s);
  lua_pushvalue(L, -1);
  if (lua_rawget(L, known) == LUA_TNIL) {
    lua_pop(L, 1);
    push_whole(L, &s);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, known);
  }
  lua_remove(L, -2);
}

/*** core.score.items(bench, {prediction...}) -> {score...}
**
** Each prediction {index=, path={...}, may_stop=, confidence=}, an abstention
** where the path is empty, against the labels of its item: {l1=, l2=, l3=,
** l4=, node=, exists=, valid=, depth=, common=, predicted=, gold=, hp=, hr=,
** hf=, classes=}, see ecrb_item_score; `classes` is a set, bit c - 1 for class
** c. With a list `nodes` of EC numbers it adds set={precision=, recall=, f1=,
** exact=}. Equal scores are one table, not to be changed.
*/
static int score_items(lua_State *L) {
  ecrb_bench *bench = bind_check_bench(L, 1);
  lua_Integer n;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  n = (lua_Integer)lua_rawlen(L, 2);
  lua_newtable(L);
  lua_createtable(L, (int)n, 0);
  for (lua_Integer i = 1; i <= n; i++) {
    if (lua_rawgeti(L, 2, i) != LUA_TTABLE)
      luaL_error(L, "prediction %d is a %s", (int)i, luaL_typename(L, -1));
    replace_by_score(L, bench, 3);
    lua_rawseti(L, 4, i);
  }
  return 1;
}

static int score_one(lua_State *L) {
  ecrb_bench *bench = bind_check_bench(L, lua_upvalueindex(1));
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  replace_by_score(L, bench, lua_upvalueindex(2));
  return 1;
}

/*** core.score.scorer(bench) -> function (prediction) -> score
**
** The same, a prediction at a time.
*/
static int score_scorer(lua_State *L) {
  bind_check_bench(L, 1);
  lua_settop(L, 1);
  lua_newtable(L);
  lua_pushcclosure(L, score_one, 2);
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
    {"care", score_care}, {"items", score_items}, {"scorer", score_scorer}, {NULL, NULL}};

int luaopen_core_score(lua_State *L) {
  luaL_newlib(L, functions);
  return 1;
}
