/* bootstrap.c: the paired bootstrap. One draw of n indices serves all columns
** of a replicate.
**
** Columns of 0 and 1 are lanes of 7 bits, nine to a word: 127 rows can be added
** before a lane is full. The other columns are copied into blocks of up to
** twelve, two to a vector register, so that the sums of a block never leave
** registers; two replicates go at once, because one alone would wait for each of
** its sums. Each column is added up in the order of the draws.
*/
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 256 /* indices drawn at once where no array holds them all */
#define PAIRS 6   /* of columns in a block: as many sums as stay in registers */

typedef double pair __attribute__((vector_size(2 * sizeof(double))));

#define LANES 9 /* of a word */
#define LANE_BITS 7
#define LANE_MOST 127

typedef struct sampler {
  pair *rows;              /* block by block; in a block row by row */
  uint64_t *words;         /* word by word, n rows each */
  size_t *order;           /* the columns: first those of rows, then of words */
  const uint32_t *draw[2]; /* of two replicates */
  const uint32_t *row_of;  /* of each item; NULL: its own */
  uint32_t *drawn[2];      /* rows, where a draw of items is kept */
  size_t n, columns;
  size_t held;    /* how many rows there are */
  size_t numbers; /* columns in rows */
} sampler;

struct ecrb_draws {
  size_t n, replicates;
  uint32_t *draw;   /* replicate by replicate, n indices each */
  uint32_t *weight; /* the same as multiplicities */
};

static int check(size_t n, ecrb_err *err) {
  if (n == 0 || n > UINT32_MAX)
    return ecrb_fail(err, ECRB_EARG, "bootstrap: %zu items; it needs 1 to %lu",
                     n, (unsigned long)UINT32_MAX);
  return ECRB_OK;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* How many pairs the block holds that begins with column `first`. */
static size_t pairs_from(const sampler *s, size_t first) {
  return least((s->numbers - first + 1) / 2, PAIRS);
}

static void pack_numbers(sampler *s, const double *rows) {
  for (size_t first = 0, at = 0; first < s->numbers; first += 2 * PAIRS) {
    size_t width = least(s->numbers - first, 2 * PAIRS);
    size_t pairs = pairs_from(s, first);
    double *to = (double *)(s->rows + at);
    for (size_t i = 0; i < s->held; i++)
      for (size_t c = 0; c < width; c++)
        to[2 * i * pairs + c] = rows[i * s->columns + s->order[first + c]];
    at += s->held * pairs;
  }
}

static void pack_bits(sampler *s, const double *rows) {
  for (size_t c = s->numbers; c < s->columns; c++) {
    size_t place = c - s->numbers;
    uint64_t *to = s->words + place / LANES * s->held;
    for (size_t i = 0; i < s->held; i++)
      to[i] |= (uint64_t)rows[i * s->columns + s->order[c]]
               << place % LANES * LANE_BITS;
  }
}

static bool is_yes_or_no(const sampler *s, const double *rows, size_t column) {
  for (size_t i = 0; i < s->held; i++) {
    double value = rows[i * s->columns + column];
    if (value != 0 && value != 1)
      return false;
  }
  return true;
}

/* Numbers from the front, yes or no from the back. */
static void sort_columns(sampler *s, const double *rows) {
  size_t behind = s->columns;
  for (size_t c = 0; c < s->columns; c++)
    if (is_yes_or_no(s, rows, c))
      s->order[--behind] = c;
    else
      s->order[s->numbers++] = c;
}

/* Sums of a block's columns, each in a register. */
typedef struct sums {
  pair a, b, c, d, e, f;
} sums;

static inline void add_row(sums *s, const pair *row, size_t pairs) {
  s->a += row[0];
  if (pairs > 1)
    s->b += row[1];
  if (pairs > 2)
    s->c += row[2];
  if (pairs > 3)
    s->d += row[3];
  if (pairs > 4)
    s->e += row[4];
  if (pairs > 5)
    s->f += row[5];
}

/* Inlined once for each number of pairs, which is then a constant. */
static inline void add_rows(const sampler *s, const pair *rows, size_t pairs,
                            sums sum[2]) {
  sums one = {0}, other = {0};
  for (size_t i = 0; i < s->n; i++) {
    add_row(&one, rows + s->draw[0][i] * pairs, pairs);
    add_row(&other, rows + s->draw[1][i] * pairs, pairs);
  }
  sum[0] = one;
  sum[1] = other;
}

static void sum_block(const sampler *s, const pair *rows, size_t pairs,
                      sums sum[2]) {
  switch (pairs) {
  case 1:
    add_rows(s, rows, 1, sum);
    break;
  case 2:
    add_rows(s, rows, 2, sum);
    break;
  case 3:
    add_rows(s, rows, 3, sum);
    break;
  case 4:
    add_rows(s, rows, 4, sum);
    break;
  case 5:
    add_rows(s, rows, 5, sum);
    break;
  default:
    add_rows(s, rows, 6, sum);
  }
}

static void add_numbers(const sampler *s, double *const out[2]) {
  const pair *rows = s->rows;
  for (size_t first = 0; first < s->numbers; first += 2 * PAIRS) {
    size_t pairs = pairs_from(s, first);
    size_t width = least(s->numbers - first, 2 * PAIRS);
    sums sum[2];
    double of[2][2 * PAIRS];
    sum_block(s, rows, pairs, sum);
    memcpy(of, sum, sizeof of);
    for (size_t c = 0; c < width; c++) {
      out[0][s->order[first + c]] = of[0][c];
      out[1][s->order[first + c]] = of[1][c];
    }
    rows += s->held * pairs;
  }
}

static void count_lanes(const uint64_t *word, const uint32_t *draw, size_t n,
                        uint64_t count[LANES]) {
  memset(count, 0, LANES * sizeof *count);
  while (n > 0) {
    size_t most = least(n, LANE_MOST);
    uint64_t sum = 0;
    for (size_t i = 0; i < most; i++)
      sum += word[draw[i]];
    for (int lane = 0; lane < LANES; lane++)
      count[lane] += sum >> lane * LANE_BITS & LANE_MOST;
    draw += most;
    n -= most;
  }
}

static void add_bits(const sampler *s, const uint32_t *draw, double *out) {
  const uint64_t *word = s->words;
  for (size_t c = s->numbers; c < s->columns; c += LANES, word += s->held) {
    uint64_t count[LANES];
    count_lanes(word, draw, s->n, count);
    for (size_t lane = 0; lane < least(s->columns - c, LANES); lane++)
      out[s->order[c + lane]] = (double)count[lane];
  }
}

/* The means of both replicates, into out[0] and out[1]. */
static void means(const sampler *s, double *const out[2]) {
  add_numbers(s, out);
  for (int r = 0; r < (out[0] == out[1] ? 1 : 2); r++) {
    add_bits(s, s->draw[r], out[r]);
    for (size_t c = 0; c < s->columns; c++)
      out[r][c] /= (double)s->n;
  }
}

static void end(sampler *s) {
  free(s->rows);
  free(s->words);
  free(s->order);
}

static int begin(sampler *s, const double *rows, ecrb_err *err) {
  s->order = calloc(s->columns + 1, sizeof *s->order);
  if (s->order != NULL)
    sort_columns(s, rows);
  size_t pairs = (s->numbers + 1) / 2;
  size_t words = (s->columns - s->numbers + LANES - 1) / LANES;
  s->rows = calloc(s->held * pairs + 1, sizeof *s->rows);
  s->words = calloc(s->held * words + 1, sizeof *s->words);
  if (s->order == NULL || s->rows == NULL || s->words == NULL)
    return ecrb_no_memory(err, "the bootstrap");
  pack_numbers(s, rows);
  pack_bits(s, rows);
  return ECRB_OK;
}

/* The rows of a draw of items, which may be where the draw is. */
static void take_rows(const sampler *s, const uint32_t *draw, uint32_t *rows) {
  for (size_t i = 0; i < s->n; i++)
    rows[i] = s->row_of[draw[i]];
}

/* Two replicates at a time; the last of an odd number goes twice. */
static void replicate(sampler *s, uint32_t *draw, size_t replicates,
                      uint64_t seed, double *out) {
  ecrb_rng rng = ecrb_rng_seed(seed);
  s->draw[0] = draw;
  for (size_t r = 0; r < replicates; r += 2) {
    bool both = r + 1 < replicates;
    double *const to[2] = {out + r * s->columns,
                           out + (r + both) * s->columns};
    s->draw[1] = draw + both * s->n;
    for (int i = 0; i <= both; i++) {
      uint32_t *one = draw + (size_t)i * s->n;
      ecrb_rng_draw(&rng, (uint32_t)s->n, one, s->n);
      if (s->row_of)
        take_rows(s, one, one);
    }
    means(s, to);
  }
}

static sampler sampler_of(const ecrb_sample *items) {
  return (sampler){.n = items->n,
                   .columns = items->columns,
                   .held = items->row_of ? items->n_rows : items->n,
                   .row_of = items->row_of};
}

int ecrb_bootstrap_sample(const ecrb_sample *items, size_t replicates,
                          uint64_t seed, double *out, ecrb_err *err) {
  sampler s = sampler_of(items);
  size_t n = items->n;
  int status = check(n, err);
  if (status != ECRB_OK)
    return status;
  uint32_t *draw = malloc(2 * n * sizeof *draw);
  if (draw == NULL)
    return ecrb_no_memory(err, "the bootstrap");
  status = begin(&s, items->rows, err);
  if (status == ECRB_OK)
    replicate(&s, draw, replicates, seed, out);
  end(&s);
  free(draw);
  return status;
}

int ecrb_bootstrap(const double *rows, size_t n, size_t columns,
                   size_t replicates, uint64_t seed, double *out,
                   ecrb_err *err) {
  const ecrb_sample items = {.rows = rows, .n = n, .columns = columns};
  return ecrb_bootstrap_sample(&items, replicates, seed, out, err);
}

void ecrb_resample(ecrb_rng *rng, uint32_t *weight, size_t n) {
  uint32_t drawn[CHUNK];
  memset(weight, 0, n * sizeof *weight);
  for (size_t done = 0; done < n; done += CHUNK) {
    size_t count = least(n - done, CHUNK);
    ecrb_rng_draw(rng, (uint32_t)n, drawn, count);
    for (size_t i = 0; i < count; i++)
      weight[drawn[i]]++;
  }
}

int ecrb_bootstrap_statistic(ecrb_statistic *statistic, const void *data,
                             size_t n, size_t replicates, uint64_t seed,
                             double *out, ecrb_err *err) {
  ecrb_rng rng = ecrb_rng_seed(seed);
  int status = check(n, err);
  if (status != ECRB_OK)
    return status;
  uint32_t *weight = malloc(n * sizeof *weight);
  if (weight == NULL)
    return ecrb_no_memory(err, "the bootstrap");
  for (size_t r = 0; r < replicates; r++) {
    ecrb_resample(&rng, weight, n);
    out[r] = statistic(data, weight);
  }
  free(weight);
  return ECRB_OK;
}

static void draw_all(ecrb_draws *draws, uint64_t seed) {
  ecrb_rng rng = ecrb_rng_seed(seed);
  size_t n = draws->n;
  for (size_t r = 0; r < draws->replicates; r++) {
    uint32_t *draw = draws->draw + r * n, *weight = draws->weight + r * n;
    ecrb_rng_draw(&rng, (uint32_t)n, draw, n);
    for (size_t i = 0; i < n; i++)
      weight[draw[i]]++;
  }
}

int ecrb_draws_new(size_t n, size_t replicates, uint64_t seed,
                   ecrb_draws **out, ecrb_err *err) {
  ecrb_draws *draws;
  int status = check(n, err);
  *out = NULL;
  if (status != ECRB_OK)
    return status;
  draws = calloc(1, sizeof *draws);
  if (draws != NULL)
    *draws = (ecrb_draws){n, replicates,
                          calloc(replicates + 1, n * sizeof(uint32_t)),
                          calloc(replicates + 1, n * sizeof(uint32_t))};
  if (draws == NULL || draws->draw == NULL || draws->weight == NULL) {
    ecrb_draws_free(draws);
    return ecrb_no_memory(err, "the bootstrap");
  }
  draw_all(draws, seed);
  *out = draws;
  return ECRB_OK;
}

void ecrb_draws_free(ecrb_draws *draws) {
  if (draws == NULL)
    return;
  free(draws->draw);
  free(draws->weight);
  free(draws);
}

/* Replicate `r` of what is kept, as number i of the two that go at once. */
static void take_kept(sampler *s, const ecrb_draws *draws, size_t r, int i) {
  s->draw[i] = draws->draw + r * s->n;
  if (s->row_of == NULL)
    return;
  take_rows(s, s->draw[i], s->drawn[i]);
  s->draw[i] = s->drawn[i];
}

static int begin_kept(sampler *s, const double *rows, ecrb_err *err) {
  int status = begin(s, rows, err);
  if (status != ECRB_OK || s->row_of == NULL)
    return status;
  s->drawn[0] = malloc(2 * s->n * sizeof **s->drawn);
  if (s->drawn[0] == NULL)
    return ecrb_no_memory(err, "the bootstrap");
  s->drawn[1] = s->drawn[0] + s->n;
  return ECRB_OK;
}

int ecrb_draws_sample(const ecrb_draws *draws, const ecrb_sample *items,
                      double *out, ecrb_err *err) {
  sampler s = sampler_of(items);
  size_t columns = items->columns;
  int status = begin_kept(&s, items->rows, err);
  for (size_t r = 0; status == ECRB_OK && r < draws->replicates; r += 2) {
    size_t next = r + (r + 1 < draws->replicates);
    double *const to[2] = {out + r * columns, out + next * columns};
    take_kept(&s, draws, r, 0);
    take_kept(&s, draws, next, 1);
    means(&s, to);
  }
  free(s.drawn[0]);
  end(&s);
  return status;
}

int ecrb_draws_means(const ecrb_draws *draws, const double *rows,
                     size_t columns, double *out, ecrb_err *err) {
  const ecrb_sample items = {.rows = rows, .n = draws->n, .columns = columns};
  return ecrb_draws_sample(draws, &items, out, err);
}

void ecrb_draws_statistic(const ecrb_draws *draws, ecrb_statistic *statistic,
                          const void *data, double *out) {
  for (size_t r = 0; r < draws->replicates; r++)
    out[r] = statistic(data, draws->weight + r * draws->n);
}
