/* l_json.c: core.json, the one spelling in which ecrb writes JSON. Every body
** of a call, its key and its line in the journal pass through here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "frozen.h"
#include "modules.h"
#include "quota.h"

#define ARRAY_TYPE "json.array"
#define TEXT_TYPE "ecrb.json_text"

enum {
  DEPTH_MOST = 200,
  FEW_FIELDS = 24,          /* objects with more take memory of Lua's */
  KEEP_BYTES = 1024 * 1024, /* a larger text is not kept for the next */
  BYTES_PER_STEP = 64,      /* see quota_charge */
  NUMBER_BYTES = 32
};

/* The text under way. It is kept from one to the next: nothing is called back
** while it grows, so there is one at a time. */
typedef struct text {
  char *at;
  size_t n, room;
} text;

typedef struct writer {
  lua_State *L;
  text *out;
  bool pretty;
  int depth;
} writer;

typedef struct field {
  ecrb_span key;
  int value; /* its place on the stack */
} field;

static void write_value(writer *w, int index);

/* {====================================================================
** Bytes
** ===================================================================== */

static void reserve(writer *w, size_t more) {
  text *out = w->out;
  size_t room = out->room ? out->room : 1024;
  char *grown;
  if (more <= out->room - out->n)
    return;
  if (more > SIZE_MAX / 4 - out->n)
    bind_fail(w->L, "memory", "json: the text is too long");
  while (room - out->n < more)
    room *= 2;
  grown = realloc(out->at, room);
  if (!grown)
    bind_fail(w->L, "memory", "json: no memory for a text");
  out->at = grown;
  out->room = room;
}

static void put(writer *w, const char *bytes, size_t n) {
  reserve(w, n);
  memcpy(w->out->at + w->out->n, bytes, n);
  w->out->n += n;
}

static void put_char(writer *w, char c) {
  put(w, &c, 1);
}

/* A new line as deep as the writer stands, for people. */
static void put_indent(writer *w) {
  if (!w->pretty)
    return;
  put_char(w, '\n');
  for (int i = 0; i < w->depth; i++)
    put(w, "  ", 2);
}

/* }==================================================================== */

/* {====================================================================
** Texts and numbers
** ===================================================================== */

/* What follows the backslash; `u` for a number in hexadecimal; 0 for what
** stands for itself. The slash is escaped as lua-cjson does it. */
static const char escapes[256] = {
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b', 't', 'n', 'u', 'f', 'r',
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u',
    'u', 'u', 'u', 'u', ['"'] = '"', ['/'] = '/', ['\\'] = '\\', [127] = 'u'};

static void put_escape(writer *w, unsigned char c) {
  static const char digits[] = "0123456789abcdef";
  const char escape[] = {'\\', escapes[c], '0', '0', digits[c >> 4],
                         digits[c & 15]};
  put(w, escape, escapes[c] == 'u' ? sizeof escape : 2);
}

static void put_text(writer *w, ecrb_span value) {
  const char *from = value.at, *end = value.at + value.n;
  reserve(w, value.n + 2);
  put_char(w, '"');
  for (const char *at = from; at < end; at++) {
    unsigned char c = (unsigned char)*at;
    if (escapes[c]) {
      put(w, from, (size_t)(at - from));
      put_escape(w, c);
      from = at + 1;
    }
  }
  put(w, from, (size_t)(end - from));
  put_char(w, '"');
}

static void put_whole(writer *w, lua_Number value) {
  char digits[NUMBER_BYTES], *at = digits + sizeof digits;
  unsigned long long rest = (unsigned long long)fabs(value);
  do
    *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0)
    *--at = '-';
  put(w, at, (size_t)(digits + sizeof digits - at));
}

/* Fourteen digits, as `%.14g` has them. */
static void put_number(writer *w, lua_Number value) {
  char digits[NUMBER_BYTES];
  if (!isfinite(value))
    luaL_error(w->L, "json: %f is no number that JSON has a word for", value);
  if (fabs(value) < 1e14 && value == floor(value) &&
      (value != 0 || !signbit(value)))
    put_whole(w, value);
  else
    put(w, digits, (size_t)snprintf(digits, sizeof digits, "%.14g", value));
}

/* }==================================================================== */

/* {====================================================================
** Arrays and objects
** ===================================================================== */

static void write_array(writer *w, int index) {
  lua_Integer n = (lua_Integer)lua_rawlen(w->L, index);
  put_char(w, '[');
  w->depth++;
  for (lua_Integer i = 1; i <= n; i++) {
    if (i > 1)
      put_char(w, ',');
    put_indent(w);
    lua_rawgeti(w->L, index, i);
    write_value(w, lua_gettop(w->L));
    lua_pop(w->L, 1);
  }
  w->depth--;
  if (n > 0)
    put_indent(w);
  put_char(w, ']');
}

static size_t count_fields(lua_State *L, int index) {
  size_t n = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "json: an object's key is a %s, not a string",
                 luaL_typename(L, -2));
    n++;
  }
  return n;
}

static int in_order(const void *a, const void *b) {
  ecrb_span x = ((const field *)a)->key, y = ((const field *)b)->key;
  int order = memcmp(x.at, y.at, x.n < y.n ? x.n : y.n);
  return order ? order : (x.n > y.n) - (x.n < y.n);
}

static void sort(field *fields, size_t n) {
  if (n > FEW_FIELDS) {
    qsort(fields, n, sizeof *fields, in_order);
    return;
  }
  for (size_t i = 1; i < n; i++) {
    field moved = fields[i];
    size_t at = i;
    for (; at > 0 && in_order(&fields[at - 1], &moved) > 0; at--)
      fields[at] = fields[at - 1];
    fields[at] = moved;
  }
}

/* [-0, +n] The values stay on the stack; the table holds the keys. */
static void take_fields(lua_State *L, int index, field *fields) {
  size_t n = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    field *f = &fields[n++];
    f->key.at = lua_tolstring(L, -2, &f->key.n);
    f->value = lua_gettop(L) - 1;
    lua_insert(L, -2);
  }
}

static void write_fields(writer *w, const field *fields, size_t n) {
  put_char(w, '{');
  w->depth++;
  for (size_t i = 0; i < n; i++) {
    if (i > 0)
      put_char(w, ',');
    put_indent(w);
    put_text(w, fields[i].key);
    put(w, ": ", w->pretty ? 2 : 1);
    write_value(w, fields[i].value);
  }
  w->depth--;
  if (n > 0)
    put_indent(w);
  put_char(w, '}');
}

static void write_object(writer *w, int index) {
  lua_State *L = w->L;
  field few[FEW_FIELDS], *fields = few;
  int top = lua_gettop(L);
  size_t n = count_fields(L, index);
  luaL_checkstack(L, (int)(n < INT32_MAX / 2 ? n : INT32_MAX / 2) + 8,
                  "json: too many fields");
  if (n > FEW_FIELDS)
    fields = lua_newuserdatauv(L, n * sizeof *fields, 0);
  take_fields(L, index, fields);
  sort(fields, n);
  write_fields(w, fields, n);
  lua_settop(L, top);
}

static bool is_array(lua_State *L, int index) {
  bool marked = false, filled;
  if (lua_getmetatable(L, index)) {
    luaL_getmetatable(L, ARRAY_TYPE);
    marked = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
  }
  filled = lua_rawgeti(L, index, 1) != LUA_TNIL;
  lua_pop(L, 1);
  return marked || filled;
}

static void write_table(writer *w, int index) {
  int top = lua_gettop(w->L);
  if (w->depth >= DEPTH_MOST)
    luaL_error(w->L, "json: more than %d values inside each other", DEPTH_MOST);
  luaL_checkstack(w->L, 8, "json: values too deep");
  if (frozen_push_content(w->L, index))
    index = lua_gettop(w->L);
  if (is_array(w->L, index))
    write_array(w, index);
  else
    write_object(w, index);
  lua_settop(w->L, top);
}

/* }==================================================================== */

static void write_value(writer *w, int index) {
  ecrb_span span;
  switch (lua_type(w->L, index)) {
  case LUA_TSTRING:
    span.at = lua_tolstring(w->L, index, &span.n);
    put_text(w, span);
    break;
  case LUA_TNUMBER:
    put_number(w, lua_tonumber(w->L, index));
    break;
  case LUA_TBOOLEAN:
    put(w, lua_toboolean(w->L, index) ? "true" : "false",
        lua_toboolean(w->L, index) ? 4 : 5);
    break;
  case LUA_TTABLE:
    write_table(w, index);
    break;
  case LUA_TNIL:
    put(w, "null", 4);
    break;
  case LUA_TLIGHTUSERDATA:
    if (!lua_touserdata(w->L, index)) {
      put(w, "null", 4);
      break;
    } /* FALLTHROUGH */
  default:
    luaL_error(w->L, "json: a %s is no JSON value",
               luaL_typename(w->L, index));
  }
}

static int free_text(lua_State *L) {
  text *t = lua_touserdata(L, 1);
  free(t->at);
  *t = (text){NULL, 0, 0};
  return 0;
}

/* [-0, +1] The value at 1. Upvalue 1: the text. */
static void push_json(lua_State *L, bool pretty) {
  writer w = {L, lua_touserdata(L, lua_upvalueindex(1)), pretty, 0};
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  w.out->n = 0;
  write_value(&w, 1);
  if (pretty)
    put_char(&w, '\n');
  quota_charge(L, w.out->n / BYTES_PER_STEP);
  lua_pushlstring(L, w.out->at, w.out->n);
  if (w.out->room > KEEP_BYTES) {
    free(w.out->at);
    *w.out = (text){NULL, 0, 0};
  }
}

/*** core.json.encode(value) -> text
**
** The value as JSON: keys sorted, so that equal values are equal bytes and
** hashes of them mean something; no blanks; numbers with up to 14 digits. A
** table is an array if it was made by core.json.array or has a first element,
** else an object; a light userdata of NULL is null.
*/
static int json_encode(lua_State *L) {
  push_json(L, false);
  return 1;
}

/*** core.json.pretty(value) -> text
**
** The same for people: a field a line, two blanks a level, a newline at the
** end.
*/
static int json_pretty(lua_State *L) {
  push_json(L, true);
  return 1;
}

/*** core.json.array(list = {}) -> list
**
** Marks a table as an array, which only matters while it is empty.
*/
static int json_array(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_newtable(L);
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  luaL_setmetatable(L, ARRAY_TYPE);
  return 1;
}

static const luaL_Reg functions[] = {{"array", json_array},
                                     {"encode", json_encode},
                                     {"pretty", json_pretty},
                                     {NULL, NULL}};

int luaopen_core_json(lua_State *L) {
  text *t;
  static const luaL_Reg text_metamethods[] = {{"__gc", free_text},
                                              {NULL, NULL}};
  luaL_newmetatable(L, ARRAY_TYPE);
  lua_pop(L, 1);
  bind_new_type(L, TEXT_TYPE, NULL, text_metamethods);
  luaL_newlibtable(L, functions);
  t = lua_newuserdatauv(L, sizeof *t, 0);
  *t = (text){NULL, 0, 0};
  luaL_setmetatable(L, TEXT_TYPE);
  luaL_setfuncs(L, functions, 1);
  return 1;
}
