/* text_number.c: cells as numbers. A decimal is gathered as an integer and a
** power of ten. Where both are exact doubles one operation rounds right (Clinger
** 1990); elsewhere strtod gets the digits without a point, which no locale can
** misread. */
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_MAX 40
#define EXPONENT_DIGITS 5
#define EXACT_DIGITS 15
#define EXACT_POWER 22

typedef struct decimal {
  bool negative;
  char digits[DIGITS_MAX + 1];
  int n;
  long exponent; /* of ten, for the digits read as an integer */
} decimal;

static bool is_digit(ecrb_span text) {
  return text.n > 0 && text.at[0] >= '0' && text.at[0] <= '9';
}

static bool take(ecrb_span *text, char c) {
  if (text->n == 0 || text->at[0] != c)
    return false;
  text->at++;
  text->n--;
  return true;
}

/* Takes one or more digits; false where there is none or no room. */
static bool take_digits(ecrb_span *text, char *digits, int room, int *n) {
  int before = *n;
  while (is_digit(*text) && *n < room) {
    digits[(*n)++] = *text->at++;
    text->n--;
  }
  return *n > before && !is_digit(*text);
}

static bool take_fraction(ecrb_span *text, decimal *out) {
  int whole = out->n;
  if (!take(text, '.'))
    return true;
  bool found = take_digits(text, out->digits, DIGITS_MAX, &out->n);
  out->exponent = whole - out->n;
  return found;
}

static bool take_exponent(ecrb_span *text, decimal *out) {
  char digits[EXPONENT_DIGITS + 1] = "";
  int n = 0;
  if (!take(text, 'e') && !take(text, 'E'))
    return true;
  bool negative = take(text, '-');
  if (!negative)
    take(text, '+');
  if (!take_digits(text, digits, EXPONENT_DIGITS, &n))
    return false;
  long value = strtol(digits, NULL, 10);
  out->exponent += negative ? -value : value;
  return true;
}

static bool take_decimal(ecrb_span text, decimal *out) {
  out->n = 0;
  out->exponent = 0;
  out->negative = take(&text, '-');
  if (!take_digits(&text, out->digits, DIGITS_MAX, &out->n) ||
      !take_fraction(&text, out) || !take_exponent(&text, out))
    return false;
  out->digits[out->n] = '\0';
  return text.n == 0;
}

static double exact(const decimal *number) {
  static const double powers[EXACT_POWER + 1] = {
      1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  int64_t value = 0;
  for (int i = 0; i < number->n; i++)
    value = value * 10 + (number->digits[i] - '0');
  return number->exponent < 0 ? (double)value / powers[-number->exponent]
                              : (double)value * powers[number->exponent];
}

static double rounded(const decimal *number) {
  char text[DIGITS_MAX + 16];
  char *at = text + sizeof text - 1;
  long exponent = labs(number->exponent);
  *at = '\0';
  do
    *--at = (char)('0' + exponent % 10);
  while ((exponent /= 10) > 0);
  *--at = number->exponent < 0 ? '-' : '+';
  *--at = 'e';
  at -= number->n;
  memcpy(at, number->digits, (size_t)number->n);
  return strtod(at, NULL);
}

bool ecrb_text_number(ecrb_span cell, double *out) {
  decimal number;
  if (!take_decimal(cell, &number))
    return false;
  bool is_exact =
      number.n <= EXACT_DIGITS && labs(number.exponent) <= EXACT_POWER;
  double value = is_exact ? exact(&number) : rounded(&number);
  *out = number.negative ? -value : value;
  return isfinite(value);
}

bool ecrb_text_count(ecrb_span cell, uint32_t *out) {
  char digits[10] = "";
  int n = 0;
  if (!take_digits(&cell, digits, 9, &n) || cell.n > 0)
    return false;
  *out = (uint32_t)strtoul(digits, NULL, 10);
  return n == 1 || digits[0] != '0';
}
