/* motifs.c: M3's six motifs, counted with PCRE2. Each motif is compiled once,
** `x` as the class of all letters; after a match the search starts again one
** letter behind its start, so overlapping occurrences all count. pcre2_match
** runs the JIT code where there is some and interprets the pattern elsewhere.
*/
#define PCRE2_CODE_UNIT_WIDTH 8
#include "bytes.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

struct ecrb_scanner {
  pcre2_code *code[ECRB_MOTIFS];
  pcre2_match_data *match;
};

typedef struct sink {
  ecrb_motif_hit *out;
  size_t cap;
  size_t count;
} sink;

const ecrb_motif *ecrb_motif_list(void) {
  static const ecrb_motif list[ECRB_MOTIFS] = {
      {"Rossmann fold", "GxGxxG"},
      {"Walker-A P-loop", "[AG]xxxxGK[ST]"},
      {"alpha/beta-hydrolase elbow", "GxSxG"},
      {"zinc metallopeptidase", "HExxH"},
      {"aspartic protease", "D[TS]G"},
      {"thioredoxin", "C[GP][PH]C"},
  };
  return list;
}

/* The regular expression of a motif: `GxSxG` is `G[A-Z]S[A-Z]G`. */
static void translate(const char *pattern, char regex[64]) {
  for (; *pattern != '\0'; pattern++) {
    const char letter[2] = {*pattern, '\0'};
    const char *piece = *pattern == 'x' ? "[A-Z]" : letter;
    memcpy(regex, piece, strlen(piece));
    regex += strlen(piece);
  }
  *regex = '\0';
}

/* What PCRE2 says when compiling or matching runs out of memory. */
static bool is_memory(int code) {
  return code == PCRE2_ERROR_HEAP_FAILED || code == PCRE2_ERROR_NOMEMORY ||
         code == PCRE2_ERROR_HEAPLIMIT;
}

static int explain(int code, const char *motif, ecrb_err *err) {
  PCRE2_UCHAR text[128];
  pcre2_get_error_message(code, text, sizeof text);
  return ecrb_fail(err, is_memory(code) ? ECRB_ENOMEM : ECRB_ELIMIT,
                   "motif %s: %s", motif, (const char *)text);
}

static int compile(const ecrb_motif *motif, pcre2_code **out, ecrb_err *err) {
  char regex[64];
  int code;
  PCRE2_SIZE at;
  translate(motif->pattern, regex);
  *out = pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED, 0, &code, &at,
                       NULL);
  if (*out == NULL)
    return explain(code, motif->name, err);
  /* Where this fails (no JIT in the library, no executable memory) the
  ** pattern stays as it is and is interpreted. */
  (void)pcre2_jit_compile(*out, PCRE2_JIT_COMPLETE);
  return ECRB_OK;
}

static int fill(ecrb_scanner *scanner, ecrb_err *err) {
  scanner->match = pcre2_match_data_create(1, NULL);
  if (scanner->match == NULL)
    return ecrb_no_memory(err, "the motif scanner");
  for (int i = 0; i < ECRB_MOTIFS; i++) {
    int status = compile(&ecrb_motif_list()[i], &scanner->code[i], err);
    if (status != ECRB_OK)
      return status;
  }
  return ECRB_OK;
}

int ecrb_scanner_new(ecrb_scanner **out, ecrb_err *err) {
  ecrb_scanner *scanner = calloc(1, sizeof *scanner);
  *out = NULL;
  if (scanner == NULL)
    return ecrb_no_memory(err, "the motif scanner");
  int status = fill(scanner, err);
  if (status != ECRB_OK) {
    ecrb_scanner_free(scanner);
    return status;
  }
  *out = scanner;
  return ECRB_OK;
}

void ecrb_scanner_free(ecrb_scanner *scanner) {
  if (scanner == NULL)
    return;
  for (int i = 0; i < ECRB_MOTIFS; i++)
    pcre2_code_free(scanner->code[i]);
  pcre2_match_data_free(scanner->match);
  free(scanner);
}

static void keep(sink *hits, int motif, const PCRE2_SIZE *span) {
  if (hits->count < hits->cap)
    hits->out[hits->count] =
        (ecrb_motif_hit){motif, span[0] + 1, span[1] - span[0]};
  hits->count++;
}

static int scan(ecrb_scanner *scanner, int motif, ecrb_span sequence,
                sink *hits) {
  const PCRE2_SIZE *span = pcre2_get_ovector_pointer(scanner->match);
  for (size_t from = 0;; from = span[0] + 1) {
    int rc = pcre2_match(scanner->code[motif], (PCRE2_SPTR)sequence.at,
                         sequence.n, from, 0, scanner->match, NULL);
    if (rc < 0)
      return rc == PCRE2_ERROR_NOMATCH ? 0 : rc;
    keep(hits, motif, span);
  }
}

int ecrb_scan(ecrb_scanner *scanner, const char *sequence, size_t n,
              ecrb_motif_hit *out, size_t cap, size_t *count, ecrb_err *err) {
  sink hits = {out, cap, 0};
  ecrb_span span = {n > 0 ? sequence : "", n};
  *count = 0;
  for (int i = 0; i < ECRB_MOTIFS; i++) {
    int code = scan(scanner, i, span, &hits);
    if (code < 0)
      return explain(code, ecrb_motif_list()[i].name, err);
  }
  *count = hits.count;
  return ECRB_OK;
}
