/* timers.c: a binary heap of deadlines. Every timer knows its place, so that
** it moves and leaves in logarithmic time. */
#include "timers.h"

#include <stdlib.h>
#include <time.h>

int64_t ecrb_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t ecrb_after(int64_t start, long ms) {
  if (ms < 0 || ms >= (ECRB_NEVER - start) / 1000000)
    return ECRB_NEVER;
  return start + ms * (int64_t)1000000;
}

bool ecrb_timers_reserve(ecrb_timers *timers, size_t count) {
  if (count <= timers->size)
    return true;
  size_t size = count < 16 ? 16 : 2 * count;
  ecrb_timer **heap = realloc(timers->heap, size * sizeof *heap);
  if (!heap)
    return false;
  timers->heap = heap;
  timers->size = size;
  return true;
}

void ecrb_timers_free(ecrb_timers *timers) {
  free(timers->heap);
  *timers = (ecrb_timers){0};
}

static void put(ecrb_timers *timers, size_t place, ecrb_timer *timer) {
  timers->heap[place - 1] = timer;
  timer->place = place;
}

static ecrb_timer *at(const ecrb_timers *timers, size_t place) {
  return timers->heap[place - 1];
}

static void rise(ecrb_timers *timers, ecrb_timer *timer, size_t place) {
  while (place > 1 && timer->due < at(timers, place / 2)->due) {
    put(timers, place, at(timers, place / 2));
    place /= 2;
  }
  put(timers, place, timer);
}

static void sink(ecrb_timers *timers, ecrb_timer *timer, size_t place) {
  size_t child;
  while ((child = 2 * place) <= timers->count) {
    if (child < timers->count &&
        at(timers, child + 1)->due < at(timers, child)->due)
      child++;
    if (timer->due <= at(timers, child)->due)
      break;
    put(timers, place, at(timers, child));
    place = child;
  }
  put(timers, place, timer);
}

static void settle(ecrb_timers *timers, ecrb_timer *timer, size_t place) {
  if (place > 1 && timer->due < at(timers, place / 2)->due)
    rise(timers, timer, place);
  else
    sink(timers, timer, place);
}

void ecrb_timers_set(ecrb_timers *timers, ecrb_timer *timer, int64_t due) {
  size_t place = timer->place ? timer->place : ++timers->count;
  timer->due = due;
  settle(timers, timer, place);
}

void ecrb_timers_drop(ecrb_timers *timers, ecrb_timer *timer) {
  size_t place = timer->place;
  if (!place)
    return;
  ecrb_timer *last = at(timers, timers->count--);
  timer->place = 0;
  if (last != timer)
    settle(timers, last, place);
}

ecrb_timer *ecrb_timers_first(const ecrb_timers *timers) {
  return timers->count ? timers->heap[0] : NULL;
}
