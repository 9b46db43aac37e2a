/* json_reader.h: reads JSON as strictly as a measurement needs. */
#ifndef JSON_READER_H
#define JSON_READER_H

#include <lua.h>

/* core.json.decode */
int json_decode(lua_State *L);

#endif
