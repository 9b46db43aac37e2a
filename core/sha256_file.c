/* sha256_file.c: SHA-256 of a file, in pieces. */
#include "ecrb_import.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static size_t size_of(FILE *file) {
  struct stat st;
  return fstat(fileno(file), &st) == 0 && st.st_size > 0 ? (size_t)st.st_size
                                                         : 0;
}

/* 0, or what kept the file from being read to its end. */
static int add_all(ecrb_sha256 *hash, FILE *file) {
  char bytes[1 << 16];
  size_t n;
  while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
    ecrb_sha256_add(hash, (ecrb_span){bytes, n});
  return ferror(file) ? errno : 0;
}

static int fail(const char *path, int error, ecrb_err *err) {
  return ecrb_fail(err, error == ENOMEM ? ECRB_ENOMEM : ECRB_EIO,
                   "%s: cannot be read: %s", path, strerror(error));
}

int ecrb_file_sha256(const char *path, char out[ECRB_SHA256_TEXT],
                     ecrb_err *err) {
  FILE *file = fopen(path, "rbe");
  ecrb_sha256 *hash;
  int error = errno;
  if (file == NULL)
    return fail(path, error, err);
  error = ENOMEM;
  if (ecrb_sha256_new(&hash) == ECRB_OK) {
    ecrb_sha256_begin(hash, size_of(file));
    error = add_all(hash, file);
    if (!ecrb_sha256_end(hash, out) && error == 0)
      error = ENOMEM;
  }
  ecrb_sha256_free(hash);
  fclose(file);
  return error != 0 ? fail(path, error, err) : ECRB_OK;
}
