/* The motif scanner: what counts as an occurrence, the counts over CARE, and
** that the interpreter finds what the JIT code finds. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "unit.h"

#include <dlfcn.h>
#include <pcre2.h>
#include <string.h>

#include "care.h"
#include "failing.h"

/* These stand before the library's own, so that a test can take the JIT away
** or let a match fail. */
static bool without_jit;
static int match_error;

PCRE2_CALL_CONVENTION int pcre2_jit_compile_8(pcre2_code_8 *code,
                                              uint32_t options) {
  int (*real)(pcre2_code_8 *, uint32_t);
  *(void **)&real = dlsym(RTLD_NEXT, "pcre2_jit_compile_8");
  return without_jit ? PCRE2_ERROR_JIT_BADOPTION : real(code, options);
}

typedef int match_function(const pcre2_code_8 *, PCRE2_SPTR8, PCRE2_SIZE,
                           PCRE2_SIZE, uint32_t, pcre2_match_data_8 *,
                           pcre2_match_context_8 *);

int pcre2_match_8(const pcre2_code_8 *code, PCRE2_SPTR8 subject, PCRE2_SIZE n,
                  PCRE2_SIZE start, uint32_t options, pcre2_match_data_8 *data,
                  pcre2_match_context_8 *context) {
  match_function *real;
  *(void **)&real = dlsym(RTLD_NEXT, "pcre2_match_8");
  return match_error != 0
             ? match_error
             : real(code, subject, n, start, options, data, context);
}

static ecrb_scanner *scanner_without(bool jit) {
  ecrb_scanner *scanner;
  without_jit = !jit;
  assert_int_equal(ecrb_scanner_new(&scanner, NULL), ECRB_OK);
  without_jit = false;
  return scanner;
}

enum { ROSSMANN, WALKER, ELBOW, ZINC, ASPARTIC, THIOREDOXIN };

typedef struct scan_case {
  const char *sequence;
  size_t count;
  ecrb_motif_hit hits[4];
} scan_case;

static const scan_case cases[] = {
    {"", 0, {{0, 0, 0}}},
    {"MKTAYIAKQR", 0, {{0, 0, 0}}},
    {"MGAGLLGT", 1, {{ROSSMANN, 2, 6}}},
    {"GGGGGGG", 2, {{ROSSMANN, 1, 6}, {ROSSMANN, 2, 6}}},
    {"GAGLLGAGLLG", 2, {{ROSSMANN, 1, 6}, {ROSSMANN, 6, 6}}},
    {"ALLLLGKS", 1, {{WALKER, 1, 8}}},
    {"LGLLLLGKTL", 1, {{WALKER, 2, 8}}},
    {"SLLLLGKS", 0, {{0, 0, 0}}},
    {"GASAGASAG", 2, {{ELBOW, 1, 5}, {ELBOW, 5, 5}}},
    {"HELLH", 1, {{ZINC, 1, 5}}},
    {"HELLHELLH", 2, {{ZINC, 1, 5}, {ZINC, 5, 5}}},
    {"DTGDSGDAG", 2, {{ASPARTIC, 1, 3}, {ASPARTIC, 4, 3}}},
    {"CGPC", 1, {{THIOREDOXIN, 1, 4}}},
    {"CPHCGHCPPC",
     3,
     {{THIOREDOXIN, 1, 4}, {THIOREDOXIN, 4, 4}, {THIOREDOXIN, 7, 4}}},
    /* motif by motif, whatever comes first in the sequence */
    {"DTGHELLH", 2, {{ZINC, 4, 5}, {ASPARTIC, 1, 3}}},
    /* x is a letter: no gap, stop, blank or lower case */
    {"G-G--G", 0, {{0, 0, 0}}},
    {"G*S*G", 0, {{0, 0, 0}}},
    {"HE\nxH", 0, {{0, 0, 0}}},
    {"GxSxG", 0, {{0, 0, 0}}},
    {"dtg", 0, {{0, 0, 0}}},
    {"DTGXGUSOG", 2, {{ELBOW, 5, 5}, {ASPARTIC, 1, 3}}},
};

static void check_case(ecrb_scanner *scanner, const scan_case *expected) {
  ecrb_motif_hit hits[4];
  size_t count;
  assert_int_equal(ecrb_scan(scanner, expected->sequence,
                             strlen(expected->sequence), hits, 4, &count, NULL),
                   ECRB_OK);
  assert_int_equal(count, expected->count);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(hits[i].motif, expected->hits[i].motif);
    assert_int_equal(hits[i].at, expected->hits[i].at);
    assert_int_equal(hits[i].length, expected->hits[i].length);
  }
}

static void check_cases(ecrb_scanner *scanner) {
  for (size_t i = 0; i < COUNT(cases); i++)
    check_case(scanner, &cases[i]);
}

static void occurrences_may_overlap(void **state) {
  (void)state;
  ecrb_scanner *scanner = scanner_without(true);
  check_cases(scanner);
  ecrb_scanner_free(scanner);
}

static void without_jit_the_hits_are_the_same(void **state) {
  (void)state;
  ecrb_scanner *scanner = scanner_without(false);
  check_cases(scanner);
  ecrb_scanner_free(scanner);
}

static void the_list_is_the_papers(void **state) {
  (void)state;
  const char *patterns[] = {"GxGxxG", "[AG]xxxxGK[ST]", "GxSxG",
                            "HExxH",  "D[TS]G",         "C[GP][PH]C"};
  assert_int_equal(COUNT(patterns), ECRB_MOTIFS);
  for (int i = 0; i < ECRB_MOTIFS; i++)
    assert_string_equal(ecrb_motif_list()[i].pattern, patterns[i]);
  assert_string_equal(ecrb_motif_list()[ROSSMANN].name, "Rossmann fold");
}

static void the_count_goes_beyond_the_room(void **state) {
  (void)state;
  ecrb_scanner *scanner = scanner_without(true);
  ecrb_motif_hit hits[2] = {{-1, 0, 0}, {-1, 0, 0}};
  size_t count;
  assert_int_equal(ecrb_scan(scanner, "DTGDTGDTG", 9, hits, 1, &count, NULL),
                   ECRB_OK);
  assert_int_equal(count, 3);
  assert_int_equal(hits[0].at, 1);
  assert_int_equal(hits[1].motif, -1);
  assert_int_equal(ecrb_scan(scanner, "DTGDTG", 6, NULL, 0, &count, NULL),
                   ECRB_OK);
  assert_int_equal(count, 2);
  assert_int_equal(ecrb_scan(scanner, NULL, 0, NULL, 0, &count, NULL), ECRB_OK);
  assert_int_equal(count, 0);
  /* n ends the sequence, not a terminator */
  assert_int_equal(ecrb_scan(scanner, "DTGDTG", 5, NULL, 0, &count, NULL),
                   ECRB_OK);
  assert_int_equal(count, 1);
  ecrb_scanner_free(scanner);
}

static void a_failed_match_names_its_motif(void **state) {
  (void)state;
  const struct {
    int pcre2, status;
  } errors[] = {{PCRE2_ERROR_NOMEMORY, ECRB_ENOMEM},
                {PCRE2_ERROR_HEAPLIMIT, ECRB_ENOMEM},
                {PCRE2_ERROR_MATCHLIMIT, ECRB_ELIMIT}};
  ecrb_scanner *scanner = scanner_without(true);
  for (size_t i = 0; i < COUNT(errors); i++) {
    ecrb_err err;
    size_t count = 7;
    match_error = errors[i].pcre2;
    int status = ecrb_scan(scanner, "DTG", 3, NULL, 0, &count, &err);
    match_error = 0;
    assert_int_equal(status, errors[i].status);
    assert_int_equal(count, 0);
    assert_non_null(strstr(err.msg, "Rossmann fold"));
  }
  ecrb_scanner_free(scanner);
  ecrb_scanner_free(NULL);
}

/* Lets the n-th allocation of ecrb_scanner_new fail; false where there was no
** n-th. A failure inside the JIT only costs the JIT. */
static bool new_fails_cleanly(long n) {
  ecrb_scanner *scanner = NULL;
  allocations_until_failure = n;
  int status = ecrb_scanner_new(&scanner, NULL);
  bool reached = allocations_until_failure == 0;
  allocations_until_failure = 0;
  assert_true(status == ECRB_OK || status == ECRB_ENOMEM);
  assert_true((scanner != NULL) == (status == ECRB_OK));
  if (status == ECRB_OK)
    check_cases(scanner);
  ecrb_scanner_free(scanner);
  return reached;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  long n = 1;
  while (new_fails_cleanly(n))
    n++;
  assert_true(n > 2 + ECRB_MOTIFS);
}

static void count_over_care(const care *set, bool jit,
                            size_t totals[ECRB_MOTIFS]) {
  ecrb_scanner *scanner = scanner_without(jit);
  for (size_t i = 0; i < set->n_items; i++) {
    const char *sequence = set->items[i].sequence;
    ecrb_motif_hit hits[200];
    size_t count;
    ecrb_scan(scanner, sequence, strlen(sequence), hits, 200, &count, NULL);
    assert_true(count <= 200);
    for (size_t k = 0; k < count; k++)
      totals[hits[k].motif]++;
  }
  ecrb_scanner_free(scanner);
}

static void cares_counts(void **state) {
  (void)state;
  const size_t expected[ECRB_MOTIFS] = {433, 97, 247, 27, 208, 11};
  care *set = care_load();
  if (set == NULL)
    skip();
  assert_int_equal(set->n_items, 1349);
  for (int jit = 0; jit < 2; jit++) {
    size_t totals[ECRB_MOTIFS] = {0};
    count_over_care(set, jit, totals);
    for (int i = 0; i < ECRB_MOTIFS; i++)
      assert_int_equal(totals[i], expected[i]);
  }
  care_free(set);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(occurrences_may_overlap),
      cmocka_unit_test(without_jit_the_hits_are_the_same),
      cmocka_unit_test(the_list_is_the_papers),
      cmocka_unit_test(the_count_goes_beyond_the_room),
      cmocka_unit_test(a_failed_match_names_its_motif),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(cares_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
