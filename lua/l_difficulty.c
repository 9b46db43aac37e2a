/* l_difficulty.c: core.difficulty, how hard items are held to be. */
#include <math.h>

#include "binding.h"
#include "ecrb_import.h"
#include "l_tree.h"
#include "modules.h"

#define DIFFICULTY_TYPE "ecrb.difficulty"

enum { TREE = 1 }; /* user value: the tree */

static ecrb_difficulty *check_difficulty(lua_State *L) {
  return *(ecrb_difficulty **)luaL_checkudata(L, 1, DIFFICULTY_TYPE);
}

/*** core.difficulty.over(tree) -> difficulty
**
** What the axes of a leaf are measured by: the tree, and the training enzymes
** that are added.
*/
static int difficulty_over(lua_State *L) {
  const ecrb_tree *tree = bind_check_tree(L, 1);
  ecrb_difficulty **handle = lua_newuserdatauv(L, sizeof *handle, TREE);
  ecrb_err err;
  *handle = NULL;
  luaL_setmetatable(L, DIFFICULTY_TYPE);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, TREE);
  bind_check(L, ecrb_difficulty_new(tree, handle, &err), &err);
  return 1;
}

static int difficulty_gc(lua_State *L) {
  ecrb_difficulty **handle = luaL_checkudata(L, 1, DIFFICULTY_TYPE);
  ecrb_difficulty_free(*handle);
  *handle = NULL;
  return 0;
}

/*** difficulty:add(ec, enzymes = 1)
**
** So many training enzymes more carry the EC number; what is no leaf of the tree
** does not count.
*/
static int difficulty_add(lua_State *L) {
  ecrb_difficulty *difficulty = check_difficulty(L);
  ecrb_ec ec = bind_check_ec(L, 2);
  lua_Integer enzymes = luaL_optinteger(L, 3, 1);
  luaL_argcheck(L, enzymes >= 0 && enzymes <= UINT32_MAX, 3,
                "enzymes are 0 to 4294967295");
  ecrb_difficulty_add(difficulty, ec, (size_t)enzymes);
  return 0;
}

/*** difficulty:axes(leaf, rating) -> {split, tail, branch, distractors, d}
**
** The axes of an item by its first label, 0 to 1, and their mean: the rating of
** its split (nil: none), how rare the leaf is, the children of its parent, the
** siblings on its path (core/README.md, "Difficulty").
*/
static int difficulty_axes(lua_State *L) {
  const ecrb_difficulty *difficulty = check_difficulty(L);
  ecrb_ec leaf = bind_check_ec(L, 2);
  lua_Number rating = luaL_optnumber(L, 3, NAN);
  ecrb_axes axes;
  if (ecrb_difficulty_axes(difficulty, leaf, rating, &axes) != ECRB_OK)
    return luaL_argerror(L, 2, "is no leaf of the tree");
  lua_createtable(L, 0, 5);
  if (!isnan(axes.split))
    bind_set_number(L, "split", axes.split);
  bind_set_number(L, "tail", axes.tail);
  bind_set_number(L, "branch", axes.branch);
  bind_set_number(L, "distractors", axes.distractors);
  bind_set_number(L, "d", axes.d);
  return 1;
}

/* [-0, +1] The numbers of the list at `arg`, in Lua's memory. */
static double *push_numbers(lua_State *L, int arg, size_t *n) {
  double *numbers;
  luaL_checktype(L, arg, LUA_TTABLE);
  *n = lua_rawlen(L, arg);
  numbers = lua_newuserdatauv(L, (*n + 1) * sizeof *numbers, 0);
  for (size_t i = 0; i < *n; i++) {
    lua_rawgeti(L, arg, (lua_Integer)i + 1);
    numbers[i] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (isnan(numbers[i]))
      luaL_error(L, "d %d is no number", (int)i + 1);
    lua_pop(L, 1);
  }
  return numbers;
}

/*** core.difficulty.bins({d...}) -> {bin...}
**
** The bin of each item by the rank of its d, from 1, the easiest, to 5; of equals
** the first is the easier one.
*/
static int difficulty_bins(lua_State *L) {
  size_t n;
  const double *d = push_numbers(L, 1, &n);
  int *bin = lua_newuserdatauv(L, (n + 1) * sizeof *bin, 0);
  if (ecrb_difficulty_bins(d, n, bin) != ECRB_OK)
    return bind_fail(L, "memory", "no memory for the bins of %I items",
                     (LUAI_UACINT)n);
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    lua_pushinteger(L, bin[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/*** core.difficulty.evidence(homology, support) -> number
**
** What the evidence leaves open, 0 to 1: the mean of 1 - homology / 100 and of
** 1 - support, the share of the item's hits that carry one of its labels.
*/
static int difficulty_evidence(lua_State *L) {
  lua_Number homology = luaL_checknumber(L, 1),
             support = luaL_checknumber(L, 2);
  lua_pushnumber(L, ecrb_difficulty_evidence(homology, support));
  return 1;
}

/*** core.difficulty.homology_bin(percent) -> text
**
** `<30`, `30-40`, `40-50`, `50-70` or `>=70`.
*/
static int difficulty_homology_bin(lua_State *L) {
  lua_pushstring(L, ecrb_homology_bin(luaL_checknumber(L, 1)));
  return 1;
}

static const luaL_Reg methods[] = {
    {"add", difficulty_add}, {"axes", difficulty_axes}, {NULL, NULL}};
static const luaL_Reg metamethods[] = {{"__gc", difficulty_gc}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"bins", difficulty_bins},
                                     {"evidence", difficulty_evidence},
                                     {"homology_bin", difficulty_homology_bin},
                                     {"over", difficulty_over},
                                     {NULL, NULL}};

int luaopen_core_difficulty(lua_State *L) {
  bind_new_type(L, DIFFICULTY_TYPE, methods, metamethods);
  luaL_newlib(L, functions);
  return 1;
}
