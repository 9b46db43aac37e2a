/* Hit tables: columns, scales, comments, HMMER's two tables. */
#include "unit.h"

#include "scratch.h"

#include <math.h>

#define AS_DECLARED "; are the columns declared as the file has them?"

static void say_number(scratch_dump *dump, const char *name, double value) {
  if (!isnan(value))
    scratch_say(dump, " %s=%.6g", name, value);
}

static void say_hits(ecrb_hit_reader *reader, scratch_dump *dump,
                     const char *path) {
  ecrb_hit_row row;
  ecrb_err err;
  int status;
  while ((status = ecrb_hit_reader_next(reader, &row, &err)) == ECRB_OK) {
    scratch_say(dump, "%.*s>%.*s", SPAN(row.query), SPAN(row.neighbour));
    say_number(dump, "s", row.score);
    say_number(dump, "i", row.identity);
    say_number(dump, "c", row.coverage);
    say_number(dump, "e", row.evalue);
    say_number(dump, "o", row.order);
    scratch_say(dump, "\n");
  }
  scratch_end(dump, status, &err, path);
}

static void read_layout(const char *path, scratch_dump *dump,
                        const ecrb_hit_layout *layout) {
  ecrb_hit_reader *reader;
  ecrb_err err;
  int status = ecrb_hit_reader_open(path, layout, &reader, &err);
  if (status == ECRB_OK)
    say_hits(reader, dump, path);
  else
    scratch_end(dump, status, &err, path);
  ecrb_hit_reader_close(reader);
}

static void read_standard(const char *path, scratch_dump *dump) {
  read_layout(path, dump, &(ecrb_hit_layout){.format = ECRB_HITS_TABULAR});
}

static void read_short(const char *path, scratch_dump *dump) {
  read_layout(path, dump,
              &(ecrb_hit_layout){.format = ECRB_HITS_TABULAR,
                                 .columns = "qseqid,sseqid, pident bitscore"});
}

static void read_fraction(const char *path, scratch_dump *dump) {
  read_layout(path, dump,
              &(ecrb_hit_layout){.format = ECRB_HITS_TABULAR,
                                 .columns = "query target fident bits qcov"});
}

static void read_structure(const char *path, scratch_dump *dump) {
  read_layout(path, dump,
              &(ecrb_hit_layout){.format = ECRB_HITS_TABULAR,
                                 .columns = "query target alntmscore bits",
                                 .score = "alntmscore"});
}

static void read_places(const char *path, scratch_dump *dump) {
  read_layout(path, dump,
              &(ecrb_hit_layout){.format = ECRB_HITS_TABULAR,
                                 .columns = "qseqid sseqid bitscore qstart "
                                            "qend qlen"});
}

static void read_hmmer(const char *path, scratch_dump *dump) {
  read_layout(path, dump, &(ecrb_hit_layout){.format = ECRB_HITS_HMMER});
}

static void read_hmmer_swapped(const char *path, scratch_dump *dump) {
  read_layout(path, dump,
              &(ecrb_hit_layout){.format = ECRB_HITS_HMMER, .swapped = true});
}

static void read_folddisco(const char *path, scratch_dump *dump) {
  read_layout(path, dump,
              &(ecrb_hit_layout){.format = ECRB_HITS_FOLDDISCO, .query = "q"});
}

static void read_folddisco_alone(const char *path, scratch_dump *dump) {
  read_layout(path, dump, &(ecrb_hit_layout){.format = ECRB_HITS_FOLDDISCO});
}

static void standard_columns(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"", ""},
      {"q\tt\t28.4\t785\t486\t19\t1\t778\t1\t716\t4.37e-94\t310\n",
       "q>t s=310 i=28.4 e=4.37e-94\n"},
      {"q\tt\t100.000\t5\t0\t0\t1\t5\t1\t5\t0.0\t8917\r\n",
       "q>t s=8917 i=100 e=0\n"},
      {"q\tt\t31.3\t9\t9\t9\t1\t9\t1\t9\t8.917E-23\t102\n",
       "q>t s=102 i=31.3 e=8.917e-23\n"},
      {"q\tt\t31.3\t9\t9\t9\t1\t9\t1\t9\t1e-400\t102\n",
       "q>t s=102 i=31.3 e=0\n"},
      {"q\tq\tt\t31.3\t9\t9\t9\t1\t9\t1\t9\t1\t102\n",
       "! :1: the fields are not the twelve standard columns of outfmt 6; "
       "declare the columns that the file has"},
      {"q\tt\t31.3\t9\t9\t9\t1\t9\t1\t9\t1\t102\t44\n",
       "q>t s=102 i=31.3 e=1\n"},
      {"q\tt\t31.3\t9\t9\t9\t1\t10\t1\t9\t1\t102\t44\n",
       "! :1: the fields are not the twelve standard columns of outfmt 6; "
       "declare the columns that the file has"},
      {"q\tt\t31.3\t9\t9\t9\t1\t9\t1.5\t9\t1\t102\n",
       "! :1: the fields are not the twelve standard columns of outfmt 6; "
       "declare the columns that the file has"},
      {"q\tt\t31.3\t9\n",
       "! :1: 4 tab-separated fields where 12 columns are declared; declare "
       "the columns that the file has"},
      {"q\tt\tx\t9\t9\t9\t1\t9\t1\t9\t1\t102\n",
       "! :1: identity in percent: `x` is no number" AS_DECLARED},
      {"q\tt\t1\t9\t9\t9\t1\t9\t1\t9\tnan\t102\n",
       "! :1: E-value: `nan` is no number" AS_DECLARED},
      {"q\tt\t1\t9\t9\t9\t1\t9\t1\t9\t-1\t102\n",
       "! :1: E-value: -1 is outside 0 to inf; are the columns declared as the "
       "file has them?"},
      {"q\t\t1\t9\t9\t9\t1\t9\t1\t9\t1\t102\n",
       "! :1: an empty id; a row names its query and its neighbour"},
      {"q\tt\t1\t9\t9\t9\t1\t9\t1\t9\t1\t1e999\n",
       "! :1: score: `1e999` is no number" AS_DECLARED},
  };
  scratch_check_all(cases, COUNT(cases), read_standard);
}

static void declared_columns(void **state) {
  (void)state;
  const scratch_case shorter[] = {
      {"q\tt\t40\t99.5\n", "q>t s=99.5 i=40\n"},
      {"q\tt\t40\t99.5\t1\n",
       "! :1: 5 tab-separated fields where 4 columns are declared; declare the "
       "columns that the file has"}};
  const scratch_case fractions[] = {
      {"q\tt\t0.313\t88\t0.5\n", "q>t s=88 i=31.3 c=50\n"},
      {"q\tt\t1.000\t88\t1.0\n", "q>t s=88 i=100 c=100\n"},
      {"q\tt\t31.3\t88\t0.5\n",
       "! :1: identity as a fraction: 31.3 is outside 0 to 1; are the columns "
       "declared as the file has them?"}};
  const scratch_case structure[] = {{"q\tt\t9.1E-01\t88\n", "q>t s=0.91\n"}};
  const scratch_case places[] = {
      {"q\tt\t9\t11\t30\t40\n", "q>t s=9 c=50\n"},
      {"q\tt\t9\t30\t11\t40\n", "q>t s=9 c=50\n"},
      {"q\tt\t9\t1\t41\t40\n",
       "! :1: 41 aligned positions in a query of 40" AS_DECLARED}};
  scratch_check_all(shorter, COUNT(shorter), read_short);
  scratch_check_all(fractions, COUNT(fractions), read_fraction);
  scratch_check_all(structure, COUNT(structure), read_structure);
  scratch_check_all(places, COUNT(places), read_places);
}

static void columns_that_the_file_names(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"# BLASTP 2.12.0+\n# Query: q1 an enzyme\n# Database: db\n"
       "# Fields: query acc.ver, subject acc.ver, bit score\n"
       "# 1 hits found\nq1\tt1\t55\n"
       "# BLASTP 2.12.0+\n# Query: q2\n# Database: db\n# 0 hits found\n"
       "# BLAST processed 2 queries\n",
       "q1>t1 s=55\nq2>\n"},
      {"# Query: q1\n# Fields: query id, subject id, % identity, evalue, "
       "bit score, % query coverage per subject\nq1\tt1\t55\t1e-5\t90\t70\n",
       "q1>t1 s=90 i=55 c=70 e=1e-05\n"},
      {"query\ttarget\tfident\tevalue\tbits\nq\tt\t0.5\t1e-3\t60\n",
       "q>t s=60 i=50 e=0.001\n"},
      {"# Fields: query id, subject id\nq\tt\n",
       "! :1: among the columns the score (bitscore, bits, or one that you "
       "name) is missing; declare the columns that the file has"},
  };
  scratch_check_all(cases, COUNT(cases), read_standard);
}

static void a_layout_without_a_needed_column_is_refused(void **state) {
  (void)state;
  const char *columns[] = {"sseqid bitscore", "qseqid bitscore",
                           "qseqid sseqid evalue"};
  ecrb_hit_reader *reader;
  ecrb_err err;
  for (size_t i = 0; i < COUNT(columns); i++) {
    ecrb_hit_layout layout = {.columns = columns[i]};
    assert_int_equal(ecrb_hit_reader_open("/dev/null", &layout, &reader, &err),
                     ECRB_EFORMAT);
    assert_non_null(strstr(err.msg, "/dev/null: among the columns"));
    assert_null(reader);
  }
}

#define TBL_HEADER                                                             \
  "#                       --- full sequence ----\n"                           \
  "# target name accession  query name accession E-value  score  bias\n"
#define DOM_HEADER                                                             \
  "#                       --- full sequence ---\n"                            \
  "# target name accession tlen query name accession qlen E-value\n"
#define TBL_ROW                                                                \
  "T1  -  Q1  -  5e-4  30.1 0.0 1e-3 29 0.0 1.3 1 1 0 1 1 1 1 zinc "           \
  "binding, type II\n"
#define TBL_WEAK "T2 - Q1 - 3.0 2.5 0.0 1e-3 29 0.0 1.3 1 1 0 1 1 1 1 -\n"
#define DOM(target, from, to)                                                  \
  target " - 300 Q1 - 200 1e-80 273.1 1.3 1 2 4e-82 2e-79 268.5 1.3 " from     \
         " " to " 101 130 1 719 0.85 some words\n"

static void hmmer_tables(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"", ""},
      {TBL_HEADER "#\n# [ok]\n", ""},
      {TBL_HEADER TBL_ROW TBL_WEAK "# Program: phmmer\n",
       "Q1>T1 s=30.1 e=0.0005\nQ1>T2 s=2.5 e=3\n"},
      {TBL_ROW, "Q1>T1 s=30.1 e=0.0005\n"},
      {DOM_HEADER DOM("T1", "1", "50"), "Q1>T1 s=273.1 c=25 e=1e-80\n"},
      {DOM("T1", "101", "150") DOM("T1", "1", "20") DOM("T1", "11", "30")
           DOM("T2", "1", "200") DOM("T1", "1", "2"),
       "Q1>T1 s=273.1 c=40 e=1e-80\nQ1>T2 s=273.1 c=100 e=1e-80\n"
       "Q1>T1 s=273.1 c=1 e=1e-80\n"},
      {DOM("T1", "1", "201"),
       "! :1: end of the domain: 201 is outside 1 to 200; are the columns "
       "declared as the file has them?"},
      {TBL_HEADER "T1 - Q1 - 1e-3 30.1\n",
       "! :3: 6 fields where a tblout row has at least 18; is the file cut "
       "off, or no HMMER table?"},
      {"T1 - 300 Q1 - 200\n",
       "! :1: 6 fields where a domtblout row has at least 22; is the file cut "
       "off, or no HMMER table?"},
      {TBL_HEADER DOM("T1", "1", "50"),
       "! :3: E-value: `-` is no number" AS_DECLARED},
  };
  scratch_check_all(cases, COUNT(cases), read_hmmer);
}

static void the_direction_is_declared(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {TBL_ROW, "T1>Q1 s=30.1 e=0.0005\n"},
      {DOM("T1", "1", "50"), "T1>Q1 s=273.1 c=10 e=1e-80\n"},
  };
  scratch_check_all(cases, COUNT(cases), read_hmmer_swapped);
}

static void folddisco_tables(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"", ""},
      {"d/a.pdb\t3\t850000\t0.25\tB57,B102,C195\tB57,B102,C195\n"
       "d/b.pdb\t2\t1.4\t0.5\t_,A223,A234\tB57,B102,C195\n",
       "q>d/a.pdb s=3 c=100 o=-2999.75\nq>d/b.pdb s=2 c=66.6667 o=-1999.5\n"},
      /* several matches: the most residues, then the smallest RMSD */
      {"tid\tidf\tnode_count\tmin_rmsd\tmatching_residues\tquery_residues\n"
       "a\t1\t3\t0.1\tA,_,C:0.01;D,E,F:0.09;G,H,I:0.03\tX,Y,Z\n",
       "q>a s=3 c=100 o=-2999.97\n"},
      /* a list that is shorter than the motif */
      {"a\t3\t1\t0.5\tA1,_,A3\tA1,A2,A3,A4\n", "q>a s=2 c=50 o=-1999.5\n"},
      /* without matches: what the prefilter says */
      {"id\tnode_count\tidf\na\t4\t7\n", "q>a s=4 o=-3001\n"},
      {"query\ttid\tmatching_residues\nP1\ta\tA,B:0.5\n",
       "P1>a s=2 o=-1999.5\n"},
      {"a\t3\t1\n", "! :1: 3 tab-separated fields where there are 6 columns; "
                    "declare the columns that the file has"},
      {"a\t3\t1\tx\tA\tA\n", "! :1: rmsd: `x` is no number" AS_DECLARED},
      {"a\t3\t1\t0.1\tA:-1\tA\n", "! :1: RMSD of a match: -1 is outside 0 to "
                                  "inf; are the columns declared "
                                  "as the file has them?"},
      {"tid\tidf\na\t1\n", "! :2: among the columns matching_residues or "
                           "node_count is missing; declare the columns that "
                           "the file has"},
      {"\t3\t1\t0.1\tA\tA\n", "! :1: an empty id; a row names its target, and "
                              "its query where the file "
                              "is not that of one item"},
  };
  const scratch_case alone[] = {
      {"a\t3\t1\t0.1\tA\tA\n",
       "! :1: among the columns the query is missing; add a column `query`, or "
       "give a folder with one file per item, named after it"}};
  scratch_check_all(cases, COUNT(cases), read_folddisco);
  scratch_check_all(alone, COUNT(alone), read_folddisco_alone);
}

/* Reads a file to its end; the caller closes the reader. */
static ecrb_hit_reader *read_through(const char *text,
                                     const ecrb_hit_layout *layout) {
  char path[SCRATCH_PATH_MAX];
  ecrb_hit_reader *reader;
  ecrb_hit_row row;
  scratch_write(path, text, strlen(text));
  assert_int_equal(ecrb_hit_reader_open(path, layout, &reader, NULL), 0);
  while (ecrb_hit_reader_next(reader, &row, NULL) == ECRB_OK)
    continue;
  unlink(path);
  return reader;
}

static void uneven_lists_are_counted(void **state) {
  (void)state;
  const char *text = "a\t3\t1\t0.5\tA1,_,A3\tA1,A2,A3,A4\n"
                     "b\t3\t1\t0.5\tA1,_,A3\tA1,A2,A3\n";
  ecrb_hit_layout layout = {.format = ECRB_HITS_FOLDDISCO, .query = "q"};
  ecrb_hit_reader *reader = read_through(text, &layout);
  assert_int_equal(ecrb_hit_reader_uneven(reader), 1);
  ecrb_hit_reader_close(reader);
}

static size_t same_tm(const char *text, const char *columns,
                      const char *score) {
  ecrb_hit_layout layout = {
      .format = ECRB_HITS_TABULAR, .columns = columns, .score = score};
  ecrb_hit_reader *reader = read_through(text, &layout);
  size_t n = ecrb_hit_reader_same_tm(reader);
  ecrb_hit_reader_close(reader);
  return n;
}

/* Foldseek writes one column twice where they are asked for in some orders. */
static void equal_tm_scores_are_told(void **state) {
  (void)state;
  const char *names = "query target alntmscore ttmscore bits";
  const char *same = "q\ta\t0.8\t0.80\t9\nq\tb\t0.7\t0.7\t8\n";
  const char *different = "q\ta\t0.8\t0.8\t9\nq\tb\t0.7\t0.6\t8\n";
  const char *wordy = "q\ta\t0.8\t-\t9\n";
  assert_int_equal(same_tm(same, names, NULL), 2);
  assert_int_equal(same_tm(same, names, "alntmscore"), 2);
  assert_int_equal(same_tm(same, names, "ttmscore"), 2);
  assert_int_equal(same_tm(different, names, NULL), 0);
  assert_int_equal(same_tm(wordy, names, NULL), 0);
  assert_int_equal(same_tm("", names, NULL), 0);
  assert_int_equal(same_tm(same, "query target alntmscore qtmscore bits", NULL),
                   0);
}

static void check_maker(enum ecrb_hit_format format, const char *text,
                        const char *expected) {
  ecrb_hit_layout layout = {.format = format};
  ecrb_hit_reader *reader = read_through(text, &layout);
  ecrb_hit_maker maker = ecrb_hit_reader_maker(reader);
  char told[2048];
  snprintf(told, sizeof told, "%s|%s|%s", maker.tool, maker.version,
           maker.command);
  assert_string_equal(told, expected);
  ecrb_hit_reader_close(reader);
}

static void comments_tell_the_maker(void **state) {
  (void)state;
  char long_line[3000] = "# Invocation: ";
  char expected[1100] = "||";
  check_maker(ECRB_HITS_TABULAR, "", "||");
  check_maker(ECRB_HITS_TABULAR,
              "# BLASTP 2.12.0+\n# Query: q\n# 0 hits found\n"
              "# BLASTP 2.13.0+\n# BLAST processed 2 queries\n",
              "BLASTP|2.12.0+|");
  check_maker(ECRB_HITS_TABULAR,
              "# DIAMOND v2.1.3. http://host/diamond\n"
              "# Invocation: diamond blastp --db d \n",
              "DIAMOND|v2.1.3|diamond blastp --db d");
  check_maker(ECRB_HITS_TABULAR, "# BLAST processed 2 queries\n# \n# x\n",
              "||");
  check_maker(ECRB_HITS_HMMER,
              "# target name\n#\n# Program:         phmmer\n"
              "# Version:         3.3.2 (Nov 2020)\n"
              "# Option settings: phmmer --cut_ga -o x \n# [ok]\n",
              "phmmer|3.3.2 (Nov 2020)|phmmer --cut_ga -o x");
  memset(long_line + strlen(long_line), 'x', 2000);
  memset(expected + 2, 'x', 1023);
  check_maker(ECRB_HITS_TABULAR, long_line, expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(standard_columns),
      cmocka_unit_test(declared_columns),
      cmocka_unit_test(columns_that_the_file_names),
      cmocka_unit_test(a_layout_without_a_needed_column_is_refused),
      cmocka_unit_test(hmmer_tables),
      cmocka_unit_test(the_direction_is_declared),
      cmocka_unit_test(folddisco_tables),
      cmocka_unit_test(uneven_lists_are_counted),
      cmocka_unit_test(equal_tm_scores_are_told),
      cmocka_unit_test(comments_tell_the_maker),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
