/* tsv.c: writes a tab-separated table, counting rows and hashing bytes. */
#include "tsv.h"
#include "bytes.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

struct ecrb_tsv {
  FILE *file;
  char *path;
  const char *name;
  SHA2_CTX hash;
  size_t rows;
  bool row_begun;
  int error; /* errno of the first failed write */
};

static void put(ecrb_tsv *t, const char *text, size_t n) {
  SHA256Update(&t->hash, (const uint8_t *)text, n);
  if (fwrite(text, 1, n, t->file) != n && t->error == 0)
    t->error = errno;
}

static void begin_cell(ecrb_tsv *t) {
  if (t->row_begun)
    put(t, "\t", 1);
  t->row_begun = true;
}

void ecrb_tsv_span(ecrb_tsv *t, ecrb_span cell) {
  begin_cell(t);
  put(t, cell.at, cell.n);
}

void ecrb_tsv_text(ecrb_tsv *t, const char *cell) {
  ecrb_tsv_span(t, ecrb_span_of(cell));
}

void ecrb_tsv_count(ecrb_tsv *t, size_t cell) {
  char text[32];
  snprintf(text, sizeof text, "%zu", cell);
  ecrb_tsv_text(t, text);
}

/* 15 digits give back every decimal of up to 15 digits as it was read. */
void ecrb_tsv_number(ecrb_tsv *t, double cell) {
  char text[32];
  snprintf(text, sizeof text, "%.15g", cell);
  ecrb_tsv_text(t, isnan(cell) ? TSV_NONE : text);
}

void ecrb_tsv_fixed(ecrb_tsv *t, double cell, int digits) {
  char text[400];
  snprintf(text, sizeof text, "%.*f", digits, cell);
  ecrb_tsv_text(t, isnan(cell) ? TSV_NONE : text);
}

void ecrb_tsv_ecs(ecrb_tsv *t, const ecrb_ec *list, size_t n) {
  char text[ECRB_EC_TEXT];
  size_t i;
  begin_cell(t);
  for (i = 0; i < n; i++) {
    if (i > 0)
      put(t, ";", 1);
    ecrb_ec_format(list[i], text);
    put(t, text, strlen(text));
  }
}

static void end_line(ecrb_tsv *t) {
  put(t, "\n", 1);
  t->row_begun = false;
}

void ecrb_tsv_end_row(ecrb_tsv *t) {
  end_line(t);
  t->rows++;
}

static void put_header(ecrb_tsv *t, const char *columns) {
  while (*columns != '\0') {
    size_t n = strcspn(columns, " ");
    ecrb_tsv_span(t, (ecrb_span){columns, n});
    columns += n + (columns[n] == ' ');
  }
  end_line(t);
}

int ecrb_tsv_create(const char *dir, const char *name, const char *columns,
                    ecrb_tsv **out, ecrb_err *err) {
  ecrb_tsv *t = calloc(1, sizeof *t);
  char *path = ecrb_text_path(dir, name);
  *out = NULL;
  if (t == NULL || path == NULL) {
    free(t);
    free(path);
    return ecrb_no_memory(err, name);
  }
  t->path = path;
  t->name = name;
  t->file = fopen(path, "wbe");
  if (t->file == NULL) {
    ecrb_fail(err, ECRB_EIO, "%s: cannot be made: %s", path, strerror(errno));
    free(path);
    free(t);
    return ECRB_EIO;
  }
  SHA256Init(&t->hash);
  put_header(t, columns);
  *out = t;
  return ECRB_OK;
}

int ecrb_tsv_close(ecrb_tsv *t, ecrb_written *written, ecrb_err *err) {
  int error = t->error, status = ECRB_OK;
  if (fclose(t->file) != 0 && error == 0)
    error = errno;
  if (error != 0)
    status = ecrb_fail(err, ECRB_EIO, "%s: cannot be written: %s", t->path,
                       strerror(error));
  written->name = t->name;
  written->rows = t->rows;
  SHA256End(&t->hash, written->sha256);
  free(t->path);
  free(t);
  return status;
}
