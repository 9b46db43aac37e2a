/* test_journal.c: what a journal keeps, refuses, cuts off and survives. */
#include "failing.h"
#include "unit.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LINE_A "{\"key\":\"a\",\"n\":1}"
#define LINE_B "{\"key\":\"b\"}"
#define LINE_C "{\"key\":\"c\",\"n\":333}"

typedef struct scratch {
  char dir[64];
  char path[96];
  ecrb_err err;
} scratch;

static int make_scratch(void **state) {
  scratch *s = calloc(1, sizeof *s);
  if (!s)
    return -1;
  strcpy(s->dir, "/tmp/ecrb-journal-XXXXXX");
  if (!mkdtemp(s->dir))
    return -1;
  snprintf(s->path, sizeof s->path, "%s/calls.jsonl", s->dir);
  *state = s;
  return 0;
}

static int drop_scratch(void **state) {
  scratch *s = *state;
  unlink(s->path);
  int status = rmdir(s->dir); /* fails where a file was left beside it */
  free(s);
  return status;
}

static void put(const char *path, const char *text, size_t n) {
  FILE *f = fopen(path, "we");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

static void assert_file(const char *path, const char *text) {
  char got[4096];
  FILE *f = fopen(path, "re");
  assert_non_null(f);
  size_t n = fread(got, 1, sizeof got - 1, f);
  fclose(f);
  got[n] = '\0';
  assert_string_equal(got, text);
}

static int try_open(scratch *s, enum ecrb_journal_mode mode) {
  ecrb_journal *journal;
  int status = ecrb_journal_open(s->path, mode, &journal, NULL, &s->err);
  if (status != ECRB_OK)
    assert_null(journal);
  ecrb_journal_close(journal);
  return status;
}

static ecrb_journal *open_at(scratch *s, enum ecrb_journal_mode mode,
                             ecrb_journal_state *found) {
  ecrb_journal *journal;
  int status = ecrb_journal_open(s->path, mode, &journal, found, &s->err);
  if (status != ECRB_OK)
    fail_msg("%s", s->err.msg);
  return journal;
}

static int try_append(scratch *s, ecrb_journal *journal, const char *line) {
  return ecrb_journal_append(journal, ecrb_span_of(line), &s->err);
}

static void append(scratch *s, ecrb_journal *journal, const char *line) {
  if (try_append(s, journal, line) != ECRB_OK)
    fail_msg("%s", s->err.msg);
}

static int find(scratch *s, ecrb_journal *journal, const char *key,
                ecrb_span *line) {
  return ecrb_journal_find(journal, ecrb_span_of(key), line, &s->err);
}

static void assert_span(ecrb_span span, const char *text) {
  assert_int_equal(span.n, strlen(text));
  assert_memory_equal(span.at, text, span.n);
}

static void assert_found(scratch *s, ecrb_journal *journal, const char *key,
                         const char *line) {
  ecrb_span got;
  assert_int_equal(find(s, journal, key, &got), ECRB_OK);
  assert_span(got, line);
}

static void assert_line(scratch *s, ecrb_journal *journal, size_t number,
                        const char *line) {
  ecrb_span got;
  assert_int_equal(ecrb_journal_line(journal, number, &got, &s->err), ECRB_OK);
  assert_span(got, line);
}

static void assert_said(scratch *s, size_t number, const char *says) {
  if (!strstr(s->err.msg, says))
    fail_msg("case %zu: %s", number, s->err.msg);
}

/* {====================================================================
** Keeping
** ===================================================================== */

static void test_append_find_line(void **state) {
  scratch *s = *state;
  ecrb_span line;
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_APPEND, NULL);
  append(s, journal, LINE_A);
  append(s, journal, "{\"key\":\"price/3 \xc3\xa9\"}");
  assert_int_equal(ecrb_journal_count(journal), 2);
  assert_found(s, journal, "a", LINE_A);
  assert_found(s, journal, "price/3 \xc3\xa9",
               "{\"key\":\"price/3 \xc3\xa9\"}");
  assert_line(s, journal, 0, LINE_A);
  assert_int_equal(find(s, journal, "b", &line), ECRB_ENONE);
  assert_int_equal(ecrb_journal_line(journal, 2, &line, &s->err), ECRB_EARG);
  assert_int_equal(ecrb_journal_sync(journal, &s->err), ECRB_OK);
  ecrb_journal_close(journal);
  assert_file(s->path, LINE_A "\n{\"key\":\"price/3 \xc3\xa9\"}\n");
}

static void test_reopen(void **state) {
  scratch *s = *state;
  ecrb_journal_state found;
  ecrb_span line;
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_APPEND, &found);
  assert_int_equal(found.lines, 0);
  assert_int_equal(find(s, journal, "a", &line), ECRB_ENONE);
  append(s, journal, LINE_A);
  ecrb_journal_close(journal);
  journal = open_at(s, ECRB_JOURNAL_APPEND, &found);
  assert_int_equal(found.lines, 1);
  append(s, journal, LINE_B);
  ecrb_journal_close(journal);
  journal = open_at(s, ECRB_JOURNAL_READ, &found);
  assert_int_equal(found.lines, 2);
  assert_int_equal(found.torn, 0);
  assert_found(s, journal, "b", LINE_B);
  ecrb_journal_close(journal);
}

static void test_many_lines(void **state) {
  enum { LINES = 100000 };
  scratch *s = *state;
  ecrb_journal_state found;
  FILE *f = fopen(s->path, "we");
  assert_non_null(f);
  for (unsigned i = 0; i < LINES; i++)
    fprintf(f, "{\"key\":\"%08x\",\"n\":%u}\n", i * 2654435761u, i);
  assert_int_equal(fclose(f), 0);
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_READ, &found);
  assert_int_equal(found.lines, LINES);
  for (unsigned i = 0; i < LINES; i += 777) {
    char key[9], line[64];
    snprintf(key, sizeof key, "%08x", i * 2654435761u);
    snprintf(line, sizeof line, "{\"key\":\"%s\",\"n\":%u}", key, i);
    assert_found(s, journal, key, line);
    assert_line(s, journal, i, line);
  }
  ecrb_journal_close(journal);
}

/* Lines of 100 KB leave no more behind than one of them. */
static void test_memory_does_not_grow_with_lines(void **state) {
  enum { LINES = 300, LENGTH = 100000 };
  scratch *s = *state;
  char *line = malloc(LENGTH + 1);
  assert_non_null(line);
  memset(line, 'x', LENGTH);
  line[LENGTH] = '\0';
  size_t before = mallinfo2().uordblks;
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_APPEND, NULL);
  for (int i = 0; i < LINES; i++) {
    line[snprintf(line, 64, "{\"key\":\"%d\",\"text\":\"", i)] = 'x';
    append(s, journal, line);
  }
  assert_line(s, journal, LINES - 1, line);
  assert_true(mallinfo2().uordblks - before < 3 * LENGTH);
  ecrb_journal_close(journal);
  journal = open_at(s, ECRB_JOURNAL_READ, NULL);
  assert_found(s, journal, "299", line);
  assert_true(mallinfo2().uordblks - before < 3 * LENGTH);
  ecrb_journal_close(journal);
  free(line);
}

/* }==================================================================== */

/* {====================================================================
** Refusing
** ===================================================================== */

static void test_bad_files(void **state) {
#define TEXT(text)                                                             \
  { text, sizeof text - 1 }
  static const struct {
    ecrb_span text;
    const char *says;
  } cases[] = {
      {TEXT("{\"key\":\"a\"}\n\n"), ":2: the line does not begin"},
      {TEXT("{\"n\":1}\n"), ":1: the line does not begin"},
      {TEXT("{\"key\": \"a\"}\n"), ":1: the line does not begin"},
      {TEXT("{\"key\":\"\"}\n"), ":1: the line does not begin"},
      {TEXT("{\"key\":\"a\\n\"}\n"), ":1: the line does not begin"},
      {TEXT("{\"key\":\"a\tb\"}\n"), ":1: the line does not begin"},
      {TEXT("{\"key\":\"a\x7f\"}\n"), ":1: the line does not begin"},
      {TEXT("{\"key\":\"a\n"), ":1: the line does not begin"},
      {TEXT("\xef\xbb\xbf{\"key\":\"a\"}\n"), ":1: the line does not begin"},
      {TEXT("{\"key\":\"a\0b\"}\n"), ":1: a NUL byte"},
      {TEXT("{\"key\":\"a\",\"n\":\"\0\"}\n"), ":1: a NUL byte"},
      {TEXT("{\"key\":\"a\"}\n{\"key\":\"b\"}\n{\"key\":\"a\"}\n"),
       ":3: the key stands already at line 1"},
  };
#undef TEXT
  scratch *s = *state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    put(s->path, cases[i].text.at, cases[i].text.n);
    assert_int_equal(try_open(s, ECRB_JOURNAL_READ), ECRB_EFORMAT);
    assert_said(s, i, cases[i].says);
    assert_said(s, i, s->path);
    assert_int_equal(try_open(s, ECRB_JOURNAL_APPEND), ECRB_EFORMAT);
    assert_said(s, i, cases[i].says);
  }
}

/* A terabyte of nothing is not read to its end, nor taken for a torn line. */
static void test_line_without_end(void **state) {
  scratch *s = *state;
  put(s->path, LINE_B "\n", sizeof LINE_B);
  assert_int_equal(truncate(s->path, (off_t)1 << 40), 0);
  for (int append = 0; append <= 1; append++) {
    assert_int_equal(
        try_open(s, append ? ECRB_JOURNAL_APPEND : ECRB_JOURNAL_READ),
        ECRB_EFORMAT);
    assert_said(s, 0, ":2: the line has more than 1073741824 bytes; cut");
  }
  struct stat about;
  assert_int_equal(stat(s->path, &about), 0);
  assert_int_equal(about.st_size, (off_t)1 << 40);
}

static void test_key_length(void **state) {
  scratch *s = *state;
  char line[ECRB_JOURNAL_KEY + 16];
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_APPEND, NULL);
  snprintf(line, sizeof line, "{\"key\":\"%0*d\"}", ECRB_JOURNAL_KEY, 0);
  append(s, journal, line);
  snprintf(line, sizeof line, "{\"key\":\"%0*d\"}", ECRB_JOURNAL_KEY + 1, 0);
  assert_int_equal(try_append(s, journal, line), ECRB_EARG);
  ecrb_journal_close(journal);
  journal = open_at(s, ECRB_JOURNAL_READ, NULL);
  assert_int_equal(ecrb_journal_count(journal), 1);
  ecrb_journal_close(journal);
  strcat(line, "\n");
  put(s->path, line, strlen(line));
  assert_int_equal(try_open(s, ECRB_JOURNAL_READ), ECRB_EFORMAT);
}

static void test_bad_appends(void **state) {
  static const struct {
    ecrb_span line;
    const char *says;
  } cases[] = {
      {{"{\"key\":\"b\",\"n\":\"\n\"}", 18}, "newline or a NUL"},
      {{"{\"key\":\"b\",\"n\":\"\0\"}", 18}, "newline or a NUL"},
      {{"{\"key\":\"b\"}\n", 12}, "newline or a NUL"},
      {{"{\"k\":\"b\"}", 9}, "does not begin"},
      {{"", 0}, "does not begin"},
      {{"{\"key\":\"a\",\"n\":2}", 17}, "\"a\" stands already at line 1"},
  };
  scratch *s = *state;
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_APPEND, NULL);
  append(s, journal, LINE_A);
  for (size_t i = 0; i < COUNT(cases); i++) {
    assert_int_equal(ecrb_journal_append(journal, cases[i].line, &s->err),
                     ECRB_EARG);
    assert_said(s, i, cases[i].says);
  }
  assert_int_equal(ecrb_journal_count(journal), 1);
  ecrb_journal_close(journal);
  assert_file(s->path, LINE_A "\n");
}

static void test_opening_what_is_no_journal(void **state) {
  scratch *s = *state;
  assert_int_equal(try_open(s, ECRB_JOURNAL_READ), ECRB_ENONE);
  assert_int_equal(mkfifo(s->path, 0600), 0);
  assert_int_equal(try_open(s, ECRB_JOURNAL_READ), ECRB_EFORMAT);
  assert_int_equal(try_open(s, ECRB_JOURNAL_APPEND), ECRB_EFORMAT);
  assert_int_equal(unlink(s->path), 0);
  assert_int_equal(mkdir(s->path, 0700), 0);
  assert_int_equal(try_open(s, ECRB_JOURNAL_READ), ECRB_EFORMAT);
  assert_int_equal(try_open(s, ECRB_JOURNAL_APPEND), ECRB_EIO);
  assert_int_equal(rmdir(s->path), 0);
}

static void test_one_appender(void **state) {
  scratch *s = *state;
  ecrb_journal *first = open_at(s, ECRB_JOURNAL_APPEND, NULL);
  append(s, first, LINE_A);
  assert_int_equal(try_open(s, ECRB_JOURNAL_APPEND), ECRB_EBUSY);
  ecrb_journal *second = open_at(s, ECRB_JOURNAL_READ, NULL);
  assert_found(s, second, "a", LINE_A);
  assert_int_equal(try_append(s, second, LINE_B), ECRB_EARG);
  ecrb_journal_close(second);
  ecrb_journal_close(first);
  assert_int_equal(try_open(s, ECRB_JOURNAL_APPEND), ECRB_OK);
}

static void test_change_from_outside(void **state) {
  scratch *s = *state;
  ecrb_span line;
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_APPEND, NULL);
  append(s, journal, LINE_A);
  append(s, journal, LINE_B);
  assert_int_equal(truncate(s->path, sizeof LINE_A + 3), 0);
  assert_found(s, journal, "a", LINE_A);
  assert_int_equal(find(s, journal, "b", &line), ECRB_EFORMAT);
  assert_said(s, 0, ":2: the line was changed");
  ecrb_journal_close(journal);
}

/* }==================================================================== */

/* {====================================================================
** Torn lines, full disks, kills
** ===================================================================== */

/* What a look at the file tells, without a line being read. */
static void test_check(void **state) {
  scratch *s = *state;
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_APPEND, NULL);
  append(s, journal, LINE_A);
  assert_int_equal(ecrb_journal_check(journal, &s->err), ECRB_OK);
  assert_int_equal(truncate(s->path, 5), 0);
  assert_int_equal(ecrb_journal_check(journal, &s->err), ECRB_EFORMAT);
  assert_said(s, 0, "has 5 bytes, not the 18 that were written");
  assert_int_equal(truncate(s->path, 20), 0);
  assert_int_equal(ecrb_journal_check(journal, &s->err), ECRB_EFORMAT);
  assert_int_equal(unlink(s->path), 0);
  assert_int_equal(ecrb_journal_check(journal, &s->err), ECRB_EFORMAT);
  assert_said(s, 1, "was removed while it was written");
  ecrb_journal_close(journal);
}

static void test_torn_lines(void **state) {
  static const ecrb_span tails[] = {
      {"{", 1},        {"{\"key\":\"b\",\"n\":", 15},
      {LINE_A, 17},    {"\0\0\0\0", 4},
      {"nonsense", 8},
  };
  scratch *s = *state;
  ecrb_journal_state found;
  for (size_t i = 0; i < COUNT(tails); i++) {
    char text[64] = LINE_A "\n";
    memcpy(text + sizeof LINE_A, tails[i].at, tails[i].n);
    put(s->path, text, sizeof LINE_A + tails[i].n);
    ecrb_journal *journal = open_at(s, ECRB_JOURNAL_READ, &found);
    assert_int_equal(found.lines, 1);
    assert_int_equal(found.torn, tails[i].n);
    ecrb_journal_close(journal);
    journal = open_at(s, ECRB_JOURNAL_APPEND, &found);
    assert_int_equal(found.torn, tails[i].n);
    append(s, journal, LINE_B);
    ecrb_journal_close(journal);
    assert_file(s->path, LINE_A "\n" LINE_B "\n");
  }
}

static void limit_files(rlim_t bytes) {
  struct rlimit limit = {bytes, RLIM_INFINITY};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A file size limit stands for the full disk: the write that crosses it is
** short, and one that begins at it fails. */
static void append_beyond(scratch *s, rlim_t limit) {
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_APPEND, NULL);
  append(s, journal, LINE_A);
  limit_files(limit);
  int status = try_append(s, journal, LINE_C);
  limit_files(RLIM_INFINITY);
  assert_int_equal(status, ECRB_EIO);
  assert_said(s, 0, "make room on the disk");
  assert_int_equal(ecrb_journal_count(journal), 1);
  assert_file(s->path, LINE_A "\n");
  append(s, journal, LINE_C);
  assert_found(s, journal, "c", LINE_C);
  ecrb_journal_close(journal);
}

static void test_full_disk(void **state) {
  scratch *s = *state;
  void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
  for (rlim_t limit = sizeof LINE_A; limit < sizeof LINE_A + 8; limit++) {
    append_beyond(s, limit);
    unlink(s->path);
  }
  signal(SIGXFSZ, before);
}

static size_t length_of(size_t number) {
  return 100 + number * 7919 % 39000;
}

/* Appends until it is killed; says each number once its line is written. */
static void append_for_ever(scratch *s, int said) {
  char line[40000];
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_APPEND, NULL);
  for (size_t i = ecrb_journal_count(journal);; i++) {
    memset(line, 'x', sizeof line);
    line[snprintf(line, 64, "{\"key\":\"%zu\",\"text\":\"", i)] = 'x';
    line[length_of(i)] = '\0';
    if (try_append(s, journal, line) != ECRB_OK ||
        write(said, &i, sizeof i) != sizeof i)
      _exit(1);
  }
}

/* Kills a child in full course of its appends; the lines that it said. */
static size_t kill_appender(scratch *s, int rounds) {
  int said[2], ended;
  size_t last = 0, next;
  assert_int_equal(pipe(said), 0);
  pid_t child = fork();
  if (child == 0)
    append_for_ever(s, said[1]);
  close(said[1]);
  while (rounds-- > 0 && read(said[0], &next, sizeof next) == sizeof next)
    last = next;
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, &ended, 0), child);
  while (read(said[0], &next, sizeof next) == sizeof next)
    last = next;
  close(said[0]);
  assert_true(WIFSIGNALED(ended));
  return last + 1;
}

static void test_kill_a_momentappending(void **state) {
  scratch *s = *state;
  for (int round = 0; round < 12; round++) {
    size_t said = kill_appender(s, 20 + round);
    ecrb_journal *journal = open_at(s, ECRB_JOURNAL_READ, NULL);
    size_t count = ecrb_journal_count(journal);
    assert_in_range(count, said, said + 1);
    for (size_t i = 0; i < count; i++) {
      char key[24];
      ecrb_span line;
      snprintf(key, sizeof key, "%zu", i);
      assert_int_equal(find(s, journal, key, &line), ECRB_OK);
      assert_int_equal(line.n, length_of(i));
    }
    ecrb_journal_close(journal);
  }
}

/* }==================================================================== */

/* {====================================================================
** Reordering
** ===================================================================== */

static ecrb_journal *three_lines(scratch *s) {
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_APPEND, NULL);
  append(s, journal, LINE_A);
  append(s, journal, LINE_B);
  append(s, journal, LINE_C);
  return journal;
}

enum { MANY = 40, AROUND = 65535 };

/* Lengths on both sides of what two bytes hold, and far beyond. */
static size_t long_length(size_t number) {
  static const size_t lengths[] = {30, AROUND - 1, AROUND, AROUND + 1, 300000};
  return lengths[number * number % 5];
}

static void assert_lengths(scratch *s, ecrb_journal *journal, bool backwards) {
  assert_int_equal(ecrb_journal_count(journal), MANY);
  for (size_t i = 0; i < MANY; i++) {
    size_t number = backwards ? MANY - 1 - i : i;
    char key[16];
    ecrb_span line, found;
    snprintf(key, sizeof key, "k%zu", number);
    assert_int_equal(ecrb_journal_line(journal, i, &line, &s->err), ECRB_OK);
    assert_int_equal(line.n, long_length(number));
    assert_true(ecrb_journal_key(line, &found));
    assert_true(ecrb_span_equal(found, ecrb_span_of(key)));
    assert_int_equal(ecrb_journal_find(journal, found, &line, &s->err),
                     ECRB_OK);
  }
}

static void test_long_lines(void **state) {
  scratch *s = *state;
  uint32_t order[MANY];
  static char line[300001];
  ecrb_journal *journal = open_at(s, ECRB_JOURNAL_APPEND, NULL);
  for (uint32_t i = 0; i < MANY; i++) {
    memset(line, ' ', long_length(i));
    line[snprintf(line, 30, "{\"key\":\"k%u\"", i)] = ' ';
    line[long_length(i)] = '\0';
    append(s, journal, line);
    order[i] = MANY - 1 - i;
  }
  assert_lengths(s, journal, false);
  assert_int_equal(ecrb_journal_reorder(journal, order, &s->err), ECRB_OK);
  assert_lengths(s, journal, true);
  ecrb_journal_close(journal);
  journal = open_at(s, ECRB_JOURNAL_READ, NULL);
  assert_lengths(s, journal, true);
  ecrb_journal_close(journal);
}

static void test_reorder(void **state) {
  static const uint32_t order[] = {2, 0, 1};
  scratch *s = *state;
  struct stat about;
  ecrb_journal *journal = three_lines(s);
  assert_int_equal(chmod(s->path, 0640), 0);
  assert_int_equal(ecrb_journal_reorder(journal, order, &s->err), ECRB_OK);
  assert_line(s, journal, 0, LINE_C);
  assert_found(s, journal, "b", LINE_B);
  append(s, journal, "{\"key\":\"d\"}");
  assert_found(s, journal, "d", "{\"key\":\"d\"}");
  assert_int_equal(try_open(s, ECRB_JOURNAL_APPEND), ECRB_EBUSY);
  ecrb_journal_close(journal);
  assert_file(s->path, LINE_C "\n" LINE_A "\n" LINE_B "\n{\"key\":\"d\"}\n");
  assert_int_equal(stat(s->path, &about), 0);
  assert_int_equal(about.st_mode & 0777, 0640);
}

static void test_reorder_leaves_what_is_in_order(void **state) {
  static const uint32_t order[] = {0, 1, 2};
  scratch *s = *state;
  struct stat before, after;
  ecrb_journal *journal = three_lines(s);
  assert_int_equal(stat(s->path, &before), 0);
  assert_int_equal(ecrb_journal_reorder(journal, order, &s->err), ECRB_OK);
  assert_int_equal(stat(s->path, &after), 0);
  assert_int_equal(before.st_ino, after.st_ino);
  ecrb_journal_close(journal);
}

static void test_bad_orders(void **state) {
  static const uint32_t orders[][3] = {{0, 0, 1}, {1, 2, 3}, {2, 1, UINT32_MAX}};
  scratch *s = *state;
  ecrb_journal *journal = three_lines(s);
  for (size_t i = 0; i < COUNT(orders); i++)
    assert_int_equal(ecrb_journal_reorder(journal, orders[i], &s->err),
                     ECRB_EARG);
  assert_line(s, journal, 0, LINE_A);
  ecrb_journal_close(journal);
  journal = open_at(s, ECRB_JOURNAL_READ, NULL);
  assert_int_equal(ecrb_journal_reorder(journal, orders[0], &s->err),
                   ECRB_EARG);
  ecrb_journal_close(journal);
}

static void test_replacing_lines(void **state) {
  static const uint32_t order[] = {2, 0, 1}, as_it_is[] = {0, 1, 2};
  const char *longer = "{\"key\":\"b\",\"n\":22}", *shorter = "{\"key\":\"c\"}";
  ecrb_span instead[3] = {{NULL, 0}, ecrb_span_of(longer), {NULL, 0}};
  scratch *s = *state;
  ecrb_journal *journal = three_lines(s);
  assert_int_equal(ecrb_journal_rewrite(journal, order, instead, &s->err),
                   ECRB_OK);
  assert_line(s, journal, 0, LINE_C);
  assert_found(s, journal, "b", longer);
  instead[0] = ecrb_span_of(shorter);
  instead[1] = (ecrb_span){NULL, 0};
  assert_int_equal(ecrb_journal_rewrite(journal, as_it_is, instead, &s->err),
                   ECRB_OK);
  append(s, journal, "{\"key\":\"d\"}");
  assert_found(s, journal, "d", "{\"key\":\"d\"}");
  ecrb_journal_close(journal);
  assert_file(s->path, "{\"key\":\"c\"}\n" LINE_A "\n"
                       "{\"key\":\"b\",\"n\":22}\n{\"key\":\"d\"}\n");
}

/* No key is lost, and nothing changes. */
static void test_bad_replacements(void **state) {
  static const uint32_t order[] = {2, 1, 0};
  static const char *const bad[] = {LINE_A, "{\"key\":\"b\",\n}", "{}"};
  scratch *s = *state;
  ecrb_journal *journal = three_lines(s);
  for (size_t i = 0; i < COUNT(bad); i++) {
    ecrb_span instead[3] = {{NULL, 0}, ecrb_span_of(bad[i]), {NULL, 0}};
    assert_int_equal(ecrb_journal_rewrite(journal, order, instead, &s->err),
                     ECRB_EARG);
  }
  ecrb_journal_close(journal);
  assert_file(s->path, LINE_A "\n" LINE_B "\n" LINE_C "\n");
}

/* What a killed reordering left beside the journal is written over; where
** nothing can be written beside, the journal stays as it was. */
static void test_reorder_beside(void **state) {
  static const uint32_t order[] = {2, 1, 0};
  scratch *s = *state;
  char beside[128];
  ecrb_journal *journal = three_lines(s);
  snprintf(beside, sizeof beside, "%s.reordered", s->path);
  assert_int_equal(mkdir(beside, 0700), 0);
  assert_int_equal(ecrb_journal_reorder(journal, order, &s->err), ECRB_EIO);
  assert_line(s, journal, 0, LINE_A);
  assert_int_equal(rmdir(beside), 0);
  put(beside, "left over", 9);
  assert_int_equal(ecrb_journal_reorder(journal, order, &s->err), ECRB_OK);
  assert_line(s, journal, 0, LINE_C);
  ecrb_journal_close(journal);
  assert_file(s->path, LINE_C "\n" LINE_B "\n" LINE_A "\n");
}

/* }==================================================================== */

/* {====================================================================
** On the disk
** ===================================================================== */

/* Waits, but not for ever. */
static size_t kept(scratch *s, ecrb_journal *journal, size_t least) {
  const struct timespec a_moment = {0, 1000000};
  size_t lines = 0;
  for (int i = 0; i < 10000 && lines < least; i++) {
    assert_int_equal(ecrb_journal_kept(journal, &lines, &s->err), ECRB_OK);
    nanosleep(&a_moment, NULL);
  }
  return lines;
}

static void test_kept_by_a_thread(void **state) {
  scratch *s = *state;
  char line[64];
  ecrb_journal *journal = three_lines(s);
  assert_int_equal(kept(s, journal, 0), 0);
  assert_int_equal(ecrb_journal_keep(journal, -1, 1, &s->err), ECRB_EARG);
  assert_int_equal(ecrb_journal_keep(journal, 1, 8, &s->err), ECRB_OK);
  assert_int_equal(ecrb_journal_keep(journal, 1, 8, &s->err), ECRB_OK);
  for (int i = 0; i < 500; i++) {
    snprintf(line, sizeof line, "{\"key\":\"%d\"}", i);
    append(s, journal, line);
  }
  assert_int_equal(kept(s, journal, 503), 503);
  append(s, journal, "{\"key\":\"last\"}");
  ecrb_journal_close(journal);
  journal = open_at(s, ECRB_JOURNAL_READ, NULL);
  assert_int_equal(ecrb_journal_count(journal), 504);
  assert_int_equal(ecrb_journal_keep(journal, 1, 8, &s->err), ECRB_EARG);
  ecrb_journal_close(journal);
}

/* }==================================================================== */

/* {====================================================================
** Without memory
** ===================================================================== */

/* Opens what holds lines, appends one, finds it, turns the order round. */
static int use(scratch *s) {
  enum { LINES = 40 };
  uint32_t order[LINES + 1];
  ecrb_journal *journal;
  ecrb_span line;
  for (size_t i = 0; i <= LINES; i++)
    order[i] = LINES - i;
  int status =
      ecrb_journal_open(s->path, ECRB_JOURNAL_APPEND, &journal, NULL, &s->err);
  if (status == ECRB_OK)
    status = try_append(s, journal, LINE_A);
  if (status == ECRB_OK)
    status = find(s, journal, "a", &line);
  if (status == ECRB_OK)
    status = ecrb_journal_reorder(journal, order, &s->err);
  if (status == ECRB_OK)
    status = find(s, journal, "39", &line);
  ecrb_journal_close(journal);
  return status;
}

static void write_forty_lines(scratch *s) {
  FILE *f = fopen(s->path, "we");
  assert_non_null(f);
  for (int i = 0; i < 40; i++)
    fprintf(f, "{\"key\":\"%d\"}\n", i);
  assert_int_equal(fclose(f), 0);
}

static void test_every_allocation_may_fail(void **state) {
  scratch *s = *state;
  ecrb_journal_state found;
  int status = ECRB_ENOMEM;
  long n = 0;
  while (status != ECRB_OK) {
    write_forty_lines(s);
    allocations_until_failure = ++n;
    status = use(s);
    allocations_until_failure = 0;
    assert_true(status == ECRB_OK || status == ECRB_ENOMEM ||
                (status == ECRB_EIO && strstr(s->err.msg, "memory")));
    ecrb_journal_close(open_at(s, ECRB_JOURNAL_READ, &found));
    assert_in_range(found.lines, 40, 41);
    assert_int_equal(found.torn, 0);
  }
  assert_true(n > 10);
}

/* }==================================================================== */

#define ROW(test)                                                              \
  cmocka_unit_test_setup_teardown(test, make_scratch, drop_scratch)

int main(void) {
  const struct CMUnitTest tests[] = {
      ROW(test_append_find_line),
      ROW(test_reopen),
      ROW(test_many_lines),
      ROW(test_memory_does_not_grow_with_lines),
      ROW(test_bad_files),
      ROW(test_line_without_end),
      ROW(test_key_length),
      ROW(test_bad_appends),
      ROW(test_opening_what_is_no_journal),
      ROW(test_one_appender),
      ROW(test_change_from_outside),
      ROW(test_check),
      ROW(test_torn_lines),
      ROW(test_full_disk),
      ROW(test_kill_a_momentappending),
      ROW(test_long_lines),
      ROW(test_reorder),
      ROW(test_reorder_leaves_what_is_in_order),
      ROW(test_bad_orders),
      ROW(test_replacing_lines),
      ROW(test_bad_replacements),
      ROW(test_reorder_beside),
      ROW(test_kept_by_a_thread),
      ROW(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
