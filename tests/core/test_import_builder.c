/* The builder: what it writes, what it refuses, that what it wrote opens. */
#include "ec_text.h"
#include "unit.h"

#include "failing.h"
#include "scratch.h"

#include <sys/stat.h>

static ecrb_builder *builder_new(void) {
  ecrb_builder *b;
  assert_int_equal(ecrb_builder_new(1, &b, NULL), ECRB_OK);
  return b;
}

static int add_item(ecrb_builder *b, const char *id, const char *split,
                    const char *sequence, const char *labels, ecrb_err *err) {
  ecrb_ec list[8];
  ecrb_new_item item = {.id = ecrb_span_of(id),
                        .split = ecrb_span_of(split),
                        .sequence = ecrb_span_of(sequence),
                        .labels = list};
  ecrb_ec_list_parse(labels, strlen(labels), list, 8, &item.n_labels);
  return ecrb_builder_item(b, &item, err);
}

static int add_reaction(ecrb_builder *b, const char *id, const char *reaction,
                        const char *equation, const char *text, ecrb_err *err) {
  ecrb_ec label = ec("1.1.1.1");
  ecrb_new_item item = {.id = ecrb_span_of(id),
                        .split = ecrb_span_of("easy"),
                        .reaction = ecrb_span_of(reaction),
                        .equation = ecrb_span_of(equation),
                        .text = ecrb_span_of(text),
                        .labels = &label,
                        .n_labels = 1};
  return ecrb_builder_item(b, &item, err);
}

static int add_train(ecrb_builder *b, const char *id, const char *ecs,
                     bool *fresh, ecrb_err *err) {
  ecrb_ec list[64];
  size_t n;
  ecrb_ec_list_parse(ecs, strlen(ecs), list, 64, &n);
  return ecrb_builder_train(b, ecrb_span_of(id), list, n, fresh, err);
}

static int add_hits(ecrb_builder *b, const char *channel, const char *rows,
                    ecrb_err *err) {
  char path[SCRATCH_PATH_MAX];
  ecrb_hit_limits limits = ecrb_hit_limits_default();
  ecrb_hit_layout layout = {.columns = "query target pident evalue bits"};
  ecrb_hit_reader *reader;
  const ecrb_hits *hits;
  scratch_write(path, rows, strlen(rows));
  int status = ecrb_hit_reader_open(path, &layout, &reader, err);
  if (status == ECRB_OK)
    status =
        ecrb_builder_evidence(b, channel, "bits", &limits, reader, &hits, err);
  ecrb_hit_reader_close(reader);
  unlink(path);
  return status;
}

static int fill(ecrb_builder *b, ecrb_err *err) {
  bool fresh;
  int status = ecrb_builder_leaf(b, ec("2.7.1.10"), &fresh, err);
  if (status == ECRB_OK)
    status = ecrb_builder_leaf(b, ec("2.7.1.2"), &fresh, err);
  if (status == ECRB_OK)
    status = ecrb_builder_name(b, ec("2.7.1.-"), ecrb_span_of("to OH"), err);
  if (status == ECRB_OK)
    status = ecrb_builder_name(b, ec("3"), ecrb_span_of("no such"), err);
  if (status == ECRB_OK)
    status = ecrb_builder_name(b, ec("2.7.1.2"), ecrb_span_of("kinase"), err);
  if (status == ECRB_OK)
    status = add_item(b, "P1", "30", "MKV", "2.7.1.2", err);
  if (status == ECRB_OK)
    status = add_item(b, "P2", "price", "MKL", "2.7.1.10;1.1.1.n1", err);
  if (status == ECRB_OK)
    status = ecrb_builder_reveal(b, 1, err);
  if (status == ECRB_OK)
    status = ecrb_builder_rate(b, ecrb_span_of("30"), 0.9, err);
  if (status == ECRB_OK)
    status = add_train(b, "A", "2.7.1.10; 1.1.1.-", &fresh, err);
  if (status == ECRB_OK)
    status = add_train(b, "B", "2.7.1.2", &fresh, err);
  if (status == ECRB_OK)
    status = add_train(b, "A", "2.7.1.2,2.7.1.10", &fresh, err);
  if (status == ECRB_OK)
    status = add_hits(b, "blast", "P2\tB\t30.5\t1e-9\t77\n", err);
  if (status == ECRB_OK)
    status =
        add_hits(b, "hmmer", "P2\tA\t40\t1e-5\t60\nP1\tB\t95\t1e-4\t50\n", err);
  return status == ECRB_OK ? add_hits(b, "blast", "P2\tA\t41\t0\t990.25\n", err)
                           : status;
}

static void say_file(scratch_dump *dump, const char *dir, const char *name) {
  char path[256], line[512];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL)
    scratch_say(dump, "%s", line);
  fclose(file);
}

/* Writes into a new folder, whose name it leaves in `dir`. */
static int write_new(ecrb_builder *b, char dir[SCRATCH_PATH_MAX],
                     ecrb_written *written, size_t *n, ecrb_err *err) {
  strcpy(dir, "/tmp/ecrb-test-XXXXXX");
  assert_non_null(mkdtemp(dir));
  return ecrb_builder_write(b, dir, written, n, err);
}

static void remove_folder(const char *dir, const ecrb_written *written,
                          size_t n) {
  char path[256];
  for (size_t i = 0; i < n; i++) {
    snprintf(path, sizeof path, "%s/%s", dir, written[i].name);
    unlink(path);
  }
  rmdir(dir);
}

/* As `printf "1\\0P1\\0" | sha256sum | cut -c1-10 | xxd -r -p | base32`. */
#define Q1 "QJUZT7DU5"
#define Q2 "QQ4I3NYQ4"
#define TA "TLHJRHHHN"
#define TB "TDBQQKLYP"

static void what_it_writes(void **state) {
  (void)state;
  ecrb_builder *b = builder_new();
  ecrb_written written[ECRB_WRITTEN_MAX];
  char dir[SCRATCH_PATH_MAX];
  scratch_dump dump = {.n = 0};
  size_t n;
  assert_int_equal(fill(b, NULL), ECRB_OK);
  assert_int_equal(write_new(b, dir, written, &n, NULL), ECRB_OK);
  for (size_t i = 0; i < n; i++)
    say_file(&dump, dir, written[i].name);
  assert_string_equal(
      dump.text,
      "ec\tname\torigin\n"
      "2.7.1.-\tto OH\tname\n"
      "1.1.1.n1\t-\tlabels\n"
      "2.7.1.2\tkinase\tlist\n"
      "2.7.1.10\t-\tlist\n"
      "item\tsplit\tshown\tflags\tsequence\n"
      "P1\t30\t" Q1 "\t-\tMKV\n"
      "P2\tprice\tP2\tvisible\tMKL\n"
      "enzyme\tshown\tec\n"
      "A\t" TA "\t1.1.1.-;2.7.1.2;2.7.1.10\n"
      "B\t" TB "\t2.7.1.2\n"
      "item\tchannel\trank\tneighbour\tshown\tec\tscore\tkind\tidentity\t"
      "coverage\tevalue\n"
      "P1\thmmer\t1\tB\t" TB "\t2.7.1.2\t50\tbits\t95\t-\t0.0001\n"
      "P2\tblast\t1\tA\t" TA "\t1.1.1.-;2.7.1.2;2.7.1.10\t990.25\tbits\t41\t-"
      "\t0\n"
      "P2\tblast\t2\tB\t" TB "\t2.7.1.2\t77\tbits\t30.5\t-\t1e-09\n"
      "P2\thmmer\t1\tA\t" TA "\t1.1.1.-;2.7.1.2;2.7.1.10\t60\tbits\t40\t-"
      "\t1e-05\n"
      "item\tneighbour\tidentity\tcoverage\treason\n"
      "P1\tB\t95\t-\tnear-identical\n"
      "item\tchannel\tneighbour\titem_as\tneighbour_as\n"
      "item\tec\n"
      "P1\t2.7.1.2\n"
      "P2\t2.7.1.10;1.1.1.n1\n"
      "item\th_split\th_tail\th_branch\th_distr\td\tbin\thomology\t"
      "homology_bin\tevidence_d\n"
      "P1\t0.9\t0.000000\t1.000000\t0.055556\t0.488889\tD2\t0.000\t<30\t"
      "0.500000\n"
      "P2\t-\t0.369070\t1.000000\t0.055556\t0.474875\tD1\t41.000\t40-50\t"
      "0.461667\n");
  remove_folder(dir, written, n);
  ecrb_builder_free(b);
}

static void what_it_wrote_opens(void **state) {
  (void)state;
  ecrb_builder *b = builder_new();
  ecrb_written written[ECRB_WRITTEN_MAX];
  ecrb_bench *bench;
  ecrb_err err = {0, ""};
  char dir[SCRATCH_PATH_MAX];
  size_t n, count;
  ecrb_hit hits[4];
  assert_int_equal(fill(b, NULL), ECRB_OK);
  assert_int_equal(write_new(b, dir, written, &n, NULL), ECRB_OK);
  ecrb_bench_open(dir, 1, &bench, &err);
  assert_string_equal(err.msg, "");
  assert_int_equal(ecrb_bench_size(bench), 2);
  ecrb_bench_evidence(bench, 1, ECRB_BLAST, hits, 4, &count, &err);
  assert_string_equal(err.msg, "");
  assert_int_equal(count, 2);
  assert_int_equal(hits[0].ec_count, 3);
  ecrb_bench_close(bench);
  remove_folder(dir, written, n);
  ecrb_builder_free(b);
}

static void what_it_refuses(void **state) {
  (void)state;
  ecrb_builder *b = builder_new();
  ecrb_err err;
  bool fresh;
  assert_int_equal(add_item(b, "P1", "30", "MKV", "1.1.1.1", &err), ECRB_OK);
  const struct {
    const char *id, *split, *sequence, *labels, *reason;
  } items[] = {
      {"P1", "30", "MKL", "1.1.1.1",
       "the item `P1` stands twice; give each an id of its own"},
      {"P2", "30", "", "1.1.1.1", "the sequence is empty; leave the item out"},
      {"P2", "30", "MK*V", "1.1.1.1",
       "character 3 of the sequence (byte 0x2A) is no upper-case letter; "
       "mend it, or leave the item out"},
      {"P2", "30", "MKV", "1.1.1.-",
       "1.1.1.- is no complete EC number; a label needs four levels"},
      {"P2", "30", "MKV", "1.1.1.B1",
       "1.1.1.B1 is no complete EC number; a label needs four levels"},
      {"", "30", "MKV", "1.1.1.1",
       "`` cannot be an item's id: a word of plain UTF-8 text "
       "without blanks, other than `-`"},
      {"P2", "-", "MKV", "1.1.1.1",
       "`-` cannot be a split: a word of plain UTF-8 text without blanks, "
       "other than `-`"},
      {"P2", "3\xff", "MKV", "1.1.1.1",
       "`3\xff` cannot be a split: a word of plain UTF-8 text without blanks, "
       "other than `-`"},
      {"P\t2", "30", "MKV", "1.1.1.1",
       "`P\t2` cannot be an item's id: a word of plain UTF-8 text "
       "without blanks, other than `-`"},
  };
  for (size_t i = 0; i < COUNT(items); i++) {
    assert_int_equal(add_item(b, items[i].id, items[i].split, items[i].sequence,
                              items[i].labels, &err),
                     ECRB_EFORMAT);
    assert_string_equal(err.msg, items[i].reason);
  }
  assert_int_equal(ecrb_builder_leaf(b, ec("1.1"), &fresh, &err), ECRB_EFORMAT);
  assert_int_equal(add_train(b, "P1", "1.1.1.1", &fresh, &err), ECRB_EFORMAT);
  assert_string_equal(err.msg, "`P1` is a test item: it must not stand in the "
                               "training set");
  assert_int_equal(add_train(b, "A", "", &fresh, &err), ECRB_EFORMAT);
  assert_int_equal(ecrb_builder_name(b, ec("1"), ecrb_span_of("a\tb"), &err),
                   ECRB_EFORMAT);
  assert_int_equal(ecrb_names_count(ecrb_builder_items(b)), 1);
  assert_int_equal(ecrb_names_count(ecrb_builder_training(b)), 0);
  assert_int_equal(ecrb_builder_reveal(b, 1, &err), ECRB_EARG);
  ecrb_builder_free(b);
}

static void sequences_are_found_again(void **state) {
  (void)state;
  ecrb_builder *b = builder_new();
  size_t item;
  assert_int_equal(add_item(b, "P1", "30", "MKV", "1.1.1.1", NULL), ECRB_OK);
  assert_int_equal(add_item(b, "P2", "30", "MKL", "1.1.1.1", NULL), ECRB_OK);
  assert_int_equal(add_item(b, "P3", "30", "MKL", "1.1.1.1", NULL), ECRB_OK);
  assert_int_equal(ecrb_builder_item_with(b, ecrb_span_of("MKL"), &item), 0);
  assert_int_equal(item, 1);
  assert_int_equal(ecrb_builder_item_with(b, ecrb_span_of("MK"), &item),
                   ECRB_ENONE);
  ecrb_builder_free(b);
}

static void after_the_evidence_it_is_closed(void **state) {
  (void)state;
  ecrb_builder *b = builder_new();
  bool fresh;
  assert_int_equal(fill(b, NULL), ECRB_OK);
  assert_int_equal(add_item(b, "P9", "30", "M", "1.1.1.1", NULL), ECRB_EARG);
  assert_int_equal(add_train(b, "C", "1.1.1.1", &fresh, NULL), ECRB_EARG);
  ecrb_builder_free(b);
}

static void labels_are_for_all_or_none(void **state) {
  (void)state;
  ecrb_builder *b = builder_new();
  ecrb_written written[ECRB_WRITTEN_MAX];
  char dir[SCRATCH_PATH_MAX];
  ecrb_err err;
  size_t n;
  assert_int_equal(add_item(b, "P1", "30", "MKV", "", NULL), ECRB_OK);
  assert_int_equal(write_new(b, dir, written, &n, &err), ECRB_OK);
  assert_string_equal(written[n - 1].name, "raw_ids.tsv");
  remove_folder(dir, written, n);
  assert_int_equal(add_item(b, "P2", "30", "MKL", "1.1.1.1", NULL), ECRB_OK);
  assert_int_equal(write_new(b, dir, written, &n, &err), ECRB_EFORMAT);
  assert_string_equal(
      err.msg,
      "the item `P1` has no label while others have; label all or none");
  rmdir(dir);
  ecrb_builder_free(b);
}

static void reactions_have_columns_of_their_own(void **state) {
  (void)state;
  ecrb_builder *b = builder_new();
  ecrb_written written[ECRB_WRITTEN_MAX];
  char dir[SCRATCH_PATH_MAX];
  scratch_dump dump = {.n = 0};
  ecrb_bench *bench;
  size_t n;
  assert_int_equal(add_reaction(b, "P1", "C>>O", "a = b", "x; y", NULL),
                   ECRB_OK);
  assert_int_equal(add_reaction(b, "P2", "C>>N", "", "", NULL), ECRB_OK);
  assert_int_equal(write_new(b, dir, written, &n, NULL), ECRB_OK);
  assert_string_equal(written[n - 1].name, "labels.tsv");
  say_file(&dump, dir, "items.tsv");
  assert_string_equal(dump.text,
                      "item\tsplit\tshown\tflags\treaction\tequation\ttext\n"
                      "P1\teasy\t" Q1 "\t-\tC>>O\ta = b\tx; y\n"
                      "P2\teasy\t" Q2 "\t-\tC>>N\t-\t-\n");
  assert_int_equal(ecrb_bench_open(dir, 1, &bench, NULL), ECRB_OK);
  assert_true(ecrb_bench_reactions(bench));
  ecrb_bench_close(bench);
  remove_folder(dir, written, n);
  ecrb_builder_free(b);
}

static void reactions_that_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *reaction, *equation, *text, *message;
  } cases[] = {
      {"C>O", "", "", "the reaction is no SMILES; write it as `A.B>>C.D`"},
      {"C >> O", "", "",
       "`C >> O` cannot be a reaction: a word of plain UTF-8 text "
       "without blanks, other than `-`"},
      {"C>>O", "a\tb", "", "the equation is `-` or no plain UTF-8 text"},
      {"C>>O", "", "-", "the text is `-` or no plain UTF-8 text"},
  };
  ecrb_builder *b = builder_new();
  ecrb_err err;
  for (size_t i = 0; i < COUNT(cases); i++) {
    assert_int_equal(add_reaction(b, "R", cases[i].reaction, cases[i].equation,
                                  cases[i].text, &err),
                     ECRB_EFORMAT);
    assert_string_equal(err.msg, cases[i].message);
  }
  assert_int_equal(add_reaction(b, "R", "C>>O", "", "", &err), ECRB_OK);
  assert_int_equal(add_item(b, "P1", "30", "MKV", "", &err), ECRB_EARG);
  assert_string_equal(err.msg,
                      "a protein among reactions; a benchmark is of one kind");
  ecrb_builder_free(b);
}

static void too_many_ecs_of_one_enzyme(void **state) {
  (void)state;
  ecrb_builder *b = builder_new();
  ecrb_written written[ECRB_WRITTEN_MAX];
  char text[1000], dir[SCRATCH_PATH_MAX];
  ecrb_err err;
  size_t n = 0;
  bool fresh;
  for (int i = 1; i <= ECRB_HIT_ECS + 1; i++)
    n += (size_t)sprintf(text + n, "1.1.1.%d;", i);
  text[n - 1] = '\0';
  assert_int_equal(add_train(b, "A", text, &fresh, &err), ECRB_OK);
  assert_int_equal(write_new(b, dir, written, &n, &err), ECRB_EFORMAT);
  assert_string_equal(err.msg, "the training enzyme `A` carries 33 EC numbers; "
                               "at most 32 can be kept");
  rmdir(dir);
  ecrb_builder_free(b);
}

static void a_folder_that_takes_nothing(void **state) {
  (void)state;
  ecrb_builder *b = builder_new();
  ecrb_written written[ECRB_WRITTEN_MAX];
  ecrb_err err;
  size_t n;
  assert_int_equal(fill(b, NULL), ECRB_OK);
  assert_int_equal(ecrb_builder_write(b, "/nowhere", written, &n, &err),
                   ECRB_EIO);
  assert_string_equal(err.msg, "/nowhere/ec.tsv: cannot be made: No such file "
                               "or directory");
  ecrb_builder_free(b);
}

static void a_full_disk(void **state) {
  (void)state;
  ecrb_builder *b = builder_new();
  ecrb_written written[ECRB_WRITTEN_MAX];
  char dir[] = "/tmp/ecrb-test-XXXXXX", path[SCRATCH_PATH_MAX];
  ecrb_err err;
  size_t n;
  assert_int_equal(fill(b, NULL), ECRB_OK);
  assert_non_null(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/ec.tsv", dir);
  assert_int_equal(symlink("/dev/full", path), 0);
  assert_int_equal(ecrb_builder_write(b, dir, written, &n, &err), ECRB_EIO);
  assert_non_null(strstr(err.msg, "/ec.tsv: cannot be written: No space left"));
  unlink(path);
  rmdir(dir);
  ecrb_builder_free(b);
}

static int build_once(char dir[SCRATCH_PATH_MAX]) {
  ecrb_builder *b = NULL;
  ecrb_written written[ECRB_WRITTEN_MAX];
  ecrb_err err;
  size_t n = 0;
  int status = ecrb_builder_new(1, &b, &err);
  if (status == ECRB_OK)
    status = fill(b, &err);
  if (status == ECRB_OK)
    status = ecrb_builder_write(b, dir, written, &n, &err);
  ecrb_builder_free(b);
  return status;
}

static void every_failing_allocation_is_told(void **state) {
  (void)state;
  const char *names[] = {"ec.tsv",       "items.tsv",     "train.tsv",
                         "evidence.tsv", "labels.tsv",    "decontamination.tsv",
                         "raw_ids.tsv",  "difficulty.tsv"};
  char dir[SCRATCH_PATH_MAX] = "/tmp/ecrb-test-XXXXXX", path[256];
  int status = ECRB_ENOMEM;
  assert_non_null(mkdtemp(dir));
  for (long n = 1; status != ECRB_OK; n++) {
    allocations_until_failure = n;
    status = build_once(dir);
    allocations_until_failure = 0;
    /* stdio reports its own lack of memory as a file that cannot be made. */
    assert_true(status == ECRB_OK || status == ECRB_ENOMEM ||
                status == ECRB_EIO);
    assert_true(n < 500);
  }
  for (size_t i = 0; i < COUNT(names); i++) {
    snprintf(path, sizeof path, "%s/%s", dir, names[i]);
    unlink(path);
  }
  rmdir(dir);
}

static void what_is_near_identical(void **state) {
  (void)state;
  assert_true(ecrb_near_identical(90, 80));
  assert_true(ecrb_near_identical(100, NAN));
  assert_false(ecrb_near_identical(89.9, 100));
  assert_false(ecrb_near_identical(100, 79.9));
  assert_false(ecrb_near_identical(NAN, 100));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_near_identical),
      cmocka_unit_test(what_it_writes),
      cmocka_unit_test(what_it_wrote_opens),
      cmocka_unit_test(what_it_refuses),
      cmocka_unit_test(sequences_are_found_again),
      cmocka_unit_test(after_the_evidence_it_is_closed),
      cmocka_unit_test(labels_are_for_all_or_none),
      cmocka_unit_test(reactions_have_columns_of_their_own),
      cmocka_unit_test(reactions_that_are_refused),
      cmocka_unit_test(too_many_ecs_of_one_enzyme),
      cmocka_unit_test(a_folder_that_takes_nothing),
      cmocka_unit_test(a_full_disk),
      cmocka_unit_test(every_failing_allocation_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
