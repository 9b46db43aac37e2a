/* scratch.h: a file to read, and what a reader made of it, as text. */
#ifndef ECRB_TESTS_SCRATCH_H
#define ECRB_TESTS_SCRATCH_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ecrb_import.h"

#define SCRATCH_PATH_MAX 64

/* Writes the bytes into a new file; the caller removes it. */
static inline void scratch_write(char path[SCRATCH_PATH_MAX], const void *bytes,
                                 size_t n) {
  strcpy(path, "/tmp/ecrb-test-XXXXXX");
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, bytes, n), n);
  close(fd);
}

/* What was read so far, and how it ended. */
typedef struct scratch_dump {
  char text[1 << 14];
  size_t n;
} scratch_dump;

static inline void __attribute__((format(printf, 2, 3)))
scratch_say(scratch_dump *dump, const char *format, ...) {
  va_list args;
  va_start(args, format);
  dump->n += (size_t)vsnprintf(dump->text + dump->n,
                               sizeof dump->text - dump->n, format, args);
  va_end(args);
  assert_true(dump->n < sizeof dump->text);
}

/* The end of a reading: nothing for a clean one, else `! ` and the message
** without the path. */
static inline void scratch_end(scratch_dump *dump, int status,
                               const ecrb_err *err, const char *path) {
  size_t n = strlen(path);
  if (status == ECRB_ENONE)
    return;
  assert_int_equal(status, err->code);
  assert_memory_equal(err->msg, path, n);
  scratch_say(dump, "! %s", err->msg + n);
}

/* Spans as printf wants them. */
#define SPAN(s) (int)(s).n, (s).at

typedef void scratch_reader(const char *path, scratch_dump *dump);

typedef struct scratch_case {
  const char *input, *expected;
} scratch_case;

static inline void scratch_check(const char *input, size_t n,
                                 const char *expected, scratch_reader *read) {
  scratch_dump dump = {.n = 0};
  char path[SCRATCH_PATH_MAX];
  scratch_write(path, input, n);
  read(path, &dump);
  unlink(path);
  assert_string_equal(dump.text, expected);
}

static inline void scratch_check_all(const scratch_case *cases, size_t n,
                                     scratch_reader *read) {
  for (size_t i = 0; i < n; i++)
    scratch_check(cases[i].input, strlen(cases[i].input), cases[i].expected,
                  read);
}

#endif
