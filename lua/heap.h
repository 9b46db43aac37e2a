/* heap.h: sleeping tasks, the one that wakes first on top. */
#ifndef HEAP_H
#define HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "task.h"

typedef struct heap {
  task **at; /* at[1 .. n]; at[i] wakes no later than at[2i], at[2i + 1] */
  size_t n, room;
} heap;

/* False where memory ran out. The task's `wake` and `order` are set. */
bool heap_add(heap *h, task *t);
void heap_remove(heap *h, task *t);
task *heap_first(const heap *h); /* NULL: empty */
void heap_free(heap *h);

#endif
