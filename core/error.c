/* error.c: the caller's error and the borrowed spans of text. */
#include "ecrb.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int ecrb_fail(ecrb_err *err, int code, const char *format, ...) {
  va_list arguments;
  if (err == NULL)
    return code;
  err->code = code;
  va_start(arguments, format);
  vsnprintf(err->msg, sizeof err->msg, format, arguments);
  va_end(arguments);
  return code;
}

ecrb_span ecrb_span_of(const char *text) {
  ecrb_span span = {"", 0};
  if (text != NULL) {
    span.at = text;
    span.n = strlen(text);
  }
  return span;
}

bool ecrb_span_equal(ecrb_span a, ecrb_span b) {
  return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, a.n) == 0);
}
