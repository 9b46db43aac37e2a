/* journal_order.c: writes a journal anew, its lines in another order and some of
** them replaced: beside the old file, onto the disk, then renamed over it. Until
** the rename the old file and its index stand untouched. */
#include "journal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_order(const ecrb_journal *journal, const uint32_t *order,
                       ecrb_err *err) {
  bool *seen = calloc(journal->lines.count + 1, sizeof *seen);
  if (!seen)
    return ecrb_journal_no_memory(journal, err);
  size_t i = 0;
  for (; i < journal->lines.count && order[i] < journal->lines.count; i++) {
    if (seen[order[i]])
      break;
    seen[order[i]] = true;
  }
  free(seen);
  if (i == journal->lines.count)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EARG,
                   "%s: the new order is no permutation of %zu lines: its "
                   "number %zu is %zu",
                   journal->path, journal->lines.count, i, (size_t)order[i]);
}

/* A line can only be replaced by one of its key. */
static int check_replacement(ecrb_journal *journal, size_t number,
                             ecrb_span line, ecrb_err *err) {
  ecrb_span key, former, former_key;
  int status = ecrb_journal_check_line(journal, line, &key, err);
  if (status == ECRB_OK)
    status = ecrb_index_read(journal, number, &former, err);
  if (status != ECRB_OK)
    return status;
  if (ecrb_journal_key(former, &former_key) && ecrb_span_equal(key, former_key))
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EARG,
                   "%s:%zu: a line of another key (\"%.*s\") was to take its "
                   "place",
                   journal->path, number + 1, (int)key.n, key.at);
}

static int check_replacements(ecrb_journal *journal, const ecrb_span *instead,
                              ecrb_err *err) {
  int status = ECRB_OK;
  for (size_t i = 0; status == ECRB_OK && instead && i < journal->lines.count; i++)
    if (instead[i].at)
      status = check_replacement(journal, i, instead[i], err);
  return status;
}

static bool changes_nothing(const ecrb_journal *journal, const uint32_t *order,
                            const ecrb_span *instead) {
  for (size_t i = 0; i < journal->lines.count; i++)
    if (order[i] != i || (instead && instead[i].at))
      return false;
  return true;
}

/* The line that is to stand for the line of that number. */
static int new_line(ecrb_journal *journal, size_t number,
                    const ecrb_span *instead, ecrb_span *line, ecrb_err *err) {
  if (!instead || !instead[number].at)
    return ecrb_index_read(journal, number, line, err);
  *line = instead[number];
  return ECRB_OK;
}

static int write_lines(ecrb_journal *journal, const uint32_t *order,
                       const ecrb_span *instead, FILE *to, ecrb_err *err) {
  for (size_t i = 0; i < journal->lines.count; i++) {
    ecrb_span line;
    int status = new_line(journal, order[i], instead, &line, err);
    if (status != ECRB_OK)
      return status;
    if (fwrite(line.at, 1, line.n, to) != line.n || fputc('\n', to) == EOF)
      return ecrb_journal_refused(journal, "write it anew", err);
  }
  if (fflush(to) != 0 || fsync(fileno(to)) != 0)
    return ecrb_journal_refused(journal, "write it anew", err);
  return ECRB_OK;
}

/* The new file, empty, claimed and with the permissions of the old one. */
static int open_beside(const ecrb_journal *journal, const char *path,
                       FILE **out, ecrb_err *err) {
  struct stat about;
  *out = fopen(path, "a+e");
  if (!*out)
    return ecrb_journal_refused(journal, "open a file beside it", err);
  int file = fileno(*out);
  int status = ecrb_journal_claim(journal, file, err);
  if (status == ECRB_OK &&
      (ftruncate(file, 0) != 0 || fstat(journal->file, &about) != 0 ||
       fchmod(file, about.st_mode & 07777) != 0))
    status = ecrb_journal_refused(journal, "prepare a file beside it", err);
  if (status != ECRB_OK)
    fclose(*out);
  return status;
}

/* A rename is on the disk when its folder is; a file system that cannot say so
** is no reason to fail. */
static void sync_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
  int file = open(folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0) {
    fsync(file);
    close(file);
  }
  free(folder);
}

/* Renames what is complete beside over the journal and goes on with it. */
static int replace(ecrb_journal *journal, const char *beside, FILE *from,
                   ecrb_err *err) {
  int file = fcntl(fileno(from), F_DUPFD_CLOEXEC, 0);
  if (file < 0 || rename(beside, journal->path) != 0) {
    int status =
        ecrb_journal_refused(journal, "put what is written in its place", err);
    if (file >= 0)
      close(file);
    return status;
  }
  close(journal->file);
  journal->file = file;
  journal->buffer.n = 0; /* it held lines of the old one */
  sync_folder(journal->path);
  return ECRB_OK;
}

static int write_beside(ecrb_journal *journal, const uint32_t *order,
                        const ecrb_span *instead, const char *beside,
                        ecrb_err *err) {
  FILE *to;
  int status = open_beside(journal, beside, &to, err);
  if (status != ECRB_OK)
    return status;
  status = write_lines(journal, order, instead, to, err);
  if (status == ECRB_OK)
    status = replace(journal, beside, to, err);
  fclose(to);
  if (status != ECRB_OK)
    unlink(beside);
  return status;
}

/* The lines in their new order. */
static int ordered_lines(const ecrb_journal *journal, const uint32_t *order,
                         const ecrb_span *instead, ecrb_journal_lines *out) {
  const ecrb_journal_lines *lines = &journal->lines;
  for (size_t i = 0; i < lines->count; i++) {
    const ecrb_span *other = instead ? &instead[order[i]] : NULL;
    if (ecrb_journal_lines_reserve(out) != ECRB_OK)
      return ECRB_ENOMEM;
    ecrb_journal_lines_add(out, lines->entry[order[i]].tag,
                   other && other->at ? other->n
                                      : ecrb_journal_lines_length(lines, order[i]));
  }
  return ECRB_OK;
}

static int rewrite(ecrb_journal *journal, const uint32_t *order,
                   const ecrb_span *instead, ecrb_err *err) {
  char *beside = NULL;
  ecrb_journal_lines lines = {0};
  if (ordered_lines(journal, order, instead, &lines) != ECRB_OK ||
      asprintf(&beside, "%s.reordered", journal->path) < 0) {
    ecrb_journal_lines_free(&lines);
    return ecrb_journal_no_memory(journal, err);
  }
  int status = write_beside(journal, order, instead, beside, err);
  if (status == ECRB_OK) {
    ecrb_journal_lines_free(&journal->lines);
    journal->lines = lines;
    ecrb_index_refill(journal);
  } else {
    ecrb_journal_lines_free(&lines);
  }
  free(beside);
  return status;
}

int ecrb_journal_rewrite(ecrb_journal *journal, const uint32_t *order,
                         const ecrb_span *instead, ecrb_err *err) {
  int status = ecrb_journal_for_appending(journal, err);
  if (status == ECRB_OK)
    status = ecrb_journal_seen(journal, err);
  if (status == ECRB_OK && journal->keeper)
    status = ecrb_fail(err, ECRB_EARG, "%s: is kept as it is written",
                       journal->path);
  if (status == ECRB_OK)
    status = check_order(journal, order, err);
  if (status == ECRB_OK)
    status = check_replacements(journal, instead, err);
  if (status == ECRB_OK && !changes_nothing(journal, order, instead))
    status = rewrite(journal, order, instead, err);
  return status;
}

int ecrb_journal_reorder(ecrb_journal *journal, const uint32_t *order,
                         ecrb_err *err) {
  return ecrb_journal_rewrite(journal, order, NULL, err);
}
