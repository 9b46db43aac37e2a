/* l_json.c: core.json, the one spelling in which ecrb writes JSON. Every body
** of a call, its key and its line in the journal pass through here. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "frozen.h"
#include "json_reader.h"
#include "modules.h"
#include "quota.h"
#include "sixteen.h"

#define ARRAY_TYPE "json.array"
#define TEXT_TYPE "ecrb.json_text"

enum {
  DEPTH_MOST = 200,
  FEW_FIELDS = 24,          /* of an object; more take memory of Lua's */
  STACK_FIELDS = 4,         /* that Lua's stack grows for: a task keeps it */
  KEEP_BYTES = 1024 * 1024, /* a larger text is not kept for the next */
  BYTES_PER_STEP = 64,      /* see quota_charge */
  NUMBER_BYTES = 32
};

/* The text under way. It is kept from one to the next: nothing is called back
** while it grows, so there is one at a time. */
typedef struct growing {
  char *at;
  size_t n, room;
} growing;

typedef struct writer {
  lua_State *L;
  growing *out;
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

static void grow(writer *w, size_t more) {
  growing *out = w->out;
  size_t room = out->room ? out->room : 1024;
  char *grown;
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

static void reserve(writer *w, size_t more) {
  if (more > w->out->room - w->out->n)
    grow(w, more);
}

static void put(writer *w, const char *bytes, size_t n) {
  reserve(w, n);
  memcpy(w->out->at + w->out->n, bytes, n);
  w->out->n += n;
}

static void put_char(writer *w, char c) {
  reserve(w, 1);
  w->out->at[w->out->n++] = c;
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

enum { ESCAPE_BYTES = 6, PIECE_BYTES = 4096 };

static char *escaped(char *to, unsigned char c) {
  static const char digits[] = "0123456789abcdef";
  *to++ = '\\';
  *to++ = escapes[c];
  if (escapes[c] == 'u') {
    *to++ = '0';
    *to++ = '0';
    *to++ = digits[c >> 4];
    *to++ = digits[c & 15];
  }
  return to;
}

/* Whether all sixteen bytes stand for themselves. */
static bool are_plain(const char *at) {
  sixteen bytes = sixteen_at(at);
  return !sixteen_any((sixteen)((bytes < 0x20) | (bytes == '"') |
                                (bytes == '/') | (bytes == '\\') |
                                (bytes == 0x7f)));
}

/* Room is made for the worst, so a long text comes in pieces. */
static void put_piece(writer *w, const char *at, const char *end) {
  char *to;
  reserve(w, (size_t)(end - at) * ESCAPE_BYTES);
  to = w->out->at + w->out->n;
  while (at < end) {
    const char *stop = end - at < 16 ? end : at + 16;
    if (end - at >= 16 && are_plain(at)) {
      memcpy(to, at, 16);
      to += 16;
      at = stop;
    }
    for (; at < stop; at++) {
      unsigned char c = (unsigned char)*at;
      if (escapes[c])
        to = escaped(to, c);
      else
        *to++ = (char)c;
    }
  }
  w->out->n = (size_t)(to - w->out->at);
}

static void put_text(writer *w, ecrb_span value) {
  const char *at = value.at, *end = value.at + value.n;
  put_char(w, '"');
  for (; end - at > PIECE_BYTES; at += PIECE_BYTES)
    put_piece(w, at, at + PIECE_BYTES);
  put_piece(w, at, end);
  put_char(w, '"');
}

/* The digits of a number, `least` at least, up to `end`; where they begin. */
static char *put_digits(char *end, unsigned long long number, int least) {
  char *at = end;
  for (; number > 0 || end - at < least; number /= 10)
    *--at = (char)('0' + number % 10);
  return at;
}

static void put_whole(writer *w, lua_Number value) {
  char digits[NUMBER_BYTES], *end = digits + sizeof digits, *at;
  at = put_digits(end, (unsigned long long)fabs(value), 1);
  if (value < 0)
    *--at = '-';
  put(w, at, (size_t)(end - at));
}

/* The millionths that the number is made of, where it is: a time, a share of
** something small. 0 for others, and for one that `%.14g` writes otherwise. */
static unsigned long long millionths_of(lua_Number value) {
  lua_Number most = 1e8, least = 1e-4, whole = rint(value * 1e6);
  bool exact = value >= least && value < most && whole / 1e6 == value;
  return exact ? (unsigned long long)whole : 0;
}

static void put_millionths(writer *w, unsigned long long number) {
  char digits[NUMBER_BYTES], *end = digits + sizeof digits, *at;
  at = put_digits(end, number % 1000000, 6);
  *--at = '.';
  at = put_digits(at, number / 1000000, 1);
  while (end[-1] == '0')
    end--;
  put(w, at, (size_t)(end - at));
}

/* Fourteen digits, as `%.14g` has them, which is slow. */
static void put_number(writer *w, lua_Number value) {
  char digits[NUMBER_BYTES];
  unsigned long long millionths;
  if (!isfinite(value))
    luaL_error(w->L, "json: %f is no number that JSON has a word for", value);
  if (fabs(value) < 1e14 && value == floor(value) &&
      (value != 0 || !signbit(value)))
    put_whole(w, value);
  else if ((millionths = millionths_of(value)))
    put_millionths(w, millionths);
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

static int in_order(const void *a, const void *b) {
  ecrb_span x = ((const field *)a)->key, y = ((const field *)b)->key;
  int order = memcmp(x.at, y.at, x.n < y.n ? x.n : y.n);
  return order ? order : (x.n > y.n) - (x.n < y.n);
}

/* One that holds for most neighbours is cheaper to ask first. */
static bool is_after(const field *a, const field *b) {
  unsigned char x = (unsigned char)*a->key.at, y = (unsigned char)*b->key.at;
  return x != y ? x > y : in_order(a, b) > 0;
}

static void sort(field *fields, size_t n) {
  if (n > FEW_FIELDS) {
    qsort(fields, n, sizeof *fields, in_order);
    return;
  }
  for (size_t i = 1; i < n; i++) {
    field moved = fields[i];
    size_t at = i;
    for (; at > 0 && is_after(&fields[at - 1], &moved); at--)
      fields[at] = fields[at - 1];
    fields[at] = moved;
  }
}

/* Room on the stack for `n` values. Lua has one word for a stack at its end and
** for memory at its end. */
static void need_stack(lua_State *L, int n) {
  if (lua_checkstack(L, n))
    return;
  if (lua_gettop(L) > LUAI_MAXSTACK / 2)
    luaL_error(L, "json: an object has more than %d fields", lua_gettop(L) / 2);
  bind_fail(L, "memory", "json: no memory for the fields of an object");
}

/* A few fields stand in a local array, more in memory of Lua's. */
static field *more_room(lua_State *L, field *fields, size_t n, int place) {
  size_t size = n * sizeof *fields;
  field *more = lua_newuserdatauv(L, 2 * size, 0);
  memcpy(more, fields, size);
  lua_replace(L, place);
  return more;
}

/* [-0, +2n] The fields of the table, which stay on the stack; `place` on it is
** for what describes them. */
static field *take_fields(lua_State *L, int index, field *fields, size_t *n,
                          int place) {
  size_t room = FEW_FIELDS;
  *n = 0;
  for (lua_pushnil(L); lua_next(L, index); (*n)++) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "json: an object's key is a %s, not a string",
                 luaL_typename(L, -2));
    if (*n == room) {
      fields = more_room(L, fields, room, place);
      room *= 2;
    }
    if (*n % STACK_FIELDS == 0)
      need_stack(L, 2 * STACK_FIELDS + 8);
    fields[*n].key.at = lua_tolstring(L, -2, &fields[*n].key.n);
    fields[*n].value = lua_gettop(L);
    lua_pushvalue(L, -2);
  }
  return fields;
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
  field few[FEW_FIELDS], *fields;
  int top = lua_gettop(w->L);
  size_t n;
  lua_pushnil(w->L);
  fields = take_fields(w->L, index, few, &n, top + 1);
  sort(fields, n);
  write_fields(w, fields, n);
  lua_settop(w->L, top);
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
  need_stack(w->L, 8);
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
  growing *t = lua_touserdata(L, 1);
  free(t->at);
  *t = (growing){NULL, 0, 0};
  return 0;
}

/* [-0, +1] The value at 1, but for its first `left_out` bytes. Upvalue 1: the
** text. */
static void push_json(lua_State *L, bool pretty, size_t left_out) {
  writer w = {L, lua_touserdata(L, lua_upvalueindex(1)), pretty, 0};
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  w.out->n = 0;
  write_value(&w, 1);
  if (pretty)
    put_char(&w, '\n');
  quota_charge(L, w.out->n / BYTES_PER_STEP);
  lua_pushlstring(L, w.out->at + left_out, w.out->n - left_out);
  if (w.out->room > KEEP_BYTES) {
    free(w.out->at);
    *w.out = (growing){NULL, 0, 0};
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
  push_json(L, false, 0);
  return 1;
}

/*** core.json.fields(table) -> text
**
** The same of a table that is no array, without the brace that opens it: to go on
** with where other fields stand already.
*/
static int json_fields(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  push_json(L, false, 1);
  return 1;
}

/*** core.json.pretty(value) -> text
**
** The same for people: a field a line, two blanks a level, a newline at the
** end.
*/
static int json_pretty(lua_State *L) {
  push_json(L, true, 0);
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
                                     {"decode", json_decode},
                                     {"encode", json_encode},
                                     {"fields", json_fields},
                                     {"pretty", json_pretty},
                                     {NULL, NULL}};

int luaopen_core_json(lua_State *L) {
  growing *t;
  static const luaL_Reg text_metamethods[] = {{"__gc", free_text},
                                              {NULL, NULL}};
  luaL_newmetatable(L, ARRAY_TYPE);
  lua_pop(L, 1);
  bind_new_type(L, TEXT_TYPE, NULL, text_metamethods);
  luaL_newlibtable(L, functions);
  t = lua_newuserdatauv(L, sizeof *t, 0);
  *t = (growing){NULL, 0, 0};
  luaL_setmetatable(L, TEXT_TYPE);
  luaL_setfuncs(L, functions, 1);
  return 1;
}
