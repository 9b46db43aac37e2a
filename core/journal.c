/* journal.c: an append-only file of JSON lines, each beginning with its key.
**
** Memory holds one entry per line (where it stands, how long it is, the hash
** of its key) and an open-addressing table from hashes to entries. Lines stay
** in the file: a look-up reads one into a single buffer and checks there that
** it carries the key, so colliding hashes and files changed from outside are
** noticed. A line counts as written when its newline is.
*/
#include "ecrb.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define LEAD "{\"key\":\""
#define LEAD_LENGTH (sizeof LEAD - 1)
#define HEAD_LENGTH (LEAD_LENGTH + ECRB_JOURNAL_KEY + 1)
#define CHUNK ((size_t)64 << 10)
#define NO_KEY                                                                 \
  "does not begin with {\"key\":\"...\": a key of 1 to 255 bytes without "     \
  "escapes or control characters"

typedef struct entry {
  uint64_t hash;
  off_t at;
  size_t length; /* without the newline */
} entry;

struct ecrb_journal {
  int file;
  bool append;
  bool torn; /* a failed write is still in the file beyond `end` */
  char *path;
  off_t end; /* of the last whole line */
  entry *entries;
  size_t count, capacity;
  uint32_t *slots;   /* entry number + 1; 0 is free */
  size_t slot_count; /* a power of two */
  char *buffer;
  size_t buffer_size;
};

/* The key of a line or of its first HEAD_LENGTH bytes. */
static bool key_of(ecrb_span line, ecrb_span *key) {
  if (line.n < LEAD_LENGTH || memcmp(line.at, LEAD, LEAD_LENGTH) != 0)
    return false;
  key->at = line.at + LEAD_LENGTH;
  size_t most = line.n - LEAD_LENGTH;
  for (key->n = 0; key->n < most && key->n <= ECRB_JOURNAL_KEY; key->n++) {
    unsigned char c = (unsigned char)key->at[key->n];
    if (c == '"')
      return key->n > 0;
    if (c < ' ' || c == 127 || c == '\\')
      return false;
  }
  return false;
}

static uint64_t hash_of(ecrb_span key) {
  return ecrb_rng_fold(0, key.at, key.n);
}

static int no_memory(const ecrb_journal *journal, ecrb_err *err) {
  return ecrb_fail(err, ECRB_ENOMEM, "%s: no memory for %zu lines",
                   journal->path, journal->count);
}

static int refused(const ecrb_journal *journal, const char *deed,
                   ecrb_err *err) {
  return ecrb_fail(err, ECRB_EIO, "%s: cannot %s: %s", journal->path, deed,
                   strerror(errno));
}

/* {====================================================================
** The buffer and the lines in the file
** ===================================================================== */

/* Room for `need` bytes; a buffer that one long line has blown up shrinks. */
static int reserve_buffer(ecrb_journal *journal, size_t need, ecrb_err *err) {
  size_t size = need > CHUNK ? need : CHUNK;
  if (need <= journal->buffer_size && journal->buffer_size <= 4 * size)
    return ECRB_OK;
  char *buffer = realloc(journal->buffer, size);
  if (!buffer)
    return no_memory(journal, err);
  journal->buffer = buffer;
  journal->buffer_size = size;
  return ECRB_OK;
}

/* pread until `n` bytes or the end of the file; the number read or -1. */
static ssize_t read_at(int file, char *to, size_t n, off_t at) {
  size_t got = 0;
  while (got < n) {
    ssize_t piece = pread(file, to + got, n - got, at + (off_t)got);
    if (piece < 0 && errno == EINTR)
      continue;
    if (piece < 0)
      return -1;
    if (piece == 0)
      break;
    got += (size_t)piece;
  }
  return (ssize_t)got;
}

/* Reads an entry's line and newline into the buffer and its key. */
static int read_line(ecrb_journal *journal, const entry *e, ecrb_span *line,
                     ecrb_span *key, ecrb_err *err) {
  int status = reserve_buffer(journal, e->length + 1, err);
  if (status != ECRB_OK)
    return status;
  ssize_t got = read_at(journal->file, journal->buffer, e->length + 1, e->at);
  if (got < 0)
    return refused(journal, "read", err);
  *line = (ecrb_span){journal->buffer, e->length};
  if ((size_t)got != e->length + 1 || journal->buffer[e->length] != '\n' ||
      !key_of(*line, key) || hash_of(*key) != e->hash)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%td: the line was changed while the file was open; "
                     "let nothing else write to it",
                     journal->path, e - journal->entries + 1);
  return ECRB_OK;
}

/* }==================================================================== */

/* {====================================================================
** The index
** ===================================================================== */

static void fill_slot(ecrb_journal *journal, size_t number) {
  size_t mask = journal->slot_count - 1;
  size_t slot = journal->entries[number].hash & mask;
  while (journal->slots[slot])
    slot = (slot + 1) & mask;
  journal->slots[slot] = (uint32_t)number + 1;
}

static void fill_slots(ecrb_journal *journal) {
  memset(journal->slots, 0, journal->slot_count * sizeof *journal->slots);
  for (size_t i = 0; i < journal->count; i++)
    fill_slot(journal, i);
}

static int grow(ecrb_journal *journal, ecrb_err *err) {
  size_t capacity = journal->capacity ? 2 * journal->capacity : 64;
  if (capacity > UINT32_MAX / 2)
    return ecrb_fail(err, ECRB_ELIMIT, "%s: more than %zu lines", journal->path,
                     journal->count);
  entry *entries = realloc(journal->entries, capacity * sizeof *entries);
  if (!entries)
    return no_memory(journal, err);
  journal->entries = entries;
  uint32_t *slots =
      realloc(journal->slots, 2 * capacity * sizeof *journal->slots);
  if (!slots)
    return no_memory(journal, err);
  journal->slots = slots;
  journal->slot_count = 2 * capacity;
  journal->capacity = capacity;
  fill_slots(journal);
  return ECRB_OK;
}

static int reserve_entry(ecrb_journal *journal, ecrb_err *err) {
  return journal->count < journal->capacity ? ECRB_OK : grow(journal, err);
}

/* Needs a reserved entry. */
static void add_entry(ecrb_journal *journal, uint64_t hash, off_t at,
                      size_t length) {
  journal->entries[journal->count] = (entry){hash, at, length};
  fill_slot(journal, journal->count++);
  journal->end = at + (off_t)length + 1;
}

/* The entry and the line of a key, or ECRB_ENONE. */
static int look_up(ecrb_journal *journal, ecrb_span key, uint64_t hash,
                   size_t *number, ecrb_span *line, ecrb_err *err) {
  size_t mask = journal->slot_count - 1;
  size_t slot = hash & mask;
  for (; journal->slot_count && journal->slots[slot];
       slot = (slot + 1) & mask) {
    const entry *e = &journal->entries[journal->slots[slot] - 1];
    if (e->hash != hash)
      continue;
    ecrb_span found;
    int status = read_line(journal, e, line, &found, err);
    if (status != ECRB_OK)
      return status;
    *number = journal->slots[slot] - 1;
    if (ecrb_span_equal(found, key))
      return ECRB_OK;
  }
  return ECRB_ENONE;
}

/* }==================================================================== */

/* {====================================================================
** Opening: one pass in chunks that keeps of each line only its head
** ===================================================================== */

typedef struct scan {
  off_t line_at;
  off_t at; /* what was read so far */
  bool nul; /* in the line under the scan */
  size_t head_length;
  char head[HEAD_LENGTH];
} scan;

static int index_line(ecrb_journal *journal, const scan *s, ecrb_err *err) {
  size_t number = journal->count + 1, former;
  ecrb_span key, line, head = {s->head, s->head_length};
  if (s->nul)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: a NUL byte stands in the line; delete the line",
                     journal->path, number);
  if (!key_of(head, &key))
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: the line " NO_KEY "; mend or delete the line",
                     journal->path, number);
  int status = look_up(journal, key, hash_of(key), &former, &line, err);
  if (status == ECRB_OK)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: the key stands already at line %zu; delete one "
                     "of the two lines",
                     journal->path, number, former + 1);
  if (status == ECRB_ENONE)
    status = reserve_entry(journal, err);
  if (status == ECRB_OK)
    add_entry(journal, hash_of(key), s->line_at, (size_t)(s->at - s->line_at));
  return status;
}

static void scan_piece(scan *s, const char *piece, size_t n) {
  size_t room = HEAD_LENGTH - s->head_length;
  size_t taken = n < room ? n : room;
  memcpy(s->head + s->head_length, piece, taken);
  s->head_length += taken;
  s->nul = s->nul || memchr(piece, '\0', n);
  s->at += (off_t)n;
}

static int scan_chunk(ecrb_journal *journal, scan *s, const char *chunk,
                      size_t n, ecrb_err *err) {
  const char *stop = chunk + n, *newline;
  while ((newline = memchr(chunk, '\n', (size_t)(stop - chunk)))) {
    scan_piece(s, chunk, (size_t)(newline - chunk));
    int status = index_line(journal, s, err);
    if (status != ECRB_OK)
      return status;
    s->at++;
    s->line_at = s->at;
    s->nul = false;
    s->head_length = 0;
    chunk = newline + 1;
  }
  scan_piece(s, chunk, (size_t)(stop - chunk));
  return ECRB_OK;
}

/* Indexes the file; `*torn` is what stands after the last newline. */
static int scan_file(ecrb_journal *journal, size_t *torn, ecrb_err *err) {
  scan s = {0};
  char *chunk = malloc(CHUNK);
  int status = chunk ? ECRB_OK : no_memory(journal, err);
  ssize_t got = 1;
  while (status == ECRB_OK && got > 0) {
    got = read_at(journal->file, chunk, CHUNK, s.at);
    status = got < 0 ? refused(journal, "read", err)
                     : scan_chunk(journal, &s, chunk, (size_t)got, err);
  }
  free(chunk);
  *torn = (size_t)(s.at - s.line_at);
  return status;
}

static int cut(ecrb_journal *journal, ecrb_err *err) {
  if (ftruncate(journal->file, journal->end) != 0)
    return refused(journal, "cut off its torn last line", err);
  journal->torn = false;
  return ECRB_OK;
}

/* Appending belongs to one process: a second one would not see the keys of
** the first. Where a file system knows no locks, that is left to the user. */
static int claim(const ecrb_journal *journal, int file, ecrb_err *err) {
  if (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EBUSY,
                   "%s: another process is appending to it; wait for it or "
                   "end it",
                   journal->path);
}

static int open_file(ecrb_journal *journal, ecrb_err *err) {
  int flags = journal->append ? O_RDWR | O_APPEND | O_CREAT : O_RDONLY;
  journal->file = open(journal->path, flags | O_CLOEXEC | O_NONBLOCK, 0666);
  if (journal->file < 0 && errno == ENOENT && !journal->append)
    return ecrb_fail(err, ECRB_ENONE, "%s: there is no such journal",
                     journal->path);
  if (journal->file < 0)
    return refused(journal, "open", err);
  struct stat about;
  if (fstat(journal->file, &about) != 0)
    return refused(journal, "open", err);
  if (!S_ISREG(about.st_mode))
    return ecrb_fail(err, ECRB_EFORMAT, "%s: not a regular file; name another",
                     journal->path);
  return journal->append ? claim(journal, journal->file, err) : ECRB_OK;
}

static int load(ecrb_journal *journal, ecrb_journal_state *state,
                ecrb_err *err) {
  ecrb_journal_state found = {0, 0};
  int status = open_file(journal, err);
  if (status == ECRB_OK)
    status = scan_file(journal, &found.torn, err);
  if (status == ECRB_OK && found.torn && journal->append)
    status = cut(journal, err);
  found.lines = journal->count;
  if (status == ECRB_OK && state)
    *state = found;
  return status;
}

int ecrb_journal_open(const char *path, enum ecrb_journal_mode mode,
                      ecrb_journal **out, ecrb_journal_state *state,
                      ecrb_err *err) {
  *out = NULL;
  ecrb_journal *journal = calloc(1, sizeof *journal);
  char *copy = strdup(path);
  if (!journal || !copy) {
    free(journal);
    free(copy);
    return ecrb_fail(err, ECRB_ENOMEM, "%s: no memory to open it", path);
  }
  journal->path = copy;
  journal->file = -1;
  journal->append = mode == ECRB_JOURNAL_APPEND;
  int status = load(journal, state, err);
  if (status == ECRB_OK)
    *out = journal;
  else
    ecrb_journal_close(journal);
  return status;
}

void ecrb_journal_close(ecrb_journal *journal) {
  if (!journal)
    return;
  if (journal->file >= 0)
    close(journal->file);
  free(journal->path);
  free(journal->entries);
  free(journal->slots);
  free(journal->buffer);
  free(journal);
}

/* }==================================================================== */

/* {====================================================================
** Appending
** ===================================================================== */

static int for_appending(const ecrb_journal *journal, ecrb_err *err) {
  if (journal->append)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EARG, "%s: was opened for reading only",
                   journal->path);
}

static int check_line(ecrb_journal *journal, ecrb_span line, ecrb_span *key,
                      ecrb_err *err) {
  if (!key_of(line, key))
    return ecrb_fail(err, ECRB_EARG, "%s: the line to append " NO_KEY,
                     journal->path);
  if (memchr(line.at, '\n', line.n) || memchr(line.at, '\0', line.n))
    return ecrb_fail(err, ECRB_EARG,
                     "%s: the line to append, of key \"%.*s\", holds a newline "
                     "or a NUL byte; escape it",
                     journal->path, (int)key->n, key->at);
  size_t former;
  ecrb_span there;
  int status = look_up(journal, *key, hash_of(*key), &former, &there, err);
  if (status == ECRB_OK)
    return ecrb_fail(err, ECRB_EARG,
                     "%s: the key \"%.*s\" stands already at line %zu and what "
                     "is recorded is never overwritten",
                     journal->path, (int)key->n, key->at, former + 1);
  return status == ECRB_ENONE ? ECRB_OK : status;
}

/* Takes back what a failed or short write left in the file. Where even that
** fails, the next append tries again, and so does the next opening. */
static int undo(ecrb_journal *journal, ssize_t put, size_t length,
                ecrb_err *err) {
  const char *reason = put < 0 ? strerror(errno) : "no room for the whole line";
  journal->torn = true;
  const char *left = cut(journal, NULL) == ECRB_OK
                         ? ""
                         : " and a piece that the next append cuts off";
  return ecrb_fail(err, ECRB_EIO,
                   "%s: cannot append %zu bytes: %s; the file ends with its "
                   "line %zu%s: make room on the disk and run the same again",
                   journal->path, length, reason, journal->count, left);
}

static int write_line(ecrb_journal *journal, ecrb_span line, ecrb_err *err) {
  struct iovec parts[] = {{(void *)line.at, line.n}, {(void *)"\n", 1}};
  ssize_t put;
  do
    put = writev(journal->file, parts, 2);
  while (put < 0 && errno == EINTR);
  if (put == (ssize_t)line.n + 1)
    return ECRB_OK;
  return undo(journal, put, line.n + 1, err);
}

int ecrb_journal_append(ecrb_journal *journal, ecrb_span line, ecrb_err *err) {
  ecrb_span key;
  int status = for_appending(journal, err);
  if (status == ECRB_OK)
    status = check_line(journal, line, &key, err);
  if (status == ECRB_OK && journal->torn)
    status = cut(journal, err);
  if (status == ECRB_OK)
    status = reserve_entry(journal, err);
  if (status == ECRB_OK)
    status = write_line(journal, line, err);
  if (status == ECRB_OK)
    add_entry(journal, hash_of(key), journal->end, line.n);
  return status;
}

int ecrb_journal_sync(ecrb_journal *journal, ecrb_err *err) {
  if (fdatasync(journal->file) == 0)
    return ECRB_OK;
  return refused(journal, "put it on the disk", err);
}

/* }==================================================================== */

/* {====================================================================
** Reading
** ===================================================================== */

int ecrb_journal_find(ecrb_journal *journal, ecrb_span key, ecrb_span *line,
                      ecrb_err *err) {
  size_t number;
  return look_up(journal, key, hash_of(key), &number, line, err);
}

size_t ecrb_journal_count(const ecrb_journal *journal) {
  return journal->count;
}

int ecrb_journal_line(ecrb_journal *journal, size_t number, ecrb_span *line,
                      ecrb_err *err) {
  ecrb_span key;
  if (number < journal->count)
    return read_line(journal, &journal->entries[number], line, &key, err);
  return ecrb_fail(err, ECRB_EARG, "%s: line %zu of %zu was asked for",
                   journal->path, number + 1, journal->count);
}

/* }==================================================================== */

/* {====================================================================
** Reordering
** ===================================================================== */

static int check_order(const ecrb_journal *journal, const size_t *order,
                       ecrb_err *err) {
  bool *seen = calloc(journal->count + 1, sizeof *seen);
  if (!seen)
    return no_memory(journal, err);
  size_t i = 0;
  for (; i < journal->count && order[i] < journal->count; i++) {
    if (seen[order[i]])
      break;
    seen[order[i]] = true;
  }
  free(seen);
  if (i == journal->count)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EARG,
                   "%s: the new order is no permutation of %zu lines: its "
                   "number %zu is %zu",
                   journal->path, journal->count, i, order[i]);
}

static bool in_order(const ecrb_journal *journal, const size_t *order) {
  for (size_t i = 0; i < journal->count; i++)
    if (order[i] != i)
      return false;
  return true;
}

static int write_lines(ecrb_journal *journal, const size_t *order, FILE *to,
                       ecrb_err *err) {
  for (size_t i = 0; i < journal->count; i++) {
    ecrb_span line, key;
    int status =
        read_line(journal, &journal->entries[order[i]], &line, &key, err);
    if (status != ECRB_OK)
      return status;
    if (fwrite(line.at, 1, line.n + 1, to) != line.n + 1)
      return refused(journal, "write its new order", err);
  }
  if (fflush(to) != 0 || fsync(fileno(to)) != 0)
    return refused(journal, "write its new order", err);
  return ECRB_OK;
}

/* The new file, empty, claimed and with the permissions of the old one. */
static int open_beside(const ecrb_journal *journal, const char *path,
                       FILE **out, ecrb_err *err) {
  struct stat about;
  *out = fopen(path, "a+e");
  if (!*out)
    return refused(journal, "open a file beside it", err);
  int file = fileno(*out);
  int status = claim(journal, file, err);
  if (status == ECRB_OK &&
      (ftruncate(file, 0) != 0 || fstat(journal->file, &about) != 0 ||
       fchmod(file, about.st_mode & 07777) != 0))
    status = refused(journal, "prepare a file beside it", err);
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
    int status = refused(journal, "put its new order in its place", err);
    if (file >= 0)
      close(file);
    return status;
  }
  close(journal->file);
  journal->file = file;
  sync_folder(journal->path);
  return ECRB_OK;
}

static int rewrite(ecrb_journal *journal, const size_t *order,
                   const char *beside, ecrb_err *err) {
  FILE *to;
  int status = open_beside(journal, beside, &to, err);
  if (status != ECRB_OK)
    return status;
  status = write_lines(journal, order, to, err);
  if (status == ECRB_OK)
    status = replace(journal, beside, to, err);
  fclose(to);
  if (status != ECRB_OK)
    unlink(beside);
  return status;
}

/* The entries in their new order, in place of the old ones. */
static void take_order(ecrb_journal *journal, entry *entries,
                       const size_t *order) {
  off_t at = 0;
  for (size_t i = 0; i < journal->count; i++) {
    entries[i] = journal->entries[order[i]];
    entries[i].at = at;
    at += (off_t)entries[i].length + 1;
  }
  free(journal->entries);
  journal->entries = entries;
  fill_slots(journal);
}

static int reorder(ecrb_journal *journal, const size_t *order, ecrb_err *err) {
  char *beside = NULL;
  entry *entries = malloc(journal->capacity * sizeof *entries);
  if (!entries || asprintf(&beside, "%s.reordered", journal->path) < 0) {
    free(entries);
    return no_memory(journal, err);
  }
  int status = rewrite(journal, order, beside, err);
  if (status == ECRB_OK)
    take_order(journal, entries, order);
  else
    free(entries);
  free(beside);
  return status;
}

int ecrb_journal_reorder(ecrb_journal *journal, const size_t *order,
                         ecrb_err *err) {
  int status = for_appending(journal, err);
  if (status == ECRB_OK)
    status = check_order(journal, order, err);
  if (status == ECRB_OK && !in_order(journal, order))
    status = reorder(journal, order, err);
  return status;
}

/* }==================================================================== */
