/* regex.h: PCRE2 matching that ends. */
#ifndef REGEX_H
#define REGEX_H

#include <lua.h>
#include <stddef.h>

#include "ecrb.h"

typedef struct regex regex;

typedef struct regex_span {
  ptrdiff_t first, last; /* 0-based, end exclusive; -1: took no part */
} regex_span;

/* A second of the processor for all matches that have one such; it begins as all
** zeros. */
typedef struct regex_clock {
  size_t work; /* since the last look at the time */
  double end;  /* 0 before the first */
} regex_clock;

/* Makes the type and its store; once per state. */
void regex_open(lua_State *L);

/* [-0, +1] The compiled form of the string at `arg`, anchored on the stack.
** Raises for a broken expression. */
regex *regex_check(lua_State *L, int arg);

/* [-0, +1] The string at `arg` as a subject: bytes that are not UTF-8 are
** replaced one for one, so positions stay. */
ecrb_span regex_check_subject(lua_State *L, int arg);

int regex_groups(const regex *re);

/* The first match that begins at `from` or later. Raises where the limits are
** passed. */
bool regex_match(lua_State *L, regex *re, ecrb_span subject, size_t from,
                 regex_clock *clock);

/* A group of the last match; 0 is the whole. */
regex_span regex_group(const regex *re, int group);

#endif
