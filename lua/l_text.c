/* l_text.c: core.text, for text that strangers wrote: bounded pattern
** matching, safe printing, digests. */
#include <lauxlib.h>
#include <lua.h>
#include <string.h>

#include "binding.h"
#include "modules.h"
#include "regex.h"
#include "spelled.h"
#include "visible.h"

#define HASH_TYPE "ecrb.hash"
#define WORDS_TYPE "ecrb.words"

/* [-0, +1] A group of the last match; false where it took no part. */
static void push_group(lua_State *L, const regex *re, const char *text,
                       int number) {
  regex_span group = regex_group(re, number);
  if (group.first < 0)
    lua_pushboolean(L, 0);
  else
    lua_pushlstring(L, text + group.first, (size_t)(group.last - group.first));
}

static size_t character_start(ecrb_span text, size_t at) {
  while (at < text.n && ((unsigned char)text.at[at] & 0xC0) == 0x80)
    at++;
  return at;
}

/* 0-based position of Lua's `init`; beyond the text where it is. */
static size_t first_position(lua_State *L, int arg, size_t n) {
  lua_Integer init = luaL_optinteger(L, arg, 1);
  if (init < 0)
    init += (lua_Integer)n + 1;
  if (init > (lua_Integer)n + 1)
    return n + 1;
  return init > 0 ? (size_t)init - 1 : 0;
}

/*** core.text.find(text, regex, init = 1) -> first, last, captures...
**
** The first match of a PCRE2 regular expression from position `init` on, as
** string.find reports it; a group that took no part is false; nil where there
** is no match. Text and expression are UTF-8, positions are bytes. A match
** that would take longer than about a second of the processor raises, and so does
** a broken expression.
*/
static int text_find(lua_State *L) {
  ecrb_span text = bind_check_span(L, 1);
  size_t from = character_start(text, first_position(L, 3, text.n));
  regex *re = regex_check(L, 2);
  ecrb_span subject = regex_check_subject(L, 1);
  regex_clock clock = {0, 0};
  regex_span whole;
  if (!regex_match(L, re, subject, from, &clock)) {
    luaL_pushfail(L);
    return 1;
  }
  whole = regex_group(re, 0);
  luaL_checkstack(L, regex_groups(re) + 2, "too many groups");
  lua_pushinteger(L, whole.first + 1);
  lua_pushinteger(L, whole.last);
  for (int i = 1; i <= regex_groups(re); i++)
    push_group(L, re, text.at, i);
  return regex_groups(re) + 2;
}

/* [-0, +1] {first, last, captures...} */
static void push_match(lua_State *L, const regex *re, const char *text) {
  regex_span whole = regex_group(re, 0);
  lua_createtable(L, regex_groups(re) + 2, 0);
  lua_pushinteger(L, whole.first + 1);
  lua_rawseti(L, -2, 1);
  lua_pushinteger(L, whole.last);
  lua_rawseti(L, -2, 2);
  for (int i = 1; i <= regex_groups(re); i++) {
    push_group(L, re, text, i);
    lua_rawseti(L, -2, i + 2);
  }
}

/* Where to look on: an empty match must not be found again. */
static size_t after(ecrb_span subject, regex_span match) {
  size_t at = (size_t)match.last;
  return match.last > match.first ? at : character_start(subject, at + 1);
}

/*** core.text.all(text, regex, init = 1) -> {{first, last, captures...}...}
**
** All matches from position `init` on, left to right, that do not overlap, each
** in the form of core.text.find, within the same second taken together.
*/
static int text_all(lua_State *L) {
  ecrb_span text = bind_check_span(L, 1);
  size_t at = character_start(text, first_position(L, 3, text.n));
  regex *re = regex_check(L, 2);
  ecrb_span subject = regex_check_subject(L, 1);
  regex_clock clock = {0, 0};
  lua_newtable(L);
  for (lua_Integer n = 1; regex_match(L, re, subject, at, &clock); n++) {
    push_match(L, re, text.at);
    lua_rawseti(L, -2, n);
    at = after(subject, regex_group(re, 0));
  }
  return 1;
}

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/*** core.text.utf8(text) -> text, mended
**
** The text with U+FFFD for each byte that is not UTF-8, and whether there was
** one.
*/
static int text_utf8(lua_State *L) {
  ecrb_span text = bind_check_span(L, 1);
  size_t good = ecrb_utf8_valid(text.at, text.n), at = 0;
  luaL_Buffer buffer;
  if (good == text.n) {
    lua_settop(L, 1);
    lua_pushboolean(L, false);
    return 2;
  }
  luaL_buffinit(L, &buffer);
  while (at + good < text.n) {
    luaL_addlstring(&buffer, text.at + at, good);
    luaL_addstring(&buffer, REPLACEMENT);
    at += good + 1;
    good = ecrb_utf8_valid(text.at + at, text.n - at);
  }
  luaL_addlstring(&buffer, text.at + at, good);
  luaL_pushresult(&buffer);
  lua_pushboolean(L, true);
  return 2;
}

/*** core.text.printable(text) -> text
**
** The text with control characters (other than newline and tab), characters
** that hide or reorder text, and bytes that are not UTF-8 written out as
** `\x1B` and `\u{202E}`: safe for a terminal.
*/
static int text_printable(lua_State *L) {
  ecrb_span text = bind_check_span(L, 1);
  visible_push(L, text.at, text.n);
  return 1;
}

/* {====================================================================
** Words to be taken out of texts
** ===================================================================== */

/*** core.text.words() -> words
**
** A set of words for core.text.without. It can be added to, and never read.
*/
static int text_words(lua_State *L) {
  spelled *set = lua_newuserdatauv(L, sizeof *set, 0);
  *set = (spelled){0};
  luaL_setmetatable(L, WORDS_TYPE);
  return 1;
}

/*** words:add(word)
**
** A word of less than two bytes is left out.
*/
static int words_add(lua_State *L) {
  spelled *set = luaL_checkudata(L, 1, WORDS_TYPE);
  if (!spelled_add(set, bind_check_span(L, 2)))
    bind_fail(L, "memory", "no memory for a word");
  return 0;
}

static int words_gc(lua_State *L) {
  spelled_free(luaL_checkudata(L, 1, WORDS_TYPE));
  return 0;
}

static void make_words_type(lua_State *L) {
  static const luaL_Reg methods[] = {{"add", words_add}, {NULL, NULL}};
  static const luaL_Reg metamethods[] = {{"__gc", words_gc}, {NULL, NULL}};
  bind_new_type(L, WORDS_TYPE, methods, metamethods);
}

/* Where the first word begins from `at` on, and its length; else the end. */
static size_t next_word(const spelled *set, ecrb_span text, size_t at,
                        size_t *n) {
  *n = 0;
  if (set->count == 0)
    return text.n;
  for (; at < text.n; at++)
    if ((*n = spelled_at(set, text, at)) > 0)
      break;
  return at;
}

/*** core.text.without(text, words, mark) -> text
**
** The text with `mark` in the place of every word of core.text.words, in
** whatever spelling it stands there: as it is, or with characters written as
** JSON, addresses or pages may write them (`\u0073`, `\/`, `%2F`, `&#115;`), up
** to three layers of that. A word that the end of the text cuts off counts from
** its eighth byte on. In one pass.
*/
static int text_without(lua_State *L) {
  ecrb_span text = bind_check_span(L, 1), mark = bind_check_span(L, 3);
  const spelled *set = luaL_checkudata(L, 2, WORDS_TYPE);
  size_t n, from = 0, at = next_word(set, text, 0, &n);
  luaL_Buffer buffer;
  if (n == 0) {
    lua_settop(L, 1);
    return 1;
  }
  luaL_buffinit(L, &buffer);
  for (; n > 0; at = next_word(set, text, from, &n)) {
    luaL_addlstring(&buffer, text.at + from, at - from);
    luaL_addlstring(&buffer, mark.at, mark.n);
    from = at + n;
  }
  luaL_addlstring(&buffer, text.at + from, text.n - from);
  luaL_pushresult(&buffer);
  return 1;
}

/* }==================================================================== */

static size_t count_marks(ecrb_span text, ecrb_span marks, bool from_end) {
  size_t n = 0;
  while (n < text.n &&
         memchr(marks.at, from_end ? text.at[text.n - 1 - n] : text.at[n],
                marks.n))
    n++;
  return n;
}

/*** core.text.trim(text, marks = white space) -> text, first
**
** The text without the bytes of `marks` at either end, and where it began. In
** one pass, where a pattern would take the square of a long text.
*/
static int text_trim(lua_State *L) {
  ecrb_span text = bind_check_span(L, 1), marks = ecrb_span_of(" \t\r\n\v\f");
  size_t before;
  if (!lua_isnoneornil(L, 2))
    marks = bind_check_span(L, 2);
  before = count_marks(text, marks, false);
  text = (ecrb_span){text.at + before, text.n - before};
  text.n -= count_marks(text, marks, true);
  bind_push_span(L, text);
  lua_pushinteger(L, (lua_Integer)before + 1);
  return 2;
}

/*** core.text.sha256(text, ...) -> digest
**
** The SHA-256 digest, in 64 lower-case hexadecimal digits, of the texts one after
** the other.
*/
static int text_sha256(lua_State *L) {
  ecrb_sha256 **hash = lua_touserdata(L, lua_upvalueindex(1));
  int last = lua_gettop(L);
  char digest[ECRB_SHA256_TEXT];
  size_t n = 0;
  for (int i = last; i >= 1; i--)
    n += bind_check_span(L, i).n;
  ecrb_sha256_begin(*hash, n);
  for (int i = 1; i <= last; i++)
    ecrb_sha256_add(*hash, bind_check_span(L, i));
  if (!ecrb_sha256_end(*hash, digest))
    luaL_error(L, "the library that makes digests failed");
  lua_pushlstring(L, digest, sizeof digest - 1);
  return 1;
}

static int free_hash(lua_State *L) {
  ecrb_sha256 **hash = lua_touserdata(L, 1);
  ecrb_sha256_free(*hash);
  *hash = NULL;
  return 0;
}

/* [-0, +1] The hash that text_sha256 goes on with. */
static void push_hash(lua_State *L) {
  static const luaL_Reg metamethods[] = {{"__gc", free_hash}, {NULL, NULL}};
  ecrb_sha256 **hash = lua_newuserdatauv(L, sizeof *hash, 0);
  *hash = NULL;
  bind_new_type(L, HASH_TYPE, NULL, metamethods);
  luaL_setmetatable(L, HASH_TYPE);
  if (ecrb_sha256_new(hash) != ECRB_OK)
    bind_fail(L, "memory", "no memory for digests");
}

/*** core.text.width(text) -> columns
**
** The columns that one line of text takes on a terminal: wide characters count
** two, combining and control characters none.
*/
static int text_width(lua_State *L) {
  ecrb_span text = bind_check_span(L, 1);
  lua_pushinteger(L, (lua_Integer)visible_width(text.at, text.n));
  return 1;
}

static const luaL_Reg functions[] = {{"all", text_all},
                                     {"find", text_find},
                                     {"printable", text_printable},
                                     {"trim", text_trim},
                                     {"utf8", text_utf8},
                                     {"width", text_width},
                                     {"without", text_without},
                                     {"words", text_words},
                                     {NULL, NULL}};

int luaopen_core_text(lua_State *L) {
  regex_open(L);
  make_words_type(L);
  luaL_newlib(L, functions);
  push_hash(L);
  lua_pushcclosure(L, text_sha256, 1);
  lua_setfield(L, -2, "sha256");
  return 1;
}
