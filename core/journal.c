/* journal.c: an append-only file of JSON lines, each beginning with its key.
** Lines stay in the file; memory holds where they are. A line counts as
** written when its newline is, so a torn one is known by its end.
*/
#include "journal.h"

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
#define LINE_MOST ((size_t)1 << 30) /* what is longer is no line of ours */
#define NO_KEY                                                                 \
  "does not begin with {\"key\":\"...\": a key of 1 to 255 bytes without "     \
  "escapes or control characters"

bool ecrb_journal_key(ecrb_span line, ecrb_span *key) {
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

int ecrb_journal_no_memory(const ecrb_journal *journal, ecrb_err *err) {
  return ecrb_fail(err, ECRB_ENOMEM, "%s: no memory for %zu lines",
                   journal->path, journal->lines.count);
}

int ecrb_journal_refused(const ecrb_journal *journal, const char *deed,
                         ecrb_err *err) {
  return ecrb_fail(err, ECRB_EIO, "%s: cannot %s: %s", journal->path, deed,
                   strerror(errno));
}

ssize_t ecrb_journal_pread(int file, char *to, size_t n, off_t at) {
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
  size_t number = journal->lines.count + 1, former;
  ecrb_span key, line, head = {s->head, s->head_length};
  if (s->nul)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: a NUL byte stands in the line; delete the line",
                     journal->path, number);
  if (!ecrb_journal_key(head, &key))
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: the line " NO_KEY "; mend or delete the line",
                     journal->path, number);
  int status = ecrb_index_find(journal, key, &former, &line, err);
  if (status == ECRB_OK)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s:%zu: the key stands already at line %zu; delete one "
                     "of the two lines",
                     journal->path, number, former + 1);
  if (status == ECRB_ENONE)
    status = ecrb_index_reserve(journal, err);
  if (status == ECRB_OK)
    ecrb_index_add(journal, key, (size_t)(s->at - s->line_at));
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
  if ((size_t)(s->at - s->line_at) <= LINE_MOST)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s:%zu: the line has more than %zu bytes; cut the file off "
                   "before it",
                   journal->path, journal->lines.count + 1, LINE_MOST);
}

/* Indexes the file; `*torn` is what stands after the last newline. */
static int scan_file(ecrb_journal *journal, size_t *torn, ecrb_err *err) {
  scan s = {0};
  char *chunk = malloc(CHUNK);
  int status = chunk ? ECRB_OK : ecrb_journal_no_memory(journal, err);
  ssize_t got = 1;
  while (status == ECRB_OK && got > 0) {
    got = ecrb_journal_pread(journal->file, chunk, CHUNK, s.at);
    status = got < 0 ? ecrb_journal_refused(journal, "read", err)
                     : scan_chunk(journal, &s, chunk, (size_t)got, err);
  }
  free(chunk);
  *torn = (size_t)(s.at - s.line_at);
  return status;
}

/* Where the last whole line ends. */
static off_t end_of(const ecrb_journal *journal) {
  return (off_t)(journal->lines.end + journal->unseen_bytes);
}

static int cut(ecrb_journal *journal, ecrb_err *err) {
  if (ftruncate(journal->file, end_of(journal)) != 0)
    return ecrb_journal_refused(journal, "cut off its torn last line", err);
  journal->torn = false;
  return ECRB_OK;
}

/* Appending belongs to one process: a second one would not see the keys of
** the first. Where a file system knows no locks, that is left to the user. */
int ecrb_journal_claim(const ecrb_journal *journal, int file, ecrb_err *err) {
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
    return ecrb_journal_refused(journal, "open", err);
  struct stat about;
  if (fstat(journal->file, &about) != 0)
    return ecrb_journal_refused(journal, "open", err);
  if (!S_ISREG(about.st_mode))
    return ecrb_fail(err, ECRB_EFORMAT, "%s: not a regular file; name another",
                     journal->path);
  return journal->append ? ecrb_journal_claim(journal, journal->file, err)
                         : ECRB_OK;
}

static int load(ecrb_journal *journal, ecrb_journal_state *state,
                ecrb_err *err) {
  ecrb_journal_state found = {0, 0};
  int status = open_file(journal, err);
  if (status == ECRB_OK)
    status = scan_file(journal, &found.torn, err);
  if (status == ECRB_OK && found.torn && journal->append)
    status = cut(journal, err);
  found.lines = journal->lines.count;
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
  ecrb_keeper_end(journal);
  if (journal->file >= 0)
    close(journal->file);
  free(journal->path);
  ecrb_journal_lines_free(&journal->lines);
  free(journal->slots);
  ecrb_bytes_free(&journal->buffer);
  ecrb_bytes_free(&journal->joined);
  free(journal);
}

/* }==================================================================== */

/* {====================================================================
** Appending
** ===================================================================== */

int ecrb_journal_for_appending(const ecrb_journal *journal, ecrb_err *err) {
  if (journal->append)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EARG, "%s: was opened for reading only",
                   journal->path);
}

int ecrb_journal_check_line(const ecrb_journal *journal, ecrb_span line,
                            ecrb_span *key, ecrb_err *err) {
  if (!ecrb_journal_key(line, key))
    return ecrb_fail(err, ECRB_EARG, "%s: the line to append " NO_KEY,
                     journal->path);
  if (memchr(line.at, '\n', line.n) || memchr(line.at, '\0', line.n))
    return ecrb_fail(err, ECRB_EARG,
                     "%s: the line to append, of key \"%.*s\", holds a newline "
                     "or a NUL byte; escape it",
                     journal->path, (int)key->n, key->at);
  return ECRB_OK;
}

static int check_new(ecrb_journal *journal, ecrb_span line, ecrb_span *key,
                     ecrb_err *err) {
  size_t former;
  ecrb_span there;
  int status = ecrb_journal_check_line(journal, line, key, err);
  if (status == ECRB_OK)
    status = ecrb_index_find(journal, *key, &former, &there, err);
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
                   journal->path, length, reason, ecrb_journal_count(journal),
                   left);
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

/* Appends a line that was checked. */
static int put_line(ecrb_journal *journal, ecrb_span line, ecrb_err *err) {
  int status = journal->torn ? cut(journal, err) : ECRB_OK;
  return status == ECRB_OK ? write_line(journal, line, err) : status;
}

int ecrb_journal_seen(const ecrb_journal *journal, ecrb_err *err) {
  if (journal->unseen == 0)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EARG,
                   "%s: lines were appended unseen; open it anew",
                   journal->path);
}

int ecrb_journal_append(ecrb_journal *journal, ecrb_span line, ecrb_err *err) {
  ecrb_span key;
  int status = ecrb_journal_for_appending(journal, err);
  if (status == ECRB_OK)
    status = ecrb_journal_seen(journal, err);
  if (status == ECRB_OK)
    status = check_new(journal, line, &key, err);
  if (status == ECRB_OK)
    status = ecrb_index_reserve(journal, err);
  if (status == ECRB_OK)
    status = put_line(journal, line, err);
  if (status != ECRB_OK)
    return status;
  ecrb_index_add(journal, key, line.n);
  return ecrb_keeper_note(journal, err);
}

static int append_unseen(ecrb_journal *journal, ecrb_span line,
                         ecrb_err *err) {
  ecrb_span key;
  int status = ecrb_journal_for_appending(journal, err);
  if (status == ECRB_OK)
    status = ecrb_journal_check_line(journal, line, &key, err);
  if (status == ECRB_OK)
    status = put_line(journal, line, err);
  if (status != ECRB_OK)
    return status;
  journal->unseen++;
  journal->unseen_bytes += line.n + 1;
  return ecrb_keeper_note(journal, err);
}

/* The pieces in a row. */
static int join(ecrb_journal *journal, const ecrb_span *pieces, size_t n,
                ecrb_span *out, ecrb_err *err) {
  ecrb_bytes *line = &journal->joined;
  line->n = 0;
  for (size_t i = 0; i < n; i++)
    if (ecrb_bytes_add(line, pieces[i]) != ECRB_OK)
      return ecrb_journal_no_memory(journal, err);
  *out = ecrb_bytes_part(line, 0, line->n);
  return ECRB_OK;
}

int ecrb_journal_append_pieces(ecrb_journal *journal, const ecrb_span *pieces,
                               size_t n, ecrb_err *err) {
  ecrb_span line;
  int status = join(journal, pieces, n, &line, err);
  return status == ECRB_OK ? ecrb_journal_append(journal, line, err) : status;
}

int ecrb_journal_append_unseen(ecrb_journal *journal, const ecrb_span *pieces,
                               size_t n, ecrb_err *err) {
  ecrb_span line;
  int status = join(journal, pieces, n, &line, err);
  return status == ECRB_OK ? append_unseen(journal, line, err) : status;
}

/* The name may lead to another file by now; how file systems number files differs
** too much to ask for that. */
int ecrb_journal_check(const ecrb_journal *journal, ecrb_err *err) {
  struct stat written, named;
  if (fstat(journal->file, &written) != 0)
    return ecrb_journal_refused(journal, "look at it", err);
  if (written.st_nlink == 0 || stat(journal->path, &named) != 0)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "%s: was removed while it was written; what was appended "
                     "is lost with it",
                     journal->path);
  if (journal->torn || written.st_size == end_of(journal))
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s: has %lld bytes, not the %lld that were written; let "
                   "nothing else write to it",
                   journal->path, (long long)written.st_size,
                   (long long)end_of(journal));
}

int ecrb_journal_sync(ecrb_journal *journal, ecrb_err *err) {
  if (fdatasync(journal->file) == 0)
    return ECRB_OK;
  return ecrb_journal_refused(journal, "put it on the disk", err);
}

/* }==================================================================== */

/* {====================================================================
** Reading
** ===================================================================== */

int ecrb_journal_find(ecrb_journal *journal, ecrb_span key, ecrb_span *line,
                      ecrb_err *err) {
  size_t number;
  return ecrb_index_find(journal, key, &number, line, err);
}

int ecrb_journal_number(ecrb_journal *journal, ecrb_span key, size_t *number,
                        ecrb_err *err) {
  ecrb_span line;
  return ecrb_index_find(journal, key, number, &line, err);
}

size_t ecrb_journal_count(const ecrb_journal *journal) {
  return journal->lines.count + journal->unseen;
}

int ecrb_journal_line(ecrb_journal *journal, size_t number, ecrb_span *line,
                      ecrb_err *err) {
  if (number < journal->lines.count)
    return ecrb_index_read(journal, number, line, err);
  return ecrb_fail(err, ECRB_EARG, "%s: line %zu of %zu was asked for",
                   journal->path, number + 1, journal->lines.count);
}

/* }==================================================================== */
