/* The benchmark on disk: what is read, every way in which it can be wrong, and
** memory that runs out. */
#include "failing.h"
#include "folder.h"
#include "ec_text.h"
#include "unit.h"

#include <math.h>
#include <pthread.h>
#include <sys/stat.h>

static const char ec_tsv[] = "ec\tname\torigin\n"
                             "1.-.-.-\tOxidoreductases\tname\n"
                             "1.1.1.1\talcohol dehydrogenase\tlist\n"
                             "1.1.1.2\t-\tlist\n"
                             "2.7.1.1\thexokinase\tlist\n"
                             "2.7.1.n2\t\xce\xb2-thing\tlabels\n";
static const char items_tsv[] = "item\tsplit\tshown\tflags\tsequence\n"
                                "P1\tprice\te1\t-\tMKV\n"
                                "P2\t30\te2\t-\tMKLX\n"
                                "P3\tprice\tP3\tvisible\tM\n"
                                "P4\t30-50\te4\t-\tMUOBZ\n";
static const char labels_tsv[] = "item\tec\n"
                                 "P1\t1.1.1.1\n"
                                 "P2\t2.7.1.n2;1.1.1.2\n"
                                 "P3\t2.7.1.1\n"
                                 "P4\t1.1.1.1\n";
#define EVIDENCE                                                               \
  "item\tchannel\trank\tneighbour\tshown\tec\tscore\tkind\tidentity\t"         \
  "coverage\tevalue\n"
static const char evidence_tsv[] = EVIDENCE
    "P1\tblast\t1\tT1\tt1\t2.7.1.1;1.1.1.1\t210\tbits\t45.5\t98\t1.3e-172\n"
    "P1\tblast\t2\tT2\tt2\t-\t88.25\tbits\t30\t-\t1e-20\n"
    "P1\tcosmic\t1\tT1\tt1\t1.1.1.-\t-0.5\tcosine\t-\t-\t-\n"
    "P3\thmmer\t1\tT9\tt9\t1.1.1.2\t1e3\tbits\t-\t100\t0.0\n"
    "P3\tblast\t1\tT1\tt1\t1.1.1.1\t5\tbits\t0\t0\t0.001\n";

typedef struct world {
  folder dir;
  ecrb_bench *bench;
} world;

static world world_of(const char *ec, const char *items, const char *labels,
                      const char *evidence) {
  world made = {folder_new(), NULL};
  const char *names[] = {"ec.tsv", "items.tsv", "labels.tsv", "evidence.tsv"};
  const char *texts[] = {ec, items, labels, evidence};
  for (size_t i = 0; i < COUNT(names); i++)
    if (texts[i] != NULL)
      folder_write(&made.dir, names[i], texts[i]);
  return made;
}

static world opened(const char *labels) {
  world made = world_of(ec_tsv, items_tsv, labels, evidence_tsv);
  ecrb_err err = {0, ""};
  if (ecrb_bench_open(made.dir.path, 7, &made.bench, &err) != ECRB_OK)
    fail_msg("%s", err.msg);
  return made;
}

static void world_free(world *old) {
  ecrb_bench_close(old->bench);
  folder_free(&old->dir);
}

static bool span_is(ecrb_span span, const char *text) {
  return ecrb_span_equal(span, ecrb_span_of(text));
}

static void items_are_read(void **state) {
  (void)state;
  world w = opened(NULL);
  const struct {
    const char *id, *split, *shown, *sequence;
    bool visible;
    uint32_t ordinal;
  } rows[] = {{"P1", "price", "e1", "MKV", false, 1},
              {"P2", "30", "e2", "MKLX", false, 1},
              {"P3", "price", "P3", "M", true, 2},
              {"P4", "30-50", "e4", "MUOBZ", false, 1}};
  ecrb_item item;
  assert_int_equal(ecrb_bench_size(w.bench), COUNT(rows));
  assert_int_equal(ecrb_bench_seed(w.bench), 7);
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_int_equal(ecrb_bench_item(w.bench, i, &item), ECRB_OK);
    assert_true(span_is(item.id, rows[i].id));
    assert_true(span_is(item.split, rows[i].split));
    assert_true(span_is(item.shown, rows[i].shown));
    assert_true(span_is(item.sequence, rows[i].sequence));
    assert_int_equal(item.visible, rows[i].visible);
    assert_int_equal(item.ordinal, rows[i].ordinal);
  }
  assert_int_equal(ecrb_bench_item(w.bench, 4, &item), ECRB_EARG);
  world_free(&w);
}

static void the_tree_is_read_with_its_names(void **state) {
  (void)state;
  world w = opened(NULL);
  const ecrb_tree *tree = ecrb_bench_tree(w.bench);
  const struct {
    const char *ec, *name;
  } rows[] = {{"1", "Oxidoreductases"},
              {"2", ""},
              {"1.1.1.1", "alcohol dehydrogenase"},
              {"1.1.1.2", ""},
              {"2.7.1.n2", "\xce\xb2-thing"}};
  assert_int_equal(ecrb_tree_nodes(tree, 4).count, 4);
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_true(
        span_is(ecrb_tree_name(tree, ecrb_tree_find(tree, ec(rows[i].ec))),
                rows[i].name));
  world_free(&w);
}

static void items_are_found_by_three_names(void **state) {
  (void)state;
  world w = opened(NULL);
  const struct {
    const char *name;
    size_t index;
  } rows[] = {{"P1", 0},      {"e1", 0}, {"price/1", 0}, {"30/1", 1},
              {"price/2", 2}, {"P3", 2}, {"30-50/1", 3}, {"e4", 3}};
  const char *absent[] = {"",         "P5",       "e3",       "price/3",
                          "price/0",  "price/01", "price/",   "/1",
                          "price/1 ", "price",    "price/-1", "other/1"};
  for (size_t i = 0; i < COUNT(rows); i++) {
    size_t index = 99;
    assert_int_equal(
        ecrb_bench_find(w.bench, ecrb_span_of(rows[i].name), &index), ECRB_OK);
    assert_int_equal(index, rows[i].index);
  }
  for (size_t i = 0; i < COUNT(absent); i++) {
    size_t index;
    assert_int_equal(ecrb_bench_find(w.bench, ecrb_span_of(absent[i]), &index),
                     ECRB_ENONE);
  }
  world_free(&w);
}

/* The table of names is made at the first look-up; without memory for it the
** rows are looked through. */
static void items_are_found_without_memory(void **state) {
  (void)state;
  world w = opened(NULL);
  size_t index;
  allocations_until_failure = -1;
  assert_int_equal(ecrb_bench_find(w.bench, ecrb_span_of("P3"), &index),
                   ECRB_OK);
  assert_int_equal(index, 2);
  assert_int_equal(ecrb_bench_find(w.bench, ecrb_span_of("e1"), &index),
                   ECRB_OK);
  assert_int_equal(index, 0);
  assert_int_equal(ecrb_bench_find(w.bench, ecrb_span_of("P5"), &index),
                   ECRB_ENONE);
  allocations_until_failure = 0;
  world_free(&w);
}

static void labels_are_read_in_file_order(void **state) {
  (void)state;
  world w = opened(labels_tsv);
  const ecrb_ec *labels;
  size_t count;
  ecrb_err err;
  assert_int_equal(ecrb_bench_labels(w.bench, 1, &labels, &count, NULL),
                   ECRB_OK);
  assert_int_equal(count, 2);
  assert_true(ecrb_ec_equal(labels[0], ec("2.7.1.n2")));
  assert_true(ecrb_ec_equal(labels[1], ec("1.1.1.2")));
  assert_int_equal(ecrb_bench_labels(w.bench, 3, &labels, &count, NULL),
                   ECRB_OK);
  assert_int_equal(count, 1);
  assert_true(ecrb_ec_equal(labels[0], ec("1.1.1.1")));
  assert_int_equal(ecrb_bench_labels(w.bench, 4, &labels, &count, &err),
                   ECRB_EARG);
  world_free(&w);
}

static void labels_may_be_absent(void **state) {
  (void)state;
  world w = opened(NULL);
  const ecrb_ec *labels;
  size_t count;
  ecrb_err err;
  for (int twice = 0; twice < 2; twice++)
    assert_int_equal(ecrb_bench_labels(w.bench, 0, &labels, &count, &err),
                     ECRB_ENONE);
  assert_non_null(strstr(err.msg, "has no labels.tsv"));
  world_free(&w);
}

static void channels_are_numbered(void **state) {
  (void)state;
  world w = opened(NULL);
  const char *names[] = {"blast",       "hmmer", "esm_knn", "structure",
                         "active_site", "pfam",  "cosmic"};
  int count;
  assert_true(span_is(ecrb_bench_channel_name(w.bench, ECRB_PFAM), "pfam"));
  assert_true(span_is(ecrb_bench_channel_name(w.bench, 6), ""));
  assert_int_equal(ecrb_bench_channels(w.bench, &count, NULL), ECRB_OK);
  assert_int_equal(count, COUNT(names));
  for (int i = 0; i < count; i++)
    assert_true(span_is(ecrb_bench_channel_name(w.bench, i), names[i]));
  assert_true(span_is(ecrb_bench_channel_name(w.bench, 7), ""));
  assert_true(span_is(ecrb_bench_channel_name(w.bench, -1), ""));
  world_free(&w);
}

static void hits_are_read(void **state) {
  (void)state;
  world w = opened(NULL);
  ecrb_hit hits[3];
  size_t count;
  assert_int_equal(
      ecrb_bench_evidence(w.bench, 0, ECRB_BLAST, hits, 3, &count, NULL),
      ECRB_OK);
  assert_int_equal(count, 2);
  assert_true(span_is(hits[0].neighbour, "T1"));
  assert_true(span_is(hits[0].shown, "t1"));
  assert_true(span_is(hits[0].score_kind, "bits"));
  assert_int_equal(hits[0].rank, 1);
  assert_int_equal(hits[0].ec_count, 2);
  assert_true(ecrb_ec_equal(hits[0].ec[0], ec("1.1.1.1")));
  assert_true(ecrb_ec_equal(hits[0].ec[1], ec("2.7.1.1")));
  assert_true(hits[0].score == 210 && hits[0].identity == 45.5);
  assert_true(hits[0].coverage == 98 && hits[0].evalue == 1.3e-172);
  assert_int_equal(hits[1].rank, 2);
  assert_int_equal(hits[1].ec_count, 0);
  assert_true(isnan(hits[1].coverage) && hits[1].evalue == 1e-20);
  world_free(&w);
}

static void look_ups_count_beyond_their_room(void **state) {
  (void)state;
  world w = opened(NULL);
  const struct {
    size_t index;
    int channel;
    size_t count;
    const char *first;
  } rows[] = {{0, ECRB_BLAST, 2, "T1"}, {0, 6, 1, "T1"},
              {0, ECRB_HMMER, 0, ""},   {1, ECRB_BLAST, 0, ""},
              {2, ECRB_HMMER, 1, "T9"}, {2, ECRB_BLAST, 1, "T1"},
              {3, ECRB_BLAST, 0, ""},   {2, ECRB_PFAM, 0, ""}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    ecrb_hit hit;
    size_t count = 99;
    assert_int_equal(ecrb_bench_evidence(w.bench, rows[i].index,
                                         rows[i].channel, &hit, 1, &count,
                                         NULL),
                     ECRB_OK);
    assert_int_equal(count, rows[i].count);
    if (count > 0)
      assert_true(span_is(hit.neighbour, rows[i].first));
    assert_int_equal(ecrb_bench_evidence(w.bench, rows[i].index,
                                         rows[i].channel, NULL, 0, &count,
                                         NULL),
                     ECRB_OK);
    assert_int_equal(count, rows[i].count);
  }
  size_t count;
  assert_int_equal(ecrb_bench_evidence(w.bench, 4, 0, NULL, 0, &count, NULL),
                   ECRB_EARG);
  assert_int_equal(ecrb_bench_evidence(w.bench, 0, 7, NULL, 0, &count, NULL),
                   ECRB_EARG);
  assert_int_equal(ecrb_bench_evidence(w.bench, 0, -1, NULL, 0, &count, NULL),
                   ECRB_EARG);
  world_free(&w);
}

static void hits_are_read_in_any_order(void **state) {
  (void)state;
  world w = opened(NULL);
  const size_t order[] = {1, 0, 0, 1, 1};
  ecrb_hit expected[2], hit;
  ecrb_found found;
  ecrb_err err;
  size_t count;
  ecrb_bench_evidence(w.bench, 0, ECRB_BLAST, expected, 2, &count, NULL);
  assert_int_equal(ecrb_bench_look_up(w.bench, 0, ECRB_BLAST, &found, NULL),
                   ECRB_OK);
  assert_int_equal(found.count, 2);
  for (size_t i = 0; i < COUNT(order); i++) {
    assert_int_equal(ecrb_bench_hit(w.bench, &found, order[i], &hit, NULL),
                     ECRB_OK);
    assert_int_equal(hit.rank, order[i] + 1);
    assert_true(hit.neighbour.at == expected[order[i]].neighbour.at);
  }
  assert_int_equal(ecrb_bench_hit(w.bench, &found, 2, &hit, &err), ECRB_EARG);
  world_free(&w);
}

/* ecrb.h: what takes a handle as const may run in several threads at once. */
static void *read_items(void *bench) {
  for (int i = 0; i < 1000; i++) {
    ecrb_item item;
    size_t index;
    if (ecrb_bench_item(bench, (size_t)i % 4, &item) != ECRB_OK ||
        ecrb_bench_find(bench, item.shown, &index) != ECRB_OK ||
        index != (size_t)i % 4 || item.sequence.at[0] != 'M')
      return bench;
  }
  return NULL;
}

static void items_are_read_in_several_threads(void **state) {
  (void)state;
  world w = opened(NULL);
  pthread_t thread[3];
  for (size_t i = 0; i < COUNT(thread); i++)
    assert_int_equal(pthread_create(&thread[i], NULL, read_items, w.bench), 0);
  for (size_t i = 0; i < COUNT(thread); i++) {
    void *wrong;
    assert_int_equal(pthread_join(thread[i], &wrong), 0);
    assert_null(wrong);
  }
  world_free(&w);
}

static void evidence_may_hold_no_hit(void **state) {
  (void)state;
  world w = world_of(ec_tsv, items_tsv, NULL, EVIDENCE);
  size_t count = 99;
  assert_int_equal(ecrb_bench_open(w.dir.path, 0, &w.bench, NULL), ECRB_OK);
  assert_int_equal(ecrb_bench_evidence(w.bench, 3, 0, NULL, 0, &count, NULL),
                   ECRB_OK);
  assert_int_equal(count, 0);
  world_free(&w);
}

static void columns_stand_in_any_order(void **state) {
  (void)state;
  world w = world_of("origin\tx\tec\tname\nlist\t9\t1.1.1.1\t-\n",
                     "sequence\tflags\t\tshown\titem\tsplit\n"
                     "MK\t-\tq\te1\tP1\t30\n",
                     "ec\titem\n1.1.1.1\tP1\n", EVIDENCE);
  ecrb_item item;
  const ecrb_ec *labels;
  size_t count;
  assert_int_equal(ecrb_bench_open(w.dir.path, 0, &w.bench, NULL), ECRB_OK);
  assert_int_equal(ecrb_bench_item(w.bench, 0, &item), ECRB_OK);
  assert_true(span_is(item.id, "P1") && span_is(item.sequence, "MK"));
  assert_int_equal(ecrb_bench_labels(w.bench, 0, &labels, &count, NULL),
                   ECRB_OK);
  world_free(&w);
}

/* Opens and reads everything; the first error's text, without the folder. */
static int read_whole(world *w, ecrb_err *err) {
  const ecrb_ec *labels;
  size_t n;
  int channels;
  int status = ecrb_bench_open(w->dir.path, 0, &w->bench, err);
  if (status == ECRB_OK)
    status = ecrb_bench_labels(w->bench, 0, &labels, &n, err);
  if (status == ECRB_OK || status == ECRB_ENONE)
    status = ecrb_bench_channels(w->bench, &channels, err);
  return status;
}

typedef struct wrong {
  const char *text, *message;
} wrong;

static void expect_refusal(const char *file, const char *text, size_t n,
                           const char *message) {
  world w = world_of(ec_tsv, items_tsv, labels_tsv, evidence_tsv);
  ecrb_err err = {0, ""};
  folder_write_bytes(&w.dir, file, text, n);
  int status = read_whole(&w, &err);
  size_t prefix = strlen(w.dir.path) + 1;
  if (status != ECRB_EFORMAT || err.code != ECRB_EFORMAT)
    fail_msg("status %d for: %s", status, message);
  if (strncmp(err.msg, w.dir.path, prefix - 1) == 0)
    assert_string_equal(err.msg + prefix, message);
  else
    assert_string_equal(err.msg, message);
  world_free(&w);
}

static void refuse_each(const char *file, const char *header, const wrong *rows,
                        size_t n) {
  for (size_t i = 0; i < n; i++) {
    char text[20000];
    int length = snprintf(text, sizeof text, "%s%s", header, rows[i].text);
    expect_refusal(file, text, (size_t)length, rows[i].message);
  }
}

static void texts_that_are_no_table(void **state) {
  (void)state;
  const wrong rows[] = {
      {"", "items.tsv: is empty; a table begins with a header line"},
      {"\x1f\x8b\x08", "items.tsv: is compressed; gunzip it first"},
      {"\xef\xbb\xbfitem\tsplit\n",
       "items.tsv:1: begins with a byte order mark; save the file as UTF-8 "
       "without one"},
      {"item\tsplit\r\n",
       "items.tsv:1: a CR at the end of a line; write LF alone"},
      {"item\nP1\x1b[31m\n", "items.tsv:2: control character 0x1b; remove it"},
      {"item\nP\x7f\n", "items.tsv:2: control character 0x7f; remove it"},
      {"item\nP\xff\n",
       "items.tsv:2: byte 0xff is not UTF-8 text; save the file as UTF-8"},
      {"item\nP\xc2\x9b\n",
       "items.tsv:2: byte 0xc2 is not UTF-8 text; save the file as UTF-8"},
      {"item\nP\xe0\x80\x80\n",
       "items.tsv:2: byte 0xe0 is not UTF-8 text; save the file as UTF-8"},
      {"item\nP\xed\xa0\x80\n",
       "items.tsv:2: byte 0xed is not UTF-8 text; save the file as UTF-8"},
      {"item\nP\xe2\x82\n",
       "items.tsv:2: byte 0xe2 is not UTF-8 text; save the file as UTF-8"},
      {"item\nP\xf4\x90\x80\x80\n",
       "items.tsv:2: byte 0xf4 is not UTF-8 text; save the file as UTF-8"},
      {"item\nP1",
       "items.tsv:2: the last line does not end in LF; the file may be cut "
       "off: write it anew, or end the line"},
      {"item\tsplit\tshown\tflags\nP1\t30\te1\t-\n",
       "items.tsv:1: column \"sequence\" is missing; the header line must name "
       "it"},
      {"item\tsplit\tshown\tflags\tsequence\titem\n",
       "items.tsv:1: column \"item\" stands twice; keep one of them"},
      {"item\tsplit\tshown\tflags\tsequence\n",
       "items.tsv: holds no item; write a row for each"},
  };
  refuse_each("items.tsv", "", rows, COUNT(rows));
  expect_refusal("items.tsv", "item\nP\0\n", 8,
                 "items.tsv:2: a NUL byte; save the file as UTF-8 text");
}

static void too_many_columns(void **state) {
  (void)state;
  char text[1000] = "item";
  for (int i = 0; i < 256; i++)
    strcat(text, "\tx");
  strcat(text, "\n");
  expect_refusal("items.tsv", text, strlen(text),
                 "items.tsv:1: more than 256 columns; remove some");
}

static void wrong_items(void **state) {
  (void)state;
  const wrong rows[] = {
      {"P1\t30\te1\t-\n",
       "items.tsv:2: expected 5 cells but found 4; write one for each column "
       "of the header, `-` for none"},
      {"P1\t30\te1\t-\tMK\t\n", "items.tsv:2: expected 5 cells but found more; "
                                "write one for each column "
                                "of the header, `-` for none"},
      {"P1\t30\te1\t-\tMK\n\n",
       "items.tsv:3: expected 5 cells but found 1; write one for each column "
       "of the header, `-` for none"},
      {"\t30\te1\t-\tMK\n",
       "items.tsv:2: field \"item\": is empty; every row must have one"},
      {"P1\t-\te1\t-\tMK\n",
       "items.tsv:2: field \"split\": is empty; every row must have one"},
      {"P1\t30\t-\t-\tMK\n",
       "items.tsv:2: field \"shown\": is empty; every row must have one"},
      {"P1\t30\te1\t-\tMK\nP1\t30\te2\t-\tMK\n",
       "items.tsv:3: field \"item\": `P1` stands on line 2 already; ids are "
       "unique"},
      {"P1\t30\te1\t-\tMK\nP2\t30\te1\t-\tMK\n",
       "items.tsv:3: field \"shown\": `e1` stands on line 2 already; ids are "
       "unique"},
      {"P1\t30\tP2\t-\tMK\nP2\t30\te2\t-\tMK\n",
       "items.tsv:2: field \"shown\": `P2` is the id of the item on line 3; "
       "take another one"},
      {"P1\t30\te1\tyes\tMK\n",
       "items.tsv:2: field \"flags\": `yes`; write `visible` or `-`"},
      {"P1\t30\te1\tvisible\tMK\n",
       "items.tsv:2: field \"shown\": a visible item shows its own id; write "
       "`P1`"},
      {"P1\t30\tP1\t-\tMK\n",
       "items.tsv:2: field \"shown\": is the item's own id; anonymize it, or "
       "write `visible` as its flag"},
      {"P1\t30\te1\t-\t\n",
       "items.tsv:2: field \"sequence\": is empty; an item has a sequence"},
      {"P1\t30\te1\t-\tMKv\n",
       "items.tsv:2: field \"sequence\": `v` at position 3; write upper-case "
       "letters alone"},
      {"P1\t30\te1\t-\tM*\n",
       "items.tsv:2: field \"sequence\": `*` at position 2; write upper-case "
       "letters alone"},
      {"P1\t30\te1\t-\t-\n",
       "items.tsv:2: field \"sequence\": `-` at position 1; write upper-case "
       "letters alone"},
  };
  refuse_each("items.tsv", "item\tsplit\tshown\tflags\tsequence\n", rows,
              COUNT(rows));
}

#define REACTIONS "item\tsplit\tshown\tflags\treaction\tequation\ttext\n"

static void items_can_be_reactions(void **state) {
  (void)state;
  world w = world_of(ec_tsv,
                     REACTIONS "R1\teasy\te1\t-\tC.O>>CO\ta + b = c\twords\n"
                               "R2\teasy\te2\t-\tC>Pt>O\t-\t-\n",
                     NULL, EVIDENCE);
  ecrb_item item;
  assert_int_equal(ecrb_bench_open(w.dir.path, 0, &w.bench, NULL), ECRB_OK);
  assert_true(ecrb_bench_reactions(w.bench));
  assert_int_equal(ecrb_bench_item(w.bench, 0, &item), ECRB_OK);
  assert_true(span_is(item.reaction, "C.O>>CO") && item.sequence.n == 0);
  assert_true(span_is(item.equation, "a + b = c"));
  assert_true(span_is(item.text, "words"));
  assert_int_equal(ecrb_bench_item(w.bench, 1, &item), ECRB_OK);
  assert_true(item.equation.n == 0 && item.text.n == 0);
  world_free(&w);
}

static void wrong_reactions(void **state) {
  (void)state;
  const wrong rows[] = {
      {"R1\teasy\te1\t-\tC.O\t-\t-\n",
       "items.tsv:2: field \"reaction\": `C.O` is no reaction; write SMILES "
       "without blanks, as `A.B>>C.D`"},
      {"R1\teasy\te1\t-\tC >> O\t-\t-\n",
       "items.tsv:2: field \"reaction\": `C >> O` is no reaction; write SMILES "
       "without blanks, as `A.B>>C.D`"},
      {"R1\teasy\te1\t-\t\t-\t-\n",
       "items.tsv:2: field \"reaction\": `` is no reaction; write SMILES "
       "without blanks, as `A.B>>C.D`"},
  };
  refuse_each("items.tsv", REACTIONS, rows, COUNT(rows));
  const char both[] = "item\tsplit\tshown\tflags\tsequence\treaction\n";
  expect_refusal("items.tsv", both, strlen(both),
                 "items.tsv:1: has the columns `sequence` and `reaction`; a "
                 "benchmark is of proteins or of reactions");
  const char bare[] = "item\tsplit\tshown\tflags\treaction\ttext\n";
  expect_refusal("items.tsv", bare, strlen(bare),
                 "items.tsv:1: column \"equation\" is missing; the header line "
                 "must name it");
}

static void wrong_leaves(void **state) {
  (void)state;
  const wrong rows[] = {
      {"", "ec.tsv: holds no leaf; write a row for each EC number"},
      {"1.1.-.-\tx\tname\n",
       "ec.tsv: holds no leaf; write a row for each EC number"},
      {"1.1.1.1.1\tx\tlist\n",
       "ec.tsv:2: field \"ec\": `1.1.1.1.1` is no EC number; write a.b.c.d"},
      {"-\tx\tname\n",
       "ec.tsv:2: field \"ec\": `-` is the root, which has no row; remove it"},
      {"2.4.2.B21\tx\tlist\n",
       "ec.tsv:2: field \"ec\": `2.4.2.B21` is BRENDA's own number and never a "
       "leaf; remove it"},
      {"1.1.1.1\tx\tname\n",
       "ec.tsv:2: field \"origin\": `name`; a leaf comes from `list` or from "
       "`labels`"},
      {"1.1.1\tx\tlist\n",
       "ec.tsv:2: field \"origin\": `list`; a row of depth 1 to 3 gives a "
       "node's name alone: write `name`"},
      {"1.1.1.1\tx\tlist\n1.1.1.1\t-\tlabels\n",
       "ec.tsv:3: field \"ec\": `1.1.1.1` stands twice; keep one of the rows"},
      {"1.1.1.1\tx\tlist\n1.1\tx\tname\n1.1.-.-\tx\tname\n",
       "ec.tsv:4: field \"ec\": `1.1.-.-` stands twice; keep one of the rows"},
      {"1.1.1.1\tx\tlist\n1.2\tx\tname\n",
       "ec.tsv:3: field \"ec\": no leaf stands under `1.2`; remove the row"},
      {"1.1.1.1\t\tlist\n",
       "ec.tsv:2: field \"name\": is empty; write `-` for none"},
  };
  refuse_each("ec.tsv", "ec\tname\torigin\n", rows, COUNT(rows));
}

static void wrong_labels(void **state) {
  (void)state;
  const wrong rows[] = {
      {"", "labels.tsv: ends after 0 of 4 items; the next row should be `P1`"},
      {"P1\t1.1.1.1\nP2\t1.1.1.1\nP3\t1.1.1.1\n",
       "labels.tsv: ends after 3 of 4 items; the next row should be `P4`"},
      {"P2\t1.1.1.1\n",
       "labels.tsv:2: field \"item\": expected `P1` but found `P2`; rows "
       "follow items.tsv one by one"},
      {"P1\t1.1.1.1\nP2\t1.1.1.1\nP3\t1.1.1.1\nP4\t1.1.1.1\nP5\t1.1.1.1\n",
       "labels.tsv:6: field \"item\": `P5` comes after the last item of "
       "items.tsv; remove the row"},
      {"P1\t-\n",
       "labels.tsv:2: field \"ec\": is empty; every row must have one"},
      {"P1\t\n",
       "labels.tsv:2: field \"ec\": is empty; every row must have one"},
      {"P1\t \n",
       "labels.tsv:2: field \"ec\": ` ` is no list of EC numbers; write "
       "a.b.c.d, several joined with `;`"},
      {"P1\tkinase\n",
       "labels.tsv:2: field \"ec\": `kinase` is no list of EC numbers; write "
       "a.b.c.d, several joined with `;`"},
      {"P1\t1.1.1.1;\n",
       "labels.tsv:2: field \"ec\": `1.1.1.1;` is no list of EC numbers; write "
       "a.b.c.d, several joined with `;`"},
      {"P1\t1.1.1\n",
       "labels.tsv:2: field \"ec\": `1.1.1.-` is no leaf of ec.tsv; mend it, "
       "or add it there with origin `labels`"},
      {"P1\t1.1.1.9\n",
       "labels.tsv:2: field \"ec\": `1.1.1.9` is no leaf of ec.tsv; mend it, "
       "or add it there with origin `labels`"},
      {"P1\t1.1.1.1;1.1.1.1\n",
       "labels.tsv:2: field \"ec\": `1.1.1.1` stands twice; keep one of them"},
  };
  refuse_each("labels.tsv", "item\tec\n", rows, COUNT(rows));
}

#define HIT(rank, neighbour) rank "\t" neighbour "\tt1\t1.1.1.1\t5\tbits"
#define NONE "\t-\t-\t-\n"

static void wrong_order_of_evidence(void **state) {
  (void)state;
  const wrong rows[] = {
      {"P9\tblast\t" HIT("1", "T1") NONE,
       "evidence.tsv:2: field \"item\": `P9` is no item of items.tsv; remove "
       "the "
       "row"},
      {"e1\tblast\t" HIT("1", "T1") NONE,
       "evidence.tsv:2: field \"item\": `e1` is no item of items.tsv; remove "
       "the "
       "row"},
      {"P2\tblast\t" HIT("1", "T1") NONE "P1\tblast\t" HIT("1", "T1") NONE,
       "evidence.tsv:3: field \"item\": `P1` comes too late; items stand in "
       "the order of items.tsv, the rows of one together"},
      {"P1\tblast\t" HIT("1", "T1") NONE "P2\tblast\t" HIT("1", "T1") NONE
       "P1\thmmer\t" HIT("1", "T1") NONE,
       "evidence.tsv:4: field \"item\": `P1` comes too late; items stand in "
       "the order of items.tsv, the rows of one together"},
      {"P1\tblast\t" HIT("1", "T1") NONE "P1\thmmer\t" HIT("1", "T1") NONE
       "P1\tblast\t" HIT("2", "T2") NONE,
       "evidence.tsv:4: field \"channel\": `blast` comes again; the rows of an "
       "item stand channel by channel"},
      {"P1\t-\t" HIT("1", "T1") NONE,
       "evidence.tsv:2: field \"channel\": is empty; every row must have one"},
      {"P1\tblast\t" HIT("2", "T1") NONE,
       "evidence.tsv:2: field \"rank\": expected 1 but found 2; ranks count up "
       "from 1 within an item and channel"},
      {"P1\tblast\t" HIT("1", "T1") NONE "P1\tblast\t" HIT("3", "T2") NONE,
       "evidence.tsv:3: field \"rank\": expected 2 but found 3; ranks count up "
       "from 1 within an item and channel"},
      {"P1\tblast\t" HIT("1", "T1") NONE "P1\tblast\t" HIT("2", "T1") NONE,
       "evidence.tsv:3: field \"neighbour\": `T1` has a row already; write one "
       "hit for each neighbour"},
      {"P1\tblast\t" HIT("1", "P2") NONE,
       "evidence.tsv:2: field \"neighbour\": `P2` is a test item; evidence "
       "comes from the training set alone"},
      {"P1\tblast\t1\tT1\tt1\n",
       "evidence.tsv:2: expected 11 cells but found 5; write one for each "
       "column of the header, `-` for none"},
  };
  refuse_each("evidence.tsv", EVIDENCE, rows, COUNT(rows));
}

static void wrong_cells_of_evidence(void **state) {
  (void)state;
  const wrong rows[] = {
      {"0\tT1\tt1\t1.1.1.1\t5\tbits" NONE,
       "field \"rank\": `0`; write 1, 2, 3 ..."},
      {"01\tT1\tt1\t1.1.1.1\t5\tbits" NONE,
       "field \"rank\": `01`; write 1, 2, 3 ..."},
      {"-1\tT1\tt1\t1.1.1.1\t5\tbits" NONE,
       "field \"rank\": `-1`; write 1, 2, 3 ..."},
      {"9999999999\tT1\tt1\t1.1.1.1\t5\tbits" NONE,
       "field \"rank\": `9999999999`; write 1, 2, 3 ..."},
      {"1\t-\tt1\t1.1.1.1\t5\tbits" NONE,
       "field \"neighbour\": is empty; every row must have one"},
      {"1\tT1\t\t1.1.1.1\t5\tbits" NONE,
       "field \"shown\": is empty; every row must have one"},
      {"1\tT1\tt1\t1.1.1.1\t5\t-" NONE,
       "field \"kind\": is empty; every row must have one"},
      {"1\tT1\tt1\t1.1.1.x\t5\tbits" NONE,
       "field \"ec\": `1.1.1.x` is no list of EC numbers; join them with `;`, "
       "or write `-` for none"},
      {"1\tT1\tt1\t\t5\tbits" NONE,
       "field \"ec\": `` is no list of EC numbers; join them with `;`, or "
       "write `-` for none"},
      {"1\tT1\tt1\t1.1.1.1;-\t5\tbits" NONE,
       "field \"ec\": the root is no EC number; write `-` alone for none"},
      {"1\tT1\tt1\t1.1.1.1;2.7.1.1;1.1.1.1\t5\tbits" NONE,
       "field \"ec\": `1.1.1.1` stands twice; keep one of them"},
      {"1\tT1\tt1\t1.1.1.1\t-\tbits" NONE,
       "field \"score\": `-`; write a decimal number"},
      {"1\tT1\tt1\t1.1.1.1\t1,5\tbits" NONE,
       "field \"score\": `1,5`; write a decimal number"},
      {"1\tT1\tt1\t1.1.1.1\tnan\tbits" NONE,
       "field \"score\": `nan`; write a decimal number"},
      {"1\tT1\tt1\t1.1.1.1\t1e999\tbits" NONE,
       "field \"score\": `1e999`; write a decimal number"},
      {"1\tT1\tt1\t1.1.1.1\t5\tbits\t101\t-\t-\n",
       "field \"identity\": `101`; write percent, 0 to 100, or `-` for none"},
      {"1\tT1\tt1\t1.1.1.1\t5\tbits\t-\t-3\t-\n",
       "field \"coverage\": `-3`; write percent, 0 to 100, or `-` for none"},
      {"1\tT1\tt1\t1.1.1.1\t5\tbits\t-\t-\t-1e-5\n",
       "field \"evalue\": `-1e-5`; write a number of 0 or more, or `-` for "
       "none"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char message[300];
    const wrong row = {rows[i].text, message};
    snprintf(message, sizeof message, "evidence.tsv:2: %s", rows[i].message);
    refuse_each("evidence.tsv", EVIDENCE "P1\tblast\t", &row, 1);
  }
}

/* Appends `row`, where %d is the number, n times. */
static void repeat(char *text, const char *row, int n) {
  char *at = text + strlen(text);
  for (int i = 1; i <= n; i++)
    at += sprintf(at, row, i, i);
}

static void stated_limits(void **state) {
  (void)state;
  char *text = calloc(1, 1 << 20);
  strcpy(text, EVIDENCE);
  repeat(text, "P1\tblast\t%d\tT%d\tt1\t-\t5\tbits" NONE, 1001);
  expect_refusal("evidence.tsv", text, strlen(text),
                 "evidence.tsv:1002: field \"rank\": more than 1000 hits of "
                 "one item in one channel; keep the best");
  strcpy(text, EVIDENCE);
  repeat(text, "P1\tc%d\t1\tT%d\tt1\t-\t5\tbits" NONE, 27);
  expect_refusal("evidence.tsv", text, strlen(text),
                 "evidence.tsv:28: field \"channel\": `c27` is one channel too "
                 "many; at most 32");
  strcpy(text, EVIDENCE "P1\tblast\t1\tT1\tt1\t1.1.1.1");
  repeat(text, ";1.1.%d.%d", 32);
  strcat(text, "\t5\tbits" NONE);
  expect_refusal(
      "evidence.tsv", text, strlen(text),
      "evidence.tsv:2: field \"ec\": 33 EC numbers; a hit has 32 at most");
  strcpy(text, "item\tec\nP1\t1.1.1.1");
  repeat(text, ";1.1.%d.%d", 32);
  strcat(text, "\n");
  expect_refusal("labels.tsv", text, strlen(text),
                 "labels.tsv:2: field \"ec\": 33 labels; an item has at most "
                 "32");
  free(text);
}

static void long_cells_are_cut_in_messages(void **state) {
  (void)state;
  char text[2000] = "item\tec\n";
  char message[2000];
  for (int i = 0; i < 200; i++)
    strcat(text, "\xce\xb2");
  strcat(text, "x\t1.1.1.1\n");
  snprintf(message, sizeof message,
           "labels.tsv:2: field \"item\": expected `P1` but found `%.60s`; "
           "rows follow items.tsv one by one",
           text + strlen("item\tec\n"));
  expect_refusal("labels.tsv", text, strlen(text), message);
}

static void missing_files_are_named(void **state) {
  (void)state;
  const char *files[] = {"ec.tsv", "items.tsv", "evidence.tsv"};
  for (size_t i = 0; i < COUNT(files); i++) {
    world w = world_of(ec_tsv, items_tsv, labels_tsv, evidence_tsv);
    ecrb_err err = {0, ""};
    char message[600];
    folder_remove_file(&w.dir, files[i]);
    assert_int_equal(read_whole(&w, &err), ECRB_EIO);
    snprintf(message, sizeof message,
             "%s/%s: no such file; a benchmark is a folder with ec.tsv, "
             "items.tsv and evidence.tsv",
             w.dir.path, files[i]);
    assert_string_equal(err.msg, message);
    world_free(&w);
  }
}

static void a_pipe_is_no_file(void **state) {
  (void)state;
  world w = world_of(NULL, items_tsv, NULL, NULL);
  char path[300];
  ecrb_err err = {0, ""};
  snprintf(path, sizeof path, "%s/ec.tsv", w.dir.path);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_int_equal(ecrb_bench_open(w.dir.path, 0, &w.bench, &err),
                   ECRB_EFORMAT);
  assert_non_null(strstr(err.msg, "ec.tsv: is no regular file"));
  world_free(&w);
}

static void a_file_changed_under_us_is_noticed(void **state) {
  (void)state;
  world w = opened(NULL);
  size_t count;
  ecrb_hit hit;
  ecrb_err err = {0, ""};
  char path[300], bad[sizeof evidence_tsv];
  int channels;
  assert_int_equal(ecrb_bench_channels(w.bench, &channels, NULL), ECRB_OK);
  memset(bad, 'x', sizeof bad);
  snprintf(path, sizeof path, "%s/evidence.tsv", w.dir.path);
  FILE *file = fopen(path, "r+b");
  assert_int_equal(fwrite(bad, 1, sizeof bad - 1, file), sizeof bad - 1);
  fclose(file);
  assert_int_equal(
      ecrb_bench_evidence(w.bench, 0, ECRB_BLAST, &hit, 1, &count, &err),
      ECRB_EFORMAT);
  assert_non_null(strstr(err.msg, "evidence.tsv: was changed while it was "
                                  "open; open the benchmark again"));
  world_free(&w);
}

/* A reading that failed leaves nothing behind: mended, the file is read. */
static void a_failed_reading_can_be_repeated(void **state) {
  (void)state;
  world w = opened(labels_tsv);
  const ecrb_ec *labels;
  size_t n;
  int channels;
  folder_write(&w.dir, "labels.tsv", "item\tec\nP1\tx\n");
  folder_write(&w.dir, "evidence.tsv", EVIDENCE "P1\tnew\t0\n");
  assert_int_equal(ecrb_bench_labels(w.bench, 0, &labels, &n, NULL),
                   ECRB_EFORMAT);
  assert_int_equal(ecrb_bench_channels(w.bench, &channels, NULL), ECRB_EFORMAT);
  folder_write(&w.dir, "labels.tsv", labels_tsv);
  folder_write(&w.dir, "evidence.tsv", EVIDENCE);
  assert_int_equal(ecrb_bench_labels(w.bench, 0, &labels, &n, NULL), ECRB_OK);
  assert_int_equal(ecrb_bench_channels(w.bench, &channels, NULL), ECRB_OK);
  assert_int_equal(channels, 6);
  world_free(&w);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  int failures = 0;
  int status = ECRB_ENOMEM;
  while (status == ECRB_ENOMEM) {
    world w = world_of(ec_tsv, items_tsv, labels_tsv, evidence_tsv);
    allocations_until_failure = failures + 1;
    status = read_whole(&w, NULL);
    allocations_until_failure = 0;
    failures += status == ECRB_ENOMEM;
    world_free(&w);
  }
  assert_int_equal(status, ECRB_OK);
  assert_true(failures > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(items_are_read),
      cmocka_unit_test(the_tree_is_read_with_its_names),
      cmocka_unit_test(items_are_found_by_three_names),
      cmocka_unit_test(items_are_found_without_memory),
      cmocka_unit_test(labels_are_read_in_file_order),
      cmocka_unit_test(labels_may_be_absent),
      cmocka_unit_test(channels_are_numbered),
      cmocka_unit_test(hits_are_read),
      cmocka_unit_test(look_ups_count_beyond_their_room),
      cmocka_unit_test(hits_are_read_in_any_order),
      cmocka_unit_test(items_are_read_in_several_threads),
      cmocka_unit_test(evidence_may_hold_no_hit),
      cmocka_unit_test(columns_stand_in_any_order),
      cmocka_unit_test(texts_that_are_no_table),
      cmocka_unit_test(too_many_columns),
      cmocka_unit_test(wrong_items),
      cmocka_unit_test(items_can_be_reactions),
      cmocka_unit_test(wrong_reactions),
      cmocka_unit_test(wrong_leaves),
      cmocka_unit_test(wrong_labels),
      cmocka_unit_test(wrong_order_of_evidence),
      cmocka_unit_test(wrong_cells_of_evidence),
      cmocka_unit_test(stated_limits),
      cmocka_unit_test(long_cells_are_cut_in_messages),
      cmocka_unit_test(missing_files_are_named),
      cmocka_unit_test(a_pipe_is_no_file),
      cmocka_unit_test(a_file_changed_under_us_is_noticed),
      cmocka_unit_test(a_failed_reading_can_be_repeated),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
