/* json_reader.c: JSON from strangers. lua-cjson, which reads our own files,
** keeps the last of two equal keys, takes a NUL for the end of the text, 01 for
** a number and half a character for a whole mistake; of what a server sends,
** each of these is to be refused or told. The text is gone over once. Values
** stand on Lua's stack until their table is made with room for them all.
*/
#include "json_reader.h"

#include <stdint.h>
#include <string.h>

#include "binding.h"
#include "quota.h"
#include "sixteen.h"

enum {
  DEPTH_MOST = 128,
  PENDING_MOST = 12, /* values on the stack before they go into their table */
  EXACT_DIGITS = 15, /* of a whole number, at most, that needs no rounding */
  BYTES_PER_STEP = 64 /* see quota_charge */
};

typedef struct reader {
  lua_State *L;
  const char *at, *end;
  int depth;
  lua_Integer values, most; /* so many so far, and as can be */
  bool lenient;      /* the two below are told and no faults */
  bool raw_control;  /* a control character stands in a string */
  bool lone_surrogate;
  const char *fault; /* NULL: none; static, or on Lua's stack */
} reader;

static bool read_value(reader *r);

static bool fail(reader *r, const char *fault) {
  r->fault = fault;
  return false;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static void skip_blanks(reader *r) {
  while (r->at < r->end && is_blank(*r->at))
    r->at++;
}

/* NUL at the end, and where one stands: both begin nothing. */
static char peek(const reader *r) {
  return r->at < r->end ? *r->at : '\0';
}

static bool take(reader *r, char c) {
  if (peek(r) != c)
    return false;
  r->at++;
  return true;
}

static bool take_word(reader *r, const char *word) {
  size_t n = strlen(word);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
    return fail(r, "no value begins");
  r->at += n;
  return true;
}

/* {====================================================================
** Strings
** ===================================================================== */

/* Whether all sixteen bytes stand for themselves. */
static bool are_plain(const char *at) {
  sixteen bytes = sixteen_at(at);
  return !sixteen_any(
      (sixteen)((bytes < 0x20) | (bytes == '"') | (bytes == '\\')));
}

/* The end of the bytes that stand for themselves. */
static const char *end_of_plain(const char *at, const char *end) {
  while (end - at >= 16 && are_plain(at))
    at += 16;
  while (at < end && (unsigned char)*at >= 0x20 && *at != '"' && *at != '\\')
    at++;
  return at;
}

static bool read_hex(reader *r, uint32_t *unit) {
  *unit = 0;
  for (int i = 0; i < 4; i++, r->at++) {
    char c = peek(r);
    if (c >= '0' && c <= '9')
      *unit = *unit << 4 | (uint32_t)(c - '0');
    else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
      *unit = *unit << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
    else
      return fail(r, "four hexadecimal digits are wanted");
  }
  return true;
}

static bool is_high(uint32_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(uint32_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

/* The second half of a character whose first one was read. */
static bool read_low(reader *r, uint32_t *code) {
  const char *before = r->at;
  uint32_t low = 0;
  if (take(r, '\\') && take(r, 'u') && read_hex(r, &low) && is_low(low)) {
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return true;
  }
  r->at = before; /* it is read as what it is, and refused there */
  r->fault = NULL;
  return false;
}

static bool read_code(reader *r, uint32_t *code) {
  if (!read_hex(r, code))
    return false;
  if (is_low(*code) || (is_high(*code) && !read_low(r, code))) {
    if (!r->lenient)
      return fail(r, "half a character");
    r->lone_surrogate = true;
    *code = 0xfffd;
  }
  return true;
}

static char *put_code(char *to, uint32_t code) {
  if (code < 0x80) {
    *to++ = (char)code;
    return to;
  }
  if (code < 0x800) {
    *to++ = (char)(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      *to++ = (char)(0xe0 | code >> 12);
    } else {
      *to++ = (char)(0xf0 | code >> 18);
      *to++ = (char)(0x80 | (code >> 12 & 0x3f));
    }
    *to++ = (char)(0x80 | (code >> 6 & 0x3f));
  }
  *to++ = (char)(0x80 | (code & 0x3f));
  return to;
}

/* Behind the backslash. */
static bool read_escape(reader *r, char **to) {
  static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
  uint32_t code;
  if (take(r, 'u')) {
    if (!read_code(r, &code))
      return false;
    *to = put_code(*to, code);
    return true;
  }
  const char *which = peek(r) ? strchr(from, peek(r)) : NULL;
  if (!which)
    return fail(r, "no such escape");
  *(*to)++ = into[which - from];
  r->at++;
  return true;
}

static bool read_control(reader *r, char **to) {
  if (peek(r) == '\0')
    return fail(r, r->at == r->end ? "the text ends in a string"
                                   : "a NUL byte stands in it");
  if (!r->lenient)
    return fail(r, "a control character stands in a string");
  r->raw_control = true;
  *(*to)++ = *r->at++;
  return true;
}

static bool read_odd(reader *r, char **to) {
  return take(r, '\\') ? read_escape(r, to) : read_control(r, to);
}

/* An upper bound of the bytes up to the closing quote. */
static size_t length_to_quote(const reader *r) {
  const char *at = r->at;
  for (; at < r->end && *at != '"'; at++)
    at += *at == '\\' && at + 1 < r->end;
  return (size_t)(at - r->at);
}

/* [-0, +1] A string that is not plain, from where it begins. What stands for a
** character is never shorter than the character. */
static bool read_escaped(reader *r) {
  luaL_Buffer buffer;
  size_t room = length_to_quote(r);
  char *start = luaL_buffinitsize(r->L, &buffer, room), *to = start;
  while (peek(r) != '"') {
    const char *stop = end_of_plain(r->at, r->end);
    memcpy(to, r->at, (size_t)(stop - r->at));
    to += stop - r->at;
    r->at = stop;
    if (peek(r) != '"' && !read_odd(r, &to))
      return false;
  }
  r->at++;
  luaL_pushresultsize(&buffer, (size_t)(to - start));
  return true;
}

/* [-0, +1] */
static bool read_string(reader *r) {
  const char *start = r->at + 1, *stop = end_of_plain(start, r->end);
  r->at = start;
  if (stop == r->end || *stop != '"')
    return read_escaped(r);
  lua_pushlstring(r->L, start, (size_t)(stop - start));
  r->at = stop + 1;
  return true;
}

/* }==================================================================== */

/* {====================================================================
** Numbers
** ===================================================================== */

static size_t take_digits(reader *r) {
  const char *start = r->at;
  while (peek(r) >= '0' && peek(r) <= '9')
    r->at++;
  return (size_t)(r->at - start);
}

static bool take_fraction(reader *r, bool *whole) {
  if (!take(r, '.'))
    return true;
  *whole = false;
  return take_digits(r) > 0;
}

static bool take_exponent(reader *r, bool *whole) {
  if (!take(r, 'e') && !take(r, 'E'))
    return true;
  *whole = false;
  if (!take(r, '-'))
    take(r, '+');
  return take_digits(r) > 0;
}

/* [-0, +1] Any number: Lua reads it, whatever the locale. */
static void push_rounded(lua_State *L, const char *start, size_t n) {
  lua_pushlstring(L, start, n);
  lua_stringtonumber(L, lua_tostring(L, -1));
  lua_remove(L, -2);
  lua_pushnumber(L, lua_tonumber(L, -1));
  lua_remove(L, -2);
}

static lua_Number whole_of(const char *at, const char *end) {
  int64_t sum = 0;
  for (; at < end; at++)
    sum = 10 * sum + (*at - '0');
  return (lua_Number)sum;
}

/* [-0, +1] As lua-cjson has them, numbers are floats. */
static bool read_number(reader *r) {
  const char *start = r->at;
  bool negative = take(r, '-'), whole = true;
  const char *digits = r->at;
  size_t n = take_digits(r);
  if (n == 0 || (n > 1 && *digits == '0') || !take_fraction(r, &whole) ||
      !take_exponent(r, &whole))
    return fail(r, "no number is written so");
  if (whole && n <= EXACT_DIGITS)
    lua_pushnumber(r->L, whole_of(digits, r->at) * (negative ? -1 : 1));
  else
    push_rounded(r->L, start, (size_t)(r->at - start));
  return true;
}

/* }==================================================================== */

/* {====================================================================
** Arrays and objects. Their table is made at `place` when the first values go
** into it; until then nil stands there.
** ===================================================================== */

static int pending(const reader *r, int place) {
  return lua_gettop(r->L) - place;
}

static void make_table(reader *r, int place, int items, int fields) {
  if (!lua_isnil(r->L, place))
    return;
  lua_createtable(r->L, items, fields);
  lua_replace(r->L, place);
}

static void put_items(reader *r, int place, lua_Integer *count) {
  int n = pending(r, place);
  make_table(r, place, n, 0);
  *count += n;
  for (int i = 0; i < n; i++)
    lua_rawseti(r->L, place, *count - i);
}

static bool put_fields(reader *r, int place) {
  int n = pending(r, place) / 2;
  make_table(r, place, 0, n);
  for (; n > 0; n--) {
    lua_pushvalue(r->L, -2);
    if (lua_rawget(r->L, place) != LUA_TNIL)
      return fail(r, lua_pushfstring(r->L,
                                     "the key \"%s\" stands twice in one object",
                                     lua_tostring(r->L, -3)));
    lua_pop(r->L, 1);
    lua_rawset(r->L, place);
  }
  return true;
}

static bool enter(reader *r) {
  r->at++;
  skip_blanks(r);
  if (++r->depth > DEPTH_MOST)
    return fail(r, "more than 128 values inside each other");
  luaL_checkstack(r->L, 2 * PENDING_MOST + 8, "json: values too deep");
  lua_pushnil(r->L);
  return true;
}

/* Takes what stands behind a value: a comma, or the end of the table. */
static bool read_separator(reader *r, char closing, bool *more) {
  skip_blanks(r);
  *more = take(r, ',');
  if (*more) {
    skip_blanks(r);
    return true;
  }
  return take(r, closing) ||
         fail(r, closing == ']' ? "a comma or ] is wanted"
                                : "a comma or } is wanted");
}

/* [-0, +1] */
static bool read_array(reader *r) {
  int place = lua_gettop(r->L) + 1;
  lua_Integer count = 0;
  if (!enter(r))
    return false;
  bool more = !take(r, ']');
  while (more) {
    if (!read_value(r) || !read_separator(r, ']', &more))
      return false;
    if (pending(r, place) >= PENDING_MOST)
      put_items(r, place, &count);
  }
  put_items(r, place, &count);
  r->depth--;
  return true;
}

/* [-0, +2] */
static bool read_field(reader *r) {
  if (peek(r) != '"')
    return fail(r, "a key is wanted");
  if (!read_string(r))
    return false;
  skip_blanks(r);
  if (!take(r, ':'))
    return fail(r, "a colon is wanted");
  skip_blanks(r);
  return read_value(r);
}

/* [-0, +1] */
static bool read_object(reader *r) {
  int place = lua_gettop(r->L) + 1;
  if (!enter(r))
    return false;
  bool more = !take(r, '}');
  while (more) {
    if (!read_field(r) || !read_separator(r, '}', &more))
      return false;
    if (pending(r, place) >= 2 * PENDING_MOST && !put_fields(r, place))
      return false;
  }
  r->depth--;
  return put_fields(r, place);
}

/* }==================================================================== */

/* [-0, +1] Where it fails, more may be left on the stack. */
static bool read_value(reader *r) {
  if (++r->values > r->most)
    return fail(r, lua_pushfstring(r->L, "it holds more than %I values",
                                   (LUAI_UACINT)r->most));
  switch (peek(r)) {
  case '{':
    return read_object(r);
  case '[':
    return read_array(r);
  case '"':
    return read_string(r);
  case 't':
    lua_pushboolean(r->L, 1);
    return take_word(r, "true");
  case 'f':
    lua_pushboolean(r->L, 0);
    return take_word(r, "false");
  case 'n':
    lua_pushlightuserdata(r->L, NULL);
    return take_word(r, "null");
  case '-':
    return read_number(r);
  default:
    if (peek(r) >= '0' && peek(r) <= '9')
      return read_number(r);
    return fail(r, r->at < r->end ? "no value begins" : "the text ends");
  }
}

static bool skip_mark(reader *r) {
  static const char mark[] = "\xef\xbb\xbf";
  size_t n = sizeof mark - 1;
  bool marked =
      r->lenient && (size_t)(r->end - r->at) >= n && !memcmp(r->at, mark, n);
  r->at += marked ? n : 0;
  return marked;
}

static bool read_document(reader *r) {
  skip_blanks(r);
  if (!read_value(r))
    return false;
  skip_blanks(r);
  return r->at == r->end || fail(r, "something follows the value");
}

static void tell(lua_State *L, const char *flag, bool holds) {
  if (holds) {
    lua_pushboolean(L, 1);
    lua_setfield(L, 2, flag);
  }
}

/*** core.json.decode(text, flags, most) -> value
**
** The value of a JSON text (RFC 8259), nothing else before or behind it; null is
** ecrb.json.null, numbers are floats. nil and a sentence for what is no JSON, or
** has a key twice in one object, or more than 128 values inside each other. With
** a table `flags` three more things are accepted, and told there by true:
** `bom`, a byte order mark in front; `raw_control`, control characters in a
** string as they are; `lone_surrogate`, half a character, which is read as
** U+FFFD. Of a text with more than `most` values (no limit) no more are read, and
** true follows the sentence.
*/
int json_decode(lua_State *L) {
  ecrb_span text = bind_check_span(L, 1);
  reader r = {.L = L, .at = text.at, .end = text.at + text.n};
  r.lenient = !lua_isnoneornil(L, 2);
  if (r.lenient)
    luaL_checktype(L, 2, LUA_TTABLE);
  r.most = luaL_optinteger(L, 3, LUA_MAXINTEGER);
  lua_settop(L, 2);
  quota_charge(L, text.n / BYTES_PER_STEP);
  bool marked = skip_mark(&r);
  if (!read_document(&r)) {
    luaL_pushfail(L);
    lua_pushfstring(L, "byte %I: %s", (LUAI_UACINT)(r.at - text.at + 1), r.fault);
    if (r.values <= r.most)
      return 2;
    lua_pushboolean(L, 1);
    return 3;
  }
  tell(L, "bom", marked);
  tell(L, "raw_control", r.raw_control);
  tell(L, "lone_surrogate", r.lone_surrogate);
  return 1;
}
