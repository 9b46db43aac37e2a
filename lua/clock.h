/* clock.h: the system's clocks in seconds. */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

/* CLOCK_MONOTONIC for durations, CLOCK_REALTIME for dates (since 1970), the
** processor's clocks for work. */
static inline double clock_seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
