/* The motif scanner against a bare loop over pcre2_jit_match, and the paired
** bootstrap against its random draws alone. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "bench.h"
#include "core/care.h"
#include "ecrb.h"

enum { ITEMS = 1349, SETTINGS = 9, REPLICATES = 1000, SCANS = 5 };

typedef struct motifs {
  care *set;
  size_t length[CARE_ITEMS_MAX];
  ecrb_scanner *scanner;
  pcre2_code *code[ECRB_MOTIFS];
  pcre2_match_data *match;
  size_t found, found_bare;
} motifs;

static void scan(void *data) {
  motifs *m = data;
  ecrb_motif_hit hits[64];
  m->found = 0;
  for (size_t i = 0; i < SCANS * m->set->n_items; i++) {
    size_t item = i % m->set->n_items, count;
    ecrb_scan(m->scanner, m->set->items[item].sequence, m->length[item], hits,
              64, &count, NULL);
    m->found += count;
  }
}

static size_t scan_bare_one(motifs *m, const pcre2_code *code, size_t item) {
  PCRE2_SPTR sequence = (PCRE2_SPTR)m->set->items[item].sequence;
  size_t found = 0;
  for (size_t at = 0;; found++) {
    if (pcre2_jit_match(code, sequence, m->length[item], at, 0, m->match,
                        NULL) < 0)
      return found;
    at = pcre2_get_ovector_pointer(m->match)[0] + 1;
  }
}

static void scan_bare(void *data) {
  motifs *m = data;
  m->found_bare = 0;
  for (size_t i = 0; i < SCANS * m->set->n_items; i++)
    for (int motif = 0; motif < ECRB_MOTIFS; motif++)
      m->found_bare += scan_bare_one(m, m->code[motif], i % m->set->n_items);
}

static void prepare_bare(motifs *m) {
  const char *patterns[ECRB_MOTIFS] = {
      "G.G..G", "[AG]....GK[ST]", "G.S.G", "HE..H", "D[TS]G", "C[GP][PH]C"};
  int error;
  PCRE2_SIZE at;
  for (int i = 0; i < ECRB_MOTIFS; i++) {
    m->code[i] = pcre2_compile((PCRE2_SPTR)patterns[i], PCRE2_ZERO_TERMINATED,
                               0, &error, &at, NULL);
    if (pcre2_jit_compile(m->code[i], PCRE2_JIT_COMPLETE) != 0)
      exit(1);
  }
  m->match = pcre2_match_data_create(1, NULL);
}

static void release(motifs *m) {
  for (int i = 0; i < ECRB_MOTIFS; i++)
    pcre2_code_free(m->code[i]);
  pcre2_match_data_free(m->match);
  ecrb_scanner_free(m->scanner);
  care_free(m->set);
}

static void bench_motifs(void) {
  static const bench_figure figure = {"six motifs over CARE, five times", "ms",
                                      "<=1.3x", "bare PCRE2 JIT", 1};
  static motifs m;
  m.set = care_load();
  if (m.set == NULL) {
    puts("skip motifs: the CARE benchmark is not there");
    return;
  }
  for (size_t i = 0; i < m.set->n_items; i++)
    m.length[i] = strlen(m.set->items[i].sequence);
  ecrb_scanner_new(&m.scanner, NULL);
  prepare_bare(&m);
  bench_against(&figure, scan, scan_bare, &m);
  if (m.found != m.found_bare)
    exit(1);
  release(&m);
}

typedef struct resampling {
  double rows[ITEMS * SETTINGS], means[REPLICATES * SETTINGS];
  uint32_t drawn[ITEMS];
  uint64_t sink;
} resampling;

static void resample(void *data) {
  resampling *r = data;
  ecrb_bootstrap(r->rows, ITEMS, SETTINGS, REPLICATES, 1, r->means, NULL);
}

static void draw_bare(void *data) {
  resampling *r = data;
  ecrb_rng rng = ecrb_rng_seed(1);
  for (int i = 0; i < REPLICATES; i++) {
    ecrb_rng_draw(&rng, ITEMS, r->drawn, ITEMS);
    r->sink += r->drawn[i % ITEMS];
  }
}

static void bench_bootstrap(void) {
  static const bench_figure figure = {
      "bootstrap, 1,000 x 1,349 items x 9 settings", "ms", "<=2.5x",
      "the draws alone", 1};
  static resampling r;
  ecrb_rng rng = ecrb_rng_seed(7);
  for (int i = 0; i < ITEMS * SETTINGS; i++)
    r.rows[i] = ecrb_rng_below(&rng, 2);
  bench_against(&figure, resample, draw_bare, &r);
}

int main(void) {
  bench_motifs();
  bench_bootstrap();
  return 0;
}
