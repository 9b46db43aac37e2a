/* l_ec.c: core.ec, EC numbers as strings in the canonical spelling. */
#include "binding.h"
#include "modules.h"

/*** core.ec.parse(text) -> ec, level, kind
**
** The canonical spelling of one EC number (`2.7.1.-` for an inner node), its
** level 0 to 4 and its kind, `plain`, `preliminary` (2.1.1.n7) or `brenda`
** (2.4.2.B21); nil where the text is none.
*/
static int ec_parse(lua_State *L) {
  static const char *const kinds[] = {"plain", "preliminary", "brenda"};
  ecrb_ec ec;
  if (!bind_to_ec(L, 1, &ec)) {
    luaL_pushfail(L);
    return 1;
  }
  bind_push_ec(L, ec);
  lua_pushinteger(L, ec.depth);
  lua_pushstring(L, kinds[ec.kind]);
  return 3;
}

/* How many parts a list in `text` can have at most. */
static size_t list_most(ecrb_span text) {
  size_t n = 1;
  for (size_t i = 0; i < text.n; i++)
    n += text.at[i] == ',' || text.at[i] == ';';
  return n;
}

/*** core.ec.list(text) -> {ec...}
**
** The EC numbers of a list separated by `;` or `,`; nil where one of them is
** none.
*/
static int ec_list(lua_State *L) {
  ecrb_span text = bind_check_span(L, 1);
  size_t most = list_most(text), count;
  ecrb_ec *list = lua_newuserdatauv(L, most * sizeof *list, 0);
  if (ecrb_ec_list_parse(text.at, text.n, list, most, &count) != ECRB_OK) {
    luaL_pushfail(L);
    return 1;
  }
  bind_push_ecs(L, list, count);
  return 1;
}

/*** core.ec.prefix(ec, level) -> ec
**
** The node of that level (0 to 4) above the EC number: prefix("2.7.1.1", 2) is
** `2.7.-.-`. A level below the number's own gives the number.
*/
static int ec_prefix(lua_State *L) {
  ecrb_ec ec = bind_check_ec(L, 1);
  lua_Integer level = luaL_checkinteger(L, 2);
  luaL_argcheck(L, level >= 0 && level <= ECRB_LEVELS, 2,
                "level outside 0 to 4");
  bind_push_ec(L, ecrb_ec_prefix(ec, (int)level));
  return 1;
}

/*** core.ec.level(ec) -> level
**
** How many parts are committed: 4 for a leaf, 0 for the root.
*/
static int ec_level(lua_State *L) {
  lua_pushinteger(L, bind_check_ec(L, 1).depth);
  return 1;
}

/*** core.ec.shared(a, b) -> level
**
** How many leading parts two EC numbers have in common, 0 to 4.
*/
static int ec_shared(lua_State *L) {
  ecrb_ec a = bind_check_ec(L, 1), b = bind_check_ec(L, 2);
  lua_pushinteger(L, ecrb_ec_shared(a, b));
  return 1;
}

/*** core.ec.compare(a, b) -> number
**
** Below 0 where a stands before b in EC order, 0 where they are the same,
** above 0 otherwise. The order is numeric by part (1.2 before 1.10), an inner
** node before what stands under it.
*/
static int ec_compare(lua_State *L) {
  ecrb_ec a = bind_check_ec(L, 1), b = bind_check_ec(L, 2);
  lua_pushinteger(L, ecrb_ec_compare(a, b));
  return 1;
}

/*** core.ec.path(ec) -> {ec...}
**
** The nodes from level 1 down to the EC number itself: `2.7.1.1` gives
** {"2.-.-.-", "2.7.-.-", "2.7.1.-", "2.7.1.1"}, the root {}.
*/
static int ec_path(lua_State *L) {
  ecrb_path path = ecrb_path_of(bind_check_ec(L, 1));
  bind_push_ecs(L, path.node, (size_t)path.depth);
  return 1;
}

static const luaL_Reg functions[] = {
    {"compare", ec_compare}, {"level", ec_level}, {"list", ec_list},
    {"parse", ec_parse},     {"path", ec_path},   {"prefix", ec_prefix},
    {"shared", ec_shared},   {NULL, NULL}};

int luaopen_core_ec(lua_State *L) {
  luaL_newlib(L, functions);
  return 1;
}
