/* products.c: blocks of dot products. OpenBLAS starts its threads when it is
** loaded, so that happens when the first search needs it. */
#include "products.h"

#include <dlfcn.h>
#include <string.h>

enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 }; /* of cblas.h */

#define LANES 16

void ecrb_products_load(ecrb_products *products, bool plain) {
  /* NODELETE: its threads may outlive the search. */
  int how = RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE;
  void *function = NULL;
  memset(products, 0, sizeof *products);
  if (!plain)
    products->library = dlopen("libopenblas.so.0", how);
  if (products->library)
    function = dlsym(products->library, "cblas_sgemm");
  memcpy(&products->sgemm, &function, sizeof function);
}

void ecrb_products_unload(ecrb_products *products) {
  if (products->library)
    dlclose(products->library);
  products->library = NULL;
}

/* Lanes, so that the compiler may use wide registers. */
static float dot(const float *a, const float *b, size_t n) {
  float lanes[LANES] = {0}, sum = 0;
  size_t whole = n - n % LANES;
  for (size_t i = 0; i < whole; i += LANES)
    for (size_t lane = 0; lane < LANES; lane++)
      lanes[lane] += a[i + lane] * b[i + lane];
  for (size_t i = whole; i < n; i++)
    sum += a[i] * b[i];
  for (size_t lane = 0; lane < LANES; lane++)
    sum += lanes[lane];
  return sum;
}

void ecrb_products_make(const ecrb_products *products, const float *a,
                        size_t n_a, const float *b, size_t n_b, size_t width,
                        float *out) {
  if (products->sgemm) {
    products->sgemm(ROW_MAJOR, PLAIN, TRANSPOSED, (int)n_a, (int)n_b,
                    (int)width, 1, a, (int)width, b, (int)width, 0, out,
                    (int)n_b);
    return;
  }
  for (size_t i = 0; i < n_a; i++)
    for (size_t j = 0; j < n_b; j++)
      out[i * n_b + j] = dot(a + i * width, b + j * width, width);
}
