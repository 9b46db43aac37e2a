/* faultscript.c: reads faultd's language, line by line, into rules with
** answers with steps. */
#include "faultscript.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(bool memory) {
  if (memory)
    return;
  fputs("faultd: no memory\n", stderr);
  exit(1);
}

/* One more zeroed element at the end of an array. */
static void *added(void *array, size_t count, size_t size) {
  char *more = realloc(array, (count + 1) * size);
  require(more);
  memset(more + count * size, 0, size);
  return more;
}

void bytes_add(bytes *to, const void *from, size_t n) {
  require(ecrb_bytes_add(to, (ecrb_span){from, n}) == ECRB_OK);
}

void bytes_print(bytes *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  require(ecrb_bytes_reserve(to, (size_t)n + 1) == ECRB_OK);
  va_start(arguments, format);
  vsnprintf(to->at + to->n, (size_t)n + 1, format, arguments);
  va_end(arguments);
  to->n += (size_t)n;
}

/* {====================================================================
** Words, numbers, texts
** ===================================================================== */

typedef struct reader {
  const char *at; /* in the present line */
  const char *folder;
  size_t line;
  ecrb_err *err;
} reader;

static int fault(const reader *r, const char *what) {
  return ecrb_fail(r->err, ECRB_EFORMAT, "line %zu: %s", r->line, what);
}

static void skip_blanks(reader *r) {
  r->at += strspn(r->at, " \t");
}

static char *word(reader *r) {
  skip_blanks(r);
  size_t n = strcspn(r->at, " \t");
  char *copy = strndup(r->at, n);
  require(copy);
  r->at += n;
  return copy;
}

static int read_long(reader *r, const char *digits, long *out) {
  char *end;
  *out = strtol(digits, &end, 10);
  if (end == digits || *end || *out < 0)
    return fault(r, "here a number is needed");
  return ECRB_OK;
}

/* 12, forever, $name, $name:12 */
static int read_number(reader *r, number *out) {
  char *text = word(r), *colon = strchr(text, ':');
  int status = ECRB_OK;
  if (strcmp(text, "forever") == 0) {
    out->value = FOREVER;
  } else if (text[0] == '$') {
    if (colon)
      *colon = '\0';
    out->name = strdup(text + 1);
    status = colon ? read_long(r, colon + 1, &out->value) : ECRB_OK;
  } else {
    status = read_long(r, text, &out->value);
  }
  free(text);
  return status;
}

static int read_escape(reader *r, bytes *to) {
  static const char names[] = "nrt0\\\"", values[] = "\n\r\t\0\\\"";
  const char *name = strchr(names, *r->at);
  unsigned code;
  if (*r->at && name) {
    bytes_add(to, values + (name - names), 1);
    r->at++;
    return ECRB_OK;
  }
  if (r->at[0] != 'x' || !isxdigit((unsigned char)r->at[1]) ||
      !isxdigit((unsigned char)r->at[2]) ||
      sscanf(r->at + 1, "%2x", &code) != 1)
    return fault(r, "an unknown escape");
  char byte = (char)code;
  bytes_add(to, &byte, 1);
  r->at += 3;
  return ECRB_OK;
}

static int read_double_quoted(reader *r, bytes *to) {
  for (r->at++; *r->at != '"';) {
    if (!*r->at)
      return fault(r, "a text without its closing quote");
    if (*r->at != '\\') {
      bytes_add(to, r->at++, 1);
      continue;
    }
    r->at++;
    int status = read_escape(r, to);
    if (status != ECRB_OK)
      return status;
  }
  r->at++;
  return ECRB_OK;
}

static int read_single_quoted(reader *r, bytes *to) {
  const char *end = strchr(r->at + 1, '\'');
  if (!end)
    return fault(r, "a text without its closing quote");
  bytes_add(to, r->at + 1, (size_t)(end - r->at - 1));
  r->at = end + 1;
  return ECRB_OK;
}

static int read_file(reader *r, bytes *to) {
  char path[1024], chunk[4096];
  char *name = word(r);
  snprintf(path, sizeof path, "%s/%s", name[1] == '/' ? "" : r->folder,
           name + 1);
  free(name);
  FILE *file = fopen(path, "re");
  if (!file)
    return fault(r, "the file cannot be opened");
  for (size_t n; (n = fread(chunk, 1, sizeof chunk, file)) > 0;)
    bytes_add(to, chunk, n);
  fclose(file);
  return ECRB_OK;
}

static bool at_text(reader *r) {
  skip_blanks(r);
  return *r->at == '"' || *r->at == '\'' || *r->at == '@';
}

static int read_text(reader *r, bytes *to) {
  int status = ECRB_OK;
  while (status == ECRB_OK && at_text(r))
    status = *r->at == '"'    ? read_double_quoted(r, to)
             : *r->at == '\'' ? read_single_quoted(r, to)
                              : read_file(r, to);
  skip_blanks(r);
  if (status == ECRB_OK && *r->at)
    return fault(r, "here a text in quotes is needed, or nothing more");
  return status;
}

/* }==================================================================== */

/* {====================================================================
** Lines
** ===================================================================== */

enum { TAKES_N = 1, TAKES_MS = 2, TAKES_TEXT = 4, TAKES_REST = 8 };

static const struct {
  const char *name;
  enum step_kind kind;
  int takes;
} step_names[] = {
    {"wait", STEP_WAIT, TAKES_MS},
    {"status", STEP_STATUS, TAKES_N | TAKES_REST},
    {"header", STEP_HEADER, TAKES_REST},
    {"length", STEP_LENGTH, TAKES_N},
    {"end", STEP_END, 0},
    {"send", STEP_SEND, TAKES_TEXT},
    {"body", STEP_BODY, TAKES_TEXT},
    {"chunk", STEP_CHUNK, TAKES_TEXT},
    {"last", STEP_LAST, 0},
    {"chat", STEP_CHAT, TAKES_TEXT},
    {"fill", STEP_FILL, TAKES_N | TAKES_TEXT},
    {"repeat", STEP_REPEAT, TAKES_N | TAKES_MS | TAKES_TEXT},
    {"pieces", STEP_PIECES, TAKES_N | TAKES_MS | TAKES_TEXT},
    {"split", STEP_SPLIT, TAKES_N | TAKES_MS | TAKES_TEXT},
    {"close", STEP_CLOSE, 0},
    {"reset", STEP_RESET, 0},
    {"hang", STEP_HANG, 0},
};

static int read_operands(reader *r, step *s, int takes) {
  int status = ECRB_OK;
  if (takes & TAKES_N)
    status = read_number(r, &s->n);
  if (status == ECRB_OK && takes & TAKES_MS)
    status = read_number(r, &s->ms);
  if (status == ECRB_OK && takes & TAKES_REST) {
    skip_blanks(r);
    bytes_add(&s->text, r->at, strlen(r->at));
    return ECRB_OK;
  }
  return status == ECRB_OK ? read_text(r, &s->text) : status;
}

static answer *add_answer(rule *to, long times) {
  to->answers = added(to->answers, to->count, sizeof *to->answers);
  to->answers[to->count].times = times;
  return &to->answers[to->count++];
}

static step *add_step(rule *to) {
  answer *a = to->count ? &to->answers[to->count - 1] : add_answer(to, 1);
  a->steps = added(a->steps, a->count, sizeof *a->steps);
  return &a->steps[a->count++];
}

static int read_step(reader *r, rule *to, const char *name) {
  for (size_t i = 0; i < sizeof step_names / sizeof *step_names; i++)
    if (strcmp(name, step_names[i].name) == 0) {
      step *s = add_step(to);
      s->kind = step_names[i].kind;
      return read_operands(r, s, step_names[i].takes);
    }
  return fault(r, "an unknown word");
}

static int read_on(reader *r, script *to) {
  to->rules = added(to->rules, to->count, sizeof *to->rules);
  rule *made = &to->rules[to->count++];
  made->method = word(r);
  made->path = word(r);
  if (!*made->path)
    return fault(r, "`on` needs a method and a path");
  return read_text(r, &made->containing);
}

static int read_answer(reader *r, rule *to) {
  number times = {1, NULL};
  skip_blanks(r);
  int status = *r->at ? read_number(r, &times) : ECRB_OK;
  free(times.name);
  if (status == ECRB_OK && times.value < 0)
    status = fault(r, "the last answer is given forever by itself");
  if (status == ECRB_OK)
    add_answer(to, times.value);
  return status;
}

/* A line that begins with a text goes on with the step before it. */
static int read_more_text(reader *r, rule *to) {
  answer *a = to->count ? &to->answers[to->count - 1] : NULL;
  if (!a || !a->count)
    return fault(r, "a text that belongs to no step");
  return read_text(r, &a->steps[a->count - 1].text);
}

static int read_in_rule(reader *r, rule *to, const char *name) {
  if (strcmp(name, "answer") == 0)
    return read_answer(r, to);
  if (strcmp(name, "again") == 0)
    to->again = true;
  else if (strcmp(name, "by-body") == 0)
    to->by_body = true;
  else
    return read_step(r, to, name);
  return ECRB_OK;
}

static int read_line(reader *r, script *to) {
  rule *last = to->count ? &to->rules[to->count - 1] : NULL;
  if (last && at_text(r))
    return read_more_text(r, last);
  skip_blanks(r);
  if (!*r->at || *r->at == '#')
    return ECRB_OK;
  char *name = word(r);
  int status = strcmp(name, "on") == 0 ? read_on(r, to)
               : last                  ? read_in_rule(r, last, name)
                                       : fault(r, "a rule begins with `on`");
  free(name);
  return status;
}

int script_read(script *to, const char *text, const char *folder,
                ecrb_err *err) {
  reader r = {NULL, folder, 0, err};
  int status = ECRB_OK;
  while (status == ECRB_OK && *text) {
    size_t n = strcspn(text, "\n");
    char *line = strndup(text, n);
    r.at = line;
    r.line++;
    status = read_line(&r, to);
    free(line);
    text += n + (text[n] == '\n');
  }
  return status;
}

/* }==================================================================== */

/* {====================================================================
** Which answer
** ===================================================================== */

static bool fits(const char *pattern, ecrb_span text) {
  size_t n = strlen(pattern);
  if (n > 0 && pattern[n - 1] == '*')
    return text.n >= n - 1 && memcmp(text.at, pattern, n - 1) == 0;
  return text.n == n && memcmp(text.at, pattern, n) == 0;
}

static rule *find_rule(script *s, ecrb_span method, ecrb_span path,
                       ecrb_span body) {
  for (size_t i = 0; i < s->count; i++) {
    rule *r = &s->rules[i];
    if (fits(r->method, method) && fits(r->path, path) &&
        (r->containing.n == 0 ||
         memmem(body.at, body.n, r->containing.at, r->containing.n)))
      return r;
  }
  return NULL;
}

/* How often this was met before. */
static long meet(rule *r, ecrb_span body) {
  uint64_t hash = r->by_body ? ecrb_rng_fold(0, body.at, body.n) : 0;
  for (size_t i = 0; i < r->tally_count; i++)
    if (r->tallies[i].body == hash)
      return r->tallies[i].met++;
  r->tallies = added(r->tallies, r->tally_count, sizeof *r->tallies);
  r->tallies[r->tally_count++] = (tally){hash, 1};
  return 0;
}

static long round_length(const rule *r) {
  long total = 0;
  for (size_t i = 0; i < r->count; i++)
    total += r->answers[i].times;
  return total;
}

const answer *script_answer(script *s, ecrb_span method, ecrb_span path,
                            ecrb_span body) {
  rule *r = find_rule(s, method, path, body);
  if (!r || !r->count)
    return NULL;
  long met = meet(r, body);
  if (r->again && round_length(r) > 0)
    met %= round_length(r);
  size_t i = 0;
  for (; i + 1 < r->count && met >= r->answers[i].times; i++)
    met -= r->answers[i].times;
  return &r->answers[i];
}

/* }==================================================================== */

static void free_answer(answer *a) {
  for (size_t i = 0; i < a->count; i++) {
    free(a->steps[i].n.name);
    free(a->steps[i].ms.name);
    free(a->steps[i].text.at);
  }
  free(a->steps);
}

void script_free(script *s) {
  for (size_t i = 0; i < s->count; i++) {
    rule *r = &s->rules[i];
    for (size_t k = 0; k < r->count; k++)
      free_answer(&r->answers[k]);
    free(r->answers);
    free(r->tallies);
    free(r->method);
    free(r->path);
    free(r->containing.at);
  }
  free(s->rules);
}
