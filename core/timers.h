/* timers.h: deadlines in order; a binary heap of timers that their owners
** embed. Private to the library. */
#ifndef ECRB_TIMERS_H
#define ECRB_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ECRB_NEVER INT64_MAX

typedef struct ecrb_timer {
  int64_t due;  /* nanoseconds of ecrb_now */
  size_t place; /* 1-based in the heap; 0: not set */
} ecrb_timer;

typedef struct ecrb_timers {
  ecrb_timer **heap;
  size_t count, size;
} ecrb_timers;

/* The monotonic clock in nanoseconds. */
int64_t ecrb_now(void);

/* `ms` milliseconds after `start`; ECRB_NEVER for a negative number or one
** beyond all counting. */
int64_t ecrb_after(int64_t start, long ms);

/* Room for `count` timers, so that setting one cannot fail; false without
** memory. */
bool ecrb_timers_reserve(ecrb_timers *timers, size_t count);
void ecrb_timers_free(ecrb_timers *timers);

/* Sets or moves; needs room. */
void ecrb_timers_set(ecrb_timers *timers, ecrb_timer *timer, int64_t due);
void ecrb_timers_drop(ecrb_timers *timers, ecrb_timer *timer);

/* The timer that is due first, or NULL. */
ecrb_timer *ecrb_timers_first(const ecrb_timers *timers);

#endif
