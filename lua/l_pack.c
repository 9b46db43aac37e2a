/* l_pack.c: core.pack, bytes made small and fit for text files. */
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "binding.h"
#include "modules.h"

enum { RAW_WINDOW = -15, LEVEL_DEFAULT = 6, LEVEL_MOST = 9 };

/* Deflates `text` into `out`, which holds compressBound bytes. False where
** memory ran out. */
static bool deflate_into(ecrb_span text, int level, Bytef *out, uLong *size) {
  z_stream stream;
  int status;
  memset(&stream, 0, sizeof stream);
  if (deflateInit2(&stream, level, Z_DEFLATED, RAW_WINDOW, MAX_MEM_LEVEL - 1,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return false;
  stream.next_in = (Bytef *)text.at;
  stream.avail_in = (uInt)text.n;
  stream.next_out = out;
  stream.avail_out = (uInt)*size;
  status = deflate(&stream, Z_FINISH);
  *size = stream.total_out;
  deflateEnd(&stream);
  return status == Z_STREAM_END;
}

/*** core.pack.deflate(text, level = 6) -> bytes
**
** The text deflated, without a header (RFC 1951): what a browser calls
** `deflate-raw`. `level` is from 0, stored, to 9, smallest.
*/
static int pack_deflate(lua_State *L) {
  ecrb_span text = bind_check_span(L, 1);
  lua_Integer level = luaL_optinteger(L, 2, LEVEL_DEFAULT);
  uLong size;
  Bytef *out;
  luaL_argcheck(L, text.n <= UINT32_MAX / 2, 1, "more than 2 GiB");
  luaL_argcheck(L, level >= 0 && level <= LEVEL_MOST, 2, "levels are 0 to 9");
  size = compressBound((uLong)text.n);
  out = lua_newuserdatauv(L, size, 0);
  if (!deflate_into(text, (int)level, out, &size))
    return bind_fail(L, "memory", "no memory to deflate %I bytes",
                     (LUAI_UACINT)text.n);
  lua_pushlstring(L, (const char *)out, size);
  return 1;
}

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Four digits for up to three bytes. */
static void encode_group(const unsigned char *in, size_t n, char *out) {
  uint32_t bits = (uint32_t)in[0] << 16;
  if (n > 1)
    bits |= (uint32_t)in[1] << 8;
  if (n > 2)
    bits |= in[2];
  out[0] = digits[bits >> 18];
  out[1] = digits[bits >> 12 & 63];
  out[2] = n > 1 ? digits[bits >> 6 & 63] : '=';
  out[3] = n > 2 ? digits[bits & 63] : '=';
}

/*** core.pack.base64(bytes) -> text
**
** RFC 4648, with padding, in one line.
*/
static int pack_base64(lua_State *L) {
  ecrb_span bytes = bind_check_span(L, 1);
  const unsigned char *in = (const unsigned char *)bytes.at;
  size_t size = (bytes.n + 2) / 3 * 4;
  luaL_Buffer b;
  char *out = luaL_buffinitsize(L, &b, size);
  for (size_t i = 0; i < bytes.n; i += 3)
    encode_group(in + i, bytes.n - i, out + i / 3 * 4);
  luaL_pushresultsize(&b, size);
  return 1;
}

int luaopen_core_pack(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"deflate", pack_deflate}, {"base64", pack_base64}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
