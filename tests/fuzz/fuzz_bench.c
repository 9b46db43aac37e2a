/* Any bytes as one of the four tables, the other three being good: opening and
** reading may refuse, but whatever is accepted must answer every question. The
** first byte picks the table and whether its header is given for free. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ecrb.h"

#define TABLES 4
#define HITS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EVIDENCE_TSV                                                           \
  "item\tchannel\trank\tneighbour\tshown\tec\tscore\tkind\tidentity\t"         \
  "coverage\tevalue\n"                                                         \
  "P1\tblast\t1\tT1\tt1\t1.1.1.1\t5\tbits\t-\t9\t1e-9\n"

static const char *const names[TABLES] = {"ec.tsv", "items.tsv", "labels.tsv",
                                          "evidence.tsv"};
static const char *const good[TABLES] = {
    "ec\tname\torigin\n1.1.1.1\tx\tlist\n1.1.1.2\t-\tlist\n",
    "item\tsplit\tshown\tflags\tsequence\nP1\t30\te1\t-\tMK\n",
    "item\tec\nP1\t1.1.1.1\n", EVIDENCE_TSV};

static void write_table(const char *dir, const char *name, const char *mode,
                        const void *bytes, size_t n) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *file = fopen(path, mode);
  if (file == NULL || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
    abort();
}

static void remove_tables(const char *dir) {
  char path[300];
  for (int i = 0; i < TABLES; i++) {
    snprintf(path, sizeof path, "%s/%s", dir, names[i]);
    unlink(path);
  }
  rmdir(dir);
}

static void read_item(ecrb_bench *bench, size_t index, int channels) {
  const ecrb_ec *labels;
  size_t count, found;
  ecrb_item item;
  ecrb_hit hits[HITS];
  if (ecrb_bench_item(bench, index, &item) != ECRB_OK ||
      ecrb_bench_find(bench, item.id, &found) != ECRB_OK || found != index)
    abort();
  if (ecrb_bench_labels(bench, index, &labels, &count, NULL) == ECRB_OK &&
      count == 0)
    abort();
  for (int channel = 0; channel < channels; channel++)
    if (ecrb_bench_evidence(bench, index, channel, hits, HITS, &count, NULL) !=
        ECRB_OK)
      abort();
}

static void read_bench(const char *dir) {
  ecrb_bench *bench;
  ecrb_err err;
  int channels = 0;
  if (ecrb_bench_open(dir, 1, &bench, &err) != ECRB_OK)
    return;
  ecrb_bench_channels(bench, &channels, &err);
  for (size_t i = 0; i < ecrb_bench_size(bench); i++)
    read_item(bench, i, channels);
  ecrb_bench_close(bench);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char dir[] = "/tmp/ecrb-fuzz-XXXXXX";
  if (size == 0 || mkdtemp(dir) == NULL)
    return 0;
  for (int i = 0; i < TABLES; i++)
    write_table(dir, names[i], "wb", good[i], strlen(good[i]));
  int table = data[0] % TABLES;
  size_t header = data[0] & TABLES ? strcspn(good[table], "\n") + 1 : 0;
  write_table(dir, names[table], "wb", good[table], header);
  write_table(dir, names[table], "ab", data + 1, size - 1);
  read_bench(dir);
  remove_tables(dir);
  return 0;
}
