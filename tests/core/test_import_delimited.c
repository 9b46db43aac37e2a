/* Comma- and tab-separated tables: quoting, headers, widths. */
#include "unit.h"

#include "scratch.h"

#define MEND_ROW "; mend the row, or quote what holds a separator"

static void say_rows(ecrb_table *table, scratch_dump *dump, const char *path) {
  const ecrb_span *fields;
  ecrb_err err;
  int status;
  while ((status = ecrb_table_next(table, &fields, &err)) == ECRB_OK) {
    scratch_say(dump, "%zu", ecrb_table_line(table));
    for (size_t i = 0; i < ecrb_table_columns(table); i++)
      scratch_say(dump, "[%.*s]", SPAN(fields[i]));
  }
  scratch_end(dump, status, &err, path);
}

static void read_table(const char *path, scratch_dump *dump) {
  ecrb_table *table;
  ecrb_err err;
  int status = ecrb_table_open(path, 0, &table, &err);
  if (status != ECRB_OK) {
    scratch_end(dump, status, &err, path);
    return;
  }
  for (size_t i = 0; i < ecrb_table_columns(table); i++)
    scratch_say(dump, "<%.*s>", SPAN(ecrb_table_column(table, i)));
  say_rows(table, dump, path);
  ecrb_table_close(table);
}

static void commas(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"a,b\n1,2\n", "<a><b>2[1][2]"},
      {"a,b\r\n1,2", "<a><b>2[1][2]"},
      {"\xEF\xBB\xBF"
       "Entry,EC number\nq1,1.1.1.1\n",
       "<Entry><EC number>2[q1][1.1.1.1]"},
      {",Entry\n0,x\n", "<><Entry>2[0][x]"},
      {"a,b\n,\n\n1,\n", "<a><b>2[][]4[1][]"},
      {"a\n\nx\n", "<a>2[]3[x]"},
      {"a,b\nx,\"Homodimer; binds A, B.\"\n",
       "<a><b>2[x][Homodimer; binds A, B.]"},
      {"a,b\n\"say \"\"hi\"\"\",\"\"\n", "<a><b>2[say \"hi\"][]"},
      {"a,b\n\"x\r\ny\",z\n1,2\n", "<a><b>2[x\ny][z]4[1][2]"},
      {"a,b\n\"\"\"\",\"\n\n\"\n", "<a><b>2[\"][\n\n]"},
      {"\"a\",\"b,c\"\n1,2\n", "<a><b,c>2[1][2]"},
      {"a,b\n1;2,3\n", "<a><b>2[1;2][3]"},
  };
  scratch_check_all(cases, COUNT(cases), read_table);
}

static void tabs(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"a\tb\n1\t2\n", "<a><b>2[1][2]"},
      {"a\tb\n\"1\t2\"\n", "<a><b>2[\"1][2\"]"},
      {"a\tb\nx,y\t\n", "<a><b>2[x,y][]"},
  };
  scratch_check_all(cases, COUNT(cases), read_table);
}

static void what_is_refused(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"", "! :1: empty; a table begins with a header line"},
      {"a,b\n1,2,3\n", "<a><b>! :2: 3 fields where the header has 2" MEND_ROW},
      {"a,b\n1,2\n1\n",
       "<a><b>2[1][2]! :3: 1 fields where the header has 2" MEND_ROW},
      {"a,b\n1,\"x\ny\n",
       "<a><b>! :2: field 2: a quote is opened and never closed; close it, or "
       "double a quote inside a field"},
      {"a,b\n\"x\"y,1\n",
       "<a><b>! :2: field 1: text after the closing quote; double a "
       "quote inside a field"},
      {"a,b\n1,x\"y\"\n",
       "<a><b>! :2: field 2: a quote inside a field without quotes; quote the "
       "field and double the quote"},
  };
  scratch_check_all(cases, COUNT(cases), read_table);
}

static ecrb_table *table_of(const char *text) {
  char path[SCRATCH_PATH_MAX];
  ecrb_table *table;
  scratch_write(path, text, strlen(text));
  assert_int_equal(ecrb_table_open(path, 0, &table, NULL), ECRB_OK);
  unlink(path);
  return table;
}

static void columns_are_found_by_name(void **state) {
  (void)state;
  ecrb_table *table = table_of("id,EC,,id\n");
  ecrb_err err;
  size_t column = 99;
  assert_int_equal(ecrb_table_find(table, "EC", &column, &err), ECRB_OK);
  assert_int_equal(column, 1);
  assert_int_equal(ecrb_table_find(table, "", &column, &err), ECRB_OK);
  assert_int_equal(column, 2);
  assert_int_equal(ecrb_table_find(table, "ec", &column, &err), ECRB_ENONE);
  assert_non_null(
      strstr(err.msg, ":1: no column `ec`; there are `id`, `EC`, ``, `id`"));
  assert_int_equal(ecrb_table_find(table, "id", &column, &err), ECRB_EFORMAT);
  assert_non_null(strstr(err.msg, ":1: 2 columns are named `id`; rename"));
  ecrb_table_close(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(commas),
      cmocka_unit_test(tabs),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(columns_are_found_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
