/* input.h: the fuzzer's bytes as a file that a reader can open. */
#ifndef ECRB_FUZZ_INPUT_H
#define ECRB_FUZZ_INPUT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ecrb_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns the descriptor to close; `path` has room for 32 bytes. */
static inline int input_open(const uint8_t *data, size_t size, char *path) {
  int fd = memfd_create("input", MFD_CLOEXEC);
  if (fd < 0 || write(fd, data, size) != (ssize_t)size)
    abort();
  snprintf(path, 32, "/proc/self/fd/%d", fd);
  return fd;
}

/* Touches every byte, so that a sanitizer sees a span that is not there. */
static inline void input_touch(ecrb_span span) {
  volatile char sum = 0;
  for (size_t i = 0; i < span.n; i++)
    sum = (char)(sum + span.at[i]);
}

#endif
