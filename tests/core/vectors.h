/* vectors.h: .npy files for tests and benches, written as NumPy writes them. */
#ifndef ECRB_TESTS_VECTORS_H
#define ECRB_TESTS_VECTORS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VECTORS_PREAMBLE 128 /* what NumPy makes of any plain header */

/* The first 128 bytes of a version 1.0 file. */
static inline void vectors_preamble(char out[VECTORS_PREAMBLE],
                                    const char *type, size_t rows,
                                    size_t columns) {
  int n;
  memset(out, ' ', VECTORS_PREAMBLE);
  memcpy(out, "\x93NUMPY\x01\x00\x76\x00", 10);
  n = snprintf(out + 10, VECTORS_PREAMBLE - 10,
               "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }",
               type, rows, columns);
  out[10 + n] = ' ';
  out[VECTORS_PREAMBLE - 1] = '\n';
}

/* Writes a file from numbers in C order; false where that fails. */
static inline bool vectors_write(const char *path, const char *type,
                                 const void *numbers, size_t rows,
                                 size_t columns) {
  char preamble[VECTORS_PREAMBLE];
  size_t width = (size_t)(type[2] - '0');
  FILE *file = fopen(path, "wb");
  bool good = file != NULL;
  vectors_preamble(preamble, type, rows, columns);
  good = good && fwrite(preamble, 1, sizeof preamble, file) == sizeof preamble;
  good = good && fwrite(numbers, width * columns, rows, file) == rows;
  return file != NULL && fclose(file) == 0 && good;
}

#endif
