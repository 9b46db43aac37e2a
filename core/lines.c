/* lines.c: the lines of a plain or gzip'ed text file, one at a time.
**
**   buf  [ handed out | start ... scan ... end | room ]
**
** Bytes before `start` are used up, those up to `scan` hold no line end. When
** no end is found the rest moves to the front and more is read.
*/
#include "bytes.h"
#include "ecrb_import.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define CHUNK (64u << 10)

struct ecrb_lines {
  char *path;
  gzFile file;
  char *buf;
  size_t start, scan, end, room;
  size_t number;
  bool drained; /* the file has no more bytes */
};

int ecrb_lines_fail(const ecrb_lines *lines, ecrb_err *err, int code,
                    const char *format, ...) {
  char text[768];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (lines->number == 0)
    return ecrb_fail(err, code, "%s: %s", lines->path, text);
  return ecrb_fail(err, code, "%s:%zu: %s", lines->path, lines->number, text);
}

size_t ecrb_lines_number(const ecrb_lines *lines) {
  return lines->number;
}

const char *ecrb_lines_path(const ecrb_lines *lines) {
  return lines->path;
}

/* A descriptor that is no directory, or -1. */
static int open_file(const char *path, ecrb_err *err) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    ecrb_fail(err, ECRB_EIO, "%s: cannot be read: %s", path, strerror(errno));
    return -1;
  }
  if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
    ecrb_fail(err, ECRB_EIO, "%s: is a directory; give a file in it", path);
    close(fd);
    return -1;
  }
  return fd;
}

int ecrb_lines_open(const char *path, ecrb_lines **out, ecrb_err *err) {
  ecrb_lines *lines = calloc(1, sizeof *lines);
  int fd;
  *out = NULL;
  if (lines == NULL)
    return ecrb_no_memory(err, path);
  fd = open_file(path, err);
  if (fd < 0) {
    free(lines);
    return ECRB_EIO;
  }
  lines->path = strdup(path);
  lines->file = gzdopen(fd, "rb");
  if (lines->file == NULL)
    close(fd);
  if (lines->path == NULL || lines->file == NULL) {
    ecrb_lines_close(lines);
    return ecrb_no_memory(err, path);
  }
  gzbuffer(lines->file, CHUNK);
  *out = lines;
  return ECRB_OK;
}

void ecrb_lines_close(ecrb_lines *lines) {
  if (lines == NULL)
    return;
  if (lines->file != NULL)
    gzclose_r(lines->file);
  free(lines->path);
  free(lines->buf);
  free(lines);
}

/* A bad read; the line that could not be had is the next one. */
static int read_failed(ecrb_lines *lines, ecrb_err *err) {
  int code;
  gzerror(lines->file, &code);
  lines->number++;
  if (code == Z_MEM_ERROR)
    return ecrb_no_memory(err, lines->path);
  if (code == Z_ERRNO)
    return ecrb_lines_fail(lines, err, ECRB_EIO, "cannot be read: %s",
                           strerror(errno));
  if (code == Z_BUF_ERROR)
    return ecrb_lines_fail(lines, err, ECRB_EFORMAT,
                           "the gzip file ends too early; fetch it again");
  return ecrb_lines_fail(lines, err, ECRB_EFORMAT,
                         "the gzip file is damaged; fetch it again");
}

static int make_room(ecrb_lines *lines, ecrb_err *err) {
  size_t kept = lines->end - lines->start;
  size_t room = kept + CHUNK;
  char *grown;
  if (kept > 0)
    memmove(lines->buf, lines->buf + lines->start, kept);
  lines->scan -= lines->start;
  lines->end = kept;
  lines->start = 0;
  if (room <= lines->room)
    return ECRB_OK;
  grown = realloc(lines->buf, room + kept);
  if (grown == NULL)
    return ecrb_no_memory(err, lines->path);
  lines->buf = grown;
  lines->room = room + kept;
  return ECRB_OK;
}

static int read_more(ecrb_lines *lines, ecrb_err *err) {
  int got, code;
  int status = make_room(lines, err);
  if (status != ECRB_OK)
    return status;
  got = gzread(lines->file, lines->buf + lines->end, CHUNK);
  if (got < 0)
    return read_failed(lines, err);
  lines->end += (size_t)got;
  lines->drained = got < (int)CHUNK;
  /* A gzip file that was cut off is told only here. */
  if (lines->drained && (gzerror(lines->file, &code), code != Z_OK))
    return read_failed(lines, err);
  return ECRB_OK;
}

static int line_too_long(ecrb_lines *lines, ecrb_err *err) {
  lines->number++;
  return ecrb_lines_fail(lines, err, ECRB_ELIMIT,
                         "the line is longer than %u MiB; is this a text file "
                         "with LF line ends?",
                         ECRB_LINE_MAX >> 20);
}

/* Finds the end of the line at `start`; `*stop` is where it ends, `*next`
** where the following one begins. */
static int find_end(ecrb_lines *lines, size_t *stop, size_t *next,
                    ecrb_err *err) {
  for (;;) {
    char *end =
        lines->scan == lines->end
            ? NULL
            : memchr(lines->buf + lines->scan, '\n', lines->end - lines->scan);
    int status;
    if (end != NULL) {
      *stop = (size_t)(end - lines->buf);
      *next = *stop + 1;
      return ECRB_OK;
    }
    lines->scan = lines->end;
    if (lines->end - lines->start > ECRB_LINE_MAX)
      return line_too_long(lines, err);
    if (lines->drained) {
      *stop = *next = lines->end;
      return lines->start == lines->end ? ECRB_ENONE : ECRB_OK;
    }
    status = read_more(lines, err);
    if (status != ECRB_OK)
      return status;
  }
}

static ecrb_span without_mark(ecrb_span line) {
  if (line.n >= 3 && memcmp(line.at, "\xEF\xBB\xBF", 3) == 0)
    return (ecrb_span){line.at + 3, line.n - 3};
  return line;
}

int ecrb_lines_next(ecrb_lines *lines, ecrb_span *line, ecrb_err *err) {
  size_t stop = 0, next = 0;
  int status = find_end(lines, &stop, &next, err);
  if (status != ECRB_OK)
    return status;
  if (stop - lines->start > ECRB_LINE_MAX)
    return line_too_long(lines, err);
  *line = (ecrb_span){lines->buf + lines->start, stop - lines->start};
  lines->start = lines->scan = next;
  if (++lines->number == 1)
    *line = without_mark(*line);
  if (line->n > 0 && line->at[line->n - 1] == '\r')
    line->n--;
  if (memchr(line->at, '\0', line->n) != NULL)
    return ecrb_lines_fail(lines, err, ECRB_EFORMAT,
                           "a NUL byte: this is not a text file, or it is "
                           "UTF-16; give UTF-8");
  return ECRB_OK;
}
