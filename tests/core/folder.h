/* folder.h: a folder of the test's own, under $TMPDIR or /tmp, and files in
** it. */
#ifndef ECRB_TESTS_FOLDER_H
#define ECRB_TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

typedef struct folder {
  char path[200];
} folder;

static inline folder folder_new(void) {
  folder made;
  const char *parent = getenv("TMPDIR");
  snprintf(made.path, sizeof made.path, "%s/ecrb-test-XXXXXX",
           parent == NULL ? "/tmp" : parent);
  assert_non_null(mkdtemp(made.path));
  return made;
}

static inline void folder_write_bytes(const folder *in, const char *name,
                                      const void *bytes, size_t n) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", in->path, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

static inline void folder_write(const folder *in, const char *name,
                                const char *text) {
  folder_write_bytes(in, name, text, strlen(text));
}

static inline void folder_remove_file(const folder *in, const char *name) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", in->path, name);
  unlink(path);
}

/* Removes the tables of a benchmark and the folder. */
static inline void folder_free(const folder *in) {
  const char *names[] = {"ec.tsv", "items.tsv", "labels.tsv", "evidence.tsv"};
  for (size_t i = 0; i < COUNT(names); i++)
    folder_remove_file(in, names[i]);
  assert_int_equal(rmdir(in->path), 0);
}

#endif
