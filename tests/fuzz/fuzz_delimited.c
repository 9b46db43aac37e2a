/* Any bytes as a table: the first byte chooses the separator. */
#include "input.h"

static void read_rows(ecrb_table *table) {
  const ecrb_span *fields;
  ecrb_err err;
  size_t line = 0;
  while (ecrb_table_next(table, &fields, &err) == ECRB_OK) {
    for (size_t i = 0; i < ecrb_table_columns(table); i++)
      input_touch(fields[i]);
    if (ecrb_table_line(table) <= line)
      abort();
    line = ecrb_table_line(table);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char separators[] = {0, ',', '\t'};
  char path[32];
  ecrb_table *table;
  ecrb_err err;
  if (size == 0)
    return 0;
  int fd = input_open(data + 1, size - 1, path);
  if (ecrb_table_open(path, separators[data[0] % 3], &table, &err) == ECRB_OK)
    read_rows(table);
  ecrb_table_close(table);
  close(fd);
  return 0;
}
