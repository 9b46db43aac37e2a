/* l_sequence.c: core.sequence, what a sequence says by itself. */
#include "binding.h"
#include "modules.h"
#include "quota.h"

#define SCANNER_TYPE "ecrb.scanner"

static void push_top(lua_State *L, const ecrb_descriptors *d) {
  lua_createtable(L, 3, 0);
  lua_createtable(L, 3, 0);
  for (int i = 0; i < 3 && d->top[i] != '\0'; i++) {
    lua_pushlstring(L, &d->top[i], 1);
    lua_rawseti(L, -3, i + 1);
    lua_pushnumber(L, d->top_fraction[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -3, "top_fraction");
  lua_setfield(L, -2, "top");
}

/*** core.sequence.describe(sequence) -> descriptors
**
** length, weight_kda, hydropathy, hydrophobic_fraction,
** longest_hydrophobic_run, membrane, positive_fraction, negative_fraction,
** net_charge, top and top_fraction (the three most frequent letters),
** entropy_bits, low_complexity.
*/
static int sequence_describe(lua_State *L) {
  ecrb_descriptors d;
  ecrb_span sequence = bind_check_span(L, 1);
  quota_charge(L, sequence.n);
  ecrb_describe(sequence.at, sequence.n, &d);
  lua_createtable(L, 0, 13);
  bind_set_integer(L, "length", (lua_Integer)d.length);
  bind_set_number(L, "weight_kda", d.weight_kda);
  bind_set_number(L, "hydropathy", d.hydropathy);
  bind_set_number(L, "hydrophobic_fraction", d.hydrophobic_fraction);
  bind_set_integer(L, "longest_hydrophobic_run",
                   (lua_Integer)d.longest_hydrophobic_run);
  bind_set_boolean(L, "membrane", d.membrane);
  bind_set_number(L, "positive_fraction", d.positive_fraction);
  bind_set_number(L, "negative_fraction", d.negative_fraction);
  bind_set_integer(L, "net_charge", d.net_charge);
  bind_set_number(L, "entropy_bits", d.entropy_bits);
  bind_set_boolean(L, "low_complexity", d.low_complexity);
  push_top(L, &d);
  return 1;
}

static void set_motif(lua_State *L, int motif) {
  const ecrb_motif *m = &ecrb_motif_list()[motif];
  bind_set_span(L, "name", ecrb_span_of(m->name));
  bind_set_span(L, "pattern", ecrb_span_of(m->pattern));
}

/*** core.sequence.motif_list() -> {{name, pattern}...}
**
** The six motifs, in order.
*/
static int sequence_motif_list(lua_State *L) {
  lua_createtable(L, ECRB_MOTIFS, 0);
  for (int i = 0; i < ECRB_MOTIFS; i++) {
    lua_createtable(L, 0, 2);
    set_motif(L, i);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int scanner_gc(lua_State *L) {
  ecrb_scanner **scanner = luaL_checkudata(L, 1, SCANNER_TYPE);
  ecrb_scanner_free(*scanner);
  *scanner = NULL;
  return 0;
}

/* The module's scanner, compiled at its first use and kept as upvalue 1. */
static ecrb_scanner *own_scanner(lua_State *L) {
  ecrb_err err;
  ecrb_scanner **scanner = lua_touserdata(L, lua_upvalueindex(1));
  if (!*scanner)
    bind_check(L, ecrb_scanner_new(scanner, &err), &err);
  return *scanner;
}

/*** core.sequence.motifs(sequence) -> {{name, pattern, at, length}...}
**
** Every occurrence of every motif, overlaps included; `at` is 1-based.
*/
static int sequence_motifs(lua_State *L) {
  ecrb_err err;
  size_t count;
  ecrb_motif_hit *hits;
  ecrb_span sequence = bind_check_span(L, 1);
  ecrb_scanner *scanner = own_scanner(L);
  quota_charge(L, sequence.n);
  bind_check(L,
             ecrb_scan(scanner, sequence.at, sequence.n, NULL, 0, &count, &err),
             &err);
  hits = lua_newuserdatauv(L, (count + 1) * sizeof *hits, 0);
  bind_check(
      L, ecrb_scan(scanner, sequence.at, sequence.n, hits, count, &count, &err),
      &err);
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    lua_createtable(L, 0, 4);
    set_motif(L, hits[i].motif);
    bind_set_integer(L, "at", (lua_Integer)hits[i].at);
    bind_set_integer(L, "length", (lua_Integer)hits[i].length);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

int luaopen_core_sequence(lua_State *L) {
  static const luaL_Reg metamethods[] = {{"__gc", scanner_gc}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"describe", sequence_describe},
                                       {"motif_list", sequence_motif_list},
                                       {"motifs", sequence_motifs},
                                       {NULL, NULL}};
  bind_new_type(L, SCANNER_TYPE, NULL, metamethods);
  luaL_newlibtable(L, functions);
  *(ecrb_scanner **)lua_newuserdatauv(L, sizeof(ecrb_scanner *), 0) = NULL;
  luaL_setmetatable(L, SCANNER_TYPE);
  luaL_setfuncs(L, functions, 1);
  return 1;
}
