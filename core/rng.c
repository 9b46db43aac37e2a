/* rng.c: SplitMix64. The state walks by the golden gamma; an output is the
** state mixed by two multiplications. Seeds are folded out of bytes with
** FNV-1a, so that a stream can belong to (seed, item, level, node). */
#include "ecrb.h"

#define GOLDEN_GAMMA UINT64_C(0x9e3779b97f4a7c15)
#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x00000100000001b3)

ecrb_rng ecrb_rng_seed(uint64_t seed) {
  ecrb_rng rng = {seed};
  return rng;
}

uint64_t ecrb_rng_next(ecrb_rng *rng) {
  uint64_t z = rng->state += GOLDEN_GAMMA;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

uint32_t ecrb_rng_below(ecrb_rng *rng, uint32_t n) {
  return (uint32_t)(((ecrb_rng_next(rng) >> 32) * n) >> 32);
}

void ecrb_rng_draw(ecrb_rng *rng, uint32_t n, uint32_t *out, size_t count) {
  ecrb_rng local = *rng;
  for (size_t i = 0; i < count; i++)
    out[i] = ecrb_rng_below(&local, n);
  *rng = local;
}

double ecrb_rng_unit(ecrb_rng *rng) {
  return (double)(ecrb_rng_next(rng) >> 11) * 0x1p-53;
}

void ecrb_rng_shuffle(ecrb_rng *rng, int32_t *values, size_t n) {
  for (size_t last = n; last > 1; last--) {
    uint32_t other = ecrb_rng_below(rng, (uint32_t)last);
    int32_t value = values[last - 1];
    values[last - 1] = values[other];
    values[other] = value;
  }
}

uint64_t ecrb_rng_fold(uint64_t seed, const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  uint64_t hash = FNV_BASIS ^ seed;
  for (size_t i = 0; i < n; i++)
    hash = (hash ^ at[i]) * FNV_PRIME;
  ecrb_rng rng = ecrb_rng_seed(hash);
  return ecrb_rng_next(&rng);
}
