/* The nearest vectors of a file beside the matrix products alone, over numbers
** that are in memory and normalized already: what reading, normalizing,
** choosing and ranking cost. */
#include "bench.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "core/vectors.h"
#include "ecrb_import.h"

#define QUERIES 1024
#define REFERENCES 8192
#define WIDTH 1280
#define BLOCK 1024
#define NEAREST 10

typedef void sgemm(int order, int a, int b, int m, int n, int k, float alpha,
                   const float *x, int ldx, const float *y, int ldy, float beta,
                   float *out, int ldout);

typedef struct vectors {
  float *query, *reference, *products;
  sgemm *multiply;
  ecrb_npy *queries, *references;
} vectors;

static void fail(const char *why) {
  fprintf(stderr, "bench_nearest: %s\n", why);
  exit(1);
}

static void search(void *data) {
  vectors *of = data;
  const ecrb_neighbour *best;
  ecrb_nearest *nearest;
  size_t n, found = 0;
  ecrb_err err;
  if (ecrb_nearest_open(of->queries, of->references, NEAREST, false, &nearest,
                        &err) != ECRB_OK)
    fail(err.msg);
  while (ecrb_nearest_next(nearest, &best, &n, &err) == ECRB_OK)
    found += n;
  if (found != QUERIES * NEAREST || ecrb_nearest_summary(nearest).again > 0)
    fail("the search went another way");
  ecrb_nearest_close(nearest);
}

static void multiply(void *data) {
  vectors *of = data;
  for (size_t first = 0; first < REFERENCES; first += BLOCK)
    of->multiply(101, 111, 112, QUERIES, BLOCK, WIDTH, 1, of->query, WIDTH,
                 of->reference + first * WIDTH, WIDTH, 0, of->products, BLOCK);
}

static float *numbers(ecrb_rng *rng, size_t n) {
  float *made = malloc(n * sizeof *made);
  if (!made)
    fail("out of memory");
  for (size_t i = 0; i < n; i++)
    made[i] = (float)(ecrb_rng_unit(rng) - 0.3);
  return made;
}

static ecrb_npy *file_of(const float *at, size_t rows) {
  char path[] = "/tmp/ecrb-bench-XXXXXX";
  ecrb_npy *npy;
  ecrb_err err;
  int fd = mkstemp(path);
  if (fd < 0 || !vectors_write(path, "<f4", at, rows, WIDTH))
    fail("cannot write into /tmp");
  close(fd);
  if (ecrb_npy_open(path, &npy, &err) != ECRB_OK)
    fail(err.msg);
  unlink(path);
  return npy;
}

static sgemm *find_sgemm(void) {
  void *library = dlopen("libopenblas.so.0", RTLD_LAZY);
  void *function = library ? dlsym(library, "cblas_sgemm") : NULL;
  sgemm *found;
  memcpy(&found, &function, sizeof found);
  return found;
}

int main(void) {
  ecrb_rng rng = ecrb_rng_seed(1);
  vectors of = {.multiply = find_sgemm()};
  static const bench_figure figure = {"nearest 10 of 8,192 vectors for 1,024",
                                      "ms", "<=1.5x", "the products alone", 1};
  if (!of.multiply) {
    puts("skip nearest: OpenBLAS is not installed");
    return 0;
  }
  of.query = numbers(&rng, (size_t)QUERIES * WIDTH);
  of.reference = numbers(&rng, (size_t)REFERENCES * WIDTH);
  of.products = malloc((size_t)QUERIES * BLOCK * sizeof *of.products);
  of.queries = file_of(of.query, QUERIES);
  of.references = file_of(of.reference, REFERENCES);
  bench_against(&figure, search, multiply, &of);
  ecrb_npy_close(of.queries);
  ecrb_npy_close(of.references);
  free(of.query);
  free(of.reference);
  free(of.products);
  return 0;
}
