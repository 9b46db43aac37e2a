/* binding.h: what every binding file shares: EC numbers and options as
** arguments, and the one place where a status becomes a Lua error. */
#ifndef BINDING_H
#define BINDING_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "ecrb.h"

/* [-0, +1] An error value {code=, message=} whose tostring is the message. */
void bind_push_error(lua_State *L, const char *code, const char *message);

/* Raises a status other than ECRB_OK: ECRB_EARG as a plain error with the
** place of the call, anything else as an error value. Returns for ECRB_OK. `err`
** is NULL where the function fills none. */
void bind_check(lua_State *L, int status, const ecrb_err *err);

/* Raises {code=, message=} with a formatted message (lua_pushfstring's
** formats). */
int bind_fail(lua_State *L, const char *code, const char *format, ...);

/* Raises errno's text: "PATH: No such file or directory". */
int bind_fail_errno(lua_State *L, const char *path);

/* [-0, +1] A text for the error value at `index` that is safe to show: no
** metamethod is called, control characters are visible, length is bounded. */
const char *bind_push_message(lua_State *L, int index);

/* The name of a status: `io`, `format`, ... */
const char *bind_code_name(int status);

/* The text that is the argument, borrowed from it; raises for another type. */
ecrb_span bind_check_span(lua_State *L, int arg);

/* [-0, +1] A copy of the text. */
void bind_push_span(lua_State *L, ecrb_span span);

/* Raises for a text that is no EC number. */
ecrb_ec bind_check_ec(lua_State *L, int arg);
void bind_push_ec(lua_State *L, ecrb_ec ec);

/* [-0, +0] The EC number on top of the stack, number `i` of some `what`: raises
** `vote 2: 'x' is not an EC number`. */
ecrb_ec bind_element_ec(lua_State *L, const char *what, size_t i);

/* [-0, +1] The EC numbers of the list at `arg`, each a `what`, in Lua's memory. */
ecrb_ec *bind_check_ecs(lua_State *L, int arg, const char *what, size_t *n);

/* [-0, +1] A list of EC numbers. */
void bind_push_ecs(lua_State *L, const ecrb_ec *list, size_t n);

/* [-0, +0] False for a text that is no EC number; raises for what is no
** text. */
bool bind_to_ec(lua_State *L, int index, ecrb_ec *out);

/* Raises if the table at `arg` has a key outside the NULL-ended list. A
** missing table (none, nil) is an empty one. */
void bind_check_keys(lua_State *L, int arg, const char *const *known);

/* Numeric field of the (possibly missing) table at `arg`. */
lua_Number bind_number_field(lua_State *L, int arg, const char *key,
                             lua_Number otherwise);

/* Text field of the (possibly missing) table at `arg`, which keeps it; NULL where
** it is missing. Raises for another type. */
const char *bind_text_field(lua_State *L, int arg, const char *key);

/* t[key] = value for the table on top. */
void bind_set_number(lua_State *L, const char *key, lua_Number value);
void bind_set_integer(lua_State *L, const char *key, lua_Integer value);
void bind_set_boolean(lua_State *L, const char *key, int value);
void bind_set_span(lua_State *L, const char *key, ecrb_span value);

/* [-0, +0] Makes the metatable of a handle type: methods, metamethods (either
** may be NULL), locked against getmetatable. */
void bind_new_type(lua_State *L, const char *name, const luaL_Reg *methods,
                   const luaL_Reg *metamethods);

#endif
