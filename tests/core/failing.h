/* failing.h: lets the n-th allocation of a call fail. The test program's own
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

/* 0: never; n: the n-th allocation from now on fails, and counts down. */
static long allocations_until_failure;

#pragma GCC visibility push(default) /* the libraries' too */
void *REAL(malloc)(size_t n);
void *REAL(calloc)(size_t n, size_t size);
void *REAL(realloc)(void *old, size_t n);
void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t n);

/* Called before ThreadSanitizer is ready to be told of anything. */
#define UNWATCHED __attribute__((no_sanitize("thread")))

UNWATCHED static inline bool allocation_fails(void) {
  return allocations_until_failure > 0 && --allocations_until_failure == 0;
}

UNWATCHED void *malloc(size_t n) {
  return allocation_fails() ? NULL : REAL(malloc)(n);
}

UNWATCHED void *calloc(size_t n, size_t size) {
  return allocation_fails() ? NULL : REAL(calloc)(n, size);
}

UNWATCHED void *realloc(void *old, size_t n) {
  return allocation_fails() ? NULL : REAL(realloc)(old, n);
}
#pragma GCC visibility pop

#endif
