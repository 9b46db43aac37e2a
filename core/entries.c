/* entries.c: UniProt's flat files. A line begins with a code of two letters and
** three blanks, or with five blanks for the sequence; an entry ends in `//`.
*/
#include "bytes.h"
#include "ecrb_import.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct ecrb_entries {
  ecrb_lines *lines;
  ecrb_bytes name, accession, ecs, sequence;
  size_t stated; /* residues by the ID line */
  bool in_sequence;
  char created[11];
  size_t line; /* of the entry; 0 between entries */
};

int ecrb_entries_open(const char *path, ecrb_entries **out, ecrb_err *err) {
  ecrb_entries *entries = calloc(1, sizeof *entries);
  int status;
  *out = NULL;
  if (entries == NULL)
    return ecrb_no_memory(err, path);
  status = ecrb_lines_open(path, &entries->lines, err);
  if (status != ECRB_OK) {
    ecrb_entries_close(entries);
    return status;
  }
  *out = entries;
  return ECRB_OK;
}

void ecrb_entries_close(ecrb_entries *entries) {
  if (entries == NULL)
    return;
  ecrb_lines_close(entries->lines);
  ecrb_bytes_free(&entries->name);
  ecrb_bytes_free(&entries->accession);
  ecrb_bytes_free(&entries->ecs);
  ecrb_bytes_free(&entries->sequence);
  free(entries);
}

static int no_memory(const ecrb_entries *e, ecrb_err *err) {
  return ecrb_no_memory(err, ecrb_lines_path(e->lines));
}

/* The text up to any of `stops`. */
static ecrb_span up_to(ecrb_span text, const char *stops) {
  size_t n = 0;
  while (n < text.n && strchr(stops, text.at[n]) == NULL)
    n++;
  return (ecrb_span){text.at, n};
}

static ecrb_span behind(ecrb_span text, size_t n) {
  return (ecrb_span){text.at + n, text.n - n};
}

static void clear(ecrb_entries *e) {
  e->name.n = e->accession.n = e->ecs.n = e->sequence.n = 0;
  e->stated = 0;
  e->in_sequence = false;
  e->created[0] = '\0';
}

/* The number before ` AA.` at the end of the line. */
static bool stated_length(ecrb_span text, size_t *out) {
  size_t end, at;
  if (text.n < 5 || memcmp(text.at + text.n - 4, " AA.", 4) != 0)
    return false;
  end = at = text.n - 4;
  for (*out = 0; at > 0 && text.at[at - 1] >= '0' && text.at[at - 1] <= '9';)
    at--;
  if (at == end || end - at > 9)
    return false;
  for (; at < end; at++)
    *out = *out * 10 + (size_t)(text.at[at] - '0');
  return true;
}

static int read_id(ecrb_entries *e, ecrb_span text, ecrb_err *err) {
  if (e->line != 0)
    return ecrb_lines_fail(e->lines, err, ECRB_EFORMAT,
                           "ID: the entry of line %zu has no end (`//`); fetch "
                           "the file again",
                           e->line);
  clear(e);
  e->line = ecrb_lines_number(e->lines);
  if (!stated_length(text, &e->stated))
    return ecrb_lines_fail(e->lines, err, ECRB_EFORMAT,
                           "ID: does not end in the length (`256 AA.`); is "
                           "this a UniProt flat file?");
  if (ecrb_bytes_add(&e->name, up_to(text, " ")) != ECRB_OK)
    return no_memory(e, err);
  return ECRB_OK;
}

static int read_accession(ecrb_entries *e, ecrb_span text, ecrb_err *err) {
  if (e->accession.n > 0)
    return ECRB_OK;
  if (ecrb_bytes_add(&e->accession, up_to(text, "; ")) != ECRB_OK)
    return no_memory(e, err);
  return ECRB_OK;
}

/* 1 to 12; 0 for what is no month. */
static int month_of(const char *name) {
  static const char months[] = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
  int i;
  for (i = 0; i < 12; i++)
    if (memcmp(months + 3 * i, name, 3) == 0)
      return i + 1;
  return 0;
}

static bool are_digits(const char *at, size_t n) {
  while (n > 0 && *at >= '0' && *at <= '9')
    at++, n--;
  return n == 0;
}

static bool is_date(ecrb_span text) {
  const char *at = text.at;
  return text.n >= 11 && at[2] == '-' && at[6] == '-' && are_digits(at, 2) &&
         are_digits(at + 7, 4) && month_of(at + 3) > 0 &&
         memcmp(at, "01", 2) >= 0 && memcmp(at, "31", 2) <= 0 &&
         memcmp(at + 7, "1900", 4) >= 0;
}

/* `28-JUN-2011` as 2011-06-28. */
static void turn_date(const char *date, char out[11]) {
  int month = month_of(date + 3);
  memcpy(out, date + 7, 4);
  out[4] = out[7] = '-';
  out[5] = (char)('0' + month / 10);
  out[6] = (char)('0' + month % 10);
  memcpy(out + 8, date, 2);
  out[10] = '\0';
}

/* `28-JUN-2011, integrated into ...` */
static int read_date(ecrb_entries *e, ecrb_span text, ecrb_err *err) {
  if (e->created[0] != '\0')
    return ECRB_OK;
  if (!is_date(text))
    return ecrb_lines_fail(e->lines, err, ECRB_EFORMAT,
                           "DT: is no date of the form 28-JUN-2011; fetch the "
                           "file again");
  turn_date(text.at, e->created);
  return ECRB_OK;
}

/* Adds the EC numbers of a description line, `EC=1.1.1.1 {ECO:...};`. */
static int read_description(ecrb_entries *e, ecrb_span text, ecrb_err *err) {
  const char *mark;
  while ((mark = memmem(text.at, text.n, "EC=", 3)) != NULL) {
    ecrb_span number;
    bool is_word = mark == text.at || mark[-1] == ' ';
    text = behind(text, (size_t)(mark - text.at) + 3);
    number = up_to(text, " ;{");
    if (!is_word)
      continue;
    if ((e->ecs.n > 0 && ecrb_bytes_add_char(&e->ecs, ';') != ECRB_OK) ||
        ecrb_bytes_add(&e->ecs, number) != ECRB_OK)
      return no_memory(e, err);
  }
  return ECRB_OK;
}

/* Letters in groups of ten. */
static int read_residues(ecrb_entries *e, ecrb_span text, ecrb_err *err) {
  while (text.n > 0) {
    size_t n = ecrb_text_letters(text);
    if (n == 0 && *text.at != ' ')
      return ecrb_lines_fail(e->lines, err, ECRB_EFORMAT,
                             "sequence: byte 0x%02X is no residue; fetch the "
                             "file again",
                             (unsigned char)*text.at);
    if (n > ECRB_LINE_MAX - e->sequence.n)
      return ecrb_lines_fail(e->lines, err, ECRB_ELIMIT,
                             "sequence: longer than %u MiB",
                             ECRB_LINE_MAX >> 20);
    if (ecrb_bytes_add(&e->sequence, (ecrb_span){text.at, n}) != ECRB_OK)
      return no_memory(e, err);
    text = behind(text, n > 0 ? n : 1);
  }
  return ECRB_OK;
}

static bool has_code(ecrb_span line, const char *code) {
  return line.n >= 5 && memcmp(line.at, code, 2) == 0 &&
         memcmp(line.at + 2, "   ", 3) == 0;
}

static int read_line(ecrb_entries *e, ecrb_span line, ecrb_err *err) {
  if (has_code(line, "ID"))
    return read_id(e, behind(line, 5), err);
  if (e->line == 0)
    return ecrb_lines_fail(e->lines, err, ECRB_EFORMAT,
                           "an entry begins with its ID line; is this a "
                           "UniProt flat file?");
  if (has_code(line, "AC"))
    return read_accession(e, behind(line, 5), err);
  if (has_code(line, "DT"))
    return read_date(e, behind(line, 5), err);
  if (has_code(line, "DE"))
    return read_description(e, behind(line, 5), err);
  if (has_code(line, "SQ"))
    e->in_sequence = true;
  else if (e->in_sequence && has_code(line, "  "))
    return read_residues(e, behind(line, 5), err);
  return ECRB_OK;
}

static ecrb_span span_of(const ecrb_bytes *bytes) {
  return ecrb_bytes_part(bytes, 0, bytes->n);
}

static int finish(ecrb_entries *e, ecrb_entry *out, ecrb_err *err) {
  size_t line = e->line;
  e->line = 0;
  if (e->accession.n == 0 || e->created[0] == '\0')
    return ecrb_lines_fail(
        e->lines, err, ECRB_EFORMAT,
        "the entry of line %zu has no %s line; fetch the file "
        "again",
        line, e->accession.n == 0 ? "AC" : "DT");
  if (e->sequence.n != e->stated)
    return ecrb_lines_fail(e->lines, err, ECRB_EFORMAT,
                           "the entry of line %zu has %zu residues, its ID "
                           "line says %zu; fetch the file again",
                           line, e->sequence.n, e->stated);
  out->name = span_of(&e->name);
  out->accession = span_of(&e->accession);
  out->ecs = span_of(&e->ecs);
  out->sequence = span_of(&e->sequence);
  memcpy(out->created, e->created, sizeof out->created);
  out->line = line;
  return ECRB_OK;
}

int ecrb_entries_next(ecrb_entries *e, ecrb_entry *out, ecrb_err *err) {
  ecrb_span line;
  int status;
  while ((status = ecrb_lines_next(e->lines, &line, err)) == ECRB_OK) {
    if (line.n >= 2 && memcmp(line.at, "//", 2) == 0 && e->line != 0)
      return finish(e, out, err);
    if (line.n > 0)
      status = read_line(e, line, err);
    if (status != ECRB_OK)
      return status;
  }
  if (status == ECRB_ENONE && e->line != 0)
    return ecrb_lines_fail(e->lines, err, ECRB_EFORMAT,
                           "the file ends inside the entry of line %zu; fetch "
                           "it again",
                           e->line);
  return status;
}
