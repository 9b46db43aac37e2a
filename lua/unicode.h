/* unicode.h: UTF-8, decoded strictly. */
#ifndef UNICODE_H
#define UNICODE_H

#include <stddef.h>
#include <stdint.h>

/* The length in bytes of the character at `text` (n >= 1 bytes follow), 0
** where no well-formed character begins. */
size_t unicode_decode(const char *text, size_t n, uint32_t *code);

/* The offset of the first byte that is not UTF-8; n where all of it is. */
size_t unicode_valid(const char *text, size_t n);

#endif
