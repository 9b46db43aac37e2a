/* l_builder.c: core.import.builder, a benchmark under construction.
**
** What the input is to blame for is a normal negative result here, nil and the
** reason: the caller knows file and line.
*/
#include "ecrb_import.h"

#include <string.h>

#include "binding.h"
#include "import.h"

#define BUILDER_TYPE "ecrb.import.builder"

static ecrb_builder *check_builder(lua_State *L) {
  return *(ecrb_builder **)luaL_checkudata(L, 1, BUILDER_TYPE);
}

static int builder_free(lua_State *L) {
  ecrb_builder **b = luaL_checkudata(L, 1, BUILDER_TYPE);
  ecrb_builder_free(*b);
  *b = NULL;
  return 0;
}

/* nil and the reason for ECRB_EFORMAT; 0 for ECRB_OK; raises the rest. */
static int refused(lua_State *L, int status, const ecrb_err *err) {
  if (status != ECRB_EFORMAT)
    return bind_check(L, status, err), 0;
  luaL_pushfail(L);
  lua_pushstring(L, err->msg);
  return 2;
}

static int answer(lua_State *L, int status, const ecrb_err *err, bool value) {
  int results = refused(L, status, err);
  if (results > 0)
    return results;
  lua_pushboolean(L, value);
  return 1;
}

/*** builder:leaf(ec) -> fresh
**
** Adds a leaf of the EC list; false for one that stood there before. nil and
** the reason for an EC number that can be no leaf.
*/
static int builder_leaf(lua_State *L) {
  bool fresh = false;
  ecrb_err err;
  int status =
      ecrb_builder_leaf(check_builder(L), bind_check_ec(L, 2), &fresh, &err);
  return answer(L, status, &err, fresh);
}

/*** builder:lists(ec) -> boolean
**
** Whether the EC number is a leaf of the list.
*/
static int builder_lists(lua_State *L) {
  lua_pushboolean(L, ecrb_builder_lists(check_builder(L), bind_check_ec(L, 2)));
  return 1;
}

/*** builder:name(ec, name) -> true
**
** Names a node of any level.
*/
static int builder_name(lua_State *L) {
  ecrb_err err;
  int status = ecrb_builder_name(check_builder(L), bind_check_ec(L, 2),
                                 bind_check_span(L, 3), &err);
  return answer(L, status, &err, true);
}

/*** builder:item(id, split, sequence, {ec...}) -> true
**
** Adds a test item with its labels.
*/
static int builder_item(lua_State *L) {
  ecrb_new_item item = {.id = bind_check_span(L, 2),
                        .split = bind_check_span(L, 3),
                        .sequence = bind_check_span(L, 4)};
  ecrb_err err;
  item.labels = bind_check_ecs(L, 5, "EC number", &item.n_labels);
  return answer(L, ecrb_builder_item(check_builder(L), &item, &err), &err,
                true);
}

/* [-0, +1] The text in a field of the table at `index`; none is empty. The text
** on the stack keeps it alive. */
static ecrb_span check_field(lua_State *L, int index, const char *name) {
  ecrb_span text = ecrb_span_of("");
  if (lua_getfield(L, index, name) != LUA_TNIL)
    text = bind_check_span(L, -1);
  return text;
}

/*** builder:reaction(id, split, {reaction=, equation=, text=}, {ec...}) -> true
**
** Adds a test item that is a reaction: SMILES, and in words what is known.
*/
static int builder_reaction(lua_State *L) {
  ecrb_new_item item = {.id = bind_check_span(L, 2),
                        .split = bind_check_span(L, 3)};
  ecrb_err err;
  luaL_checktype(L, 4, LUA_TTABLE);
  item.reaction = check_field(L, 4, "reaction");
  item.equation = check_field(L, 4, "equation");
  item.text = check_field(L, 4, "text");
  luaL_argcheck(L, item.reaction.n > 0, 4, "the field 'reaction' is empty");
  item.labels = bind_check_ecs(L, 5, "EC number", &item.n_labels);
  return answer(L, ecrb_builder_item(check_builder(L), &item, &err), &err,
                true);
}

/*** builder:train(id, {ec...}) -> fresh
**
** Adds a training enzyme; false for one that was there, which then carries the
** union.
*/
static int builder_train(lua_State *L) {
  size_t n;
  bool fresh = false;
  ecrb_err err;
  const ecrb_ec *list = bind_check_ecs(L, 3, "EC number", &n);
  int status = ecrb_builder_train(check_builder(L), bind_check_span(L, 2), list,
                                  n, &fresh, &err);
  return answer(L, status, &err, fresh);
}

/*** builder:rate(split, rating)
**
** How hard the items of a split are held to be, 0 to 1.
*/
static int builder_rate(lua_State *L) {
  ecrb_err err;
  bind_check(L,
             ecrb_builder_rate(check_builder(L), bind_check_span(L, 2),
                               luaL_checknumber(L, 3), &err),
             &err);
  return 0;
}

/*** builder:trains(id) -> boolean
**
** Whether the id stands in the training set.
*/
static int builder_trains(lua_State *L) {
  size_t index;
  lua_pushboolean(L, ecrb_names_find(ecrb_builder_training(check_builder(L)),
                                     bind_check_span(L, 2), &index));
  return 1;
}

/*** builder:holder(sequence) -> id
**
** The first item with that very sequence, or nil.
*/
static int builder_holder(lua_State *L) {
  const ecrb_builder *b = check_builder(L);
  size_t item;
  if (ecrb_builder_item_with(b, bind_check_span(L, 2), &item) != ECRB_OK) {
    luaL_pushfail(L);
    return 1;
  }
  bind_push_span(L, ecrb_names_at(ecrb_builder_items(b), item));
  return 1;
}

/*** builder:reveal(index)
**
** Puts the item at that position (from 1) into the control subset with visible
** ids.
*/
static int builder_reveal(lua_State *L) {
  ecrb_err err;
  lua_Integer index = luaL_checkinteger(L, 2);
  luaL_argcheck(L, index > 0, 2, "items are counted from 1");
  bind_check(L, ecrb_builder_reveal(check_builder(L), (size_t)index - 1, &err),
             &err);
  return 0;
}

/* What builder:evidence is asked for. */
typedef struct request {
  const char *channel, *path, *kind;
  ecrb_hit_layout layout;
  ecrb_hit_limits limits;
} request;

static enum ecrb_hit_format check_format(lua_State *L, int arg) {
  static const struct {
    const char *name;
    enum ecrb_hit_format format;
  } formats[] = {{"tabular", ECRB_HITS_TABULAR},
                 {"hmmer", ECRB_HITS_HMMER},
                 {"folddisco", ECRB_HITS_FOLDDISCO}};
  const char *name = bind_text_field(L, arg, "format");
  for (size_t i = 0; name && i < sizeof formats / sizeof *formats; i++)
    if (strcmp(name, formats[i].name) == 0)
      return formats[i].format;
  luaL_argerror(L, arg, "field 'format' is no format of hits");
  return ECRB_HITS_TABULAR;
}

static ecrb_hit_layout check_layout(lua_State *L, int arg) {
  ecrb_hit_layout layout = {.columns = bind_text_field(L, arg, "columns"),
                            .score = bind_text_field(L, arg, "score"),
                            .query = bind_text_field(L, arg, "query")};
  layout.format = check_format(L, arg);
  lua_getfield(L, arg, "swapped");
  layout.swapped = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return layout;
}

static ecrb_hit_limits check_limits(lua_State *L, int arg) {
  ecrb_hit_limits limits = ecrb_hit_limits_default();
  limits.evalue = bind_number_field(L, arg, "evalue", limits.evalue);
  limits.most = (int)bind_number_field(L, arg, "most", limits.most);
  return limits;
}

static request check_request(lua_State *L) {
  static const char *const known[] = {"format", "columns", "score",
                                      "query",  "swapped", "kind",
                                      "evalue", "most",    NULL};
  request r = {.channel = luaL_checkstring(L, 2),
               .path = luaL_checkstring(L, 3)};
  luaL_checktype(L, 4, LUA_TTABLE);
  bind_check_keys(L, 4, known);
  r.layout = check_layout(L, 4);
  r.limits = check_limits(L, 4);
  r.kind = bind_text_field(L, 4, "kind");
  return r;
}

typedef struct tally {
  const ecrb_hits *hits;
  size_t unread, uneven, same_tm; /* of the file alone */
  ecrb_hit_maker maker;
} tally;

/* Raises nothing, so that the reader is always closed. */
static int read_evidence(ecrb_builder *b, const request *r, tally *out,
                         ecrb_err *err) {
  ecrb_hit_reader *reader;
  int status = ecrb_hit_reader_open(r->path, &r->layout, &reader, err);
  if (status != ECRB_OK)
    return status;
  status = ecrb_builder_evidence(b, r->channel, r->kind ? r->kind : "bits",
                                 &r->limits, reader, &out->hits, err);
  out->unread = ecrb_hit_reader_unread(reader);
  out->uneven = ecrb_hit_reader_uneven(reader);
  out->same_tm = ecrb_hit_reader_same_tm(reader);
  out->maker = ecrb_hit_reader_maker(reader);
  ecrb_hit_reader_close(reader);
  return status;
}

static void push_intruder(lua_State *L, const ecrb_builder *b,
                          const ecrb_intruder *intruder) {
  static const char *const kinds[] = {"self", "item", "unknown"};
  lua_createtable(L, 0, 4);
  lua_pushstring(L, kinds[intruder->kind]);
  lua_setfield(L, -2, "kind");
  bind_set_span(L, "neighbour", intruder->neighbour);
  bind_set_span(L, "item",
                ecrb_names_at(ecrb_builder_items(b), intruder->item));
  bind_set_integer(L, "line", (lua_Integer)intruder->line);
}

static void set_intruders(lua_State *L, const ecrb_builder *b,
                          const ecrb_hits *hits, size_t n) {
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    ecrb_intruder intruder = ecrb_hits_intruder(hits, i);
    push_intruder(L, b, &intruder);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "intruders");
}

static void set_hits(lua_State *L, const ecrb_builder *b,
                     const ecrb_hits *hits) {
  size_t count, n = ecrb_names_count(ecrb_builder_items(b));
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    ecrb_hits_of(hits, i, &count);
    lua_pushinteger(L, (lua_Integer)count);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "hits");
}

static void set_told(lua_State *L, const char *field, const char *text) {
  lua_pushstring(L, *text ? text : NULL);
  lua_setfield(L, -2, field);
}

static void push_report(lua_State *L, const ecrb_builder *b,
                        const tally *found) {
  ecrb_hits_report report = ecrb_hits_summary(found->hits);
  lua_createtable(L, 0, 16);
  bind_set_integer(L, "rows", (lua_Integer)report.rows);
  bind_set_integer(L, "weak", (lua_Integer)report.weak);
  bind_set_integer(L, "foreign", (lua_Integer)report.foreign);
  bind_set_integer(L, "decorated", (lua_Integer)report.decorated);
  bind_set_integer(L, "searched", (lua_Integer)report.searched);
  bind_set_integer(L, "covered", (lua_Integer)report.covered);
  bind_set_integer(L, "chosen", (lua_Integer)report.chosen);
  bind_set_integer(L, "tied", (lua_Integer)report.tied);
  bind_set_integer(L, "unread", (lua_Integer)found->unread);
  bind_set_integer(L, "uneven", (lua_Integer)found->uneven);
  bind_set_integer(L, "same_tm", (lua_Integer)found->same_tm);
  set_told(L, "tool", found->maker.tool);
  set_told(L, "version", found->maker.version);
  set_told(L, "command", found->maker.command);
  set_intruders(L, b, found->hits, report.intruders);
  set_hits(L, b, found->hits);
}

/*** builder:evidence(channel, path, options) -> report
**
** Reads the hits of a file into a channel. options = {format = "tabular",
** "hmmer" or "folddisco", columns =, score =, query =, swapped =,
** kind = "bits", evalue =, most =}; report = {rows, weak, foreign, decorated,
** searched, covered, chosen, tied, intruders = {{kind, neighbour, item,
** line}...}, hits = {number per item...}} over all files of the channel, and
** {unread, uneven, same_tm, tool, version, command} of this one; the last three
** are nil where the file does not tell them.
*/
static int builder_evidence(lua_State *L) {
  ecrb_builder *b = check_builder(L);
  request r = check_request(L);
  tally found = {.hits = NULL};
  ecrb_err err;
  bind_check(L, read_evidence(b, &r, &found, &err), &err);
  push_report(L, b, &found);
  return 1;
}

static void push_written(lua_State *L, const ecrb_written *written) {
  lua_createtable(L, 0, 3);
  lua_pushstring(L, written->name);
  lua_setfield(L, -2, "name");
  bind_set_integer(L, "rows", (lua_Integer)written->rows);
  lua_pushstring(L, written->sha256);
  lua_setfield(L, -2, "sha256");
}

/*** builder:write(folder) -> {{name, rows, sha256}...}
**
** Writes the tables into an existing folder; nil and the reason where the parts
** do not fit together.
*/
static int builder_write(lua_State *L) {
  ecrb_written written[ECRB_WRITTEN_MAX];
  size_t n;
  ecrb_err err;
  int results =
      refused(L,
              ecrb_builder_write(check_builder(L), luaL_checkstring(L, 2),
                                 written, &n, &err),
              &err);
  if (results > 0)
    return results;
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    push_written(L, &written[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/*** core.import.builder(seed) -> builder
**
** A benchmark under construction: leaves, items and training set first, then
** the evidence, then the files.
*/
static int builder_new(lua_State *L) {
  lua_Integer seed = luaL_checkinteger(L, 1);
  ecrb_builder **b = lua_newuserdatauv(L, sizeof *b, 0);
  ecrb_err err;
  *b = NULL;
  luaL_setmetatable(L, BUILDER_TYPE);
  bind_check(L, ecrb_builder_new((uint64_t)seed, b, &err), &err);
  return 1;
}

static const luaL_Reg methods[] = {{"evidence", builder_evidence},
                                   {"holder", builder_holder},
                                   {"item", builder_item},
                                   {"leaf", builder_leaf},
                                   {"lists", builder_lists},
                                   {"name", builder_name},
                                   {"rate", builder_rate},
                                   {"reaction", builder_reaction},
                                   {"reveal", builder_reveal},
                                   {"train", builder_train},
                                   {"trains", builder_trains},
                                   {"write", builder_write},
                                   {NULL, NULL}};

static const luaL_Reg metamethods[] = {
    {"__gc", builder_free}, {"__close", builder_free}, {NULL, NULL}};

void import_push_builder(lua_State *L) {
  bind_new_type(L, BUILDER_TYPE, methods, metamethods);
  lua_pushcfunction(L, builder_new);
}
