/* FASTA: what is read, what is told, what is refused. */
#include "unit.h"

#include "scratch.h"

/* `id|description|sequence@line` and what the record tells. */
static void say_record(scratch_dump *dump, const ecrb_record *r) {
  scratch_say(dump, "%.*s|%.*s|%.*s@%zu", SPAN(r->id), SPAN(r->description),
              SPAN(r->sequence), r->line);
  if (r->removed > 0)
    scratch_say(dump, " removed=%zu", r->removed);
  if (r->stops > 0)
    scratch_say(dump, " stops=%zu", r->stops);
  scratch_say(dump, "%s%s\n", r->lowered ? " lowered" : "",
              r->terminated ? " terminated" : "");
}

static void read_fasta(const char *path, scratch_dump *dump) {
  ecrb_fasta *fasta;
  ecrb_record record;
  ecrb_err err;
  int status = ecrb_fasta_open(path, &fasta, &err);
  while (status == ECRB_OK) {
    status = ecrb_fasta_next(fasta, &record, &err);
    if (status == ECRB_OK)
      say_record(dump, &record);
  }
  scratch_end(dump, status, &err, path);
  ecrb_fasta_close(fasta);
}

static void records(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"", ""},
      {"\n\n", ""},
      {">p1\r\nMKT\r\n", "p1||MKT@1\n"},
      {">p1 some  enzyme \nMKT\nAA", "p1|some  enzyme|MKTAA@1\n"},
      {"; old style\n\n>a\tb\nMK\n;note\nT\n>c\n\n>d\nW\n",
       "a|b|MKT@3\nc||@7\nd||W@9\n"},
      {">sp|P12345|AAT_RABIT Aspartate\nMUOX\n",
       "sp|P12345|AAT_RABIT|Aspartate|MUOX@1\n"},
      {">a\nMK\n>a\nML\n", "a||MK@1\na||ML@3\n"},
      {"\xEF\xBB\xBF>a\nM\n", "a||M@1\n"},
  };
  scratch_check_all(cases, COUNT(cases), read_fasta);
}

static void what_is_told(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {">a\nmktL\n", "a||MKTL@1 lowered\n"},
      {">a\nMKT*\n", "a||MKT@1 terminated\n"},
      {">a\nMK*T\n", "a||MK*T@1 stops=1\n"},
      {">a\nMK\n*\n", "a||MK@1 terminated\n"},
      {">a\nMK**\n", "a||MK*@1 stops=1 terminated\n"},
      {">a\nMK-T 1\n", "a||MKT@1 removed=3\n"},
      {">a\nMKT  \t\n", "a||MKT@1\n"},
      {">a\n*\n", "a||@1 terminated\n"},
  };
  scratch_check_all(cases, COUNT(cases), read_fasta);
}

static void what_is_refused(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"MKT\n", "! :1: text before the first header; a FASTA record begins "
                "with `>id`"},
      {"\n id,seq\n", "! :2: text before the first header; a FASTA record "
                      "begins with `>id`"},
      {">a\nMK\n>\nMK\n", "a||MK@1\n! :3: a header without an id; write `>id` "
                          "without a blank after `>`"},
      {">a\rMK\r>b\rML\r", "! :1: a CR stands inside the header; save the file "
                              "with LF line ends"},
      {">a b\r\r\nMK\n", "a|b|MK@1\n"},
      {"> a\nMK\n", "! :1: a header without an id; write `>id` without a blank "
                    "after `>`"},
      {">a\nMK\nM@K\n",
       "! :3: character 2 (byte 0x40) is no residue; remove it"},
      {">a\nM\xC3\xA4\n",
       "! :2: character 2 (byte 0xC3) is no residue; remove it"},
      {">a\nMK>b\n", "! :2: character 3 (byte 0x3E) is no residue; remove it"},
  };
  scratch_check_all(cases, COUNT(cases), read_fasta);
}

static void a_sequence_has_a_limit(void **state) {
  (void)state;
  size_t n = ECRB_LINE_MAX + 16;
  char *text = malloc(n);
  memset(text, 'A', n);
  memcpy(text, ">a\n", 3);
  text[n / 2] = '\n';
  scratch_check(text, n,
                "! :3: the sequence is longer than 4 MiB; is this a protein?",
                read_fasta);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records),
      cmocka_unit_test(what_is_told),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(a_sequence_has_a_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
