/* descriptors.c: what a sequence says by itself. Sums of the Kyte-Doolittle
** scale are kept in tenths, as integers, so that a mean of exactly 1.6 is met
** exactly on every machine. */
#include "ecrb.h"

#include <math.h>
#include <string.h>

#define LETTERS 26
#define WINDOW 19
#define WINDOW_TENTHS 16 /* mean hydropathy of a membrane window */
#define MEMBRANE_RUN 15
#define WATER 18.01524
#define UNKNOWN_MASS 110.0
#define LOW_ENTROPY 3.5

typedef struct residue {
  double mass;   /* average, without water; 0: unknown */
  int tenths;    /* Kyte-Doolittle (1982) times ten */
  bool on_scale; /* the scale knows it */
} residue;

static const residue residues[LETTERS] = {
    ['A' - 'A'] = {71.0788, 18, true},   ['C' - 'A'] = {103.1388, 25, true},
    ['D' - 'A'] = {115.0886, -35, true}, ['E' - 'A'] = {129.1155, -35, true},
    ['F' - 'A'] = {147.1766, 28, true},  ['G' - 'A'] = {57.0519, -4, true},
    ['H' - 'A'] = {137.1411, -32, true}, ['I' - 'A'] = {113.1594, 45, true},
    ['K' - 'A'] = {128.1741, -39, true}, ['L' - 'A'] = {113.1594, 38, true},
    ['M' - 'A'] = {131.1926, 19, true},  ['N' - 'A'] = {114.1038, -35, true},
    ['P' - 'A'] = {97.1167, -16, true},  ['Q' - 'A'] = {128.1307, -35, true},
    ['R' - 'A'] = {156.1875, -45, true}, ['S' - 'A'] = {87.0782, -8, true},
    ['T' - 'A'] = {101.1051, -7, true},  ['U' - 'A'] = {150.0388, 0, false},
    ['V' - 'A'] = {99.1326, 42, true},   ['W' - 'A'] = {186.2132, -9, true},
    ['Y' - 'A'] = {163.1760, -13, true},
};

static const residue unknown = {UNKNOWN_MASS, 0, false};

static const residue *residue_of(char letter) {
  if (letter < 'A' || letter > 'Z' || residues[letter - 'A'].mass == 0)
    return &unknown;
  return &residues[letter - 'A'];
}

static bool is_hydrophobic(char letter) {
  return letter != '\0' && strchr("AILMFWVC", letter) != NULL;
}

/* A sum over known residues, and how many they were. */
typedef struct hydropathy {
  long tenths, known;
} hydropathy;

static void add(hydropathy *sum, char letter, int sign) {
  const residue *of = residue_of(letter);
  sum->tenths += sign * of->tenths;
  sum->known += of->on_scale ? sign : 0;
}

static bool has_membrane_window(const char *sequence, size_t n) {
  hydropathy window = {0, 0};
  for (size_t i = 0; i < n; i++) {
    add(&window, sequence[i], 1);
    if (i >= WINDOW)
      add(&window, sequence[i - WINDOW], -1);
    if (i + 1 >= WINDOW && window.known > 0 &&
        window.tenths >= WINDOW_TENTHS * window.known)
      return true;
  }
  return false;
}

static size_t longest_run(const char *sequence, size_t n) {
  size_t longest = 0, run = 0;
  for (size_t i = 0; i < n; i++) {
    run = is_hydrophobic(sequence[i]) ? run + 1 : 0;
    if (run > longest)
      longest = run;
  }
  return longest;
}

static double weight_kda(const size_t *counts) {
  double mass = WATER;
  for (int c = 0; c <= UINT8_MAX; c++)
    mass += (double)counts[c] * residue_of((char)c)->mass;
  return mass / 1000;
}

static double mean_hydropathy(const char *sequence, size_t n) {
  hydropathy sum = {0, 0};
  for (size_t i = 0; i < n; i++)
    add(&sum, sequence[i], 1);
  return sum.known == 0 ? 0 : (double)sum.tenths / 10 / (double)sum.known;
}

static size_t count_of(const size_t *counts, const char *letters) {
  size_t sum = 0;
  for (; *letters != '\0'; letters++)
    sum += counts[(unsigned char)*letters];
  return sum;
}

/* The first of the most frequent letters that is not in out->top already. */
static int next_top(const size_t *counts, const ecrb_descriptors *out) {
  int best = 0;
  for (int c = 1; c <= UINT8_MAX; c++)
    if (counts[c] > (best == 0 ? 0 : counts[best]) &&
        memchr(out->top, c, sizeof out->top) == NULL)
      best = c;
  return best;
}

static void describe_composition(const size_t *counts, ecrb_descriptors *out) {
  double n = (double)out->length;
  for (int i = 0; i < 3; i++) {
    int letter = next_top(counts, out);
    out->top[i] = (char)letter;
    out->top_fraction[i] = letter == 0 ? 0 : (double)counts[letter] / n;
  }
  for (int c = 0; c <= UINT8_MAX; c++)
    if (counts[c] > 0)
      out->entropy_bits += (double)counts[c] / n * log2(n / (double)counts[c]);
  out->low_complexity = out->entropy_bits < LOW_ENTROPY;
}

void ecrb_describe(const char *sequence, size_t n, ecrb_descriptors *out) {
  size_t counts[UINT8_MAX + 1] = {0};
  memset(out, 0, sizeof *out);
  if (n == 0)
    return;
  for (size_t i = 0; i < n; i++)
    counts[(unsigned char)sequence[i]]++;
  size_t positive = count_of(counts, "KR"), negative = count_of(counts, "DE");
  out->length = n;
  out->weight_kda = weight_kda(counts);
  out->hydropathy = mean_hydropathy(sequence, n);
  out->hydrophobic_fraction = (double)count_of(counts, "AILMFWVC") / (double)n;
  out->longest_hydrophobic_run = longest_run(sequence, n);
  out->membrane = out->longest_hydrophobic_run >= MEMBRANE_RUN ||
                  has_membrane_window(sequence, n);
  out->positive_fraction = (double)positive / (double)n;
  out->negative_fraction = (double)negative / (double)n;
  out->net_charge = (int)positive - (int)negative;
  describe_composition(counts, out);
}
