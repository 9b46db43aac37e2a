/* The survey of a FASTA file: what is counted, what is refused. */
#include "unit.h"

#include "scratch.h"

static void say_survey(scratch_dump *dump, const ecrb_survey *s) {
  scratch_say(dump, "records=%zu residues=%zu empty=%zu odd=%zu", s->records,
              s->residues, s->empty, s->odd);
  for (size_t i = 0; i < s->n_repeats; i++)
    scratch_say(dump, " again=%zu", s->repeats[i]);
}

static void survey(const char *path, scratch_dump *dump) {
  ecrb_survey s;
  ecrb_err err;
  int status = ecrb_fasta_survey(path, &s, &err);
  if (status == ECRB_OK)
    say_survey(dump, &s);
  else
    scratch_end(dump, status, &err, path);
  ecrb_survey_free(&s);
}

static void counts(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"", "records=0 residues=0 empty=0 odd=0"},
      {">a\nMKT\n>b\nAA\nA\n", "records=2 residues=6 empty=0 odd=0"},
      {">a\n>b\n*\n", "records=2 residues=0 empty=2 odd=0"},
      {">a\nmk\n>b\nM*K\n>c\nM-K\n>d\nMK*\n",
       "records=4 residues=9 empty=0 odd=3"},
      {">a\nMK\n>b\nMK\n>a x\nM\nK\n>b\nMK\n",
       "records=4 residues=4 empty=0 odd=0 again=2 again=3"},
  };
  scratch_check_all(cases, COUNT(cases), survey);
}

static void refusals(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {">a\nMK\n>b\nMK\n>a\nML\n",
       "! :5: `a` stands on line 1 already, with another sequence; give each "
       "sequence an id of its own"},
      {">a\nMK\n>b\033[2J\nMK\n",
       "! :3: character 2 of the id (byte 0x1B) is a control character; "
       "remove it"},
      {">a\nM@\n", "! :2: character 2 (byte 0x40) is no residue; remove it"},
  };
  scratch_check_all(cases, COUNT(cases), survey);
}

static void digest_of(const char *text, char out[ECRB_SHA256_TEXT]) {
  char path[SCRATCH_PATH_MAX];
  ecrb_survey s;
  scratch_write(path, text, strlen(text));
  assert_int_equal(ecrb_fasta_survey(path, &s, NULL), ECRB_OK);
  unlink(path);
  memcpy(out, s.sha256, 65);
  ecrb_survey_free(&s);
}

/* The digest is that of `id LF sequence LF ...`, whatever the layout. */
static void digests(void **state) {
  (void)state;
  char a[ECRB_SHA256_TEXT], b[ECRB_SHA256_TEXT], c[ECRB_SHA256_TEXT];
  digest_of(">a one\nMKT\nA\n", a);
  digest_of(">a\r\nMKTA\r\n", b);
  digest_of(">a\nMKT\n>A\n", c);
  assert_string_equal(a, b);
  assert_string_not_equal(a, c);
  digest_of("", a);
  assert_string_equal(
      a, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void a_missing_file(void **state) {
  (void)state;
  ecrb_survey s;
  ecrb_err err;
  assert_int_equal(ecrb_fasta_survey("/nowhere/x.fa", &s, &err), ECRB_EIO);
  assert_null(s.repeats);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts),
      cmocka_unit_test(refusals),
      cmocka_unit_test(digests),
      cmocka_unit_test(a_missing_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
