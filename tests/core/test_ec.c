/* EC numbers: every spelling that people write, and the order. */
#include "ec_text.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void accepted_spellings_have_one_form(void **state) {
  (void)state;
  const struct {
    const char *text, *canonical;
    int depth, kind;
  } rows[] = {
      {"2.7.1.1", "2.7.1.1", 4, ECRB_EC_PLAIN},
      {"EC2.7.1.1", "2.7.1.1", 4, ECRB_EC_PLAIN},
      {"EC:2.7.1.1", "2.7.1.1", 4, ECRB_EC_PLAIN},
      {"EC: 2.7.1.1", "2.7.1.1", 4, ECRB_EC_PLAIN},
      {"ec 2.7.1.1", "2.7.1.1", 4, ECRB_EC_PLAIN},
      {" \tEc : 2.7.1.1\t ", "2.7.1.1", 4, ECRB_EC_PLAIN},
      {"1.97.1.n3", "1.97.1.n3", 4, ECRB_EC_PRELIMINARY},
      {"2.1.1.n7", "2.1.1.n7", 4, ECRB_EC_PRELIMINARY},
      {"2.4.2.B21", "2.4.2.B21", 4, ECRB_EC_BRENDA},
      {"2.5.1", "2.5.1.-", 3, ECRB_EC_PLAIN},
      {"2.5.1.-", "2.5.1.-", 3, ECRB_EC_PLAIN},
      {"3.2.-.-", "3.2.-.-", 2, ECRB_EC_PLAIN},
      {"3.2.-", "3.2.-.-", 2, ECRB_EC_PLAIN},
      {"3.2", "3.2.-.-", 2, ECRB_EC_PLAIN},
      {"7", "7.-.-.-", 1, ECRB_EC_PLAIN},
      {"-.-.-.-", "-.-.-.-", 0, ECRB_EC_PLAIN},
      {"-", "-.-.-.-", 0, ECRB_EC_PLAIN},
      {"1.1.99.13", "1.1.99.13", 4, ECRB_EC_PLAIN},
      {"99999.99999.99999.n99999", "99999.99999.99999.n99999", 4,
       ECRB_EC_PRELIMINARY},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char text[ECRB_EC_TEXT];
    ecrb_ec number = ec(rows[i].text);
    assert_string_equal(ecrb_ec_format(number, text), rows[i].canonical);
    assert_int_equal(number.depth, rows[i].depth);
    assert_int_equal(number.kind, rows[i].kind);
    assert_true(ecrb_ec_equal(number, ec(text)));
  }
}

static void everything_else_is_refused(void **state) {
  (void)state;
  const char *rows[] = {
      "",
      " ",
      "EC",
      "EC:",
      "E2.7.1.1",
      "7.1.3.1.1",
      "1.1.1.-.-",
      "-.-.-.-.-",
      "1..1.1",
      ".1.1.1",
      "1.1.1.",
      "1.1.1.1.",
      "1.",
      ".",
      "01.1.1.1",
      "1.1.1.0",
      "0.0.0.0",
      "1.1.1.007",
      "1.-.1.1",
      "-.1.1.1",
      "1.-.1",
      "1.1.n1.1",
      "n1.1.1.1",
      "1.1.n1",
      "1.1.B1.1",
      "1.1.1.n",
      "1.1.1.B",
      "1.1.1.n0",
      "1.1.1.N1",
      "1.1.1.b1",
      "1.1.1.nn1",
      "1.1.1.100000",
      "123456789012345678901.1.1.1",
      "3_4_5_6",
      "a.b.c.d",
      "2.8.ab a real protein?",
      "1 .1.1.1",
      "1.1.1.1 x",
      "1.1.1.1;",
      "(1.1.1.1)",
      "1.1.1.+1",
      "1.1.1.1\n",
      "231-791-2",
      "--",
      "1.--",
      "1.1.1.n-",
      "EC::1.1.1.1",
      "EC EC 1.1.1.1",
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    ecrb_ec out;
    if (ecrb_ec_parse(rows[i], strlen(rows[i]), &out) != ECRB_EFORMAT)
      fail_msg("accepted: %s", rows[i]);
  }
  ecrb_ec out;
  assert_int_equal(ecrb_ec_parse("1.1.1.1\0", 8, &out), ECRB_EFORMAT);
  assert_int_equal(ecrb_ec_parse(NULL, 0, &out), ECRB_EFORMAT);
}

static void lists_take_both_separators(void **state) {
  (void)state;
  const struct {
    const char *text;
    int status;
    size_t count;
  } rows[] = {
      {"", ECRB_OK, 0},
      {"  ", ECRB_OK, 0},
      {"1.1.1.1", ECRB_OK, 1},
      {"1.1.1.1;2.7.1.1", ECRB_OK, 2},
      {"1.1.1.1; 2.7.1.1", ECRB_OK, 2},
      {"1.1.1.1 , EC2.7.1.1;EC:5.3.1.-", ECRB_OK, 3},
      {"1.1.1.1;2.7.1.1;3.1.1.1;4.1.1.1", ECRB_ELIMIT, 4},
      {"1.1.1.1;", ECRB_EFORMAT, 1},
      {";1.1.1.1", ECRB_EFORMAT, 0},
      {"1.1.1.1;;2.7.1.1", ECRB_EFORMAT, 1},
      {"1.1.1.1/2.7.1.1", ECRB_EFORMAT, 0},
      {"1.1.1.1;x", ECRB_EFORMAT, 1},
      {";", ECRB_EFORMAT, 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    ecrb_ec out[3];
    size_t count = 99;
    int status =
        ecrb_ec_list_parse(rows[i].text, strlen(rows[i].text), out, 3, &count);
    if (status != rows[i].status || count != rows[i].count)
      fail_msg("`%s`: status %d, count %zu", rows[i].text, status, count);
  }
}

static void lists_keep_their_order(void **state) {
  (void)state;
  ecrb_ec out[3];
  size_t count;
  const char *text = "EC5.3.1.5,1.1.1.-;2.4.2.B21";
  assert_int_equal(ecrb_ec_list_parse(text, strlen(text), out, 3, &count),
                   ECRB_OK);
  assert_true(ecrb_ec_equal(out[0], ec("5.3.1.5")));
  assert_true(ecrb_ec_equal(out[1], ec("1.1.1")));
  assert_true(ecrb_ec_equal(out[2], ec("2.4.2.B21")));
}

static void prefixes_name_inner_nodes(void **state) {
  (void)state;
  char text[ECRB_EC_TEXT];
  const char *expected[] = {"-.-.-.-", "1.-.-.-", "1.97.-.-", "1.97.1.-",
                            "1.97.1.n3"};
  for (int level = 0; level <= 4; level++)
    assert_string_equal(
        ecrb_ec_format(ecrb_ec_prefix(ec("1.97.1.n3"), level), text),
        expected[level]);
  assert_true(ecrb_ec_equal(ecrb_ec_prefix(ec("1.97.1.n3"), 3), ec("1.97.1")));
  assert_true(ecrb_ec_equal(ecrb_ec_prefix(ec("1.97"), 3), ec("1.97")));
  assert_int_equal(ecrb_ec_prefix(ec("1.97"), -1).depth, 0);
}

static void shared_counts_parts_not_characters(void **state) {
  (void)state;
  const struct {
    const char *a, *b;
    int shared;
  } rows[] = {
      {"1.1.1.1", "1.1.1.10", 3},   {"1.1.1.1", "1.1.1.n1", 3},
      {"2.4.2.B21", "2.4.2.21", 3}, {"1.10.3.2", "1.1.3.2", 1},
      {"1.1.1.1", "1.1.1.1", 4},    {"1.1", "1.1.1.1", 2},
      {"-", "1.1.1.1", 0},          {"1.1.1.1", "2.1.1.1", 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_int_equal(ecrb_ec_shared(ec(rows[i].a), ec(rows[i].b)),
                     rows[i].shared);
    assert_int_equal(ecrb_ec_shared(ec(rows[i].b), ec(rows[i].a)),
                     rows[i].shared);
  }
}

static void order_is_numeric_and_by_kind(void **state) {
  (void)state;
  const char *sorted[] = {
      "-",        "1",        "1.1",      "1.1.1", "1.1.1.2", "1.1.1.10",
      "1.1.1.n1", "1.1.1.n2", "1.1.1.B1", "1.1.2", "1.2",     "1.10",
      "1.10.3.2", "2",        "2.1.1.1",  "10",
  };
  for (size_t i = 0; i < COUNT(sorted); i++)
    for (size_t j = 0; j < COUNT(sorted); j++) {
      int order = ecrb_ec_compare(ec(sorted[i]), ec(sorted[j]));
      assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
      assert_int_equal(ecrb_ec_equal(ec(sorted[i]), ec(sorted[j])), i == j);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accepted_spellings_have_one_form),
      cmocka_unit_test(everything_else_is_refused),
      cmocka_unit_test(lists_take_both_separators),
      cmocka_unit_test(lists_keep_their_order),
      cmocka_unit_test(prefixes_name_inner_nodes),
      cmocka_unit_test(shared_counts_parts_not_characters),
      cmocka_unit_test(order_is_numeric_and_by_kind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
