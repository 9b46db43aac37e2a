/* links.h: doubly linked rings inside the things that they link. A ring is
** headed by a `links` of its own; an empty ring points at itself. */
#ifndef LINKS_H
#define LINKS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct links {
  struct links *next, *prev;
} links;

/* The thing of `type` whose field `member` is `link`. */
#define LINKED(link, type, member)                                             \
  ((type *)(void *)((char *)(link)-offsetof(type, member)))

static inline void links_init(links *l) {
  l->next = l->prev = l;
}

static inline bool links_empty(const links *l) {
  return l->next == l;
}

/* Puts `l` at the end of the ring. */
static inline void links_add(links *ring, links *l) {
  l->prev = ring->prev;
  l->next = ring;
  ring->prev->next = l;
  ring->prev = l;
}

static inline void links_remove(links *l) {
  l->prev->next = l->next;
  l->next->prev = l->prev;
  links_init(l);
}

#endif
