/* test_import_memory.c: every reader of foreign files in a program whose memory
** fails once, at each of its allocations: it says so, or manages without. */
#include "failing.h"
#include "unit.h"

#include "scratch.h"
#include "vectors.h"

enum { MOST = 500 }; /* allocations of one reader: a loop that ends */

static int read_fasta(const char *path) {
  ecrb_fasta *fasta;
  ecrb_record record;
  int status = ecrb_fasta_open(path, &fasta, NULL);
  while (status == ECRB_OK)
    status = ecrb_fasta_next(fasta, &record, NULL);
  ecrb_fasta_close(fasta);
  return status;
}

static int survey_fasta(const char *path) {
  ecrb_survey survey;
  int status = ecrb_fasta_survey(path, &survey, NULL);
  if (status != ECRB_OK)
    return status;
  ecrb_survey_free(&survey);
  return ECRB_ENONE;
}

static int read_entries(const char *path) {
  ecrb_entries *entries;
  ecrb_entry entry;
  int status = ecrb_entries_open(path, &entries, NULL);
  while (status == ECRB_OK)
    status = ecrb_entries_next(entries, &entry, NULL);
  ecrb_entries_close(entries);
  return status;
}

static int read_table(const char *path) {
  ecrb_table *table;
  const ecrb_span *fields;
  size_t column;
  int status = ecrb_table_open(path, 0, &table, NULL);
  if (status == ECRB_OK)
    status = ecrb_table_find(table, "b", &column, NULL);
  while (status == ECRB_OK)
    status = ecrb_table_next(table, &fields, NULL);
  ecrb_table_close(table);
  return status;
}

static int read_lines(const char *path) {
  ecrb_lines *lines;
  ecrb_span line;
  int status = ecrb_lines_open(path, &lines, NULL);
  while (status == ECRB_OK)
    status = ecrb_lines_next(lines, &line, NULL);
  ecrb_lines_close(lines);
  return status;
}

static int read_hits(const char *path, enum ecrb_hit_format format) {
  ecrb_hit_layout layout = {.format = format};
  ecrb_hit_reader *reader;
  ecrb_hit_row row;
  int status = ecrb_hit_reader_open(path, &layout, &reader, NULL);
  while (status == ECRB_OK)
    status = ecrb_hit_reader_next(reader, &row, NULL);
  ecrb_hit_reader_close(reader);
  return status;
}

static int read_tabular(const char *path) {
  return read_hits(path, ECRB_HITS_TABULAR);
}

static int read_hmmer(const char *path) {
  return read_hits(path, ECRB_HITS_HMMER);
}

static int read_vectors(const char *path) {
  ecrb_npy *npy;
  float out[4];
  int status = ecrb_npy_open(path, &npy, NULL);
  if (status == ECRB_OK)
    status = ecrb_npy_read(npy, 0, 2, out, NULL);
  ecrb_npy_close(npy);
  return status == ECRB_OK ? ECRB_ENONE : status;
}

static int digest(const char *path) {
  char out[ECRB_SHA256_TEXT];
  int status = ecrb_file_sha256(path, out, NULL);
  return status == ECRB_OK ? ECRB_ENONE : status;
}

/* A reader ends with ECRB_ENONE where all was read. */
static void fails_wherever_memory_does(int read(const char *), const char *path,
                                       const char *name) {
  long before = blocks_alive;
  for (long n = 1; n <= MOST; n++) {
    bool failed, told;
    int status;
    allocations_until_failure = n;
    status = read(path);
    failed = allocations_until_failure == 0;
    allocations_until_failure = 0;
    if (BLOCKS_ADD_UP && blocks_alive != before)
      fail_msg("%s: allocation %ld leaves blocks behind", name, n);
    told = status == ECRB_ENOMEM || status == ECRB_EIO; /* of fopen's */
    if (status != ECRB_ENONE && !(failed && told))
      fail_msg("%s: allocation %ld ends in status %d", name, n, status);
    if (!failed)
      return;
  }
  fail_msg("%s: more than %d allocations", name, MOST);
}

#define LONG "MKALVTRDGHEEQWIPSCNYFMKALVTRDGHEEQWIPSCNYFMKALVTRDGHEEQWIPSCNYF"

static void texts(void **state) {
  static const struct {
    const char *name, *text;
    int (*read)(const char *path);
  } cases[] = {
      {"FASTA", ">a b\n" LONG "\n>c\n" LONG "\n" LONG "\n", read_fasta},
      {"survey", ">a b\n" LONG "\n>c\n" LONG "\n" LONG "\n", survey_fasta},
      {"UniProt",
       "ID   A Reviewed; 4 AA.\nAC   P12345;\n"
       "DT   01-OCT-1989, integrated into UniProtKB/Swiss-Prot.\n"
       "DE   RecName: Full=B; EC=1.1.1.1;\nSQ   SEQUENCE\n     MALL\n//\n",
       read_entries},
      {"table", "a,b\n1,\"two, three\"\n4,\"" LONG LONG "\"\n", read_table},
      {"lines", "one\n" LONG LONG LONG "\nthree", read_lines},
      {"BLAST", "q1\tt1\t40\t100\t1\t0\t1\t100\t1\t100\t1e-5\t50\n",
       read_tabular},
      {"HMMER",
       "#                       --- full sequence ----\n"
       "# target name accession  query name accession E-value  score  bias\n"
       "T1 - Q1 - 5e-4 30.1 0.0 1e-3 29 0.0 1.3 1 1 0 1 1 1 1 zinc\n",
       read_hmmer},
      {"digest", LONG, digest},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    char path[SCRATCH_PATH_MAX];
    scratch_write(path, cases[i].text, strlen(cases[i].text));
    fails_wherever_memory_does(cases[i].read, path, cases[i].name);
    unlink(path);
  }
}

static void numbers(void **state) {
  static const float values[] = {1, 2, 3, 4};
  char path[SCRATCH_PATH_MAX];
  (void)state;
  scratch_write(path, "", 0);
  assert_true(vectors_write(path, "<f4", values, 2, 2));
  fails_wherever_memory_does(read_vectors, path, "npy");
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts),
      cmocka_unit_test(numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
