/* visible.h: text of strangers, made safe to show on a terminal. */
#ifndef VISIBLE_H
#define VISIBLE_H

#include <lua.h>
#include <stddef.h>

/* [-0, +1] `text` with every control character but newline and tab, every
** bidirectional or invisible format character and every byte that is not
** UTF-8 written out: \x1B, \u{202E}. */
void visible_push(lua_State *L, const char *text, size_t n);

/* Columns that the text takes on a terminal. */
size_t visible_width(const char *text, size_t n);

#endif
