/* bench.h: how a measure in C measures. Two ways of doing a thing take turns
** inside one process; each round prints the line that README.md describes. CPU
** time, which a busy machine disturbs least. */
#ifndef ECRB_BENCH_H
#define ECRB_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void bench_work(void *data);

typedef struct bench_figure {
  const char *name, *unit, *goal, *beside;
  double scale; /* units in a millisecond */
} bench_figure;

static inline int bench_rounds(void) {
  const char *text = getenv("ECRB_BENCH_ROUNDS");
  return text && atoi(text) > 0 ? atoi(text) : 5;
}

static inline double bench_cpu_ms(bench_work *work, void *data) {
  struct timespec from, to;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
  work(data);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
  return (double)(to.tv_sec - from.tv_sec) * 1e3 +
         (double)(to.tv_nsec - from.tv_nsec) / 1e6;
}

static inline void bench_say(const bench_figure *f, double ms,
                             double beside_ms) {
  printf("%s\t%g\t%s\t%s\t%s\t%g\n", f->name, ms * f->scale, f->unit, f->goal,
         f->beside, beside_ms * f->scale);
  fflush(stdout);
}

static inline void bench_against(const bench_figure *f, bench_work *ours,
                                 bench_work *other, void *data) {
  for (int i = bench_rounds(); i > 0; i--) {
    double other_ms = bench_cpu_ms(other, data);
    bench_say(f, bench_cpu_ms(ours, data), other_ms);
  }
}

#endif
