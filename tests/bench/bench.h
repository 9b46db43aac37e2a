/* bench.h: how a bench measures. Two ways of doing a thing take turns inside
** one process; the figure is the ratio of their median CPU times, which a busy
** machine disturbs least. A ratio above 1.25 times its goal fails. */
#ifndef ECRB_BENCH_H
#define ECRB_BENCH_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 9
#define SLACK 1.25

typedef void bench_work(void *data);

static inline double bench_cpu_ms(bench_work *work, void *data) {
  struct timespec from, to;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
  work(data);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
  return (double)(to.tv_sec - from.tv_sec) * 1e3 +
         (double)(to.tv_nsec - from.tv_nsec) / 1e6;
}

static inline int bench_ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline double bench_median(double times[ROUNDS]) {
  qsort(times, ROUNDS, sizeof *times, bench_ascending);
  return times[ROUNDS / 2];
}

/* Prints one line; false where the ratio misses its goal by more than the
** slack. */
static inline bool bench_judge(const char *name, double our_times[ROUNDS],
                               double bare_times[ROUNDS], double goal) {
  double our_ms = bench_median(our_times), bare_ms = bench_median(bare_times);
  double ratio = our_ms / bare_ms;
  bool good = ratio <= goal * SLACK;
  printf("%-4s %-46s %8.2f ms %8.2f ms bare  ratio %5.2f  goal %.2f\n",
         good ? "ok" : "FAIL", name, our_ms, bare_ms, ratio, goal);
  return good;
}

static inline bool bench_against(const char *name, bench_work *ours,
                                 bench_work *bare, void *data, double goal) {
  double our_times[ROUNDS], bare_times[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    bare_times[i] = bench_cpu_ms(bare, data);
    our_times[i] = bench_cpu_ms(ours, data);
  }
  return bench_judge(name, our_times, bare_times, goal);
}

#endif
