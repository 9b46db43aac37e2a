/* l_vote.c: core.vote, the prefix vote and the vote of neighbours. */
#include "binding.h"
#include "modules.h"

enum { VOTES_MOST = 4096 }; /* counting takes their square */

static size_t check_votes(lua_State *L, int arg) {
  lua_Unsigned n;
  luaL_checktype(L, arg, LUA_TTABLE);
  n = lua_rawlen(L, arg);
  luaL_argcheck(L, n <= VOTES_MOST, arg, "more than 4096 votes");
  return n;
}

/* [-0, +0] The path on top, a list of one node per level. */
static ecrb_path to_path(lua_State *L, size_t vote) {
  ecrb_path path = {.depth = 0};
  lua_Unsigned n = lua_type(L, -1) == LUA_TTABLE ? lua_rawlen(L, -1) : SIZE_MAX;
  if (n > ECRB_LEVELS)
    luaL_error(L, "vote %d is no list of up to four EC numbers", (int)vote);
  for (lua_Unsigned level = 0; level < n; level++) {
    lua_rawgeti(L, -1, (lua_Integer)level + 1);
    path.node[path.depth++] = bind_element_ec(L, "vote", vote);
    lua_pop(L, 1);
  }
  return path;
}

static void push_consensus(lua_State *L, const ecrb_consensus *consensus) {
  lua_createtable(L, 0, 4);
  bind_push_ecs(L, consensus->path.node, (size_t)consensus->path.depth);
  lua_setfield(L, -2, "path");
  lua_createtable(L, ECRB_LEVELS, 0);
  for (int level = 0; level < ECRB_LEVELS; level++) {
    lua_pushnumber(L, consensus->share[level]);
    lua_rawseti(L, -2, level + 1);
  }
  lua_setfield(L, -2, "share");
  bind_set_number(L, "winning_share", consensus->winning_share);
  bind_set_boolean(L, "tied", consensus->tied);
}

/*** core.vote.prefix({path...}, tau = 0.5)
***   -> {path=, share=, winning_share=, tied=}
**
** M4's prefix vote over chains, each a list of one node per level ({} for a
** chain that committed nothing). A node is accepted if most chains hold it,
** their share of all chains is at least tau, and it is a child of the node
** accepted above; a tie is no majority. `share` has the leading node's share
** per level, `winning_share` that of the last accepted level.
*/
static int vote_prefix(lua_State *L) {
  size_t k = check_votes(L, 1);
  lua_Number tau = luaL_optnumber(L, 2, 0.5);
  ecrb_path *chains = lua_newuserdatauv(L, (k + 1) * sizeof *chains, 0);
  ecrb_consensus consensus;
  for (size_t i = 0; i < k; i++) {
    lua_rawgeti(L, 1, (lua_Integer)i + 1);
    chains[i] = to_path(L, i + 1);
    lua_pop(L, 1);
  }
  ecrb_prefix_vote(chains, k, tau, &consensus);
  push_consensus(L, &consensus);
  return 1;
}

/* [-0, +0] The ballot on top. */
static ecrb_ballot to_ballot(lua_State *L, size_t vote) {
  ecrb_ballot ballot;
  if (lua_type(L, -1) != LUA_TTABLE)
    luaL_error(L, "vote %d is no table {ec=, weight=}", (int)vote);
  lua_getfield(L, -1, "ec");
  ballot.ec = bind_element_ec(L, "vote", vote);
  ballot.weight = 1;
  if (lua_getfield(L, -2, "weight") != LUA_TNIL &&
      lua_type(L, -1) != LUA_TNUMBER)
    luaL_error(L, "vote %d: the weight is no number", (int)vote);
  if (!lua_isnil(L, -1))
    ballot.weight = lua_tonumber(L, -1);
  lua_pop(L, 2);
  return ballot;
}

/*** core.vote.neighbours({{ec=, weight=}...}) -> ec, sum, total
**
** The complete EC number with the largest sum of weights (1 where none is
** given), that sum, and the weight of all complete ones. A tie goes to the one
** met first; partial EC numbers are no vote; nil where there is no vote.
*/
static int vote_neighbours(lua_State *L) {
  size_t n = check_votes(L, 1);
  ecrb_ballot *ballots = lua_newuserdatauv(L, (n + 1) * sizeof *ballots, 0);
  ecrb_ec ec;
  double sum, total;
  int status;
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, 1, (lua_Integer)i + 1);
    ballots[i] = to_ballot(L, i + 1);
    lua_pop(L, 1);
  }
  status = ecrb_neighbour_vote(ballots, n, &ec, &sum, &total);
  if (status == ECRB_EARG)
    return luaL_argerror(L, 1, "a weight is negative, infinite or no number");
  if (status == ECRB_ENONE) {
    luaL_pushfail(L);
    return 1;
  }
  bind_push_ec(L, ec);
  lua_pushnumber(L, sum);
  lua_pushnumber(L, total);
  return 3;
}

static const luaL_Reg functions[] = {
    {"neighbours", vote_neighbours}, {"prefix", vote_prefix}, {NULL, NULL}};

int luaopen_core_vote(lua_State *L) {
  luaL_newlib(L, functions);
  return 1;
}
