/* faultscript.h: what faultd shall do, read from its little language (faultd.c
** describes it). */
#ifndef FAULTSCRIPT_H
#define FAULTSCRIPT_H

#include "bytes.h"

#define FOREVER (-1L)

typedef ecrb_bytes bytes;

/* Exits without memory: nothing can be tested then. */
void bytes_add(bytes *to, const void *from, size_t n);
void bytes_print(bytes *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A number, or the name of the query parameter that gives it. */
typedef struct number {
  long value;
  char *name;
} number;

enum step_kind {
  STEP_WAIT,
  STEP_STATUS,
  STEP_HEADER,
  STEP_LENGTH,
  STEP_END,
  STEP_SEND,
  STEP_BODY,
  STEP_CHUNK,
  STEP_LAST,
  STEP_CHAT,
  STEP_FILL,
  STEP_REPEAT,
  STEP_PIECES,
  STEP_SPLIT,
  STEP_CLOSE,
  STEP_RESET,
  STEP_HANG
};

typedef struct step {
  enum step_kind kind;
  number n, ms;
  bytes text;
} step;

typedef struct answer {
  long times;
  step *steps;
  size_t count;
} answer;

/* How often a rule was met: at all, or with one body. */
typedef struct tally {
  uint64_t body;
  long met;
} tally;

typedef struct rule {
  char *method, *path;
  bytes containing;
  bool by_body, again;
  answer *answers;
  size_t count;
  tally *tallies;
  size_t tally_count;
} rule;

typedef struct script {
  rule *rules;
  size_t count;
} script;

/* Adds the rules of a text; its first fault is said in `err` by line. `@` files
** are looked for in `folder`. */
int script_read(script *to, const char *text, const char *folder,
                ecrb_err *err);
void script_free(script *s);

/* The answer for a request, NULL where no rule fits; counts it. */
const answer *script_answer(script *s, ecrb_span method, ecrb_span path,
                            ecrb_span body);

#endif
