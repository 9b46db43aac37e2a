/* heap.h: tasks that wait, the one whose turn comes first on top. */
#ifndef HEAP_H
#define HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "task.h"

typedef struct heap {
  task **at; /* at[1 .. n]; at[i] comes no later than at[2i], at[2i + 1] */
  size_t n, room;
} heap;

/* The smallest rank comes first, of equal ones who was added first. False where
** memory ran out. */
bool heap_add(heap *h, task *t, double rank);
void heap_remove(heap *h, task *t);
task *heap_first(const heap *h); /* NULL: empty */
void heap_free(heap *h);

#endif
