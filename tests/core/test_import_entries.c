/* UniProt's flat files: what is read, what is refused. */
#include "unit.h"

#include "scratch.h"

#define FETCH_AGAIN "; fetch the file again"

static void read_entries(const char *path, scratch_dump *dump) {
  ecrb_entries *entries;
  ecrb_entry entry;
  ecrb_err err;
  int status = ecrb_entries_open(path, &entries, &err);
  while (status == ECRB_OK) {
    status = ecrb_entries_next(entries, &entry, &err);
    if (status == ECRB_OK)
      scratch_say(dump, "%.*s|%.*s|%s|%.*s|%.*s@%zu\n", SPAN(entry.name),
                  SPAN(entry.accession), entry.created, SPAN(entry.ecs),
                  SPAN(entry.sequence), entry.line);
  }
  scratch_end(dump, status, &err, path);
  ecrb_entries_close(entries);
}

#define HEAD                                                                   \
  "ID   AAT_RABIT               Reviewed;           4 AA.\n"                   \
  "AC   P12345; G1SKL2;\nAC   Q99999;\n"                                       \
  "DT   01-OCT-1989, integrated into UniProtKB/Swiss-Prot.\n"                  \
  "DT   28-JUN-2011, sequence version 2.\n"
#define TAIL                                                                   \
  "SQ   SEQUENCE   4 AA;  430 MW;  12C54284974D27A5 CRC64;\n     MA LL\n//\n"

static void entries(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {"", ""},
      {HEAD TAIL, "AAT_RABIT|P12345|1989-10-01||MALL@1\n"},
      {HEAD "DE   RecName: Full=Aminotransferase;\n"
            "DE            EC=2.6.1.1 {ECO:0000269|PubMed:1};\n"
            "DE            EC=2.6.1.-;\nDE   AltName: Full=SPEC=1 x;\n"
            "DE   Includes:\nDE     RecName: Full=B; EC=1.1.1.n2;\n"
            "CC   -!- EC=9.9.9.9 in a comment.\n" TAIL
            "\nID   B Unreviewed; 4 AA.\nAC   Q1;\n"
            "DT   02-FEB-2020, integrated.\n" TAIL,
       "AAT_RABIT|P12345|1989-10-01|2.6.1.1;2.6.1.-;1.1.1.n2|MALL@1\n"
       "B|Q1|2020-02-02||MALL@17\n"},
  };
  scratch_check_all(cases, COUNT(cases), read_entries);
}

static void what_is_refused(void **state) {
  (void)state;
  const scratch_case cases[] = {
      {">sp|P1\nMK\n", "! :1: an entry begins with its ID line; is this a "
                       "UniProt flat file?"},
      {"ID   A 4 BP.\n", "! :1: ID: does not end in the length (`256 AA.`); is "
                         "this a UniProt flat file?"},
      {HEAD "ID   B 4 AA.\n",
       "! :6: ID: the entry of line 1 has no end (`//`)" FETCH_AGAIN},
      {HEAD "SQ   S\n     MAL\n//\n",
       "! :8: the entry of line 1 has 3 residues, its ID line says "
       "4" FETCH_AGAIN},
      {HEAD "SQ   S\n     MA1L\n//\n",
       "! :7: sequence: byte 0x31 is no residue" FETCH_AGAIN},
      {"ID   A 4 AA.\nDT   01-OCT-1989, i\n" TAIL,
       "! :5: the entry of line 1 has no AC line" FETCH_AGAIN},
      {"ID   A 4 AA.\nAC   A;\n" TAIL,
       "! :5: the entry of line 1 has no DT line" FETCH_AGAIN},
      {"ID   A 4 AA.\nDT   yesterday\n",
       "! :2: DT: is no date of the form 28-JUN-2011" FETCH_AGAIN},
      {"ID   A 4 AA.\nDT   99-XXX-2011\n",
       "! :2: DT: is no date of the form 28-JUN-2011" FETCH_AGAIN},
      {HEAD, "! :5: the file ends inside the entry of line 1; fetch it again"},
  };
  scratch_check_all(cases, COUNT(cases), read_entries);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entries),
      cmocka_unit_test(what_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
