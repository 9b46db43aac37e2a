/* l_statistics.h: what the parts of core.statistics share. A column is an array
** of numbers, true (1) and false (0); in a column of confidences false is an
** item that reported none. An estimate is {value, low, high}: a figure and its
** 95% percentile interval, without one for replicates = 0. Memory is Lua's own
** throughout, because anything here may raise; what points into it is good as
** long as what was pushed stays on the stack. */
#ifndef L_STATISTICS_H
#define L_STATISTICS_H

#include <lua.h>
#include <stdbool.h>

#include "ecrb.h"

/* {====================================================================
** Columns
** ===================================================================== */

typedef struct column {
  double *at;
  size_t n;
} column;

/* [-0, +1] Memory for n things that goes with the value on top. */
void *memory_push(lua_State *L, size_t n, size_t size);

/* [-0, +1] The column at `arg`, whose `false` means `otherwise`. */
column column_push(lua_State *L, int arg, double otherwise);

/* [-0, +1] Another column, which must have n values. */
column column_push_beside(lua_State *L, int arg, size_t n);

/* Whole numbers from 0, which Lua sees from 1. */
typedef struct numbers {
  uint32_t *at;
  size_t n, room;
  size_t most; /* one more than the greatest */
} numbers;

const numbers *numbers_check(lua_State *L, int arg);

/* [-0, +1] The values of items, each that of its kind; [-0, +0] the column itself
** where `of` is NULL. */
column column_push_each(lua_State *L, column kinds, const numbers *of);

/* t[i] = value for the table on top, `false` for a number that is none. */
void column_set(lua_State *L, lua_Integer i, double value);

/* }==================================================================== */

/* {====================================================================
** Figures and their intervals
** ===================================================================== */

/* How to resample: with a generator, or along draws that are kept. */
typedef struct resampling {
  size_t replicates;
  uint64_t seed;
  size_t n;                /* items of the draws */
  const ecrb_draws *draws; /* or NULL */
  const numbers *of;       /* the kind of each item, where columns are by kind */
} resampling;

/* The options at `arg`, the last argument; what is pushed stands behind it. */
resampling resampling_check(lua_State *L, int arg);

/* How many items columns of n values are about. */
size_t resampling_items(lua_State *L, const resampling *how, size_t n);

/* Whether kept draws serve n items; those of another number raise. */
bool resampling_along(lua_State *L, const resampling *how, size_t n);

/* [-0, +1] {value, low, high}; the interval is over the replicates in which
** the figure exists, which it sorts; none without such. A figure that does not
** exist is {false}. */
void estimate_push(lua_State *L, double value, double *replicates, size_t n);

/* [-0, +1] Value and interval of a statistic over n items. */
void statistic_push(lua_State *L, ecrb_statistic *statistic, const void *data,
                    size_t n, const resampling *how);

/* A statistic over cells (ecrb_cells), and the numbers of each cell. */
typedef struct celled {
  size_t n; /* items */
  ecrb_grouped grouped;
  column first, second;
} celled;

/* [-0, +3, or 4 by kind] Two columns by cell, for a statistic that is still to
** be named. */
celled cells_push(lua_State *L, const column *first, const column *second,
                  const resampling *how);

/* [-0, +1] Value and interval of a statistic over the cells. */
void cells_push_statistic(lua_State *L, celled *c, ecrb_statistic *statistic,
                          const void *data, const resampling *how);

/* }==================================================================== */

/* {====================================================================
** Stated confidences
** ===================================================================== */

/* What a statistic over confidences reads; each uses what it needs. */
typedef struct stated {
  ecrb_confidences items;
  bool left_edges;
  const uint32_t *order;
  const double *harmonic;
  double coverage;
} stated;

/* [-0, +2] Confidences at `arg`, and what was right behind it. */
void stated_push(lua_State *L, int arg, column *confidence, column *correct);

/* [-0, +1] */
ecrb_confidences stated_push_items(lua_State *L, const column *confidence,
                                   const column *correct);

/* [-0, +5 at most] The same by cell, for a statistic over a `stated`. */
stated stated_push_cells(lua_State *L, const column *confidence,
                         const column *correct, const resampling *how,
                         celled *c);

/* }==================================================================== */

/* {====================================================================
** The functions of core.statistics, each documented where it stands
** ===================================================================== */

int statistics_aurc(lua_State *L);
int statistics_compare(lua_State *L);
int statistics_critical(lua_State *L);
int statistics_draws(lua_State *L);
int statistics_ece(lua_State *L);
int statistics_holm(lua_State *L);
int statistics_macro(lua_State *L);
int statistics_mcnemar(lua_State *L);
int statistics_mean_ece(lua_State *L);
int statistics_means(lua_State *L);
int statistics_numbers(lua_State *L);
int statistics_ratio(lua_State *L);
int statistics_risk_curve(lua_State *L);
int statistics_scaled(lua_State *L);
int statistics_selective(lua_State *L);
int statistics_student(lua_State *L);
int statistics_temperature(lua_State *L);
int statistics_wilson(lua_State *L);

/* Make the types of what core.statistics.draws and numbers give. */
void statistics_open_draws(lua_State *L);
void statistics_open_numbers(lua_State *L);

/* }==================================================================== */

#endif
