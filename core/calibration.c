/* calibration.c: do stated confidences mean what they say? Expected
** calibration error over ten equal bins (Guo et al. 2017), and temperature
** scaling: one T for all, by Newton's steps on the negative log likelihood.
*/
#include "ecrb.h"

#include <math.h>
#include <string.h>

#define EDGE 1e-9       /* x * 10 this near a whole number is on an edge */
#define HELD_OFF 1e-6   /* from 0 and 1, where the logit is infinite */
#define HOTTEST 20.0    /* the coldest is 1 / HOTTEST */
#define PRECISION 1e-12 /* of 1/T, relative */
#define STEPS 100

static size_t times(const uint32_t *weight, size_t i) {
  return weight == NULL ? 1 : weight[i];
}

/* No rounding functions of libm here: a bootstrap bins a million items. */
static int bin_of(double confidence, bool left_edges) {
  double x = confidence * ECRB_BINS;
  int bin = (int)x;
  double above = x - bin;
  bool on_right = above > 1 - EDGE;
  if (above < EDGE || on_right)
    bin += on_right - !left_edges;
  if (bin < 0)
    return 0;
  return bin < ECRB_BINS ? bin : ECRB_BINS - 1;
}

/* Sums, not yet means; false where a confidence is none. */
static bool fill(const ecrb_confidences *items, const uint32_t *weight,
                 bool left_edges, ecrb_bin *bins) {
  for (size_t i = 0; i < items->n; i++) {
    double confidence = items->confidence[i];
    if (isnan(confidence))
      continue;
    if (confidence < 0 || confidence > 1)
      return false;
    size_t count = times(weight, i);
    ecrb_bin *bin = &bins[bin_of(confidence, left_edges)];
    bin->n += count;
    bin->confidence += (double)count * confidence;
    bin->accuracy += (double)(items->correct[i] ? count : 0);
  }
  return true;
}

/* Each gap is |sum of confidence - sum correct|; the shares of the bins and
** their sizes cancel but for the number of items. */
static double gaps(const ecrb_bin *bins) {
  size_t n = 0;
  double sum = 0;
  for (int i = 0; i < ECRB_BINS; i++) {
    n += bins[i].n;
    sum += fabs(bins[i].confidence - bins[i].accuracy);
  }
  return n > 0 ? sum / (double)n : NAN;
}

static void divide(ecrb_bin *bins) {
  for (int i = 0; i < ECRB_BINS; i++)
    if (bins[i].n > 0) {
      bins[i].confidence /= (double)bins[i].n;
      bins[i].accuracy /= (double)bins[i].n;
    }
}

double ecrb_ece(const ecrb_confidences *items, const uint32_t *weight,
                bool left_edges, ecrb_bin *bins) {
  ecrb_bin own[ECRB_BINS];
  if (bins == NULL)
    bins = own;
  memset(bins, 0, ECRB_BINS * sizeof *bins);
  if (!fill(items, weight, left_edges, bins)) {
    memset(bins, 0, ECRB_BINS * sizeof *bins);
    return NAN;
  }
  double error = gaps(bins);
  divide(bins);
  return error;
}

static double logit(double p) {
  if (p < HELD_OFF)
    p = HELD_OFF;
  if (p > 1 - HELD_OFF)
    p = 1 - HELD_OFF;
  return log(p / (1 - p));
}

double ecrb_temperature_apply(double confidence, double temperature) {
  return 1 / (1 + exp(-logit(confidence) / temperature));
}

/* Items as the fit sees them: all of them, and how often each counts. */
typedef struct sample {
  const ecrb_confidences *items;
  const uint32_t *weight; /* or NULL */
} sample;

static bool counts(const sample *s, size_t i) {
  return !isnan(s->items->confidence[i]) && times(s->weight, i) > 0;
}

/* How the negative log likelihood changes with b = 1/T, and how that does: the
** sum of (sigmoid(b z) - right) z over the items whose logits are z, and the sum
** of sigmoid (1 - sigmoid) z^2, which is never negative. */
typedef struct slope {
  double at, curvature;
} slope;

static slope slope_at(const sample *s, double b) {
  slope sum = {0, 0};
  for (size_t i = 0; i < s->items->n; i++) {
    if (!counts(s, i))
      continue;
    double z = logit(s->items->confidence[i]),
           count = (double)times(s->weight, i);
    double sigmoid = 1 / (1 + exp(-b * z));
    sum.at += count * (sigmoid - s->items->correct[i]) * z;
    sum.curvature += count * sigmoid * (1 - sigmoid) * z * z;
  }
  return sum;
}

static bool any_confidence(const sample *s) {
  for (size_t i = 0; i < s->items->n; i++)
    if (counts(s, i))
      return true;
  return false;
}

/* The loss is convex in b, so its slope crosses zero once at most: Newton's
** steps, and a bisection where one would leave the bracket. Where the slope has
** one sign throughout, the fit ends at that end of the range; where confidences
** of 1/2 are all there is, every b is as good, and 1 changes nothing. */
static double fit(const sample *s) {
  double low = 1 / HOTTEST, high = HOTTEST, b = 1;
  slope first = slope_at(s, low), last = slope_at(s, high);
  if (first.at > 0)
    return low;
  if (first.at < 0 && last.at <= 0)
    return high;
  for (int step = 0; step < STEPS; step++) {
    slope here = slope_at(s, b);
    double next = here.at == 0 ? b : b - here.at / here.curvature;
    if (fabs(next - b) <= PRECISION * b)
      break;
    *(here.at > 0 ? &high : &low) = b;
    b = next > low && next < high ? next : sqrt(low * high);
  }
  return b;
}

double ecrb_temperature_fit(const ecrb_confidences *items,
                            const uint32_t *weight) {
  const sample s = {items, weight};
  return any_confidence(&s) ? 1 / fit(&s) : 1;
}
