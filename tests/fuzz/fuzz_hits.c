/* Any bytes as a hit table: the first byte chooses the format. Numbers are
** finite and in their range, or absent. */
#include "input.h"

#include <math.h>

#define LAYOUTS 8

static void check_percent(double value) {
  if (!isnan(value) && !(value >= 0 && value <= 100.0001))
    abort();
}

static void check(const ecrb_hit_row *row) {
  input_touch(row->query);
  input_touch(row->neighbour);
  check_percent(row->identity);
  check_percent(row->coverage);
  if (row->evalue < 0 || isinf(row->evalue) || isinf(row->score))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const ecrb_hit_layout layouts[LAYOUTS] = {
      {.format = ECRB_HITS_HMMER},
      {.format = ECRB_HITS_HMMER, .swapped = true},
      {.columns = "query target fident bits qcov evalue"},
      {.columns = "qseqid sseqid score qstart qend qlen", .score = "score"},
      {.columns = NULL},
      {.format = ECRB_HITS_FOLDDISCO, .query = "q"},
      {.columns = "query target fident alntmscore qcov evalue",
       .score = "alntmscore"},
      {.columns = ECRB_COLUMNS_MMSEQS},
  };
  char path[32];
  ecrb_hit_reader *reader;
  ecrb_hit_row row;
  ecrb_err err;
  if (size == 0)
    return 0;
  int fd = input_open(data + 1, size - 1, path);
  if (ecrb_hit_reader_open(path, &layouts[data[0] % LAYOUTS], &reader, &err) == 0)
    while (ecrb_hit_reader_next(reader, &row, &err) == ECRB_OK)
      check(&row);
  ecrb_hit_reader_close(reader);
  close(fd);
  return 0;
}
