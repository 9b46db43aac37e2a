/* desk.c: the one place where threads meet: two rings of slips under a lock. */
#include "desk.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "links.h"

typedef struct slip {
  links link;
  desk_slip says;
  char *text; /* that it says */
} slip;

struct desk {
  ecrb_host *host;
  pthread_mutex_t lock;
  links open, answered;
  uint64_t tickets; /* so far */
  slip *taken;      /* whose text is in use; of the run's thread alone */
};

static void free_slip(slip *s) {
  if (s)
    free(s->text);
  free(s);
}

static slip *first_of(links *ring) {
  return links_empty(ring) ? NULL : LINKED(ring->next, slip, link);
}

static void free_ring(links *ring) {
  slip *s;
  while ((s = first_of(ring))) {
    links_remove(&s->link);
    free_slip(s);
  }
}

desk *desk_new(ecrb_host *host) {
  desk *d = calloc(1, sizeof *d);
  if (!d)
    return NULL;
  d->host = host;
  pthread_mutex_init(&d->lock, NULL);
  links_init(&d->open);
  links_init(&d->answered);
  return d;
}

void desk_clear(desk *d) {
  pthread_mutex_lock(&d->lock);
  free_ring(&d->open);
  free_ring(&d->answered);
  pthread_mutex_unlock(&d->lock);
}

void desk_free(desk *d) {
  if (!d)
    return;
  desk_clear(d);
  free_slip(d->taken);
  pthread_mutex_destroy(&d->lock);
  free(d);
}

uint64_t desk_open(desk *d) {
  slip *s = calloc(1, sizeof *s);
  if (!s)
    return 0;
  s->says.ticket = ++d->tickets;
  pthread_mutex_lock(&d->lock);
  links_add(&d->open, &s->link);
  pthread_mutex_unlock(&d->lock);
  return s->says.ticket;
}

static slip *find_open(desk *d, uint64_t ticket) {
  for (links *l = d->open.next; l != &d->open; l = l->next)
    if (LINKED(l, slip, link)->says.ticket == ticket)
      return LINKED(l, slip, link);
  return NULL;
}

/* The loop is told before the lock is given back: from then on the run's thread
** may end the run. */
static bool put(desk *d, const desk_slip *given, char *text) {
  slip *s;
  pthread_mutex_lock(&d->lock);
  s = find_open(d, given->ticket);
  if (s) {
    s->says = *given;
    s->says.text.at = s->text = text;
    links_remove(&s->link);
    links_add(&d->answered, &s->link);
    host_wake(d->host);
  }
  pthread_mutex_unlock(&d->lock);
  return s;
}

int desk_answer(desk *d, const desk_slip *given, ecrb_err *err) {
  char *text = malloc(given->text.n + 1);
  if (!text)
    return ecrb_fail(err, ECRB_ENOMEM, "no memory for an answer");
  if (given->text.n > 0)
    memcpy(text, given->text.at, given->text.n);
  if (put(d, given, text))
    return ECRB_OK;
  free(text);
  return ecrb_fail(err, ECRB_ENONE, "question %llu is not open",
                   (unsigned long long)given->ticket);
}

bool desk_take(desk *d, desk_slip *out) {
  free_slip(d->taken);
  pthread_mutex_lock(&d->lock);
  d->taken = first_of(&d->answered);
  if (d->taken)
    links_remove(&d->taken->link);
  pthread_mutex_unlock(&d->lock);
  if (d->taken)
    *out = d->taken->says;
  return d->taken;
}
