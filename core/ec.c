/* ec.c: EC numbers as text and as paths of four parts. A number is read part
** by part; once a dash stood where a part should be, only dashes may follow,
** and what came before is the node that the text names. */
#include "ecrb.h"

#include <stdio.h>
#include <string.h>

#define PART_DIGITS 5

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static ecrb_span trim(ecrb_span text) {
  while (text.n > 0 && is_blank(text.at[0])) {
    text.at++;
    text.n--;
  }
  while (text.n > 0 && is_blank(text.at[text.n - 1]))
    text.n--;
  return text;
}

static ecrb_span skip(ecrb_span text, size_t n) {
  ecrb_span rest = {text.at + n, text.n - n};
  return rest;
}

/* `EC`, `EC:`, `EC ` in any case, as databases and models glue it on. */
static ecrb_span without_label(ecrb_span text) {
  if (text.n < 2 || (text.at[0] | 32) != 'e' || (text.at[1] | 32) != 'c')
    return text;
  text = trim(skip(text, 2));
  if (text.n > 0 && text.at[0] == ':')
    text = trim(skip(text, 1));
  return text;
}

/* Digits without a leading zero, 1 .. 99999; 0 where they are not. */
static uint32_t read_number(ecrb_span digits) {
  uint32_t value = 0;
  if (digits.n == 0 || digits.n > PART_DIGITS || digits.at[0] == '0')
    return 0;
  for (size_t i = 0; i < digits.n; i++) {
    if (!is_digit(digits.at[i]))
      return 0;
    value = value * 10 + (uint32_t)(digits.at[i] - '0');
  }
  return value;
}

static uint8_t kind_of(char first) {
  if (first == 'n')
    return ECRB_EC_PRELIMINARY;
  return first == 'B' ? ECRB_EC_BRENDA : ECRB_EC_PLAIN;
}

static bool add_part(ecrb_ec *ec, ecrb_span part) {
  uint8_t kind = part.n > 0 ? kind_of(part.at[0]) : ECRB_EC_PLAIN;
  if (kind != ECRB_EC_PLAIN) {
    if (ec->depth != ECRB_LEVELS - 1)
      return false;
    part = skip(part, 1);
  }
  uint32_t value = read_number(part);
  if (value == 0)
    return false;
  ec->kind = kind;
  ec->part[ec->depth++] = value;
  return true;
}

/* Takes what stands before the next `.` off the text; false at its end. */
static bool next_part(ecrb_span *text, ecrb_span *part) {
  if (text->at == NULL)
    return false;
  const char *dot = memchr(text->at, '.', text->n);
  part->at = text->at;
  part->n = dot == NULL ? text->n : (size_t)(dot - text->at);
  *text = skip(*text, dot == NULL ? text->n : part->n + 1);
  if (dot == NULL)
    text->at = NULL;
  return true;
}

static bool read_parts(ecrb_span text, ecrb_ec *ec) {
  ecrb_span part;
  int parts = 0;
  while (next_part(&text, &part)) {
    if (++parts > ECRB_LEVELS)
      return false;
    if (part.n == 1 && part.at[0] == '-')
      continue;
    if (ec->depth != parts - 1 || !add_part(ec, part))
      return false;
  }
  return parts > 0;
}

int ecrb_ec_parse(const char *text, size_t n, ecrb_ec *out) {
  ecrb_span whole = {text, n};
  ecrb_ec ec = {{0}, 0, ECRB_EC_PLAIN};
  if (n == 0 || !read_parts(without_label(trim(whole)), &ec))
    return ECRB_EFORMAT;
  *out = ec;
  return ECRB_OK;
}

/* The length of the list's first element, its separator left out. */
static size_t element_length(ecrb_span list) {
  size_t n = 0;
  while (n < list.n && list.at[n] != ';' && list.at[n] != ',')
    n++;
  return n;
}

int ecrb_ec_list_parse(const char *text, size_t n, ecrb_ec *out, size_t cap,
                       size_t *count) {
  ecrb_span rest = {text, n};
  *count = 0;
  rest = trim(rest);
  for (bool more = rest.n > 0; more;) {
    ecrb_ec ec;
    size_t length = element_length(rest);
    if (ecrb_ec_parse(rest.at, length, &ec) != ECRB_OK)
      return ECRB_EFORMAT;
    if (*count < cap)
      out[*count] = ec;
    (*count)++;
    more = length < rest.n;
    rest = skip(rest, length + more);
  }
  return *count > cap ? ECRB_ELIMIT : ECRB_OK;
}

static const char *part_prefix(ecrb_ec ec, int level) {
  if (level < ECRB_LEVELS - 1 || ec.kind == ECRB_EC_PLAIN)
    return "";
  return ec.kind == ECRB_EC_PRELIMINARY ? "n" : "B";
}

/* The number in decimal at `at`; returns where it ends. EC numbers are written
** many times a call, and printf takes longer than all else about them. */
static char *write_number(char *at, unsigned number) {
  char digits[10];
  int n = 0;
  do {
    digits[n++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (n > 0)
    *at++ = digits[--n];
  return at;
}

static char *write_part(char *at, ecrb_ec ec, int level) {
  const char *prefix = part_prefix(ec, level);
  if (level >= ec.depth) {
    *at = '-';
    return at + 1;
  }
  if (*prefix)
    *at++ = *prefix;
  return write_number(at, ec.part[level]);
}

char *ecrb_ec_format(ecrb_ec ec, char text[ECRB_EC_TEXT]) {
  char *at = text;
  for (int level = 0; level < ECRB_LEVELS; level++) {
    if (level > 0)
      *at++ = '.';
    at = write_part(at, ec, level);
  }
  *at = '\0';
  return text;
}

ecrb_ec ecrb_ec_prefix(ecrb_ec ec, int level) {
  if (level >= ec.depth)
    return ec;
  ec.depth = (uint8_t)(level < 0 ? 0 : level);
  ec.kind = ECRB_EC_PLAIN;
  for (int i = ec.depth; i < ECRB_LEVELS; i++)
    ec.part[i] = 0;
  return ec;
}

bool ecrb_ec_equal(ecrb_ec a, ecrb_ec b) {
  return a.depth == b.depth && ecrb_ec_shared(a, b) == a.depth;
}

int ecrb_ec_compare(ecrb_ec a, ecrb_ec b) {
  for (int level = 0; level < ECRB_LEVELS; level++) {
    if (level >= a.depth || level >= b.depth)
      return (a.depth > b.depth) - (a.depth < b.depth);
    if (level == ECRB_LEVELS - 1 && a.kind != b.kind)
      return a.kind < b.kind ? -1 : 1;
    if (a.part[level] != b.part[level])
      return a.part[level] < b.part[level] ? -1 : 1;
  }
  return 0;
}

int ecrb_ec_shared(ecrb_ec a, ecrb_ec b) {
  int level = 0;
  while (level < a.depth && level < b.depth && a.part[level] == b.part[level])
    level++;
  return level == ECRB_LEVELS && a.kind != b.kind ? ECRB_LEVELS - 1 : level;
}
