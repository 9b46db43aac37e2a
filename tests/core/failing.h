/* failing.h: lets the n-th allocation of a call fail. The test program's own
** malloc stands before libc's; a sanitizer has its own, so there the tests
** that need this are skipped by name. Include it in one file of a program. */
#ifndef ECRB_TESTS_FAILING_H
#define ECRB_TESTS_FAILING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "unit.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define CAN_FAIL_ALLOCATIONS 0
#else
#define CAN_FAIL_ALLOCATIONS 1
#endif

/* 0: never; n: the n-th allocation from now on fails, and counts down. */
static long allocations_until_failure;

static inline void needs_failing_allocations(void) {
  if (CAN_FAIL_ALLOCATIONS)
    return;
  printf("SKIP a sanitizer owns malloc\n");
  skip();
}

static inline bool allocation_fails(void) {
  return allocations_until_failure > 0 && --allocations_until_failure == 0;
}

#if CAN_FAIL_ALLOCATIONS
#pragma GCC visibility push(default) /* the libraries' too */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t n);
void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t n);

void *malloc(size_t n) {
  return allocation_fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size) {
  return allocation_fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t n) {
  return allocation_fails() ? NULL : __libc_realloc(old, n);
}
#pragma GCC visibility pop
#endif

#endif
