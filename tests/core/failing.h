/* failing.h: lets the n-th allocation of a call fail, or it and all that follow,
** and counts the blocks that nobody has freed. The test program's own
** malloc stands before libc's, or before the sanitizer's, which watches over
** what it gives out all the same. (Under valgrind: tests/run.) Include it in one
** file of a program. */
#ifndef ECRB_TESTS_FAILING_H
#define ECRB_TESTS_FAILING_H

#include <stdbool.h>
#include <stddef.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define REAL(function) __interceptor_##function
#else
#define REAL(function) __libc_##function
#endif

/* 0: never; n: the n-th allocation from now on fails, and counts down; -1: all
** do. */
static long allocations_until_failure;

/* A sanitizer gives out blocks behind our back: there they do not add up. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define BLOCKS_ADD_UP false
#else
#define BLOCKS_ADD_UP true
#endif
static long blocks_alive;

/* Called before every allocation, where it is set. */
static void (*before_allocation)(void);

#pragma GCC visibility push(default) /* the libraries' too */
void *REAL(malloc)(size_t n);
void *REAL(calloc)(size_t n, size_t size);
void *REAL(realloc)(void *old, size_t n);
void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t n);
void REAL(free)(void *block);
void free(void *block);

/* Called before ThreadSanitizer is ready to be told of anything. */
#define UNWATCHED __attribute__((no_sanitize("thread")))

UNWATCHED static inline bool allocation_fails(void) {
  if (before_allocation)
    before_allocation();
  return allocations_until_failure < 0 ||
         (allocations_until_failure > 0 && --allocations_until_failure == 0);
}

UNWATCHED static inline void *counted(void *block) {
  blocks_alive += block != NULL;
  return block;
}

UNWATCHED void *malloc(size_t n) {
  return allocation_fails() ? NULL : counted(REAL(malloc)(n));
}

UNWATCHED void *calloc(size_t n, size_t size) {
  return allocation_fails() ? NULL : counted(REAL(calloc)(n, size));
}

UNWATCHED void *realloc(void *old, size_t n) {
  if (allocation_fails())
    return NULL;
  return old ? REAL(realloc)(old, n) : counted(REAL(realloc)(old, n));
}

UNWATCHED void free(void *block) {
  blocks_alive -= block != NULL;
  REAL(free)(block);
}
#pragma GCC visibility pop

#endif
