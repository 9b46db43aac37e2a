/* nearest.c: exact cosine search of many vectors against many more.
**
** 1. A block of queries and a block of references are brought to length 1 and
**    multiplied in single precision; each query's shortlist takes what is
**    within the rounding's margin of its k-th best.
** 2. When all references have passed, the shortlist alone is ranked, by
**    cosines in double precision over the numbers of the file. Products of two
**    floats are exact there and the sums have one order, so every machine
**    comes to the same bits.
** 3. A query whose shortlist overflowed (more near ties than there is room
**    for), and every query where all references are asked for, goes through
**    all references by step 2.
*/
#include "ecrb_import.h"

#include <math.h>
#include <stdlib.h>

#include "bytes.h"
#include "products.h"
#include "shortlist.h"

#define BLOCK_ROWS 1024
#define BLOCK_FLOATS (4u << 20) /* of one block of vectors */
#define LISTS_BYTES (64u << 20) /* of all shortlists of a block of queries */
#define SPARE 1024              /* places of a shortlist beyond 2 k */
#define LANES 8

struct ecrb_nearest {
  const ecrb_npy *queries, *references;
  size_t k, width, room;
  size_t query_rows, reference_rows; /* of a block */
  float margin;
  ecrb_products products;
  float *query, *reference, *scores; /* the blocks, and their products */
  float *asked;                      /* the query that is being ranked */
  double asked_norm;
  ecrb_scored *memory;
  ecrb_shortlist *lists;
  ecrb_neighbour *best;
  size_t found;
  size_t first, n, at; /* the block of queries, and the next one in it */
  bool failed;
  ecrb_nearest_report report;
};

/* {====================================================================
** Vectors
** ===================================================================== */

static double dot(const float *a, const float *b, size_t n) {
  double lanes[LANES] = {0}, sum = 0;
  size_t whole = n - n % LANES;
  for (size_t i = 0; i < whole; i += LANES)
    for (size_t lane = 0; lane < LANES; lane++)
      lanes[lane] += (double)a[i + lane] * (double)b[i + lane];
  for (size_t i = whole; i < n; i++)
    sum += (double)a[i] * (double)b[i];
  for (size_t lane = 0; lane < LANES; lane++)
    sum += lanes[lane];
  return sum;
}

/* Brings rows to length 1; returns how many have no direction. */
static size_t normalize(float *rows, size_t count, size_t width) {
  size_t zeros = 0;
  for (size_t i = 0; i < count; i++) {
    float *row = rows + i * width;
    double norm = sqrt(dot(row, row, width));
    double scale = norm > 0 ? 1 / norm : 0;
    zeros += norm == 0;
    for (size_t c = 0; c < width; c++)
      row[c] = (float)((double)row[c] * scale);
  }
  return zeros;
}

/* Twice what a product of unit vectors can be off: the sum of `width` rounded
** products in any order, and the rounding of the coordinates themselves. */
static float rounding_margin(size_t width) {
  return (float)(2 * 1.01 * (double)(width + 16) * 0x1p-24);
}

/* }==================================================================== */

/* {====================================================================
** A search and its memory
** ===================================================================== */

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

static size_t block_rows(size_t width) {
  size_t rows = BLOCK_FLOATS / width;
  return rows < 1 ? 1 : smaller(rows, BLOCK_ROWS);
}

static void set_sizes(ecrb_nearest *search, size_t k) {
  size_t references = ecrb_npy_rows(search->references), fit;
  search->width = ecrb_npy_columns(search->queries);
  search->k = smaller(k, references);
  search->room = smaller(references, 2 * search->k + SPARE);
  search->margin = rounding_margin(search->width);
  search->reference_rows = smaller(block_rows(search->width), references);
  fit = LISTS_BYTES / (search->room * sizeof(ecrb_scored));
  search->query_rows =
      smaller(block_rows(search->width), ecrb_npy_rows(search->queries));
  search->query_rows = fit < 1 ? 1 : smaller(search->query_rows, fit);
}

static bool allocate(ecrb_nearest *search) {
  size_t queries = search->query_rows, references = search->reference_rows;
  search->query = calloc(queries * search->width, sizeof *search->query);
  search->reference =
      calloc(references * search->width, sizeof *search->reference);
  search->scores = calloc(queries * references, sizeof *search->scores);
  search->asked = calloc(search->width, sizeof *search->asked);
  search->memory = calloc(queries * search->room, sizeof *search->memory);
  search->lists = calloc(queries, sizeof *search->lists);
  search->best = calloc(search->room, sizeof *search->best);
  return search->query && search->reference && search->scores &&
         search->asked && search->memory && search->lists && search->best;
}

static int check_pair(const ecrb_npy *queries, const ecrb_npy *references,
                      size_t k, ecrb_err *err) {
  if (k == 0)
    return ecrb_fail(err, ECRB_EARG, "no nearest vectors are asked for");
  if (ecrb_npy_rows(references) > UINT32_MAX)
    return ecrb_fail(err, ECRB_EARG, "%s: more than 4294967295 rows",
                     ecrb_npy_path(references));
  if (ecrb_npy_columns(queries) == ecrb_npy_columns(references))
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s: its vectors have %zu numbers, those of %s %zu; both "
                   "must come from the same model",
                   ecrb_npy_path(queries), ecrb_npy_columns(queries),
                   ecrb_npy_path(references), ecrb_npy_columns(references));
}

int ecrb_nearest_open(const ecrb_npy *queries, const ecrb_npy *references,
                      size_t k, bool plain, ecrb_nearest **out, ecrb_err *err) {
  int status = check_pair(queries, references, k, err);
  ecrb_nearest *search;
  *out = NULL;
  if (status != ECRB_OK)
    return status;
  search = calloc(1, sizeof *search);
  if (search) {
    search->queries = queries;
    search->references = references;
    set_sizes(search, k);
  }
  if (!search || !allocate(search)) {
    ecrb_nearest_close(search);
    return ecrb_no_memory(err, ecrb_npy_path(queries));
  }
  ecrb_products_load(&search->products, plain);
  search->report.blas = search->products.sgemm != NULL;
  *out = search;
  return ECRB_OK;
}

void ecrb_nearest_close(ecrb_nearest *search) {
  if (search == NULL)
    return;
  ecrb_products_unload(&search->products);
  free(search->query);
  free(search->reference);
  free(search->scores);
  free(search->asked);
  free(search->memory);
  free(search->lists);
  free(search->best);
  free(search);
}

ecrb_nearest_report ecrb_nearest_summary(const ecrb_nearest *search) {
  return search->report;
}

/* }==================================================================== */

/* {====================================================================
** Step 1: a block of queries against all references
** ===================================================================== */

static bool wants_all(const ecrb_nearest *search) {
  return search->k == ecrb_npy_rows(search->references);
}

static void fill_lists(ecrb_nearest *search, size_t first, size_t count) {
  ecrb_products_make(&search->products, search->query, search->n,
                     search->reference, count, search->width, search->scores);
  for (size_t i = 0; i < search->n; i++)
    ecrb_shortlist_add(&search->lists[i], search->scores + i * count, count,
                       first);
}

static int pass_references(ecrb_nearest *search, ecrb_err *err) {
  size_t rows = ecrb_npy_rows(search->references), zeros = 0;
  for (size_t first = 0; first < rows; first += search->reference_rows) {
    size_t count = smaller(search->reference_rows, rows - first);
    int status =
        ecrb_npy_read(search->references, first, count, search->reference, err);
    if (status != ECRB_OK)
      return status;
    zeros += normalize(search->reference, count, search->width);
    if (!wants_all(search))
      fill_lists(search, first, count);
  }
  search->report.zero_references = zeros;
  return ECRB_OK;
}

static int next_block(ecrb_nearest *search, ecrb_err *err) {
  size_t left = ecrb_npy_rows(search->queries) - search->first - search->n;
  int status;
  if (left == 0)
    return ECRB_ENONE;
  search->first += search->n;
  search->n = smaller(search->query_rows, left);
  search->at = 0;
  status = ecrb_npy_read(search->queries, search->first, search->n,
                         search->query, err);
  if (status != ECRB_OK)
    return status;
  search->report.zero_queries +=
      normalize(search->query, search->n, search->width);
  for (size_t i = 0; i < search->n; i++)
    ecrb_shortlist_init(&search->lists[i], search->memory + i * search->room,
                        search->room, search->k, search->margin);
  return pass_references(search, err);
}

/* }==================================================================== */

/* {====================================================================
** Steps 2 and 3: one query, by double precision
** ===================================================================== */

static int by_cosine(const void *a, const void *b) {
  const ecrb_neighbour *x = a, *y = b;
  if (x->cosine != y->cosine)
    return x->cosine < y->cosine ? 1 : -1;
  return (x->row > y->row) - (x->row < y->row);
}

static void keep_best(ecrb_nearest *search) {
  qsort(search->best, search->found, sizeof *search->best, by_cosine);
  search->found = smaller(search->found, search->k);
}

static double cosine(const ecrb_nearest *search, const float *row) {
  double norm = sqrt(dot(row, row, search->width)) * search->asked_norm;
  double value = norm > 0 ? dot(search->asked, row, search->width) / norm : 0;
  return value > 1 ? 1 : value < -1 ? -1 : value;
}

static int rank_run(ecrb_nearest *search, size_t first, size_t count,
                    ecrb_err *err) {
  int status =
      ecrb_npy_read(search->references, first, count, search->reference, err);
  for (size_t i = 0; status == ECRB_OK && i < count; i++) {
    if (search->found == search->room)
      keep_best(search);
    search->best[search->found++] = (ecrb_neighbour){
        first + i, cosine(search, search->reference + i * search->width)};
  }
  return status;
}

static int rank_all(ecrb_nearest *search, ecrb_err *err) {
  size_t rows = ecrb_npy_rows(search->references);
  int status = ECRB_OK;
  for (size_t first = 0; status == ECRB_OK && first < rows;
       first += search->reference_rows)
    status = rank_run(search, first,
                      smaller(search->reference_rows, rows - first), err);
  return status;
}

/* How many rows from the i-th on follow one another in the file. */
static size_t run_length(const ecrb_nearest *search, const ecrb_shortlist *list,
                         size_t i) {
  size_t n = 1;
  while (i + n < list->n && n < search->reference_rows &&
         list->at[i + n].row == list->at[i].row + n)
    n++;
  return n;
}

static int rank_list(ecrb_nearest *search, ecrb_shortlist *list,
                     ecrb_err *err) {
  int status = ECRB_OK;
  ecrb_shortlist_finish(list);
  for (size_t i = 0, n; status == ECRB_OK && i < list->n; i += n) {
    n = run_length(search, list, i);
    status = rank_run(search, list->at[i].row, n, err);
  }
  return status;
}

static int rank_query(ecrb_nearest *search, ecrb_err *err) {
  ecrb_shortlist *list = &search->lists[search->at];
  int status = ecrb_npy_read(search->queries, search->first + search->at, 1,
                             search->asked, err);
  if (status != ECRB_OK)
    return status;
  search->asked_norm = sqrt(dot(search->asked, search->asked, search->width));
  search->found = 0;
  search->report.again += list->overflow;
  status = list->overflow || wants_all(search) ? rank_all(search, err)
                                               : rank_list(search, list, err);
  if (status == ECRB_OK)
    keep_best(search);
  return status;
}

int ecrb_nearest_next(ecrb_nearest *search, const ecrb_neighbour **best,
                      size_t *count, ecrb_err *err) {
  int status = ECRB_OK;
  if (search->failed)
    return ecrb_fail(err, ECRB_EARG, "this search has failed already");
  if (search->at == search->n)
    status = next_block(search, err);
  if (status == ECRB_OK)
    status = rank_query(search, err);
  search->failed = status != ECRB_OK && status != ECRB_ENONE;
  if (status != ECRB_OK)
    return status;
  search->at++;
  *best = search->best;
  *count = search->found;
  return ECRB_OK;
}

/* }==================================================================== */
