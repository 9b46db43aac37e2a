/* replay.c: in libFuzzer's place, for the suite: runs a target once with each
** file that is named, and once with nothing, and tells TAP so. A find ends the
** program before its plan. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = NULL;
  long n = -1;
  if (file && fseek(file, 0, SEEK_END) == 0)
    n = ftell(file);
  if (n >= 0 && fseek(file, 0, SEEK_SET) == 0)
    bytes = malloc((size_t)n + 1);
  if (!bytes || fread(bytes, 1, (size_t)n, file) != (size_t)n) {
    perror(path);
    exit(1);
  }
  fclose(file);
  *size = (size_t)n;
  return bytes;
}

int main(int argc, char **argv) {
  if (LLVMFuzzerInitialize)
    LLVMFuzzerInitialize(&argc, &argv);
  LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
  printf("ok 1 - nothing\n");
  for (int i = 1; i < argc; i++) {
    size_t size;
    uint8_t *bytes = read_file(argv[i], &size);
    LLVMFuzzerTestOneInput(bytes, size);
    printf("ok %d - %s\n", i + 1, argv[i]);
    fflush(stdout);
    free(bytes);
  }
  printf("1..%d\n", argc);
  return 0;
}
