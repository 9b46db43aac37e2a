/* products.h: the dot products of two blocks of vectors, by OpenBLAS where it
** is installed, by plain loops where it is not. Private to the library. */
#ifndef ECRB_PRODUCTS_H
#define ECRB_PRODUCTS_H

#include "ecrb.h"

typedef void ecrb_sgemm(int order, int transpose_a, int transpose_b, int m,
                        int n, int k, float alpha, const float *a, int lda,
                        const float *b, int ldb, float beta, float *c, int ldc);

typedef struct ecrb_products {
  void *library;
  ecrb_sgemm *sgemm; /* NULL: plain loops */
} ecrb_products;

/* Loads OpenBLAS; where that cannot be, or `plain` is asked for, loops do. */
void ecrb_products_load(ecrb_products *products, bool plain);
void ecrb_products_unload(ecrb_products *products);

/* out[i * n_b + j] = a_i . b_j, rows of `width` numbers, in single precision
** in any order of summation. */
void ecrb_products_make(const ecrb_products *products, const float *a,
                        size_t n_a, const float *b, size_t n_b, size_t width,
                        float *out);

#endif
