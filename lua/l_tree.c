/* l_tree.c: the EC tree of a benchmark, or one over a list of leaves. */
#include "l_tree.h"

#include "binding.h"

#define TREE_TYPE "ecrb.tree"

enum { OWNER = 1 }; /* user value: what owns a borrowed tree */

typedef struct handle {
  const ecrb_tree *tree;
  ecrb_tree *owned; /* NULL for a benchmark's tree */
} handle;

const ecrb_tree *bind_check_tree(lua_State *L, int arg) {
  return ((handle *)luaL_checkudata(L, arg, TREE_TYPE))->tree;
}

ecrb_node bind_check_node(lua_State *L, int arg, const ecrb_tree *tree) {
  ecrb_ec ec = bind_check_ec(L, arg);
  ecrb_node node = ecrb_tree_find(tree, ec);
  char text[ECRB_EC_TEXT];
  if (node == ECRB_NO_NODE)
    luaL_argerror(L, arg,
                  lua_pushfstring(L, "`%s` is not a node of the EC tree",
                                  ecrb_ec_format(ec, text)));
  return node;
}

static void push_nodes(lua_State *L, const ecrb_tree *tree, ecrb_range range) {
  lua_createtable(L, range.count, 0);
  for (int32_t i = 0; i < range.count; i++) {
    bind_push_ec(L, ecrb_tree_ec(tree, range.first + i));
    lua_rawseti(L, -2, i + 1);
  }
}

/*** tree:has(ec) -> boolean
**
** Whether an EC number is a node of the tree, inner or leaf.
*/
static int tree_has(lua_State *L) {
  const ecrb_tree *tree = bind_check_tree(L, 1);
  ecrb_ec ec = bind_check_ec(L, 2);
  lua_pushboolean(L, ecrb_tree_find(tree, ec) != ECRB_NO_NODE);
  return 1;
}

/*** tree:children(ec) -> {ec...}
**
** The children of a node in EC order; none for a leaf.
*/
static int tree_children(lua_State *L) {
  const ecrb_tree *tree = bind_check_tree(L, 1);
  push_nodes(L, tree, ecrb_tree_children(tree, bind_check_node(L, 2, tree)));
  return 1;
}

/*** tree:parent(ec) -> ec
**
** The node above; nil for the root.
*/
static int tree_parent(lua_State *L) {
  const ecrb_tree *tree = bind_check_tree(L, 1);
  ecrb_node parent = ecrb_tree_parent(tree, bind_check_node(L, 2, tree));
  if (parent == ECRB_NO_NODE)
    luaL_pushfail(L);
  else
    bind_push_ec(L, ecrb_tree_ec(tree, parent));
  return 1;
}

/*** tree:name(ec) -> text
**
** The node's name, or nil where the benchmark knows none.
*/
static int tree_name(lua_State *L) {
  const ecrb_tree *tree = bind_check_tree(L, 1);
  ecrb_span name = ecrb_tree_name(tree, bind_check_node(L, 2, tree));
  if (name.n == 0)
    luaL_pushfail(L);
  else
    bind_push_span(L, name);
  return 1;
}

/*** tree:count(level) -> number
**
** How many nodes a level, 0 to 4, has.
*/
static int tree_count(lua_State *L) {
  const ecrb_tree *tree = bind_check_tree(L, 1);
  lua_Integer level = luaL_checkinteger(L, 2);
  luaL_argcheck(L, level >= 0 && level <= ECRB_LEVELS, 2, "a level is 0 to 4");
  lua_pushinteger(L, ecrb_tree_nodes(tree, (int)level).count);
  return 1;
}

/*** tree:leaves() -> {ec...}
**
** All leaves in EC order.
*/
static int tree_leaves(lua_State *L) {
  const ecrb_tree *tree = bind_check_tree(L, 1);
  push_nodes(L, tree, ecrb_tree_nodes(tree, ECRB_LEVELS));
  return 1;
}

static int tree_gc(lua_State *L) {
  handle *h = luaL_checkudata(L, 1, TREE_TYPE);
  ecrb_tree_free(h->owned);
  h->owned = NULL;
  return 0;
}

void bind_new_tree_type(lua_State *L) {
  static const luaL_Reg methods[] = {{"children", tree_children},
                                     {"count", tree_count},
                                     {"has", tree_has},
                                     {"leaves", tree_leaves},
                                     {"name", tree_name},
                                     {"parent", tree_parent},
                                     {NULL, NULL}};
  static const luaL_Reg metamethods[] = {{"__gc", tree_gc}, {NULL, NULL}};
  bind_new_type(L, TREE_TYPE, methods, metamethods);
}

static handle *push_handle(lua_State *L) {
  handle *h = lua_newuserdatauv(L, sizeof *h, OWNER);
  h->tree = NULL;
  h->owned = NULL;
  luaL_setmetatable(L, TREE_TYPE);
  return h;
}

void bind_push_tree(lua_State *L, const ecrb_tree *tree, int owner) {
  owner = lua_absindex(L, owner);
  push_handle(L)->tree = tree;
  lua_pushvalue(L, owner);
  lua_setiuservalue(L, -2, OWNER);
}

/*** core.bench.tree({ec...}) -> tree
**
** A tree of its own over complete EC numbers, in any order.
*/
int bind_tree_over(lua_State *L) {
  ecrb_err err;
  size_t n;
  const ecrb_ec *leaves = bind_check_ecs(L, 1, "leaf", &n);
  handle *h = push_handle(L);
  bind_check(L, ecrb_tree_new(leaves, n, &h->owned, &err), &err);
  h->tree = h->owned;
  return 1;
}
