/* digest.c: SHA-256 of a file, in pieces. */
#include "ecrb_import.h"

#include <errno.h>
#include <sha2.h>
#include <stdio.h>
#include <string.h>

int ecrb_file_sha256(const char *path, char out[65], ecrb_err *err) {
  SHA2_CTX hash;
  char bytes[1 << 16];
  size_t n;
  FILE *file = fopen(path, "rbe");
  int error = errno;
  if (file == NULL)
    return ecrb_fail(err, ECRB_EIO, "%s: cannot be read: %s", path,
                     strerror(error));
  SHA256Init(&hash);
  while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
    SHA256Update(&hash, (const uint8_t *)bytes, n);
  error = ferror(file) ? errno : 0;
  fclose(file);
  SHA256End(&hash, out);
  if (error != 0)
    return ecrb_fail(err, ECRB_EIO, "%s: cannot be read: %s", path,
                     strerror(error));
  return ECRB_OK;
}
