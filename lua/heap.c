/* heap.c: a binary heap whose members know their place, so that any of them
** can be taken out. The smaller rank comes first, then who came first. */
#include "heap.h"

#include <stdlib.h>

#include "loop.h"

static bool before(const task *a, const task *b) {
  return a->rank < b->rank || (a->rank == b->rank && a->order < b->order);
}

static void put(heap *h, size_t place, task *t) {
  h->at[place] = t;
  t->place = place;
}

static void rise(heap *h, task *t) {
  size_t place = t->place;
  while (place > 1 && before(t, h->at[place / 2])) {
    put(h, place, h->at[place / 2]);
    place /= 2;
  }
  put(h, place, t);
}

static void sink(heap *h, task *t) {
  size_t place = t->place;
  for (;;) {
    size_t child = 2 * place;
    if (child < h->n && before(h->at[child + 1], h->at[child]))
      child++;
    if (child > h->n || !before(h->at[child], t))
      break;
    put(h, place, h->at[child]);
    place = child;
  }
  put(h, place, t);
}

static bool grow(heap *h) {
  size_t room = h->room > 0 ? 2 * h->room : 64;
  task **at = realloc(h->at, room * sizeof *at);
  if (!at)
    return false;
  h->at = at;
  h->room = room;
  return true;
}

bool heap_add(heap *h, task *t, double rank) {
  t->rank = rank;
  t->order = t->loop->waits++;
  if (h->n + 2 > h->room && !grow(h))
    return false;
  put(h, ++h->n, t);
  rise(h, t);
  return true;
}

void heap_remove(heap *h, task *t) {
  size_t place = t->place;
  task *last = h->at[h->n--];
  t->place = 0;
  if (last == t)
    return;
  put(h, place, last);
  rise(h, last);
  sink(h, last);
}

task *heap_first(const heap *h) {
  return h->n > 0 ? h->at[1] : NULL;
}

void heap_free(heap *h) {
  free(h->at);
}
