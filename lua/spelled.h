/* spelled.h: words in whatever spelling they stand in a text. JSON, addresses
** and pages write a character in other ways than as itself (`\u0073`, `\/`,
** `%2F`, `&#115;`), and a text that is quoted within another does so twice. */
#ifndef SPELLED_H
#define SPELLED_H

#include "ecrb.h"

/* What a byte can be in the first place of a spelling: the first of a word, what
** begins an escape. */
enum { SPELLED_FIRST = 1, SPELLED_LEAD = 2 };

/* Empty where it is all zeros. */
typedef struct spelled {
  ecrb_span *words;
  size_t count;
  unsigned char kinds[256];
  unsigned char pairs[256][32]; /* a bit for what can come behind each byte */
} spelled;

/* Copies a word into the set; one that is there already, or of less than two
** bytes, changes nothing. False where memory runs out. */
bool spelled_add(spelled *set, ecrb_span word);
void spelled_free(spelled *set);

size_t spelled_length(const spelled *set, ecrb_span text, size_t at);

/* How many bytes of the text from `at` on spell one of the words (the longest
** of them), or begin one and are cut off by the end of the text; 0 where none
** does. */
static inline size_t spelled_at(const spelled *set, ecrb_span text, size_t at) {
  unsigned char here = (unsigned char)text.at[at], after;
  if (!set->kinds[here] || at + 1 == text.n)
    return 0;
  after = (unsigned char)text.at[at + 1];
  bool may = set->pairs[here][after / 8] & 1 << after % 8;
  return may ? spelled_length(set, text, at) : 0;
}

#endif
