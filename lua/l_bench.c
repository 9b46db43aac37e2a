/* l_bench.c: core.bench, benchmarks and their items. Labels leave it in one
** place only, bench:reveal, which no script can reach. */
#include "l_bench.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "binding.h"
#include "l_tree.h"
#include "modules.h"

#define BENCH_TYPE "ecrb.bench"
#define ENZYME_TYPE "ecrb.enzyme"
#define HITS_TYPE "ecrb.hits"

enum { ENZYME_BENCH = 1, HITS_BENCH = 1 }; /* user value: the benchmark */

static ecrb_bench **check_handle(lua_State *L, int arg) {
  return luaL_checkudata(L, arg, BENCH_TYPE);
}

ecrb_bench *bind_check_bench(lua_State *L, int arg) {
  ecrb_bench *bench = *check_handle(L, arg);
  luaL_argcheck(L, bench, arg, "the benchmark is closed");
  return bench;
}

size_t bind_check_index(lua_State *L, int arg, const ecrb_bench *bench) {
  lua_Integer index = luaL_checkinteger(L, arg);
  luaL_argcheck(L, index >= 1 && (size_t)index <= ecrb_bench_size(bench), arg,
                "there is no item of that number");
  return (size_t)index - 1;
}

static ecrb_item check_item(lua_State *L, int arg, const ecrb_bench *bench) {
  ecrb_item item;
  size_t index = bind_check_index(L, arg, bench);
  bind_check(L, ecrb_bench_item(bench, index, &item), NULL);
  return item;
}

/* {====================================================================
** The enzyme that a script gets: name, sequence, length, nothing else; where
** the items are reactions: name, reaction, equation, text
** ===================================================================== */

typedef struct enzyme {
  ecrb_span name;
  ecrb_span sequence;
  ecrb_span reaction, equation, text;
} enzyme;

static void push_filled(lua_State *L, ecrb_span text) {
  if (text.n > 0)
    bind_push_span(L, text);
  else
    lua_pushnil(L);
}

/* Which of the fields the key is; `told` names them for who asks for another. */
static int field_asked(lua_State *L, const char *const *fields,
                       const char *told) {
  const char *key =
      lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
  for (int i = 0; fields[i]; i++)
    if (strcmp(key, fields[i]) == 0)
      return i;
  return luaL_error(L, "an enzyme has no `%s`; it has %s", key, told);
}

static int protein_field(lua_State *L, const enzyme *e) {
  static const char *const fields[] = {"name", "sequence", "length", NULL};
  int field = field_asked(L, fields, "name, sequence and length");
  if (field == 2)
    lua_pushinteger(L, (lua_Integer)e->sequence.n);
  else
    bind_push_span(L, field == 0 ? e->name : e->sequence);
  return 1;
}

static int reaction_field(lua_State *L, const enzyme *e) {
  static const char *const fields[] = {"name", "reaction", "equation", "text",
                                       NULL};
  const ecrb_span values[] = {e->name, e->reaction, e->equation, e->text};
  push_filled(
      L, values[field_asked(L, fields, "name, reaction, equation and text")]);
  return 1;
}

static int enzyme_field(lua_State *L) {
  const enzyme *e = luaL_checkudata(L, 1, ENZYME_TYPE);
  return e->reaction.n > 0 ? reaction_field(L, e) : protein_field(L, e);
}

static int enzyme_tostring(lua_State *L) {
  const enzyme *e = luaL_checkudata(L, 1, ENZYME_TYPE);
  bind_push_span(L, e->name);
  return 1;
}

static int enzyme_refuse(lua_State *L) {
  return luaL_error(L, "an enzyme is read-only");
}

/*** bench:enzyme(i) -> enzyme
**
** What a method sees of item i: enzyme.name (anonymized), enzyme.sequence,
** enzyme.length; of a reaction: name, reaction (SMILES), equation, text.
*/
static int bench_enzyme(lua_State *L) {
  const ecrb_bench *bench = bind_check_bench(L, 1);
  ecrb_item item = check_item(L, 2, bench);
  enzyme *e = lua_newuserdatauv(L, sizeof *e, ENZYME_BENCH);
  *e = (enzyme){item.shown, item.sequence, item.reaction, item.equation,
                item.text};
  luaL_setmetatable(L, ENZYME_TYPE);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, ENZYME_BENCH);
  return 1;
}
/* }==================================================================== */

/* {====================================================================
** Items and evidence
** ===================================================================== */

static void set_filled(lua_State *L, const char *key, ecrb_span value) {
  if (value.n > 0)
    bind_set_span(L, key, value);
}

/* [-0, +1] `price/3` */
static void push_item_name(lua_State *L, const ecrb_item *item) {
  bind_push_span(L, item->split);
  lua_pushfstring(L, "%s/%d", lua_tostring(L, -1), (int)item->ordinal);
  lua_remove(L, -2);
}

/*** bench:item(i)
***   -> {index, id, split, shown, visible, ordinal, name, sequence}
**
** Item i with its real id, for records and people; `name` is `price/3`. A
** reaction has reaction, equation and text in place of sequence.
*/
static int bench_item(lua_State *L) {
  const ecrb_bench *bench = bind_check_bench(L, 1);
  ecrb_item item = check_item(L, 2, bench);
  lua_createtable(L, 0, 8);
  bind_set_integer(L, "index", lua_tointeger(L, 2));
  bind_set_span(L, "id", item.id);
  bind_set_span(L, "split", item.split);
  bind_set_span(L, "shown", item.shown);
  set_filled(L, "sequence", item.sequence);
  set_filled(L, "reaction", item.reaction);
  set_filled(L, "equation", item.equation);
  set_filled(L, "text", item.text);
  bind_set_boolean(L, "visible", item.visible);
  bind_set_integer(L, "ordinal", (lua_Integer)item.ordinal);
  push_item_name(L, &item);
  lua_setfield(L, -2, "name");
  return 1;
}

/*** bench:id(i) -> id
**
** The real id of item i alone.
*/
static int bench_id(lua_State *L) {
  bind_push_span(L, check_item(L, 2, bind_check_bench(L, 1)).id);
  return 1;
}

/*** bench:find(name) -> i
**
** The number of the item with that id, anonymized id, or name such as
** `price/3`; nil where there is none.
*/
static int bench_find(lua_State *L) {
  size_t index;
  const ecrb_bench *bench = bind_check_bench(L, 1);
  if (ecrb_bench_find(bench, bind_check_span(L, 2), &index) == ECRB_OK)
    lua_pushinteger(L, (lua_Integer)index + 1);
  else
    luaL_pushfail(L);
  return 1;
}

/*** bench:place(name) -> i, id, item name, split
**
** What bench:find finds, and of that item what records of it repeat.
*/
static int bench_place(lua_State *L) {
  const ecrb_bench *bench = bind_check_bench(L, 1);
  ecrb_item item;
  size_t index;
  if (ecrb_bench_find(bench, bind_check_span(L, 2), &index) != ECRB_OK) {
    luaL_pushfail(L);
    return 1;
  }
  bind_check(L, ecrb_bench_item(bench, index, &item), NULL);
  lua_pushinteger(L, (lua_Integer)index + 1);
  bind_push_span(L, item.id);
  push_item_name(L, &item);
  bind_push_span(L, item.split);
  return 4;
}

/*** bench:channels() -> {name...}
**
** The evidence channels: the paper's six, then what else the file names.
*/
static int bench_channels(lua_State *L) {
  ecrb_err err;
  int count;
  ecrb_bench *bench = bind_check_bench(L, 1);
  bind_check(L, ecrb_bench_channels(bench, &count, &err), &err);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    bind_push_span(L, ecrb_bench_channel_name(bench, i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int check_channel(lua_State *L, int arg, ecrb_bench *bench) {
  ecrb_err err;
  int count;
  ecrb_span name = bind_check_span(L, arg);
  bind_check(L, ecrb_bench_channels(bench, &count, &err), &err);
  for (int i = 0; i < count; i++)
    if (ecrb_span_equal(name, ecrb_bench_channel_name(bench, i)))
      return i;
  return luaL_argerror(L, arg, "there is no such evidence channel");
}

static void set_known(lua_State *L, const char *key, double value) {
  if (!isnan(value))
    bind_set_number(L, key, value);
}

static void push_hit(lua_State *L, const ecrb_hit *hit) {
  lua_createtable(L, 0, 9);
  bind_set_integer(L, "rank", hit->rank);
  bind_set_span(L, "shown", hit->shown);
  bind_set_span(L, "neighbour", hit->neighbour);
  bind_set_number(L, "score", hit->score);
  bind_set_span(L, "kind", hit->score_kind);
  set_known(L, "identity", hit->identity);
  set_known(L, "coverage", hit->coverage);
  set_known(L, "evalue", hit->evalue);
  bind_push_ecs(L, hit->ec, (size_t)hit->ec_count);
  lua_setfield(L, -2, "ec");
}

/* A view of evidence: what was found, and how much of it is to be seen. */
typedef struct hits_view {
  ecrb_bench *bench; /* kept alive by the user value */
  ecrb_found found;
  size_t count;
} hits_view;

/*** bench:evidence(i, channel, most) -> hits
**
** The hits of item i in one channel, best first, `most` of them or all, as a
** list that can be read and not changed: #hits, hits[k], ipairs(hits). A look-up
** costs next to nothing; each hit is read when it is asked for, as a new table
** {rank, shown, neighbour, ec={...}, score, kind, identity, coverage, evalue},
** where what the tool does not give is nil.
*/
static int bench_evidence(lua_State *L) {
  ecrb_err err;
  ecrb_bench *bench = bind_check_bench(L, 1);
  size_t index = bind_check_index(L, 2, bench);
  int channel = check_channel(L, 3, bench);
  lua_Integer most = luaL_optinteger(L, 4, LUA_MAXINTEGER);
  hits_view *view;
  luaL_argcheck(L, most >= 0, 4, "0 or more hits");
  view = lua_newuserdatauv(L, sizeof *view, HITS_BENCH);
  view->bench = bench;
  bind_check(L, ecrb_bench_look_up(bench, index, channel, &view->found, &err),
             &err);
  view->count = view->found.count < (size_t)most ? view->found.count
                                                 : (size_t)most;
  luaL_setmetatable(L, HITS_TYPE);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, HITS_BENCH);
  return 1;
}

static int hits_size(lua_State *L) {
  const hits_view *view = luaL_checkudata(L, 1, HITS_TYPE);
  lua_pushinteger(L, (lua_Integer)view->count);
  return 1;
}

static int hits_at(lua_State *L) {
  ecrb_err err;
  ecrb_hit hit;
  hits_view *view = luaL_checkudata(L, 1, HITS_TYPE);
  lua_Integer k = lua_tointeger(L, 2);
  if (k < 1 || (size_t)k > view->count) {
    luaL_pushfail(L);
    return 1;
  }
  bind_check(L,
             ecrb_bench_hit(view->bench, &view->found, (size_t)k - 1, &hit,
                            &err),
             &err);
  push_hit(L, &hit);
  return 1;
}
/* }==================================================================== */

/* {====================================================================
** Candidates, labels, tree
** ===================================================================== */

static ecrb_candidate_rule check_rule(lua_State *L, int arg) {
  static const char *const keys[] = {"most", "sibling_share", NULL};
  ecrb_candidate_rule rule = ecrb_candidate_rule_default();
  bind_check_keys(L, arg, keys);
  rule.most = (int)fmin(
      fmax(bind_number_field(L, arg, "most", rule.most), INT_MIN), INT_MAX);
  rule.sibling_share =
      bind_number_field(L, arg, "sibling_share", rule.sibling_share);
  return rule;
}

static void push_candidate(lua_State *L, const ecrb_tree *tree,
                           ecrb_node node) {
  ecrb_span name = ecrb_tree_name(tree, node);
  lua_createtable(L, 0, 2);
  bind_push_ec(L, ecrb_tree_ec(tree, node));
  lua_setfield(L, -2, "ec");
  if (name.n > 0)
    bind_set_span(L, "name", name);
}

/*** bench:candidates(i, node, {most=10, sibling_share=0.7}) -> {{ec, name}...}
**
** What the level below `node` offers for item i, in the order in which it is
** shown. Depends on the benchmark's seed, the item and the node alone.
*/
static int bench_candidates(lua_State *L) {
  ecrb_err err;
  ecrb_bench *bench = bind_check_bench(L, 1);
  const ecrb_tree *tree = ecrb_bench_tree(bench);
  size_t index = bind_check_index(L, 2, bench);
  ecrb_node node = bind_check_node(L, 3, tree);
  ecrb_candidate_rule rule = check_rule(L, 4);
  ecrb_node list[ECRB_CANDIDATES_MAX];
  size_t count;
  bind_check(L, ecrb_candidates(bench, index, node, &rule, list, &count, &err),
             &err);
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    push_candidate(L, tree, list[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/*** bench:kind() -> "proteins" or "reactions"
**
** What the items are.
*/
static int bench_kind(lua_State *L) {
  bool reactions = ecrb_bench_reactions(bind_check_bench(L, 1));
  lua_pushstring(L, reactions ? "reactions" : "proteins");
  return 1;
}

/*** bench:tree() -> tree
**
** The EC tree of the benchmark.
*/
static int bench_tree(lua_State *L) {
  bind_push_tree(L, ecrb_bench_tree(bind_check_bench(L, 1)), 1);
  return 1;
}

/*** bench:labelled() -> boolean
**
** Whether the benchmark has labels.
*/
static int bench_labelled(lua_State *L) {
  ecrb_err err;
  const ecrb_ec *labels;
  size_t count;
  ecrb_bench *bench = bind_check_bench(L, 1);
  int status = ecrb_bench_labels(bench, 0, &labels, &count, &err);
  if (status != ECRB_ENONE)
    bind_check(L, status, &err);
  lua_pushboolean(L, status == ECRB_OK);
  return 1;
}

/*** bench:reveal(i) -> {ec...}
**
** The gold labels of item i: for commands that show them to people, and for
** the oracle. Never in reach of a method.
*/
static int bench_reveal(lua_State *L) {
  ecrb_err err;
  const ecrb_ec *labels;
  size_t count;
  ecrb_bench *bench = bind_check_bench(L, 1);
  size_t index = bind_check_index(L, 2, bench);
  bind_check(L, ecrb_bench_labels(bench, index, &labels, &count, &err), &err);
  bind_push_ecs(L, labels, count);
  return 1;
}
/* }==================================================================== */

static int bench_size(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)ecrb_bench_size(bind_check_bench(L, 1)));
  return 1;
}

static int bench_gc(lua_State *L) {
  ecrb_bench **handle = check_handle(L, 1);
  ecrb_bench_close(*handle);
  *handle = NULL;
  return 0;
}

/*** core.bench.open(folder, seed) -> bench
**
** Opens a benchmark's tables. `seed` is the benchmark's own, from bench.json.
** #bench is the number of items.
*/
static int open_bench(lua_State *L) {
  ecrb_err err;
  const char *folder = luaL_checkstring(L, 1);
  lua_Integer seed = luaL_checkinteger(L, 2);
  ecrb_bench **handle = lua_newuserdatauv(L, sizeof *handle, 0);
  *handle = NULL;
  luaL_setmetatable(L, BENCH_TYPE);
  bind_check(L, ecrb_bench_open(folder, (uint64_t)seed, handle, &err), &err);
  return 1;
}

int luaopen_core_bench(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"candidates", bench_candidates}, {"channels", bench_channels},
      {"enzyme", bench_enzyme},         {"evidence", bench_evidence},
      {"find", bench_find},             {"id", bench_id},
      {"item", bench_item},             {"kind", bench_kind},
      {"labelled", bench_labelled},     {"place", bench_place},
      {"reveal", bench_reveal},         {"tree", bench_tree},
      {NULL, NULL}};
  static const luaL_Reg metamethods[] = {
      {"__gc", bench_gc}, {"__len", bench_size}, {NULL, NULL}};
  static const luaL_Reg enzyme_metamethods[] = {
      {"__index", enzyme_field},
      {"__newindex", enzyme_refuse},
      {"__tostring", enzyme_tostring},
      {NULL, NULL}};
  static const luaL_Reg hits_metamethods[] = {
      {"__index", hits_at}, {"__len", hits_size}, {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"open", open_bench}, {"tree", bind_tree_over}, {NULL, NULL}};
  bind_new_tree_type(L);
  bind_new_type(L, BENCH_TYPE, methods, metamethods);
  bind_new_type(L, ENZYME_TYPE, NULL, enzyme_metamethods);
  bind_new_type(L, HITS_TYPE, NULL, hits_metamethods);
  luaL_newlib(L, functions);
  return 1;
}
