/* Lines of text files: ends, marks, gzip, and files that are no text. */
#include "unit.h"

#include "scratch.h"

#include <zlib.h>

static void read_lines(const char *path, scratch_dump *dump) {
  ecrb_lines *lines;
  ecrb_err err;
  ecrb_span line;
  int status = ecrb_lines_open(path, &lines, &err);
  while (status == ECRB_OK) {
    status = ecrb_lines_next(lines, &line, &err);
    if (status == ECRB_OK)
      scratch_say(dump, "%zu[%.*s]", ecrb_lines_number(lines), SPAN(line));
  }
  scratch_end(dump, status, &err, path);
  ecrb_lines_close(lines);
}

static void ends_and_marks(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"", ""},
      {"\n", "1[]"},
      {"a", "1[a]"},
      {"a\nb\n", "1[a]2[b]"},
      {"a\r\nb\r\n", "1[a]2[b]"},
      {"a\n\nb", "1[a]2[]3[b]"},
      {"a\r", "1[a]"},
      {"a\rb\n", "1[a\rb]"},
      {"\xEF\xBB\xBF"
       "a\n\xEF\xBB\xBF"
       "b",
       "1[a]2[\xEF\xBB\xBF"
       "b]"},
      {"\xEF\xBB\xBF", "1[]"},
  };
  scratch_check_all(cases, COUNT(cases), read_lines);
}

static void a_nul_byte_is_refused(void **state) {
  (void)state;
  const char nul[] = "a\nb\0c\n", wide[] = "\xFF\xFE"
                                           "a\0b\0\n\0";
  scratch_check(nul, sizeof nul - 1,
                "1[a]! :2: a NUL byte: this is not a text file, or it is "
                "UTF-16; give UTF-8",
                read_lines);
  scratch_check(wide, sizeof wide - 1,
                "! :1: a NUL byte: this is not a text file, or it is UTF-16; "
                "give UTF-8",
                read_lines);
}

/* The bytes of a gzip file of `text`. */
static size_t pack(const char *text, unsigned char *out, size_t room) {
  z_stream z = {.next_in = (unsigned char *)(uintptr_t)text,
                .avail_in = (unsigned)strlen(text),
                .next_out = out,
                .avail_out = (unsigned)room};
  assert_int_equal(
      deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  deflateEnd(&z);
  return room - z.avail_out;
}

static void gzip_is_read_alike(void **state) {
  (void)state;
  unsigned char packed[400];
  size_t n = pack("a\nb", packed, 200);
  size_t both = n + pack("c\n", packed + n, 200);
  scratch_check((char *)packed, n, "1[a]2[b]", read_lines);
  scratch_check((char *)packed, both, "1[a]2[bc]", read_lines);
}

static void a_broken_gzip_is_refused(void **state) {
  (void)state;
  unsigned char packed[200];
  size_t n = pack("first line\nsecond line\n", packed, sizeof packed);
  scratch_check((char *)packed, n - 9,
                "! :1: the gzip file ends too early; fetch it again",
                read_lines);
  packed[n - 6] ^= 0x55; /* the checksum */
  scratch_check((char *)packed, n,
                "! :1: the gzip file is damaged; fetch "
                "it again",
                read_lines);
}

static void a_line_has_a_limit(void **state) {
  (void)state;
  size_t n = ECRB_LINE_MAX + 2;
  char *text = malloc(n);
  memset(text, 'x', n);
  text[0] = '\n';
  scratch_check(text, n,
                "1[]! :2: the line is longer than 4 MiB; is this a text file "
                "with LF line ends?",
                read_lines);
  free(text);
}

static void no_file(void **state) {
  (void)state;
  scratch_dump dump = {.n = 0};
  read_lines("/tmp", &dump);
  read_lines("/nowhere/at/all", &dump);
  assert_string_equal(dump.text,
                      "! : is a directory; give a file in it"
                      "! : cannot be read: No such file or directory");
}

static void long_files_are_read_in_pieces(void **state) {
  (void)state;
  char path[SCRATCH_PATH_MAX];
  size_t n = 0;
  char *text = malloc(1 << 20);
  for (int i = 0; i < 20000; i++)
    n += (size_t)sprintf(text + n, "%d%*s\n", i, i % 40, "");
  scratch_write(path, text, n);
  ecrb_lines *lines;
  ecrb_span line;
  assert_int_equal(ecrb_lines_open(path, &lines, NULL), ECRB_OK);
  for (int i = 0; i < 20000; i++) {
    assert_int_equal(ecrb_lines_next(lines, &line, NULL), ECRB_OK);
    assert_int_equal(atoi(line.at), i);
  }
  assert_int_equal(ecrb_lines_next(lines, &line, NULL), ECRB_ENONE);
  assert_int_equal(ecrb_lines_next(lines, &line, NULL), ECRB_ENONE);
  ecrb_lines_close(lines);
  unlink(path);
  free(text);
}

static void files_are_hashed(void **state) {
  (void)state;
  char path[SCRATCH_PATH_MAX], digest[ECRB_SHA256_TEXT];
  ecrb_err err;
  scratch_write(path, "abc", 3);
  assert_int_equal(ecrb_file_sha256(path, digest, &err), ECRB_OK);
  assert_string_equal(digest, "ba7816bf8f01cfea414140de5dae2223"
                              "b00361a396177a9cb410ff61f20015ad");
  unlink(path);
  assert_int_equal(ecrb_file_sha256(path, digest, &err), ECRB_EIO);
  assert_int_equal(ecrb_file_sha256("/tmp", digest, &err), ECRB_EIO);
  assert_string_equal(err.msg, "/tmp: cannot be read: Is a directory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_and_marks),
      cmocka_unit_test(a_nul_byte_is_refused),
      cmocka_unit_test(gzip_is_read_alike),
      cmocka_unit_test(a_broken_gzip_is_refused),
      cmocka_unit_test(a_line_has_a_limit),
      cmocka_unit_test(no_file),
      cmocka_unit_test(long_files_are_read_in_pieces),
      cmocka_unit_test(files_are_hashed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
