/* l_tree.h: trees as Lua values, for the binding of benchmarks. */
#ifndef L_TREE_H
#define L_TREE_H

#include <lua.h>

#include "ecrb.h"

void bind_new_tree_type(lua_State *L);

/* [-0, +1] A tree that the value at `owner` owns and that keeps it alive. */
void bind_push_tree(lua_State *L, const ecrb_tree *tree, int owner);

/* [-1, +1] A tree of its own over the list of leaves that is the argument. */
int bind_tree_over(lua_State *L);

/* The tree that is the argument; good as long as that. */
const ecrb_tree *bind_check_tree(lua_State *L, int arg);

/* The node that the argument names; raises where there is none. */
ecrb_node bind_check_node(lua_State *L, int arg, const ecrb_tree *tree);

#endif
