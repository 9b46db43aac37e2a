/* spelled.c: reads a text character by character through the layers of escapes
** that it may be written in, and compares as it reads. Nothing is copied, and a
** text of any length is gone through once. */
#include "spelled.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 3  /* escapes within escapes within escapes */
#define CUT_OFF 8 /* so much of a word is told from chance at the end */
#define AT_END (-1)
#define NONE (-2)

typedef struct place {
  const unsigned char *at, *end;
  bool escaped; /* whether a byte was met that can begin an escape */
} place;

static bool leads(int byte) {
  return byte == '\\' || byte == '%' || byte == '&';
}

static int next(place *from, int layer);

/* {====================================================================
** Escapes. Each gives the byte that is meant, NONE where it is no escape of
** an ASCII character, AT_END where the text ends in it.
** ===================================================================== */

/* Takes a digit of a number to that base, or says how it fails. */
static int digit(place *from, int layer, int base) {
  int byte = next(from, layer);
  if (byte == AT_END)
    return AT_END;
  int value = isdigit(byte)    ? byte - '0'
              : isxdigit(byte) ? tolower(byte) - 'a' + 10
                               : base;
  return value < base ? value : NONE;
}

static int ascii(int code) {
  return code < 0x80 ? code : NONE;
}

static int fixed_number(place *from, int layer, int digits) {
  int code = 0;
  while (digits-- > 0) {
    int value = digit(from, layer, 16);
    if (value < 0)
      return value;
    code = code * 16 + value;
  }
  return ascii(code);
}

/* \u0073, \x73, and any mark for itself. */
static int after_backslash(place *from, int layer) {
  int byte = next(from, layer);
  if (byte == 'u')
    return fixed_number(from, layer, 4);
  if (byte == 'x')
    return fixed_number(from, layer, 2);
  return byte < 0 || ispunct(byte) ? byte : NONE;
}

#define DIGITS_MAX 8

/* The rest of &#115; or &#x73;. */
static int page_number(place *from, int layer) {
  place before = *from;
  int base = next(from, layer) == 'x' ? 16 : 10, code = 0;
  if (base == 10)
    *from = before;
  for (int i = 0; i <= DIGITS_MAX; i++) {
    place digit_or_end = *from;
    int value = digit(from, layer, base);
    if (value == AT_END)
      return AT_END;
    if (value == NONE) {
      *from = digit_or_end;
      return next(from, layer) == ';' && i > 0 ? ascii(code) : NONE;
    }
    code = code > 0x7f ? code : code * base + value;
  }
  return NONE;
}

static int page_name(place *from, int layer) {
  static const struct {
    const char *name;
    int byte;
  } names[] = {{"amp;", '&'},
               {"lt;", '<'},
               {"gt;", '>'},
               {"quot;", '"'},
               {"apos;", '\''}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    place at = *from;
    const char *name = names[i].name;
    int byte = 0;
    while (*name && (byte = next(&at, layer)) == *name)
      name++;
    if (byte == AT_END)
      return AT_END;
    if (!*name) {
      *from = at;
      return names[i].byte;
    }
  }
  return NONE;
}

static int after_ampersand(place *from, int layer) {
  place before = *from;
  int byte = next(from, layer);
  if (byte == '#')
    return page_number(from, layer);
  *from = before;
  return byte == AT_END ? AT_END : page_name(from, layer);
}

static int escape(place *from, int layer, int lead) {
  if (lead == '\\')
    return after_backslash(from, layer);
  if (lead == '%')
    return fixed_number(from, layer, 2);
  return after_ampersand(from, layer);
}

/* }==================================================================== */

/* The next byte that is meant, when that many layers are taken off. */
static int next(place *from, int layer) {
  if (layer == 0) {
    if (from->at == from->end)
      return AT_END;
    from->escaped = from->escaped || leads(*from->at);
    return *from->at++;
  }
  int byte = next(from, layer - 1);
  if (!leads(byte))
    return byte;
  place rest = *from;
  int meant = escape(&rest, layer - 1, byte);
  if (meant == NONE)
    return byte;
  *from = rest;
  return meant;
}

/* Moves on over the rest of a word; false where something else stands there. */
static bool take_rest(place *from, ecrb_span word, int layer) {
  for (size_t i = 1; i < word.n; i++) {
    int byte = next(from, layer);
    if (byte == AT_END)
      return i >= CUT_OFF;
    if (byte != (unsigned char)word.at[i])
      return false;
  }
  return true;
}

/* {====================================================================
** The set. Two bytes tell most places of a text from those where a word may
** begin, however many words there are.
** ===================================================================== */

static const char leads_all[] = {'\\', '%', '&'};

static void mark_pair(spelled *set, char first, char second) {
  unsigned char after = (unsigned char)second;
  set->pairs[(unsigned char)first][after / 8] |=
      (unsigned char)(1 << after % 8);
}

/* Any escape may begin with one that is written as another. */
static void mark_leads(spelled *set) {
  static const char led[] = "\\%&ux#0123456789abcdefABCDEFlgq";
  for (size_t i = 0; i < sizeof leads_all; i++) {
    set->kinds[(unsigned char)leads_all[i]] |= SPELLED_LEAD;
    for (const char *at = led; *at; at++)
      mark_pair(set, leads_all[i], *at);
  }
}

/* Any byte of the word may be written as an escape, hence begin with a lead, and
** a mark as itself behind one. */
static void mark_word(spelled *set, ecrb_span word) {
  set->kinds[(unsigned char)*word.at] |= SPELLED_FIRST;
  mark_pair(set, word.at[0], word.at[1]);
  for (size_t i = 0; i < sizeof leads_all; i++) {
    mark_pair(set, word.at[0], leads_all[i]);
    mark_pair(set, leads_all[i], word.at[0]);
  }
}

static bool has(const spelled *set, ecrb_span word) {
  for (size_t i = 0; i < set->count; i++)
    if (set->words[i].n == word.n &&
        memcmp(set->words[i].at, word.at, word.n) == 0)
      return true;
  return false;
}

bool spelled_add(spelled *set, ecrb_span word) {
  if (word.n < 2 || has(set, word))
    return true;
  ecrb_span *words = realloc(set->words, (set->count + 1) * sizeof *words);
  char *copy = malloc(word.n);
  if (words)
    set->words = words;
  if (!words || !copy) {
    free(copy);
    return false;
  }
  memcpy(copy, word.at, word.n);
  set->words[set->count++] = (ecrb_span){copy, word.n};
  mark_leads(set);
  mark_word(set, word);
  return true;
}

void spelled_free(spelled *set) {
  for (size_t i = 0; i < set->count; i++)
    free((char *)set->words[i].at);
  free(set->words);
  *set = (spelled){0};
}

/* }==================================================================== */

/* With that many layers taken off. `escaped` tells whether one more could make
** a difference. */
static size_t length_below(const spelled *set, ecrb_span text, size_t at,
                           int layer, bool *escaped) {
  const unsigned char *start = (const unsigned char *)text.at + at;
  place first = {start, (const unsigned char *)text.at + text.n, false};
  int byte = next(&first, layer);
  size_t longest = 0;
  *escaped = first.escaped;
  if (byte < 0 || !(set->kinds[byte] & SPELLED_FIRST))
    return 0;
  for (size_t i = 0; i < set->count; i++) {
    place from = first;
    ecrb_span word = set->words[i];
    if ((unsigned char)word.at[0] != byte)
      continue;
    bool whole = take_rest(&from, word, layer);
    if (whole && (size_t)(from.at - start) > longest)
      longest = (size_t)(from.at - start);
    *escaped = *escaped || from.escaped;
  }
  return longest;
}

size_t spelled_length(const spelled *set, ecrb_span text, size_t at) {
  bool escaped = true;
  size_t n = 0;
  for (int layer = 0; n == 0 && escaped && layer <= LAYERS; layer++)
    n = length_below(set, text, at, layer, &escaped);
  return n;
}
