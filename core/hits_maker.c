/* hits_maker.c: which program made a hit table, as its comments tell: BLAST's
** outfmt 7, DIAMOND's --header, the lines at the end of HMMER's tables.
*/
#include "hits_reader.h"

#include <stdio.h>
#include <string.h>

static ecrb_span trimmed(ecrb_span text) {
  while (text.n > 0 && *text.at == ' ')
    text.at++, text.n--;
  while (text.n > 0 && text.at[text.n - 1] == ' ')
    text.n--;
  return text;
}

static ecrb_span take_word(ecrb_span *text) {
  const char *blank = memchr(text->at, ' ', text->n);
  ecrb_span word = {text->at, blank ? (size_t)(blank - text->at) : text->n};
  *text = trimmed((ecrb_span){text->at + word.n, text->n - word.n});
  return word;
}

/* The first word on a thing counts: a table of many queries repeats it. */
static void keep(char *to, size_t size, ecrb_span text) {
  if (*to == '\0')
    snprintf(to, size, "%.*s", (int)(text.n < size ? text.n : size - 1),
             text.at);
}

static bool contains(ecrb_span word, const char *part) {
  return memmem(word.at, word.n, part, strlen(part)) != NULL;
}

/* `BLASTP 2.12.0+` or `DIAMOND v2.1.3. http://...`; not `BLAST processed`. */
static void read_title(ecrb_hit_maker *maker, ecrb_span text) {
  ecrb_span tool = take_word(&text), version = take_word(&text);
  if (!contains(tool, "BLAST") && !contains(tool, "DIAMOND"))
    return;
  if (version.n > 0 && version.at[version.n - 1] == '.')
    version.n--;
  if (version.n == 0 || !contains(version, "."))
    return;
  keep(maker->tool, sizeof maker->tool, tool);
  keep(maker->version, sizeof maker->version, version);
}

void ecrb_hits_maker(ecrb_hit_maker *maker, ecrb_span comment) {
  ecrb_span rest = trimmed((ecrb_span){comment.at + 1, comment.n - 1});
  const char *colon = memchr(rest.at, ':', rest.n);
  ecrb_span name = {rest.at, colon ? (size_t)(colon - rest.at) : 0};
  ecrb_span value =
      colon ? trimmed((ecrb_span){colon + 1, rest.n - name.n - 1}) : name;
  if (ecrb_span_equal(name, ecrb_span_of("Program")))
    keep(maker->tool, sizeof maker->tool, value);
  else if (ecrb_span_equal(name, ecrb_span_of("Version")))
    keep(maker->version, sizeof maker->version, value);
  else if (ecrb_span_equal(name, ecrb_span_of("Option settings")) ||
           ecrb_span_equal(name, ecrb_span_of("Invocation")))
    keep(maker->command, sizeof maker->command, value);
  else
    read_title(maker, rest);
}

ecrb_hit_maker ecrb_hit_reader_maker(const ecrb_hit_reader *reader) {
  return reader->maker;
}
