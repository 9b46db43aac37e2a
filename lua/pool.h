/* pool.h: small blocks of memory for one Lua state. */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

#define POOL_STEP 16 /* bytes between one class of blocks and the next */

#ifndef __has_feature /* clang's way to tell what gcc tells by a macro */
#define __has_feature(name) 0
#endif

#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
#define POOL_MOST 0 /* every block must be malloc's, to be watched */
#else
#define POOL_MOST 256 /* bytes of a block; a larger one is malloc's */
#endif

typedef struct pool {
  struct pool_block *unused[POOL_MOST / POOL_STEP + 1]; /* by class */
  struct pool_chunk *chunks;
  char *at; /* what is left of the last chunk */
  size_t left;
} pool;

/* As realloc for a block of `old` bytes, or for NULL and 0; `size` is above 0.
** NULL without memory: then the block is as it was. */
void *pool_resize(pool *p, void *block, size_t old, size_t size);
void pool_release(pool *p, void *block, size_t size);

/* Gives the chunks back of which nothing is in use. */
void pool_trim(pool *p);

/* Gives all chunks back; a zeroed pool is empty. */
void pool_free(pool *p);

#endif
