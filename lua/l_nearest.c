/* l_nearest.c: core.nearest, vectors in .npy files and the search among them.
** Rows count from 1. */
#include "binding.h"
#include "ecrb_import.h"
#include "modules.h"

#define VECTORS_TYPE "ecrb.vectors"
#define SEARCH_TYPE "ecrb.nearest"

/* {====================================================================
** Vectors
** ===================================================================== */

static ecrb_npy *check_vectors(lua_State *L, int arg) {
  ecrb_npy **handle = luaL_checkudata(L, arg, VECTORS_TYPE);
  luaL_argcheck(L, *handle, arg, "the file is closed");
  return *handle;
}

/*** core.nearest.vectors(path) -> vectors
**
** The rows of a .npy file, float32 or float16.
*/
static int nearest_vectors(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  ecrb_npy **handle = lua_newuserdatauv(L, sizeof *handle, 0);
  ecrb_err err;
  *handle = NULL;
  luaL_setmetatable(L, VECTORS_TYPE);
  bind_check(L, ecrb_npy_open(path, handle, &err), &err);
  return 1;
}

static int vectors_close(lua_State *L) {
  ecrb_npy **handle = luaL_checkudata(L, 1, VECTORS_TYPE);
  ecrb_npy_close(*handle);
  *handle = NULL;
  return 0;
}

/*** #vectors -> integer
**
** How many rows there are.
*/
static int vectors_length(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)ecrb_npy_rows(check_vectors(L, 1)));
  return 1;
}

/*** vectors:width() -> integer
**
** How many numbers a row has.
*/
static int vectors_width(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)ecrb_npy_columns(check_vectors(L, 1)));
  return 1;
}

/* }==================================================================== */

/* {====================================================================
** The search
** ===================================================================== */

typedef struct search {
  ecrb_nearest *of;
  lua_Integer query; /* the last one that was handed out */
} search;

static search *check_search(lua_State *L) {
  search *s = luaL_checkudata(L, 1, SEARCH_TYPE);
  luaL_argcheck(L, s->of, 1, "the search is closed");
  return s;
}

/*** core.nearest.search(queries, references, k) -> search
**
** `for query, rows, cosines in search do`: for each row of the queries the k
** rows of the references with the largest cosine, best first, equal ones by
** row. Exact, in bounded memory; the first loop runs through the references.
*/
static int nearest_search(lua_State *L) {
  ecrb_npy *queries = check_vectors(L, 1);
  ecrb_npy *references = check_vectors(L, 2);
  lua_Integer k = luaL_checkinteger(L, 3);
  search *s;
  ecrb_err err;
  luaL_argcheck(L, k > 0, 3, "must be at least 1");
  s = lua_newuserdatauv(L, sizeof *s, 2);
  *s = (search){NULL, 0};
  luaL_setmetatable(L, SEARCH_TYPE);
  for (int arg = 1; arg <= 2; arg++) { /* keeps the vectors open */
    lua_pushvalue(L, arg);
    lua_setiuservalue(L, -2, arg);
  }
  bind_check(
      L, ecrb_nearest_open(queries, references, (size_t)k, false, &s->of, &err),
      &err);
  return 1;
}

static int search_close(lua_State *L) {
  search *s = luaL_checkudata(L, 1, SEARCH_TYPE);
  ecrb_nearest_close(s->of);
  s->of = NULL;
  return 0;
}

static int search_next(lua_State *L) {
  search *s = check_search(L);
  const ecrb_neighbour *best;
  ecrb_err err;
  size_t n;
  int status = ecrb_nearest_next(s->of, &best, &n, &err);
  if (status == ECRB_ENONE)
    return 0;
  bind_check(L, status, &err);
  lua_pushinteger(L, ++s->query);
  lua_createtable(L, (int)n, 0);
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    lua_pushinteger(L, (lua_Integer)best[i].row + 1);
    lua_rawseti(L, -3, (lua_Integer)i + 1);
    lua_pushnumber(L, best[i].cosine);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 3;
}

/*** search:report() -> table
**
** {blas=, zero_queries=, zero_references=, again=}, see ecrb_nearest_report.
*/
static int search_report(lua_State *L) {
  ecrb_nearest_report report = ecrb_nearest_summary(check_search(L)->of);
  lua_createtable(L, 0, 4);
  bind_set_boolean(L, "blas", report.blas);
  bind_set_integer(L, "zero_queries", (lua_Integer)report.zero_queries);
  bind_set_integer(L, "zero_references", (lua_Integer)report.zero_references);
  bind_set_integer(L, "again", (lua_Integer)report.again);
  return 1;
}

/* }==================================================================== */

static const luaL_Reg vectors_methods[] = {{"width", vectors_width},
                                           {NULL, NULL}};
static const luaL_Reg vectors_metamethods[] = {
    {"__len", vectors_length}, {"__gc", vectors_close}, {NULL, NULL}};
static const luaL_Reg search_methods[] = {{"report", search_report},
                                          {NULL, NULL}};
static const luaL_Reg search_metamethods[] = {{"__call", search_next},
                                              {"__gc", search_close},
                                              {"__close", search_close},
                                              {NULL, NULL}};
static const luaL_Reg functions[] = {
    {"search", nearest_search}, {"vectors", nearest_vectors}, {NULL, NULL}};

int luaopen_core_nearest(lua_State *L) {
  bind_new_type(L, VECTORS_TYPE, vectors_methods, vectors_metamethods);
  bind_new_type(L, SEARCH_TYPE, search_methods, search_metamethods);
  luaL_newlib(L, functions);
  return 1;
}
