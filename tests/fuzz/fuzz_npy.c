/* Any bytes as a .npy file: every row that it promises can be read or is
** refused. */
#include "input.h"

#define ROW_MAX 4096

static void read_rows(const ecrb_npy *npy) {
  float row[ROW_MAX];
  ecrb_err err;
  size_t columns = ecrb_npy_columns(npy);
  for (size_t i = 0; columns <= ROW_MAX && i < ecrb_npy_rows(npy); i++)
    if (ecrb_npy_read(npy, i, 1, row, &err) == ECRB_OK)
      input_touch((ecrb_span){(const char *)row, columns * sizeof *row});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[32];
  ecrb_npy *npy;
  ecrb_err err;
  int fd = input_open(data, size, path);
  if (ecrb_npy_open(path, &npy, &err) == ECRB_OK)
    read_rows(npy);
  ecrb_npy_close(npy);
  close(fd);
  return 0;
}
