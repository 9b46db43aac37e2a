/* l_import.c: core.import, readers as iterators for `for ... in`. Each closes
** its file at the end of the loop, however that ends. A bad file raises. */
#include <limits.h>
#include <math.h>
#include <sys/stat.h>

#include "ecrb_import.h"

#include "binding.h"
#include "import.h"
#include "modules.h"

#define READER_TYPE "ecrb.import.reader"
#define NO_COLUMN SIZE_MAX

const char *import_check_lasting(lua_State *L, int arg) {
  const char *path = luaL_checkstring(L, arg);
  struct stat st;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
    bind_fail(L, "io",
              "%s: is no plain file, and is read more than once; write what it "
              "holds into a file first",
              path);
  return path;
}

typedef struct reader {
  union {
    ecrb_lines *lines;
    ecrb_fasta *fasta;
    ecrb_entries *entries;
    ecrb_table *table;
  } from;
  void (*close)(struct reader *r);
  size_t n;
  size_t columns[]; /* of a table, as asked for */
} reader;

static void close_lines(reader *r) {
  ecrb_lines_close(r->from.lines);
}

static void close_fasta(reader *r) {
  ecrb_fasta_close(r->from.fasta);
}

static void close_entries(reader *r) {
  ecrb_entries_close(r->from.entries);
}

static void close_table(reader *r) {
  ecrb_table_close(r->from.table);
}

static int reader_close(lua_State *L) {
  reader *r = luaL_checkudata(L, 1, READER_TYPE);
  if (r->close)
    r->close(r);
  r->close = NULL;
  return 0;
}

/* [-0, +1] A reader that owns nothing yet. */
static reader *push_reader(lua_State *L, size_t columns) {
  reader *r = lua_newuserdatauv(L, sizeof *r + columns * sizeof(size_t), 0);
  r->close = NULL;
  r->n = columns;
  luaL_setmetatable(L, READER_TYPE);
  return r;
}

static reader *check_reader(lua_State *L) {
  reader *r = luaL_checkudata(L, 1, READER_TYPE);
  luaL_argcheck(L, r->close, 1, "the file is closed");
  return r;
}

/* The four values of a generic `for`, out of the reader on top. */
static int iterate(lua_State *L, lua_CFunction next) {
  int index = lua_gettop(L);
  lua_pushcfunction(L, next);
  lua_pushvalue(L, index);
  lua_pushnil(L);
  lua_pushvalue(L, index);
  return 4;
}

static int next_line(lua_State *L) {
  reader *r = check_reader(L);
  ecrb_span line;
  ecrb_err err;
  int status = ecrb_lines_next(r->from.lines, &line, &err);
  if (status == ECRB_ENONE)
    return 0;
  bind_check(L, status, &err);
  lua_pushinteger(L, (lua_Integer)ecrb_lines_number(r->from.lines));
  bind_push_span(L, line);
  return 2;
}

/*** core.import.lines(path) -> iterator
**
** `for number, line in import.lines(path)`: the lines of a plain or gzip'ed
** text file without their ends.
*/
static int import_lines(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  reader *r = push_reader(L, 0);
  ecrb_err err;
  bind_check(L, ecrb_lines_open(path, &r->from.lines, &err), &err);
  r->close = close_lines;
  return iterate(L, next_line);
}

static void push_record(lua_State *L, const ecrb_record *record) {
  lua_createtable(L, 0, 7);
  bind_set_span(L, "id", record->id);
  bind_set_span(L, "description", record->description);
  bind_set_span(L, "sequence", record->sequence);
  bind_set_integer(L, "removed", (lua_Integer)record->removed);
  bind_set_integer(L, "stops", (lua_Integer)record->stops);
  bind_set_boolean(L, "lowered", record->lowered);
  bind_set_boolean(L, "terminated", record->terminated);
}

static int next_record(lua_State *L) {
  reader *r = check_reader(L);
  ecrb_record record;
  ecrb_err err;
  int status = ecrb_fasta_next(r->from.fasta, &record, &err);
  if (status == ECRB_ENONE)
    return 0;
  bind_check(L, status, &err);
  lua_pushinteger(L, (lua_Integer)record.line);
  push_record(L, &record);
  return 2;
}

/*** core.import.fasta(path) -> iterator
**
** `for line, record in import.fasta(path)`: record = {id, description,
** sequence, removed, stops, lowered, terminated}; what they tell stands in
** core/ecrb_import.h.
*/
static int import_fasta(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  reader *r = push_reader(L, 0);
  ecrb_err err;
  bind_check(L, ecrb_fasta_open(path, &r->from.fasta, &err), &err);
  r->close = close_fasta;
  return iterate(L, next_record);
}

static void push_entry(lua_State *L, const ecrb_entry *entry) {
  lua_createtable(L, 0, 5);
  bind_set_span(L, "name", entry->name);
  bind_set_span(L, "id", entry->accession);
  bind_set_span(L, "ec", entry->ecs);
  bind_set_span(L, "sequence", entry->sequence);
  bind_set_span(L, "created", ecrb_span_of(entry->created));
}

static int next_entry(lua_State *L) {
  reader *r = check_reader(L);
  ecrb_entry entry;
  ecrb_err err;
  int status = ecrb_entries_next(r->from.entries, &entry, &err);
  if (status == ECRB_ENONE)
    return 0;
  bind_check(L, status, &err);
  lua_pushinteger(L, (lua_Integer)entry.line);
  push_entry(L, &entry);
  return 2;
}

/*** core.import.entries(path) -> iterator
**
** `for line, entry in import.entries(path)`: the entries of a UniProt flat
** file, {name, id (the accession), ec (joined by `;`), sequence, created}.
*/
static int import_entries(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  reader *r = push_reader(L, 0);
  ecrb_err err;
  bind_check(L, ecrb_entries_open(path, &r->from.entries, &err), &err);
  r->close = close_entries;
  return iterate(L, next_entry);
}

static void push_field(lua_State *L, const ecrb_span *fields, size_t column) {
  if (column == NO_COLUMN)
    lua_pushnil(L);
  else
    bind_push_span(L, fields[column]);
}

static int next_row(lua_State *L) {
  reader *r = check_reader(L);
  const ecrb_span *fields;
  ecrb_err err;
  int status = ecrb_table_next(r->from.table, &fields, &err);
  if (status == ECRB_ENONE)
    return 0;
  bind_check(L, status, &err);
  luaL_checkstack(L, (int)r->n + 1, "too many columns");
  lua_pushinteger(L, (lua_Integer)ecrb_table_line(r->from.table));
  for (size_t i = 0; i < r->n; i++)
    push_field(L, fields, r->columns[i]);
  return (int)r->n + 1;
}

/* The position of the column named on top of the stack, which is popped; a
** name that ends in `?` may be missing, or be a name that ends so. */
static size_t find_column(lua_State *L, const ecrb_table *table) {
  size_t n, column = NO_COLUMN;
  const char *name = lua_tolstring(L, -1, &n);
  if (!name)
    luaL_error(L, "the name of a column is a %s", luaL_typename(L, -1));
  bool optional = n > 1 && name[n - 1] == '?';
  ecrb_err err;
  int status = ecrb_table_find(table, name, &column, &err);
  if (optional && status == ECRB_ENONE) {
    name = lua_pushlstring(L, name, n - 1);
    status = ecrb_table_find(table, name, &column, &err);
    lua_pop(L, 1);
    if (status == ECRB_ENONE)
      status = ECRB_OK;
  }
  bind_check(L, status, &err);
  lua_pop(L, 1);
  return column;
}

static ecrb_table *open_table(lua_State *L, int separator) {
  const char *path = luaL_checkstring(L, 1);
  const char *given = luaL_optstring(L, separator, "");
  ecrb_table *table;
  ecrb_err err;
  bind_check(L, ecrb_table_open(path, *given, &table, &err), &err);
  return table;
}

/* [-0, +1] The column names of a table, as a list. */
static void push_names(lua_State *L, const ecrb_table *table) {
  size_t n = ecrb_table_columns(table);
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    bind_push_span(L, ecrb_table_column(table, i));
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

/* [-0, +1] A reader over the table at 1, whose column names are given to the
** function at 2, if it is one, in exchange for those wanted. */
static reader *push_table(lua_State *L) {
  reader *opened = push_reader(L, 0), *r;
  opened->from.table = open_table(L, 3);
  opened->close = close_table;
  if (lua_isfunction(L, 2)) {
    lua_pushvalue(L, 2);
    push_names(L, opened->from.table);
    lua_call(L, 1, 1);
    lua_replace(L, 2);
  }
  luaL_checktype(L, 2, LUA_TTABLE);
  r = push_reader(L, (size_t)luaL_len(L, 2));
  r->from = opened->from;
  r->close = opened->close;
  opened->close = NULL;
  return r;
}

/*** core.import.table(path, {column...}, separator) -> iterator
**
** `for line, a, b in import.table(path, {"A", "B?"})`: the cells of the named
** columns of a table with a header line, row by row; a column whose name ends
** in `?` may be missing, its cells are nil then. In place of the list may stand
** a function that gets all names in order and returns it. The separator is `,`
** or a tab; without it the header decides.
*/
static int import_table(lua_State *L) {
  reader *r;
  lua_settop(L, 3);
  r = push_table(L);
  for (size_t i = 0; i < r->n; i++) {
    lua_geti(L, 2, (lua_Integer)i + 1);
    r->columns[i] = find_column(L, r->from.table);
  }
  return iterate(L, next_row);
}

/*** core.import.columns(path, separator) -> {name...}
**
** The column names of a table.
*/
static int import_columns(lua_State *L) {
  reader *r;
  lua_settop(L, 2);
  import_check_lasting(L, 1);
  r = push_reader(L, 0);
  r->from.table = open_table(L, 2);
  r->close = close_table;
  push_names(L, r->from.table);
  close_table(r);
  r->close = NULL;
  return 1;
}

/*** core.import.alias(letter, seed, id, collisions) -> alias
**
** The anonymized id that letter, seed and id make after so many collisions with
** earlier ones (core/aliases.c).
*/
static int import_alias(lua_State *L) {
  size_t n;
  const char *letter = luaL_checklstring(L, 1, &n);
  lua_Integer seed = luaL_checkinteger(L, 2);
  lua_Integer collisions = luaL_checkinteger(L, 4);
  char alias[ECRB_ALIAS + 1];
  luaL_argcheck(L, n == 1, 1, "one letter");
  luaL_argcheck(L, seed >= 0, 2, "a seed is 0 or more");
  luaL_argcheck(L, collisions >= 0 && collisions < INT_MAX, 4, "0 or more");
  ecrb_alias(*letter, (uint64_t)seed, bind_check_span(L, 3), (int)collisions,
             alias);
  lua_pushstring(L, alias);
  return 1;
}

/*** core.import.near_identical(identity, coverage) -> boolean
**
** Whether a hit is nearly the item itself, so that decontamination.tsv lists it; in
** percent, nil where the tool gives none.
*/
static int import_near_identical(lua_State *L) {
  lua_Number identity = luaL_optnumber(L, 1, (lua_Number)NAN);
  lua_Number coverage = luaL_optnumber(L, 2, (lua_Number)NAN);
  lua_pushboolean(L, ecrb_near_identical(identity, coverage));
  return 1;
}

/*** core.import.sha256(path) -> digest
**
** SHA-256 of a file in hexadecimal; the file may be larger than memory.
*/
static int import_sha256(lua_State *L) {
  char digest[ECRB_SHA256_TEXT];
  ecrb_err err;
  bind_check(L, ecrb_file_sha256(import_check_lasting(L, 1), digest, &err),
             &err);
  lua_pushstring(L, digest);
  return 1;
}

static const luaL_Reg metamethods[] = {
    {"__gc", reader_close}, {"__close", reader_close}, {NULL, NULL}};

static const luaL_Reg functions[] = {
    {"alias", import_alias},     {"columns", import_columns},
    {"entries", import_entries}, {"fasta", import_fasta},
    {"lines", import_lines},     {"near_identical", import_near_identical},
    {"sha256", import_sha256},   {"survey", import_survey},
    {"table", import_table},     {NULL, NULL}};

int luaopen_core_import(lua_State *L) {
  bind_new_type(L, READER_TYPE, NULL, metamethods);
  luaL_newlib(L, functions);
  import_push_builder(L);
  lua_setfield(L, -2, "builder");
  return 1;
}
