/* pool.c: small blocks are cut from chunks and kept by their size when they
** are free. A collector frees hundreds at once and asks for them again soon;
** malloc, which joins neighbours and splits them anew, took a fifth of the time
** of a call. Chunks are given back with the state. */
#include "pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 32 * 1024 };

typedef struct pool_block {
  struct pool_block *next;
} pool_block;

static bool is_small(size_t size) {
  return size <= POOL_MOST;
}

static size_t class_of(size_t size) {
  return (size + POOL_STEP - 1) / POOL_STEP;
}

/* The first block of a chunk holds the chain of chunks. What was left of the
** former one is less than a block. */
static bool add_chunk(pool *p) {
  pool_block *chunk = malloc(CHUNK);
  if (!chunk)
    return false;
  chunk->next = p->chunks;
  p->chunks = chunk;
  p->at = (char *)chunk + POOL_STEP;
  p->left = CHUNK - POOL_STEP;
  return true;
}

static void *take(pool *p, size_t size) {
  size_t class = class_of(size), bytes = class * POOL_STEP;
  pool_block *block = p->unused[class];
  if (block) {
    p->unused[class] = block->next;
    __builtin_prefetch(block->next, 1);
    return block;
  }
  if (p->left < bytes && !add_chunk(p))
    return NULL;
  block = (pool_block *)(void *)p->at;
  p->at += bytes;
  p->left -= bytes;
  return block;
}

void pool_release(pool *p, void *block, size_t size) {
  pool_block *unused = block;
  if (!is_small(size)) {
    free(block);
    return;
  }
  unused->next = p->unused[class_of(size)];
  p->unused[class_of(size)] = unused;
}

/* What malloc is asked for a large block: it can become a chunk. */
static size_t room_of(size_t size) {
  size_t least = POOL_STEP + POOL_MOST;
  return size > least ? size : least;
}

static void *new_block(pool *p, size_t size) {
  return is_small(size) ? take(p, size) : malloc(room_of(size));
}

/* Without memory a large block that shrinks becomes a chunk of one small one:
** it will be released as small, and must be freed with the chunks. */
static void *chunk_of(pool *p, void *block, size_t size) {
  pool_block *chunk = block;
  void *moved = memmove((char *)block + POOL_STEP, block, size);
  chunk->next = p->chunks;
  p->chunks = chunk;
  return moved;
}

static void *move(pool *p, void *block, size_t old, size_t size) {
  void *moved = new_block(p, size);
  if (moved) {
    memcpy(moved, block, old < size ? old : size);
    pool_release(p, block, old);
  } else if (is_small(size) && !is_small(old)) {
    moved = chunk_of(p, block, size);
  }
  return moved;
}

void *pool_resize(pool *p, void *block, size_t old, size_t size) {
  if (!block)
    return new_block(p, size);
  if (!is_small(old) && !is_small(size))
    return realloc(block, room_of(size));
  if (is_small(old) && is_small(size) && class_of(old) == class_of(size))
    return block;
  return move(p, block, old, size);
}

void pool_free(pool *p) {
  pool_block *next;
  for (pool_block *chunk = p->chunks; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  *p = (pool){0};
}
