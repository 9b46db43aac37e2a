/* spelled.h: a word in whatever spelling it stands in a text. JSON, addresses
** and pages write a character in other ways than as itself (`\u0073`, `\/`,
** `%2F`, `&#115;`), and a text that is quoted within another does so twice. */
#ifndef SPELLED_H
#define SPELLED_H

#include "ecrb.h"

/* What a byte can be: the first or second of a word, what begins an escape, and
** what can come after that. */
enum {
  SPELLED_FIRST = 1,
  SPELLED_SECOND = 2,
  SPELLED_LEAD = 4,
  SPELLED_LED = 8
};

typedef struct spelled {
  const ecrb_span *words;
  size_t count;
  unsigned char kinds[256];
} spelled;

/* `words` is borrowed; none of less than two bytes is found. */
spelled spelled_of(const ecrb_span *words, size_t count);

size_t spelled_length(const spelled *set, ecrb_span text, size_t at);

/* How many bytes of the text from `at` on spell one of the words, or begin one
** and are cut off by the end of the text; 0 where none does. */
static inline size_t spelled_at(const spelled *set, ecrb_span text, size_t at) {
  unsigned char here = set->kinds[(unsigned char)text.at[at]];
  if (!(here & (SPELLED_FIRST | SPELLED_LEAD)) || at + 1 == text.n)
    return 0;
  unsigned char after = set->kinds[(unsigned char)text.at[at + 1]];
  bool may = (here & SPELLED_FIRST && after & SPELLED_SECOND) ||
             (here & SPELLED_LEAD && after & SPELLED_LED);
  return may ? spelled_length(set, text, at) : 0;
}

#endif
