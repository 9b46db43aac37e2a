/* Vectors in .npy files: what is read, and what is refused in which words. */
#include "unit.h"

#include "scratch.h"
#include "vectors.h"

static void read_vectors(const char *path, scratch_dump *dump) {
  ecrb_npy *npy;
  ecrb_err err;
  float row[64];
  int status = ecrb_npy_open(path, &npy, &err);
  if (status != ECRB_OK) {
    assert_null(npy);
    scratch_end(dump, status, &err, path);
    return;
  }
  for (size_t i = 0; status == ECRB_OK && i < ecrb_npy_rows(npy); i++) {
    status = ecrb_npy_read(npy, i, 1, row, &err);
    for (size_t c = 0; status == ECRB_OK && c < ecrb_npy_columns(npy); c++)
      scratch_say(dump, "%g ", (double)row[c]);
  }
  scratch_end(dump, status == ECRB_OK ? ECRB_ENONE : status, &err, path);
  ecrb_npy_close(npy);
}

/* A version 1.0 file with that header text and that many bytes after it. */
static size_t version_1(char *out, const char *text, const void *data,
                        size_t n) {
  size_t length = strlen(text);
  memcpy(out, "\x93NUMPY\x01\x00", 8);
  out[8] = (char)(length & 0xff);
  out[9] = (char)(length >> 8);
  memcpy(out + 10, text, length);
  memcpy(out + 10 + length, data, n);
  return 10 + length + n;
}

static const float numbers[] = {1, -2.5f, 0, 3e-40f, 65504, 1e30f};

#define ONE_ARRAY ": save one array of (vectors, coordinates)"
#define GOOD "'fortran_order': False, 'shape': (2, 3), }\n"

static const scratch_case headers[] = {
    {"{'descr': '<f4', " GOOD, "1 -2.5 0 3e-40 65504 1e+30 "},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}     \n",
     "1 -2.5 0 3e-40 65504 1e+30 "},
    {"{'shape':(3,2),'fortran_order':False,'descr':'<f4'}\n",
     "1 -2.5 0 3e-40 65504 1e+30 "},
    {"{'descr': '|O', " GOOD,
     "! : holds a pickled Python object, which is never opened; load it with "
     "numpy and save the array alone, as float32"},
    {"{'descr': '<f8', " GOOD,
     "! : its type is `<f8`; only little-endian float32 (<f4) and float16 "
     "(<f2) are read: save it as .astype('float32')"},
    {"{'descr': '>f4', " GOOD,
     "! : its type is `>f4`; only little-endian float32 (<f4) and float16 "
     "(<f2) are read: save it as .astype('float32')"},
    {"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n",
     "! : is in Fortran order; save it through numpy.ascontiguousarray"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }\n",
     "! : has 1 dimensions; vectors are the rows of two" ONE_ARRAY},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }\n",
     "! : has 0 dimensions; vectors are the rows of two" ONE_ARRAY},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }\n",
     "! : its shape is (0, 3); at least one row, and one to 1048576 columns, "
     "are wanted"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }\n",
     "! : 24 bytes of data where 3 rows of 12 bytes are promised; the file is "
     "cut short: write it again"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }\n",
     "! : 24 bytes of data where 1 rows of 12 bytes are promised; the file is "
     "longer: write it again"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387905, "
     "2), }\n",
     "! : 24 bytes of data where 4611686018427387905 rows of 8 bytes are "
     "promised; the file is cut short: write it again"},
};

#define NO_NPY "! : is no .npy file; numpy.save writes one"
#define SAVE_AGAIN "; save it again with numpy.save"
#define NO_DICTIONARY                                                          \
  "! : its header is no dictionary of a plain `descr`, `fortran_order` and "   \
  "`shape`"

static const char *const no_headers[] = {
    "",
    "\n",
    "{}\n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n\n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } x\n",
    "{'descr': '<f4', 'descr': '<f4', " GOOD,
    "{'descr': '<f4', 'extra': 1, " GOOD,
    "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3), }\n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': [2, 3], }\n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3), }\n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3), }\n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (02, 3), }\n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': "
    "(99999999999999999999, 3), }\n",
    "{'descr': [('a', '<f4')], " GOOD,
    "{'descr': '<f4' " GOOD,
    "{\"descr\": '<f4', " GOOD,
};

static void headers_are_read(void **state) {
  (void)state;
  char file[512];
  for (size_t i = 0; i < COUNT(headers); i++) {
    size_t n = version_1(file, headers[i].input, numbers, sizeof numbers);
    scratch_check(file, n, headers[i].expected, read_vectors);
  }
  for (size_t i = 0; i < COUNT(no_headers); i++) {
    size_t n = version_1(file, no_headers[i], numbers, sizeof numbers);
    scratch_check(file, n, NO_DICTIONARY, read_vectors);
  }
}

static void preambles_are_checked(void **state) {
  (void)state;
  scratch_check("", 0, NO_NPY, read_vectors);
  scratch_check("PK\x03\x04 and so on", 12, NO_NPY, read_vectors);
  scratch_check("\x93NUMPY\x04\x00\x00\x00\x00\x00", 12,
                "! : version 4.0 of the format is unknown" SAVE_AGAIN,
                read_vectors);
  scratch_check("\x93NUMPY\x01\x01\x00\x00", 10,
                "! : version 1.1 of the format is unknown" SAVE_AGAIN,
                read_vectors);
  scratch_check("\x93NUMPY\x01\x00\xff\x00{", 11,
                "! : its header has 255 bytes, the file 11; at most 4096 are "
                "read",
                read_vectors);
  scratch_check("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12,
                "! : its header has 4294967295 bytes, the file 12; at most "
                "4096 are read",
                read_vectors);
}

static void version_2_has_a_longer_length(void **state) {
  (void)state;
  const char *text =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }\n";
  char file[512] = "\x93NUMPY\x02\x00";
  size_t length = strlen(text);
  file[8] = (char)length;
  memcpy(file + 12, text, length);
  memcpy(file + 12 + length, numbers, 4);
  scratch_check(file, 16 + length, "1 ", read_vectors);
}

static void half_precision_is_widened(void **state) {
  (void)state;
  const uint16_t halves[] = {0x3c00, 0xc100, 0x0000, 0x8000,
                             0x7bff, 0x0001, 0x83ff, 0x0400};
  char file[512];
  size_t n = version_1(
      file, "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 4), }\n",
      halves, sizeof halves);
  scratch_check(file, n,
                "1 -2.5 0 -0 65504 5.96046e-08 -6.09756e-05 6.10352e-05 ",
                read_vectors);
}

static void what_is_not_finite_is_refused(void **state) {
  (void)state;
  const float odd[] = {1, 2, 3, 4, NAN, 6};
  const uint16_t halves[] = {0x7c00, 0x3c00};
  char file[512];
  size_t n = version_1(file, "{'descr': '<f4', " GOOD, odd, sizeof odd);
  scratch_check(file, n,
                "1 2 3 ! : row 1, column 1 (from 0): nan is no finite number",
                read_vectors);
  n = version_1(file,
                "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2)}\n",
                halves, sizeof halves);
  scratch_check(file, n,
                "! : row 0, column 0 (from 0): inf is no finite number",
                read_vectors);
}

/* Long rows take the way of eight numbers at a time; each place is seen. */
static void every_column_is_looked_at(void **state) {
  (void)state;
  float row[19];
  char path[] = "/tmp/ecrb-test-XXXXXX", expected[100];
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  for (size_t bad = 0; bad < COUNT(row); bad++) {
    scratch_dump dump = {.n = 0};
    for (size_t i = 0; i < COUNT(row); i++)
      row[i] = i == bad ? -INFINITY : 3e38f;
    assert_true(vectors_write(path, "<f4", row, 1, COUNT(row)));
    read_vectors(path, &dump);
    snprintf(expected, sizeof expected,
             "! : row 0, column %zu (from 0): -inf is no finite number", bad);
    assert_string_equal(dump.text, expected);
  }
  unlink(path);
}

static void what_is_no_file_is_refused(void **state) {
  (void)state;
  ecrb_npy *npy;
  ecrb_err err;
  assert_int_equal(ecrb_npy_open("/tmp/ecrb-none", &npy, &err), ECRB_ENONE);
  assert_string_equal(
      err.msg, "/tmp/ecrb-none: cannot be read: No such file or directory");
  assert_int_equal(ecrb_npy_open("/tmp", &npy, &err), ECRB_EFORMAT);
  assert_non_null(strstr(err.msg, "/tmp: is no regular file"));
}

static void rows_beyond_the_end_are_refused(void **state) {
  (void)state;
  char path[SCRATCH_PATH_MAX], file[512];
  ecrb_npy *npy;
  ecrb_err err;
  float row[6];
  size_t n = version_1(file, "{'descr': '<f4', " GOOD, numbers, sizeof numbers);
  scratch_write(path, file, n);
  assert_int_equal(ecrb_npy_open(path, &npy, &err), ECRB_OK);
  assert_int_equal(ecrb_npy_read(npy, 0, 2, row, &err), ECRB_OK);
  assert_memory_equal(row, numbers, sizeof row);
  assert_int_equal(ecrb_npy_read(npy, 1, 2, row, &err), ECRB_EARG);
  assert_int_equal(ecrb_npy_read(npy, 3, 0, row, &err), ECRB_EARG);
  assert_int_equal(truncate(path, (off_t)n - 4), 0);
  assert_int_equal(ecrb_npy_read(npy, 1, 1, row, &err), ECRB_EFORMAT);
  assert_non_null(strstr(err.msg, "ends before its data"));
  ecrb_npy_close(npy);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(headers_are_read),
      cmocka_unit_test(preambles_are_checked),
      cmocka_unit_test(version_2_has_a_longer_length),
      cmocka_unit_test(half_precision_is_widened),
      cmocka_unit_test(what_is_not_finite_is_refused),
      cmocka_unit_test(every_column_is_looked_at),
      cmocka_unit_test(what_is_no_file_is_refused),
      cmocka_unit_test(rows_beyond_the_end_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
