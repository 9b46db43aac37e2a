/* npy.c: vectors in NumPy's file format.
**
** The header is a Python dictionary in text; it is read by a scanner that
** knows its three keys and nothing else of Python. The file must have exactly
** the length that the header promises.
*/
#include "bytes.h"
#include "ecrb_import.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "rows are read as this machine has its numbers");

#define MAGIC "\x93NUMPY"
#define MAGIC_LENGTH 6
#define HEADER_MAX 4096
#define COLUMNS_MAX (1u << 20)
#define DIMENSIONS_MAX 32

struct ecrb_npy {
  char *path;
  int fd;
  size_t rows, columns;
  size_t width; /* bytes of a coordinate: 4 or 2 */
  size_t start; /* where the first row begins */
};

static int refuse(const ecrb_npy *npy, ecrb_err *err, const char *why) {
  return ecrb_fail(err, ECRB_EFORMAT, "%s: %s", npy->path, why);
}

/* {====================================================================
** The header
** ===================================================================== */

typedef struct scanner {
  const char *at, *end;
} scanner;

typedef struct header {
  ecrb_span descr;
  bool fortran_order;
  size_t shape[DIMENSIONS_MAX];
  size_t dimensions;
  bool has_descr, has_order, has_shape;
} header;

static void skip_blanks(scanner *in) {
  while (in->at < in->end && *in->at == ' ')
    in->at++;
}

/* Passes over `text` and the blanks around it. */
static bool take(scanner *in, const char *text) {
  size_t n = strlen(text);
  skip_blanks(in);
  if ((size_t)(in->end - in->at) < n || memcmp(in->at, text, n) != 0)
    return false;
  in->at += n;
  skip_blanks(in);
  return true;
}

static bool take_quoted(scanner *in, ecrb_span *out) {
  const char *close;
  if (in->at == in->end || *in->at != '\'')
    return false;
  in->at++;
  close = memchr(in->at, '\'', (size_t)(in->end - in->at));
  if (close == NULL)
    return false;
  *out = (ecrb_span){in->at, (size_t)(close - in->at)};
  in->at = close;
  return take(in, "'");
}

static bool take_number(scanner *in, size_t *out) {
  const char *first = in->at;
  size_t value = 0;
  for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++) {
    size_t digit = (size_t)(*in->at - '0');
    if (value > (SIZE_MAX - digit) / 10)
      return false;
    value = value * 10 + digit;
  }
  *out = value;
  return in->at > first && (*first != '0' || in->at == first + 1);
}

/* `(3, 4)`, `(3,)`, `()`. */
static bool take_shape(scanner *in, header *out) {
  if (!take(in, "("))
    return false;
  while (!take(in, ")")) {
    if (out->dimensions == DIMENSIONS_MAX ||
        !take_number(in, &out->shape[out->dimensions]))
      return false;
    out->dimensions++;
    if (!take(in, ","))
      return take(in, ")");
  }
  return true;
}

static bool take_descr(scanner *in, header *out) {
  bool first = !out->has_descr;
  out->has_descr = true;
  return first && take_quoted(in, &out->descr);
}

static bool take_order(scanner *in, header *out) {
  bool first = !out->has_order;
  out->has_order = true;
  out->fortran_order = take(in, "True");
  return first && (out->fortran_order || take(in, "False"));
}

static bool take_entry(scanner *in, header *out) {
  if (take(in, "'descr'"))
    return take(in, ":") && take_descr(in, out);
  if (take(in, "'fortran_order'"))
    return take(in, ":") && take_order(in, out);
  if (!take(in, "'shape'") || out->has_shape)
    return false;
  out->has_shape = true;
  return take(in, ":") && take_shape(in, out);
}

/* The whole dictionary, and nothing but blanks and a line end after it. */
static bool scan_header(scanner *in, header *out) {
  if (!take(in, "{"))
    return false;
  while (!take(in, "}")) {
    if (!take_entry(in, out))
      return false;
    if (!take(in, ",")) {
      if (!take(in, "}"))
        return false;
      break;
    }
  }
  return out->has_descr && out->has_order && out->has_shape && take(in, "\n") &&
         in->at == in->end;
}

/* }==================================================================== */

static bool is_text(ecrb_span span, const char *text) {
  return ecrb_span_equal(span, ecrb_span_of(text));
}

static int check_type(ecrb_npy *npy, const header *found, ecrb_err *err) {
  if (is_text(found->descr, "|O"))
    return refuse(npy, err,
                  "holds a pickled Python object, which is never opened; load "
                  "it with numpy and save the array alone, as float32");
  npy->width = is_text(found->descr, "<f4")   ? 4
               : is_text(found->descr, "<f2") ? 2
                                              : 0;
  if (npy->width == 0)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s: its type is `%.*s`; only little-endian float32 "
                     "(<f4) and float16 (<f2) are read: save it as "
                     ".astype('float32')",
                     npy->path, ECRB_SHOWN(found->descr));
  if (found->fortran_order)
    return refuse(npy, err,
                  "is in Fortran order; save it through "
                  "numpy.ascontiguousarray");
  return ECRB_OK;
}

static int check_shape(ecrb_npy *npy, const header *found, ecrb_err *err) {
  if (found->dimensions != 2)
    return ecrb_fail(
        err, ECRB_EFORMAT,
        "%s: has %zu dimensions; vectors are the rows of two: save "
        "one array of (vectors, coordinates)",
        npy->path, found->dimensions);
  npy->rows = found->shape[0];
  npy->columns = found->shape[1];
  if (npy->rows == 0 || npy->columns == 0 || npy->columns > COLUMNS_MAX)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s: its shape is (%zu, %zu); at least one row, and one "
                     "to %u columns, are wanted",
                     npy->path, npy->rows, npy->columns, COLUMNS_MAX);
  return ECRB_OK;
}

static int check_size(const ecrb_npy *npy, size_t size, ecrb_err *err) {
  size_t row = npy->columns * npy->width;
  size_t data = size - npy->start;
  if (data % row == 0 && data / row == npy->rows)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s: %zu bytes of data where %zu rows of %zu bytes are "
                   "promised; the file is %s: write it again",
                   npy->path, data, npy->rows, row,
                   data / row < npy->rows ? "cut short" : "longer");
}

/* Reads exactly `n` bytes at an offset. */
static int read_at(const ecrb_npy *npy, void *to, size_t n, size_t offset,
                   ecrb_err *err) {
  char *at = to;
  while (n > 0) {
    ssize_t got = pread(npy->fd, at, n, (off_t)offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return ecrb_fail(
          err, got < 0 ? ECRB_EIO : ECRB_EFORMAT, "%s: %s", npy->path,
          got < 0 ? strerror(errno) : "ends before its data; write it again");
    at += got;
    offset += (size_t)got;
    n -= (size_t)got;
  }
  return ECRB_OK;
}

/* The lengths of the preamble and of the header text after it. */
static int read_preamble(const ecrb_npy *npy, size_t size, size_t *preamble,
                         size_t *length, ecrb_err *err) {
  unsigned char bytes[12] = {0};
  int status = read_at(npy, bytes, size < 12 ? size : 12, 0, err);
  if (status != ECRB_OK)
    return status;
  if (memcmp(bytes, MAGIC, MAGIC_LENGTH) != 0)
    return refuse(npy, err, "is no .npy file; numpy.save writes one");
  if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
    return ecrb_fail(
        err, ECRB_EFORMAT,
        "%s: version %u.%u of the format is unknown; save it again "
        "with numpy.save",
        npy->path, bytes[6], bytes[7]);
  *preamble = bytes[6] == 1 ? 10 : 12;
  *length = bytes[8] | (size_t)bytes[9] << 8;
  if (bytes[6] > 1)
    *length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (*length > HEADER_MAX || *preamble + *length > size)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s: its header has %zu bytes, the file %zu; at most %d "
                     "are read",
                     npy->path, *length, size, HEADER_MAX);
  return ECRB_OK;
}

static int read_header(ecrb_npy *npy, size_t size, ecrb_err *err) {
  char text[HEADER_MAX];
  header found = {.dimensions = 0};
  size_t preamble = 0, length = 0;
  int status = read_preamble(npy, size, &preamble, &length, err);
  if (status == ECRB_OK)
    status = read_at(npy, text, length, preamble, err);
  if (status != ECRB_OK)
    return status;
  npy->start = preamble + length;
  if (!scan_header(&(scanner){text, text + length}, &found))
    return refuse(npy, err,
                  "its header is no dictionary of a plain `descr`, "
                  "`fortran_order` and `shape`");
  status = check_type(npy, &found, err);
  if (status == ECRB_OK)
    status = check_shape(npy, &found, err);
  return status == ECRB_OK ? check_size(npy, size, err) : status;
}

static int open_file(ecrb_npy *npy, ecrb_err *err) {
  struct stat about;
  npy->fd = open(npy->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (npy->fd < 0 || fstat(npy->fd, &about) != 0)
    return ecrb_fail(err, errno == ENOENT ? ECRB_ENONE : ECRB_EIO,
                     "%s: cannot be read: %s", npy->path, strerror(errno));
  if (!S_ISREG(about.st_mode))
    return refuse(npy, err,
                  "is no regular file; vectors are read from a file "
                  "on a disk, not from a pipe or a folder");
  return read_header(npy, (size_t)about.st_size, err);
}

int ecrb_npy_open(const char *path, ecrb_npy **out, ecrb_err *err) {
  ecrb_npy *npy = calloc(1, sizeof *npy);
  int status;
  *out = NULL;
  if (npy == NULL)
    return ecrb_no_memory(err, path);
  npy->fd = -1;
  npy->path = strdup(path);
  status = npy->path == NULL ? ecrb_no_memory(err, path) : open_file(npy, err);
  if (status != ECRB_OK) {
    ecrb_npy_close(npy);
    return status;
  }
  *out = npy;
  return ECRB_OK;
}

void ecrb_npy_close(ecrb_npy *npy) {
  if (npy == NULL)
    return;
  if (npy->fd >= 0)
    close(npy->fd);
  free(npy->path);
  free(npy);
}

size_t ecrb_npy_rows(const ecrb_npy *npy) {
  return npy->rows;
}

size_t ecrb_npy_columns(const ecrb_npy *npy) {
  return npy->columns;
}

const char *ecrb_npy_path(const ecrb_npy *npy) {
  return npy->path;
}

/* {====================================================================
** Rows
** ===================================================================== */

static float float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* IEEE 754 half precision; a subnormal one is a number of 2^-24ths. */
static float float_of_half(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
  uint32_t exponent = half >> 10 & 0x1fu, fraction = half & 0x3ffu;
  if (exponent == 0x1f)
    return float_of_bits(sign | 0x7f800000u | fraction << 13);
  if (exponent == 0)
    return (sign ? -1.0f : 1.0f) * (float)fraction * 0x1p-24f;
  return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
}

/* Widens n half-precision numbers that stand in the last half of `out`: what
** is written never passes what is still to be read. */
static void widen(float *out, size_t n) {
  const unsigned char *from = (const unsigned char *)out + 2 * n;
  for (size_t i = 0; i < n; i++) {
    uint16_t half;
    memcpy(&half, from + 2 * i, sizeof half);
    out[i] = float_of_half(half);
  }
}

/* A number that is not finite has all bits of its exponent set. */
static size_t first_not_finite(const float *at, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(at[i]))
      return i;
  return n;
}

/* Sums what is not finite into one number that is not: one pass without a
** branch, for the usual case. */
static bool all_finite(const float *at, size_t n) {
  float lanes[8] = {0};
  float sum = 0;
  for (size_t i = 0; i + 8 <= n; i += 8)
    for (int lane = 0; lane < 8; lane++)
      lanes[lane] += at[i + (size_t)lane] * 0.0f;
  for (size_t i = n - n % 8; i < n; i++)
    sum += at[i] * 0.0f;
  for (int lane = 0; lane < 8; lane++)
    sum += lanes[lane];
  return sum == 0;
}

int ecrb_npy_read(const ecrb_npy *npy, size_t first, size_t count, float *out,
                  ecrb_err *err) {
  size_t n = count * npy->columns, bad;
  size_t row = npy->columns * npy->width;
  char *to = (char *)out + (sizeof *out - npy->width) * n;
  int status =
      first > npy->rows || count > npy->rows - first
          ? ecrb_fail(err, ECRB_EARG, "%s: has no row %zu", npy->path,
                      first + count - 1)
          : read_at(npy, to, count * row, npy->start + first * row, err);
  if (status != ECRB_OK)
    return status;
  if (npy->width == 2)
    widen(out, n);
  if (all_finite(out, n))
    return ECRB_OK;
  bad = first_not_finite(out, n);
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s: row %zu, column %zu (from 0): %f is no finite number",
                   npy->path, first + bad / npy->columns, bad % npy->columns,
                   (double)out[bad]);
}

/* }==================================================================== */
