/* regex.c: PCRE2 without its JIT, whose limits depend on the machine. PCRE2
** counts steps anew at each starting position, so a text is matched window by
** window of starting positions, each with the same number of steps to share:
** no call takes much more than a second of the processor, whatever expression and
** text are. A window that was quick is followed by a wider one; one that was not
** is tried again narrow; what is anchored (`^`, `\G`) has but one. A step may be a
** long one, so the clock is looked at between the items of an expression as well.
** Compiled expressions are kept in a store that is emptied when it is full. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "regex.h"

#include <lauxlib.h>
#include <pcre2.h>
#include <string.h>

#include "binding.h"
#include "clock.h"

#define REGEX_TYPE "ecrb.regex"
#define REGEX_STORE "ecrb.regex.store"

enum {
  EXPRESSION_MOST = 4096,          /* bytes of an expression */
  STEPS_MOST = 100 * 1000 * 1000,  /* in one window */
  HEAP_MOST = 32 * 1024,           /* KiB of backtracking memory */
  WINDOW = 64,                     /* starting positions of the narrowest */
  WINDOW_MOST = 64 * 1024,         /* and of the widest */
  LOOK_COST = 64,                  /* a step, in bytes gone over */
  WORK_BETWEEN = 10 * 1000 * 1000, /* two looks at the clock, in bytes */
  STORE_MOST = 256                 /* expressions kept */
};

struct regex {
  pcre2_code *code;
  pcre2_match_data *data;
  pcre2_match_context *context;
  uint32_t groups;
  bool anchored; /* matches where the search begins or nowhere */
  regex_clock *clock;
};

/* A look at the time costs more than most matches do. It is this thread's, so
** that a busy machine does not change what a script sees. */
static bool is_late(regex_clock *clock, size_t work) {
  double now;
  clock->work += work;
  if (clock->work < WORK_BETWEEN)
    return false;
  clock->work = 0;
  now = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
  if (clock->end == 0)
    clock->end = now + 1;
  return now > clock->end;
}

int regex_groups(const regex *re) {
  return (int)re->groups;
}

static int regex_gc(lua_State *L) {
  regex *re = luaL_checkudata(L, 1, REGEX_TYPE);
  pcre2_match_context_free(re->context);
  pcre2_match_data_free(re->data);
  pcre2_code_free(re->code);
  memset(re, 0, sizeof *re);
  return 0;
}

static const luaL_Reg metamethods[] = {{"__gc", regex_gc}, {NULL, NULL}};

static void new_store(lua_State *L) {
  lua_newtable(L);
  lua_pushinteger(L, 0);
  lua_rawseti(L, -2, 1); /* how many it holds; expressions are strings */
  lua_setfield(L, LUA_REGISTRYINDEX, REGEX_STORE);
}

void regex_open(lua_State *L) {
  bind_new_type(L, REGEX_TYPE, NULL, metamethods);
  new_store(L);
}

static pcre2_code *compile(lua_State *L, int arg, ecrb_span expression) {
  int error;
  PCRE2_SIZE at;
  char why[256];
  pcre2_code *code;
  luaL_argcheck(L, expression.n <= EXPRESSION_MOST, arg,
                "the regular expression is longer than 4096 bytes");
  code = pcre2_compile((PCRE2_SPTR)expression.at, expression.n,
                       PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C |
                           PCRE2_USE_OFFSET_LIMIT | PCRE2_AUTO_CALLOUT,
                       &error, &at, NULL);
  if (code)
    return code;
  pcre2_get_error_message(error, (PCRE2_UCHAR *)why, sizeof why);
  luaL_argerror(L, arg,
                lua_pushfstring(L, "regular expression, at byte %I: %s",
                                (LUAI_UACINT)at + 1, why));
  return NULL;
}

/* Between two items of an expression PCRE2 goes over the text once at most:
** `a*` is one step, however much it takes. */
static int on_item(pcre2_callout_block *block, void *user) {
  regex *re = user;
  bool late = is_late(re->clock, LOOK_COST + block->subject_length);
  return late ? PCRE2_ERROR_MATCHLIMIT : 0;
}

/* [-0, +1] */
static regex *build(lua_State *L, int arg) {
  regex *re = lua_newuserdatauv(L, sizeof *re, 0);
  uint32_t options;
  memset(re, 0, sizeof *re);
  luaL_setmetatable(L, REGEX_TYPE);
  re->code = compile(L, arg, bind_check_span(L, arg));
  re->data = pcre2_match_data_create_from_pattern(re->code, NULL);
  re->context = pcre2_match_context_create(NULL);
  if (!re->data || !re->context)
    bind_fail(L, "memory", "no memory for a regular expression");
  pcre2_pattern_info(re->code, PCRE2_INFO_CAPTURECOUNT, &re->groups);
  pcre2_pattern_info(re->code, PCRE2_INFO_ALLOPTIONS, &options);
  re->anchored = options & PCRE2_ANCHORED;
  pcre2_set_callout(re->context, on_item, re);
  pcre2_set_heap_limit(re->context, HEAP_MOST);
  return re;
}

/* [-1, +0] Keeps the expression on top under the string at `arg`. */
static void keep(lua_State *L, int arg) {
  lua_Integer held;
  lua_getfield(L, LUA_REGISTRYINDEX, REGEX_STORE);
  lua_rawgeti(L, -1, 1);
  held = lua_tointeger(L, -1);
  lua_pop(L, 1);
  if (held >= STORE_MOST) {
    lua_pop(L, 1);
    new_store(L);
    lua_getfield(L, LUA_REGISTRYINDEX, REGEX_STORE);
    held = 0;
  }
  lua_pushinteger(L, held + 1);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, arg);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

regex *regex_check(lua_State *L, int arg) {
  regex *re;
  luaL_checktype(L, arg, LUA_TSTRING);
  lua_getfield(L, LUA_REGISTRYINDEX, REGEX_STORE);
  lua_pushvalue(L, arg);
  lua_rawget(L, -2);
  lua_remove(L, -2);
  re = lua_touserdata(L, -1);
  if (re)
    return re;
  lua_pop(L, 1);
  re = build(L, arg);
  keep(L, arg);
  return re;
}

ecrb_span regex_check_subject(lua_State *L, int arg) {
  ecrb_span text = bind_check_span(L, arg);
  size_t at = ecrb_utf8_valid(text.at, text.n);
  char *copy;
  if (at == text.n) {
    lua_pushvalue(L, arg);
    return text;
  }
  copy = lua_newuserdatauv(L, text.n, 0);
  memcpy(copy, text.at, text.n);
  while (at < text.n) {
    copy[at++] = '?';
    at += ecrb_utf8_valid(copy + at, text.n - at);
  }
  return (ecrb_span){copy, text.n};
}

static void raise_limit(lua_State *L) {
  luaL_error(L, "the regular expression takes too long on this text: make it "
                "more specific, or the text shorter");
}

/* The first starting position behind a window of about `width`. */
static size_t behind(ecrb_span text, size_t from, size_t width) {
  if (width > text.n - from)
    return text.n + 1;
  from += width;
  while (from < text.n && ((unsigned char)text.at[from] & 0xC0) == 0x80)
    from++;
  return from;
}

/* Looks in the starting positions from .. last: PCRE2's status. */
static int look(regex *re, ecrb_span text, size_t from, size_t last,
                size_t width) {
  pcre2_set_offset_limit(re->context, last);
  pcre2_set_match_limit(re->context, (uint32_t)(STEPS_MOST / width));
  return pcre2_match(re->code, (PCRE2_SPTR)text.at, text.n, from,
                     PCRE2_NO_UTF_CHECK, re->data, re->context);
}

bool regex_match(lua_State *L, regex *re, ecrb_span text, size_t from,
                 regex_clock *clock) {
  size_t width = WINDOW;
  re->clock = clock;
  while (from <= text.n) {
    size_t next = behind(text, from, width);
    int found = look(re, text, from, next - 1, width);
    if (found > 0)
      return true;
    if (is_late(clock, LOOK_COST + text.n - from) ||
        (found != PCRE2_ERROR_NOMATCH && width == WINDOW))
      raise_limit(L);
    if (found != PCRE2_ERROR_NOMATCH) {
      width = WINDOW;
    } else {
      from = re->anchored ? text.n + 1 : next;
      width = width < WINDOW_MOST ? width * 4 : width;
    }
  }
  return false;
}

regex_span regex_group(const regex *re, int group) {
  const PCRE2_SIZE *at = pcre2_get_ovector_pointer(re->data) + 2 * group;
  if (at[0] == PCRE2_UNSET)
    return (regex_span){-1, -1};
  return (regex_span){(ptrdiff_t)at[0], (ptrdiff_t)at[1]};
}
