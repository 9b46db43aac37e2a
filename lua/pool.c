/* pool.c: small blocks are cut from chunks and kept by their size when they
** are free. A collector frees hundreds at once and asks for them again soon;
** malloc, which joins neighbours and splits them anew, took a fifth of the time
** of a call. Chunks are given back with the state, or when somebody asks for what
** is free by then. */
#include "pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 32 * 1024 };

typedef struct pool_block {
  struct pool_block *next;
} pool_block;

/* What a chunk begins with; its blocks stand behind it. */
typedef struct pool_chunk {
  struct pool_chunk *next;
  size_t size; /* of its blocks */
} pool_chunk;

_Static_assert(sizeof(pool_chunk) <= POOL_STEP, "blocks stand in steps");

static bool is_small(size_t size) {
  return size <= POOL_MOST;
}

static size_t class_of(size_t size) {
  return (size + POOL_STEP - 1) / POOL_STEP;
}

static void push(pool *p, void *block, size_t class) {
  pool_block *unused = block;
  unused->next = p->unused[class];
  p->unused[class] = unused;
}

static void link_chunk(pool *p, pool_chunk *chunk, size_t size) {
  chunk->next = p->chunks;
  chunk->size = size;
  p->chunks = chunk;
}

/* What is left of the former chunk is less than the block that is wanted. */
static bool add_chunk(pool *p) {
  pool_chunk *chunk = malloc(CHUNK);
  if (!chunk)
    return false;
  if (p->left > 0)
    push(p, p->at, class_of(p->left));
  link_chunk(p, chunk, CHUNK - POOL_STEP);
  p->at = (char *)chunk + POOL_STEP;
  p->left = chunk->size;
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
  if (is_small(size))
    push(p, block, class_of(size));
  else
    free(block);
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
  void *moved = memmove((char *)block + POOL_STEP, block, size);
  link_chunk(p, block, class_of(size) * POOL_STEP);
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

/* A chunk, and how many of its bytes are in use. */
typedef struct usage {
  pool_chunk *chunk;
  size_t used;
} usage;

static int by_address(const void *a, const void *b) {
  const usage *left = a, *right = b;
  return (left->chunk > right->chunk) - (left->chunk < right->chunk);
}

/* All chunks by address, or NULL without memory. */
static usage *list_chunks(const pool *p, size_t *n) {
  usage *list;
  *n = 0;
  for (const pool_chunk *chunk = p->chunks; chunk; chunk = chunk->next)
    ++*n;
  list = calloc(*n + 1, sizeof *list);
  if (!list)
    return NULL;
  *n = 0;
  for (pool_chunk *chunk = p->chunks; chunk; chunk = chunk->next)
    list[(*n)++] = (usage){chunk, chunk->size};
  qsort(list, *n, sizeof *list, by_address);
  return list;
}

/* That of a block: the last that begins before it. */
static usage *usage_of(usage *list, size_t n, const void *block) {
  size_t low = 0;
  while (n - low > 1) {
    size_t middle = low + (n - low) / 2;
    *((const char *)list[middle].chunk < (const char *)block ? &low : &n) =
        middle;
  }
  return &list[low];
}

static void count_usage(const pool *p, usage *list, size_t n) {
  for (size_t class = 0; class <= POOL_MOST / POOL_STEP; class++)
    for (pool_block *block = p->unused[class]; block; block = block->next)
      usage_of(list, n, block)->used -= class * POOL_STEP;
  if (p->left > 0)
    usage_of(list, n, p->at)->used -= p->left;
}

/* Forgets the blocks of chunks that nobody uses. */
static void drop_blocks(pool *p, usage *list, size_t n) {
  for (size_t class = 0; class <= POOL_MOST / POOL_STEP; class++) {
    pool_block **link = &p->unused[class];
    while (*link)
      if (usage_of(list, n, *link)->used == 0)
        *link = (*link)->next;
      else
        link = &(*link)->next;
  }
  if (p->left > 0 && usage_of(list, n, p->at)->used == 0)
    p->left = 0;
}

void pool_trim(pool *p) {
  size_t n;
  usage *list = list_chunks(p, &n);
  if (!list)
    return;
  count_usage(p, list, n);
  drop_blocks(p, list, n);
  p->chunks = NULL;
  for (size_t i = 0; i < n; i++)
    if (list[i].used == 0)
      free(list[i].chunk);
    else
      link_chunk(p, list[i].chunk, list[i].chunk->size);
  free(list);
}

void pool_free(pool *p) {
  pool_chunk *next;
  for (pool_chunk *chunk = p->chunks; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  *p = (pool){0};
}
