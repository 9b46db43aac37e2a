/* visible.c: what a terminal might act on, or what a reader could not see, is
** spelled out. */
#include "visible.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ecrb.h"

typedef struct interval {
  uint32_t first, last;
} interval;

/* Format characters that hide or reorder text. */
static const interval hidden[] = {
    {0x80, 0x9F},     {0xAD, 0xAD},     {0x200B, 0x200F}, {0x2028, 0x202E},
    {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

static const interval zero_wide[] = {
    {0x300, 0x36F},    {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},
    {0x64B, 0x65F},    {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F},
    {0x20D0, 0x20F0},  {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
    {0xE0000, 0xE01EF}};

static const interval double_wide[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
    {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
    {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
    {0x20000, 0x3FFFD}};

#define IN(table, code) contains(table, sizeof(table) / sizeof *(table), code)

static bool contains(const interval *table, size_t n, uint32_t code) {
  for (size_t i = 0; i < n; i++)
    if (code >= table[i].first && code <= table[i].last)
      return true;
  return false;
}

static bool shown_as_is(uint32_t code) {
  if (code < 0x20 || code == 0x7F)
    return code == '\n' || code == '\t';
  return code < 0x80 || !IN(hidden, code);
}

static void add_byte(luaL_Buffer *b, unsigned char byte) {
  char *room = luaL_prepbuffsize(b, 8);
  luaL_addsize(b, (size_t)snprintf(room, 8, "\\x%02X", byte));
}

static void add_code(luaL_Buffer *b, uint32_t code) {
  char *room = luaL_prepbuffsize(b, 16);
  luaL_addsize(b, (size_t)snprintf(room, 16, "\\u{%X}", code));
}

static void add_character(luaL_Buffer *b, const char *at, size_t length,
                          uint32_t code) {
  if (length == 0 || (code < 0x80 && !shown_as_is(code)))
    add_byte(b, (unsigned char)*at);
  else if (shown_as_is(code))
    luaL_addlstring(b, at, length);
  else
    add_code(b, code);
}

void visible_push(lua_State *L, const char *text, size_t n) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (size_t i = 0; i < n;) {
    uint32_t code = (unsigned char)text[i];
    size_t length = ecrb_utf8_decode(text + i, n - i, &code);
    add_character(&b, text + i, length, code);
    i += length > 0 ? length : 1;
  }
  luaL_pushresult(&b);
}

static size_t columns_of(uint32_t code) {
  if (code < 0x20 || IN(zero_wide, code))
    return 0;
  return IN(double_wide, code) ? 2 : 1;
}

size_t visible_width(const char *text, size_t n) {
  size_t columns = 0;
  for (size_t i = 0; i < n;) {
    uint32_t code;
    size_t length = ecrb_utf8_decode(text + i, n - i, &code);
    columns += length > 0 ? columns_of(code) : 1;
    i += length > 0 ? length : 1;
  }
  return columns;
}
