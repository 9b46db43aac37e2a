/* text.c: maps a file and checks that it is plain text, once and whole. What its
** cells may hold stands in text_cell.c, how they are read as numbers in
** text_number.c. */
#include "text.h"
#include "bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define STRETCH ((size_t)4 << 20) /* of a file, in memory at once */

static size_t lines_of(ecrb_span part) {
  size_t lines = 0;
  const char *at = part.at, *end = part.at + part.n;
  while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
    at++;
    lines++;
  }
  return lines;
}

static size_t line_of(const ecrb_text *text, size_t offset) {
  return lines_of((ecrb_span){text->at, offset}) + 1;
}

static int bad_byte(const ecrb_text *text, size_t offset, ecrb_err *err) {
  unsigned byte = (unsigned char)text->at[offset];
  size_t line = line_of(text, offset);
  if (byte == '\r')
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: a CR at the end of a line; write LF alone",
                     text->path, line);
  if (byte == 0)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: a NUL byte; save the file as UTF-8 text",
                     text->path, line);
  if (byte < 0x80)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: control character 0x%02x; remove it", text->path,
                     line, byte);
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s:%zu: byte 0x%02x is not UTF-8 text; save the file as "
                   "UTF-8",
                   text->path, line, byte);
}

static bool begins_with(const ecrb_text *text, const char *bytes, size_t n) {
  return text->n >= n && memcmp(text->at, bytes, n) == 0;
}

/* The stretch that begins at `at`, to the end of its last line where it has
** one: no character stands across. */
static ecrb_span stretch(const ecrb_text *text, size_t at) {
  ecrb_span whole = {text->at + at, text->n - at};
  const char *end = whole.n > STRETCH ? memrchr(whole.at, '\n', STRETCH) : NULL;
  return end ? (ecrb_span){whole.at, (size_t)(end - whole.at) + 1} : whole;
}

/* Counts the lines up to the first bad byte, which it finds, or to the end. What
** it has passed need not stay in memory. */
static size_t find_bad_byte(ecrb_text *text) {
  size_t at = 0;
  while (at < text->n) {
    ecrb_span part = stretch(text, at);
    size_t bad = ecrb_text_bad_byte(part);
    at += bad;
    if (bad < part.n)
      break;
    text->lines += lines_of(part);
    if (part.n >= STRETCH / 2)
      ecrb_text_rest(text);
  }
  return at;
}

static int check(ecrb_text *text, ecrb_err *err) {
  if (begins_with(text, "\x1f\x8b", 2))
    return ecrb_fail(err, ECRB_EFORMAT, "%s: is compressed; gunzip it first",
                     text->path);
  if (begins_with(text, "\xef\xbb\xbf", 3))
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:1: begins with a byte order mark; save the file as "
                     "UTF-8 without one",
                     text->path);
  size_t bad = find_bad_byte(text);
  if (bad < text->n)
    return bad_byte(text, bad, err);
  if (text->n > 0 && text->at[text->n - 1] != '\n')
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: the last line does not end in LF; the file may "
                     "be cut off: write it anew, or end the line",
                     text->path, line_of(text, text->n));
  return ECRB_OK;
}

char *ecrb_text_path(const char *dir, const char *name) {
  size_t n = strlen(dir);
  while (n > 1 && dir[n - 1] == '/')
    n--;
  char *path = malloc(n + strlen(name) + 2);
  if (path != NULL)
    sprintf(path, "%.*s/%s", (int)n, dir, name);
  return path;
}

static int refused(const ecrb_text *text, ecrb_err *err) {
  int code = errno == ENOENT ? ECRB_ENONE : ECRB_EIO;
  return ecrb_fail(err, code, "%s: %s", text->path, strerror(errno));
}

static int map(ecrb_text *text, int file, ecrb_err *err) {
  struct stat about;
  if (fstat(file, &about) != 0)
    return refused(text, err);
  if (!S_ISREG(about.st_mode))
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s: is no regular file; a table is a plain file in the "
                     "folder of the benchmark",
                     text->path);
  if (about.st_size == 0)
    return ECRB_OK;
  void *at = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (at == MAP_FAILED)
    return refused(text, err);
  text->at = at;
  text->n = (size_t)about.st_size;
  return check(text, err);
}

int ecrb_text_open(const char *dir, const char *name, ecrb_text *out,
                   ecrb_err *err) {
  ecrb_text text = {ecrb_text_path(dir, name), "", 0, 0};
  if (text.path == NULL)
    return ecrb_no_memory(err, name);
  /* Without O_NONBLOCK a named pipe would hold us up before fstat sees it. */
  int file = open(text.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  int status = file < 0 ? refused(&text, err) : map(&text, file, err);
  if (file >= 0)
    close(file);
  if (status == ECRB_OK)
    *out = text;
  else
    ecrb_text_close(&text);
  return status;
}

void ecrb_text_close(ecrb_text *text) {
  if (text->n > 0)
    munmap((void *)text->at, text->n);
  free(text->path);
  text->path = NULL;
  text->at = "";
  text->n = 0;
}

void ecrb_text_rest(const ecrb_text *text) {
  if (text->n > 0)
    madvise((void *)text->at, text->n, MADV_DONTNEED);
}
