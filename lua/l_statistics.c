/* l_statistics.c: core.statistics, figures over plain columns. A column is an
** array of numbers, true (1) and false (0); in a column of confidences false
** is an item that reported none. An estimate is {value, low, high}: a figure
** and its 95% percentile interval, without one for replicates = 0. Memory is
** Lua's own throughout, because anything here may raise. */
#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <string.h>

#include "binding.h"
#include "modules.h"

enum { REPLICATES = 1000, REPLICATES_MOST = 1000000, LEVEL_PERCENT = 95 };

typedef struct column {
  double *at;
  size_t n;
} column;

#define DRAWS "ecrb.draws"

/* How to resample: with a generator, or along draws that are kept. */
typedef struct resampling {
  size_t replicates;
  uint64_t seed;
  size_t n;                /* items of the draws */
  const ecrb_draws *draws; /* or NULL */
} resampling;

/* {====================================================================
** Columns in, estimates out
** ===================================================================== */

/* [-0, +1] Memory for n things that goes with the value on top. */
static void *push_memory(lua_State *L, size_t n, size_t size) {
  luaL_checkstack(L, 4, "too many columns");
  return lua_newuserdatauv(L, (n > 0 ? n : 1) * size, 0);
}

static double number_at(lua_State *L, int arg, size_t i, double otherwise) {
  double value = otherwise;
  int type = lua_rawgeti(L, arg, (lua_Integer)i + 1);
  if (type == LUA_TNUMBER)
    value = lua_tonumber(L, -1);
  else if (type == LUA_TBOOLEAN)
    value = lua_toboolean(L, -1) ? 1 : otherwise;
  else
    luaL_error(L, "value %d of a column is a %s", (int)i + 1,
               luaL_typename(L, -1));
  lua_pop(L, 1);
  return value;
}

/* [-0, +1] The column at `arg`, whose `false` means `otherwise`. */
static column push_column(lua_State *L, int arg, double otherwise) {
  column c;
  luaL_checktype(L, arg, LUA_TTABLE);
  arg = lua_absindex(L, arg);
  c.n = lua_rawlen(L, arg);
  c.at = push_memory(L, c.n, sizeof *c.at);
  for (size_t i = 0; i < c.n; i++)
    c.at[i] = number_at(L, arg, i, otherwise);
  return c;
}

/* [-0, +1] Another column of the same length. */
static column push_beside(lua_State *L, int arg, size_t n) {
  column c = push_column(L, arg, 0);
  if (c.n != n)
    luaL_error(L, "columns of %d and %d values", (int)n, (int)c.n);
  return c;
}

typedef struct kept_draws {
  ecrb_draws *draws;
  resampling how;
} kept_draws;

/* [-0, +0] The field `draws` of the options at `arg`, good as long as they. */
static const kept_draws *draws_field(lua_State *L, int arg) {
  const kept_draws *kept = NULL;
  if (lua_istable(L, arg) && lua_getfield(L, arg, "draws") != LUA_TNIL)
    kept = luaL_checkudata(L, -1, DRAWS);
  lua_settop(L, arg);
  return kept;
}

/* The options at `arg`, the last argument; what is pushed stands behind it. */
static resampling check_resampling(lua_State *L, int arg) {
  const kept_draws *kept;
  lua_Number replicates, seed;
  lua_settop(L, arg);
  kept = draws_field(L, arg);
  if (kept)
    return kept->how;
  replicates = bind_number_field(L, arg, "replicates", REPLICATES);
  seed = bind_number_field(L, arg, "seed", 1);
  luaL_argcheck(L, replicates >= 0 && replicates <= REPLICATES_MOST, arg,
                "replicates are 0 to 1000000");
  luaL_argcheck(L, seed >= 0 && seed < 9e15, arg, "a seed is 0 to 9e15");
  return (resampling){(size_t)replicates, (uint64_t)seed, 0, NULL};
}

/* Whether kept draws serve n items; those of another number raise. */
static bool along_draws(lua_State *L, const resampling *how, size_t n) {
  if (how->draws && how->n != n)
    luaL_error(L, "draws of %d items, but %d values", (int)how->n, (int)n);
  return how->draws != NULL;
}

static bool left_edges(lua_State *L, int arg) {
  bool left;
  if (lua_isnoneornil(L, arg))
    return false;
  lua_getfield(L, arg, "left_edges");
  left = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return left;
}

static void set_number(lua_State *L, lua_Integer i, double value) {
  if (isnan(value))
    lua_pushboolean(L, 0);
  else
    lua_pushnumber(L, value);
  lua_rawseti(L, -2, i);
}

/* Moves the replicates in which a figure exists to the front: a resample of few
** items may hold none that reports a confidence. */
static size_t keep_existing(double *replicates, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!isnan(replicates[i]))
      replicates[kept++] = replicates[i];
  return kept;
}

/* [-0, +1] {value, low, high}; the interval is over the replicates in which
** the figure exists, which it sorts; none without such. A figure that does not
** exist is {false}. */
static void push_estimate(lua_State *L, double value, double *replicates,
                          size_t n) {
  double low, high;
  lua_createtable(L, 3, 0);
  set_number(L, 1, value);
  n = keep_existing(replicates, n);
  if (n == 0 || isnan(value))
    return;
  ecrb_interval(replicates, n, LEVEL_PERCENT / 100.0, &low, &high);
  set_number(L, 2, low);
  set_number(L, 3, high);
}

/*** core.statistics.draws(n, {replicates=, seed=}) -> draws
**
** The resamples of n items, drawn once: as the option `draws` they serve every
** figure over n items and give what `replicates` and `seed` would.
*/
static int statistics_draws(lua_State *L) {
  lua_Integer n = luaL_checkinteger(L, 1);
  resampling how = check_resampling(L, 2);
  kept_draws *kept;
  ecrb_err err;
  luaL_argcheck(L, n > 0, 1, "a number of items");
  kept = lua_newuserdatauv(L, sizeof *kept, 0);
  kept->draws = NULL;
  luaL_setmetatable(L, DRAWS);
  bind_check(
      L,
      ecrb_draws_new((size_t)n, how.replicates, how.seed, &kept->draws, &err),
      &err);
  kept->how = (resampling){how.replicates, how.seed, (size_t)n, kept->draws};
  return 1;
}

static int draws_free(lua_State *L) {
  kept_draws *kept = luaL_checkudata(L, 1, DRAWS);
  ecrb_draws_free(kept->draws);
  kept->draws = NULL;
  return 0;
}

/* }==================================================================== */

/* {====================================================================
** Means and ratios
** ===================================================================== */

typedef struct rows {
  double *at; /* row-major */
  size_t n, columns;
} rows;

/* [-0, +1] The columns of the table at `arg`, side by side. */
static rows push_rows(lua_State *L, int arg) {
  rows r = {NULL, 0, 0};
  luaL_checktype(L, arg, LUA_TTABLE);
  r.columns = lua_rawlen(L, arg);
  luaL_argcheck(L, r.columns > 0, arg, "no columns");
  if (lua_rawgeti(L, arg, 1) == LUA_TTABLE)
    r.n = lua_rawlen(L, -1);
  lua_pop(L, 1);
  luaL_argcheck(L, r.n > 0, arg, "columns without values");
  r.at = push_memory(L, r.n * r.columns, sizeof *r.at);
  for (size_t c = 0; c < r.columns; c++) {
    column one;
    lua_rawgeti(L, arg, (lua_Integer)c + 1);
    one = push_beside(L, -1, r.n);
    for (size_t i = 0; i < r.n; i++)
      r.at[i * r.columns + c] = one.at[i];
    lua_pop(L, 2);
  }
  return r;
}

/* [-0, +1] The replicates' means, replicate by replicate. */
static double *push_replicates(lua_State *L, const rows *r,
                               const resampling *how) {
  double *means = push_memory(L, how->replicates * r->columns, sizeof *means);
  ecrb_err err;
  int status = ECRB_OK;
  if (along_draws(L, how, r->n))
    status = ecrb_draws_means(how->draws, r->at, r->columns, means, &err);
  else if (how->replicates > 0)
    status = ecrb_bootstrap(r->at, r->n, r->columns, how->replicates, how->seed,
                            means, &err);
  bind_check(L, status, &err);
  return means;
}

static double column_mean(const rows *r, size_t c) {
  double sum = 0;
  for (size_t i = 0; i < r->n; i++)
    sum += r->at[i * r->columns + c];
  return sum / (double)r->n;
}

static double quotient(double a, double b) {
  return b == 0 ? NAN : a / b;
}

/* Columns, their means in each replicate, and room for one figure's. */
typedef struct sampled {
  rows r;
  size_t replicates;
  const double *means;
  double *one;
} sampled;

/* [-0, +3] The columns of the table at `arg`, resampled. */
static sampled push_sampled(lua_State *L, int arg, const resampling *how) {
  sampled s = {push_rows(L, arg), how->replicates, NULL, NULL};
  s.means = push_replicates(L, &s.r, how);
  s.one = push_memory(L, how->replicates, sizeof *s.one);
  return s;
}

/* [-0, +1] */
static void push_mean(lua_State *L, const sampled *s, size_t place) {
  for (size_t k = 0; k < s->replicates; k++)
    s->one[k] = s->means[k * s->r.columns + place];
  push_estimate(L, column_mean(&s->r, place), s->one, s->replicates);
}

/* [-0, +1] The sum of column `above` over that of `below`. */
static void push_ratio(lua_State *L, const sampled *s, size_t above,
                       size_t below) {
  for (size_t k = 0; k < s->replicates; k++) {
    const double *means = s->means + k * s->r.columns;
    s->one[k] = quotient(means[above], means[below]);
  }
  push_estimate(L,
                quotient(column_mean(&s->r, above), column_mean(&s->r, below)),
                s->one, s->replicates);
}

/* [-0, +0] Number i of the pair of columns on top, from 0. */
static size_t column_of_pair(lua_State *L, int i, const sampled *s) {
  lua_Integer place;
  luaL_checktype(L, -1, LUA_TTABLE);
  lua_rawgeti(L, -1, i);
  place = luaL_checkinteger(L, -1);
  if (place < 1 || (size_t)place > s->r.columns)
    luaL_error(L, "a ratio of column %d of %d", (int)place, (int)s->r.columns);
  lua_pop(L, 1);
  return (size_t)place - 1;
}

/* [-0, +1] The ratios that the list at `arg` names. */
static void push_ratios(lua_State *L, int arg, const sampled *s) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, arg);
  lua_createtable(L, (int)n, 0);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, arg, i);
    push_ratio(L, s, column_of_pair(L, 1, s), column_of_pair(L, 2, s));
    lua_rawseti(L, -3, i);
    lua_pop(L, 1);
  }
}

/*** core.statistics.means({column...}, {replicates=, seed=}, ratios)
***   -> {estimate...}, {estimate...}
**
** The mean of each column; one draw of items serves all columns. `ratios`, a
** list of pairs {above, below} of column numbers, adds the sum of the one over
** the sum of the other as a second list.
*/
static int statistics_means(lua_State *L) {
  resampling how;
  sampled s;
  bool ratios = !lua_isnoneornil(L, 3);
  if (ratios)
    luaL_checktype(L, 3, LUA_TTABLE);
  lua_settop(L, 3);
  lua_insert(L, 2);
  how = check_resampling(L, 3);
  s = push_sampled(L, 1, &how);
  lua_createtable(L, (int)s.r.columns, 0);
  for (size_t c = 0; c < s.r.columns; c++) {
    push_mean(L, &s, c);
    lua_rawseti(L, -2, (lua_Integer)c + 1);
  }
  if (ratios)
    push_ratios(L, 2, &s);
  return ratios ? 2 : 1;
}

/*** core.statistics.ratio(above, below, {replicates=, seed=}) -> estimate
**
** The sum of one column over the sum of another: a precision, a micro F1.
*/
static int statistics_ratio(lua_State *L) {
  resampling how = check_resampling(L, 3);
  sampled s;
  lua_createtable(L, 2, 0);
  for (int c = 1; c <= 2; c++) {
    lua_pushvalue(L, c);
    lua_rawseti(L, -2, c);
  }
  s = push_sampled(L, lua_gettop(L), &how);
  push_ratio(L, &s, 0, 1);
  return 1;
}

/* }==================================================================== */

/* {====================================================================
** Figures that are no means
** ===================================================================== */

/* [-0, +1] Value and interval of a statistic over n items. */
static void push_statistic(lua_State *L, ecrb_statistic *statistic,
                           const void *data, size_t n, const resampling *how) {
  double *one = push_memory(L, how->replicates, sizeof *one);
  ecrb_err err;
  int status = ECRB_OK;
  if (along_draws(L, how, n))
    ecrb_draws_statistic(how->draws, statistic, data, one);
  else if (how->replicates > 0)
    status = ecrb_bootstrap_statistic(statistic, data, n, how->replicates,
                                      how->seed, one, &err);
  bind_check(L, status, &err);
  push_estimate(L, statistic(data, NULL), one, how->replicates);
  lua_remove(L, -2);
}

/* A statistic over cells (ecrb_cells), and the numbers of each cell. */
typedef struct celled {
  size_t n; /* items */
  ecrb_grouped grouped;
  column first, second;
} celled;

/* [-0, +3] Two columns by cell, for a statistic that is still to be named. */
static celled push_cells(lua_State *L, const column *first,
                         const column *second) {
  size_t n = first->n;
  uint32_t *cell = push_memory(L, n, 3 * sizeof *cell);
  uint32_t *order = cell + n, *end = order + n;
  double *numbers = push_memory(L, n, 2 * sizeof *numbers);
  uint32_t *weight = push_memory(L, n, sizeof *weight);
  celled c = {n,
              {.order = order, .end = end, .weight = weight},
              {numbers, 0},
              {numbers + n, 0}};
  c.first.n = c.second.n = c.grouped.cells =
      ecrb_cells(first->at, second->at, n, cell, order, end);
  for (size_t i = 0; i < n; i++) {
    c.first.at[cell[i]] = first->at[i];
    c.second.at[cell[i]] = second->at[i];
  }
  return c;
}

/* [-0, +1] Value and interval of a statistic over the cells. */
static void push_cells_statistic(lua_State *L, celled *c,
                                 ecrb_statistic *statistic, const void *data,
                                 const resampling *how) {
  c->grouped.statistic = statistic;
  c->grouped.data = data;
  push_statistic(L, ecrb_cells_statistic, &c->grouped, c->n, how);
}

typedef struct classed {
  const double *value;
  uint32_t *classes;
  size_t n;
} classed;

static double macro_of(const void *data, const uint32_t *weight) {
  const classed *items = data;
  return ecrb_macro(items->value, items->classes, weight, items->n, NULL);
}

/* [-0, +1] */
static uint32_t *push_classes(lua_State *L, const column *sets) {
  uint32_t *classes = push_memory(L, sets->n, sizeof *classes);
  for (size_t i = 0; i < sets->n; i++)
    classes[i] = (uint32_t)sets->at[i];
  return classes;
}

/*** core.statistics.macro(column, classes, {replicates=, seed=})
***   -> estimate, present
**
** The mean within each class, averaged with equal weight over the classes
** present. `classes` holds the sets of core.score: bit c - 1 for class c.
*/
static int statistics_macro(lua_State *L) {
  resampling how = check_resampling(L, 3);
  column value = push_column(L, 1, 0), sets = push_beside(L, 2, value.n);
  celled c = push_cells(L, &value, &sets);
  classed cells = {c.first.at, push_classes(L, &c.second), c.first.n};
  int present;
  luaL_argcheck(L, value.n > 0, 1, "a column without values");
  ecrb_macro(cells.value, cells.classes, NULL, cells.n, &present);
  push_cells_statistic(L, &c, macro_of, &cells, &how);
  lua_pushinteger(L, present);
  return 2;
}

typedef struct stated {
  ecrb_confidences items;
  bool left_edges;
  const uint32_t *order;
  const double *harmonic;
  double coverage;
} stated;

/* [-0, +1] */
static bool *push_flags(lua_State *L, const column *c) {
  bool *flags = push_memory(L, c->n, sizeof *flags);
  for (size_t i = 0; i < c->n; i++)
    flags[i] = c->at[i] != 0;
  return flags;
}

/* [-0, +1] */
static ecrb_confidences push_confidences(lua_State *L, const column *confidence,
                                         const column *correct) {
  return (ecrb_confidences){confidence->at, push_flags(L, correct),
                            confidence->n};
}

/* [-0, +2] Confidences at `arg`, and what was right behind it. */
static void push_stated(lua_State *L, int arg, column *confidence,
                        column *correct) {
  *confidence = push_column(L, arg, NAN);
  *correct = push_beside(L, arg + 1, confidence->n);
  luaL_argcheck(L, confidence->n > 0, arg, "a column without values");
}

/* [-0, +3] All of the items, not by cell. */
static ecrb_confidences push_items(lua_State *L, int arg) {
  column confidence, correct;
  push_stated(L, arg, &confidence, &correct);
  return push_confidences(L, &confidence, &correct);
}

static double ece_of(const void *data, const uint32_t *weight) {
  const stated *s = data;
  return ecrb_ece_weighted(&s->items, weight, s->left_edges, NULL);
}

static void push_bins(lua_State *L, const ecrb_bin bins[ECRB_BINS]) {
  lua_createtable(L, ECRB_BINS, 0);
  for (int b = 0; b < ECRB_BINS; b++) {
    lua_createtable(L, 0, 3);
    bind_set_integer(L, "n", (lua_Integer)bins[b].n);
    bind_set_number(L, "confidence", bins[b].confidence);
    bind_set_number(L, "accuracy", bins[b].accuracy);
    lua_rawseti(L, -2, b + 1);
  }
}

/*** core.statistics.ece(confidence, correct, {left_edges=, replicates=, seed=})
***   -> estimate, bins
**
** Expected calibration error over ten bins, {n=, confidence=, accuracy=} each.
*/
static int statistics_ece(lua_State *L) {
  resampling how = check_resampling(L, 3);
  bool left = left_edges(L, 3);
  column confidence, correct;
  ecrb_confidences items;
  celled c;
  ecrb_bin bins[ECRB_BINS];
  push_stated(L, 1, &confidence, &correct);
  items = push_confidences(L, &confidence, &correct);
  ecrb_ece_weighted(&items, NULL, left, bins);
  c = push_cells(L, &confidence, &correct);
  stated cells = {push_confidences(L, &c.first, &c.second), left, NULL, NULL,
                  0};
  push_cells_statistic(L, &c, ece_of, &cells, &how);
  push_bins(L, bins);
  return 2;
}

/* [-0, +1] */
static const uint32_t *push_order(lua_State *L, const ecrb_confidences *items) {
  uint32_t *order = push_memory(L, items->n, sizeof *order);
  ecrb_rank(items->confidence, items->n, order);
  return order;
}

static double aurc_of(const void *data, const uint32_t *weight) {
  const stated *s = data;
  return ecrb_aurc_ranked(&s->items, s->order, weight, s->harmonic);
}

/*** core.statistics.aurc(confidence, correct, {replicates=, seed=}) -> estimate
**
** Area under the risk-coverage curve.
*/
static int statistics_aurc(lua_State *L) {
  resampling how = check_resampling(L, 3);
  column confidence, correct;
  push_stated(L, 1, &confidence, &correct);
  celled c = push_cells(L, &confidence, &correct);
  stated cells = {push_confidences(L, &c.first, &c.second), false, NULL, NULL,
                  0};
  double *harmonic = push_memory(L, confidence.n + 1, sizeof *harmonic);
  ecrb_harmonic(harmonic, confidence.n);
  cells.harmonic = harmonic;
  cells.order = push_order(L, &cells.items);
  push_cells_statistic(L, &c, aurc_of, &cells, &how);
  return 1;
}

/*** core.statistics.risk_curve(confidence, correct) -> {risk...}
**
** Risk k is the share of wrong ones among the k most confident items.
*/
static int statistics_risk_curve(lua_State *L) {
  ecrb_confidences items;
  const uint32_t *order;
  double *risk;
  lua_settop(L, 2);
  items = push_items(L, 1);
  order = push_order(L, &items);
  risk = push_memory(L, items.n, sizeof *risk);
  ecrb_risk_curve(&items, order, risk);
  lua_createtable(L, (int)items.n, 0);
  for (size_t k = 0; k < items.n; k++)
    set_number(L, (lua_Integer)k + 1, risk[k]);
  return 1;
}

/* [-0, +n] Stated confidences by cell, for a statistic over a `stated`. */
static stated push_stated_cells(lua_State *L, const column *confidence,
                                const column *correct, celled *c) {
  stated cells = {{0}, false, NULL, NULL, 0};
  *c = push_cells(L, confidence, correct);
  cells.items = push_confidences(L, &c->first, &c->second);
  return cells;
}

static double temperature_of(const void *data, const uint32_t *weight) {
  const stated *s = data;
  return ecrb_temperature_fit(&s->items, weight);
}

/*** core.statistics.temperature(confidence, correct, {replicates=, seed=})
***   -> estimate
**
** The temperature that fits these confidences best.
*/
static int statistics_temperature(lua_State *L) {
  resampling how = check_resampling(L, 3);
  column confidence, correct;
  celled c;
  push_stated(L, 1, &confidence, &correct);
  stated cells = push_stated_cells(L, &confidence, &correct, &c);
  push_cells_statistic(L, &c, temperature_of, &cells, &how);
  return 1;
}

static double selective_of(const void *data, const uint32_t *weight) {
  const stated *s = data;
  return ecrb_selective_ranked(&s->items, s->order, weight, s->coverage);
}

/*** core.statistics.selective(confidence, correct, coverage,
***   {replicates=, seed=}) -> estimate
**
** The share of right ones among the most confident items: so many of all of them
** as `coverage`, from 0 to 1, says, rounded up.
*/
static int statistics_selective(lua_State *L) {
  lua_Number coverage = luaL_checknumber(L, 3);
  resampling how = check_resampling(L, 4);
  column confidence, correct;
  celled c;
  luaL_argcheck(L, coverage > 0 && coverage <= 1, 3, "a coverage is 0 to 1");
  push_stated(L, 1, &confidence, &correct);
  stated cells = push_stated_cells(L, &confidence, &correct, &c);
  cells.order = push_order(L, &cells.items);
  cells.coverage = coverage;
  push_cells_statistic(L, &c, selective_of, &cells, &how);
  return 1;
}

/* Several answerers to the same items: what each stated, cell by cell. */
typedef struct answerers {
  ecrb_grouped *of;
  size_t count;
} answerers;

/* NaN for those who state nothing in this resample. */
static double mean_ece_of(const void *data, const uint32_t *weight) {
  const answerers *all = data;
  double sum = 0;
  for (size_t a = 0; a < all->count; a++)
    sum += ecrb_cells_statistic(&all->of[a], weight);
  return sum / (double)all->count;
}

/* [-0, +n] The a-th answerer of the two lists at 1 and 2; n is the number of
** items, which the first decides. */
static ecrb_grouped push_answerer(lua_State *L, size_t a, bool left,
                                  size_t *n) {
  column confidence, correct;
  celled c;
  stated *cells = push_memory(L, 1, sizeof *cells);
  luaL_checkstack(L, 16, "too many columns");
  lua_rawgeti(L, 1, (lua_Integer)a + 1);
  lua_rawgeti(L, 2, (lua_Integer)a + 1);
  push_stated(L, lua_gettop(L) - 1, &confidence, &correct);
  *n = a == 0 ? confidence.n : *n;
  if (confidence.n != *n)
    luaL_error(L, "columns of %d and %d values", (int)*n, (int)confidence.n);
  *cells = push_stated_cells(L, &confidence, &correct, &c);
  cells->left_edges = left;
  c.grouped.statistic = ece_of;
  c.grouped.data = cells;
  return c.grouped;
}

/*** core.statistics.mean_ece({confidence...}, {correct...},
***   {left_edges=, replicates=, seed=}) -> estimate
**
** The mean of the calibration errors of several answerers to the same items; one
** draw of items serves all of them.
*/
static int statistics_mean_ece(lua_State *L) {
  resampling how = check_resampling(L, 3);
  bool left = left_edges(L, 3);
  size_t n = 0;
  answerers all;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TTABLE);
  all.count = lua_rawlen(L, 1);
  luaL_argcheck(L, all.count > 0, 1, "a list of columns without one");
  luaL_argcheck(L, lua_rawlen(L, 2) == all.count, 2, "as many columns");
  all.of = push_memory(L, all.count, sizeof *all.of);
  for (size_t a = 0; a < all.count; a++)
    all.of[a] = push_answerer(L, a, left, &n);
  push_statistic(L, mean_ece_of, &all, n, &how);
  return 1;
}

/*** core.statistics.scaled(confidence, T) -> confidence
**
** The confidence at that temperature: sigmoid(logit(confidence) / T).
*/
static int statistics_scaled(lua_State *L) {
  lua_pushnumber(L, ecrb_temperature_apply(luaL_checknumber(L, 1),
                                           luaL_checknumber(L, 2)));
  return 1;
}

/*** core.statistics.wilson(hits, n) -> low, high
**
** The 95% Wilson interval of a share of `hits` in `n`.
*/
static int statistics_wilson(lua_State *L) {
  lua_Integer hits = luaL_checkinteger(L, 1), n = luaL_checkinteger(L, 2);
  double low, high;
  luaL_argcheck(L, n >= 0, 2, "a number of items");
  luaL_argcheck(L, hits >= 0 && hits <= n, 1, "hits are 0 to n");
  ecrb_wilson((size_t)hits, (size_t)n, &low, &high);
  lua_pushnumber(L, low);
  lua_pushnumber(L, high);
  return 2;
}

/* }==================================================================== */

/* {====================================================================
** Comparisons
** ===================================================================== */

/*** core.statistics.compare(a, b, {replicates=, seed=, margin=}) -> difference
**
** The paired difference of the means, a - b: {mean=, low=, high=, low90=,
** high90=, p=, error=, detectable=, equivalent= where a margin is given}.
*/
static int statistics_compare(lua_State *L) {
  resampling how = check_resampling(L, 3);
  lua_Number margin = bind_number_field(L, 3, "margin", 0);
  column a = push_column(L, 1, 0), b = push_beside(L, 2, a.n);
  ecrb_difference d;
  ecrb_err err;
  luaL_argcheck(L, a.n > 0, 1, "a column without values");
  luaL_argcheck(L, how.replicates > 0, 3, "a comparison needs replicates");
  bind_check(L,
             ecrb_compare(a.at, b.at, a.n, how.replicates, how.seed, &d, &err),
             &err);
  lua_createtable(L, 0, 9);
  bind_set_number(L, "mean", d.mean);
  bind_set_number(L, "low", d.low);
  bind_set_number(L, "high", d.high);
  bind_set_number(L, "low90", d.low90);
  bind_set_number(L, "high90", d.high90);
  bind_set_number(L, "p", d.p);
  bind_set_number(L, "error", d.error);
  bind_set_number(L, "detectable", d.detectable);
  if (margin > 0)
    bind_set_boolean(L, "equivalent", ecrb_equivalent(&d, margin));
  return 1;
}

/*** core.statistics.student(t, df) -> p
**
** Two-sided p of Student's t; the degrees of freedom need not be whole.
*/
static int statistics_student(lua_State *L) {
  lua_Number t = luaL_checknumber(L, 1), df = luaL_checknumber(L, 2);
  luaL_argcheck(L, df > 0, 2, "degrees of freedom are more than 0");
  lua_pushnumber(L, ecrb_student_p(t, df));
  return 1;
}

/*** core.statistics.critical(p, df) -> t
**
** The t whose two-sided p is `p`: 1.96 for 0.05 and many degrees of freedom.
*/
static int statistics_critical(lua_State *L) {
  lua_Number p = luaL_checknumber(L, 1), df = luaL_checknumber(L, 2);
  luaL_argcheck(L, p > 0 && p < 1, 1, "a p value is between 0 and 1");
  luaL_argcheck(L, df > 0, 2, "degrees of freedom are more than 0");
  lua_pushnumber(L, ecrb_student_critical(p, df));
  return 1;
}

/*** core.statistics.mcnemar(first, second) -> p, mid_p
**
** `first` items only the first run has right, `second` only the second.
*/
static int statistics_mcnemar(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 1);
  lua_Integer second = luaL_checkinteger(L, 2);
  luaL_argcheck(L, first >= 0, 1, "a number of items");
  luaL_argcheck(L, second >= 0, 2, "a number of items");
  lua_pushnumber(L, ecrb_mcnemar((size_t)first, (size_t)second));
  lua_pushnumber(L, ecrb_mcnemar_mid((size_t)first, (size_t)second));
  return 2;
}

/*** core.statistics.holm({p...}) -> {p...}
**
** A family of p values after Holm's step-down adjustment, in the same order.
*/
static int statistics_holm(lua_State *L) {
  column p = push_column(L, 1, 1);
  int status = ecrb_holm(p.at, p.n);
  luaL_argcheck(L, status != ECRB_EARG, 1, "a p value is a number from 0 to 1");
  if (status != ECRB_OK)
    luaL_error(L, "memory ran out");
  lua_createtable(L, (int)p.n, 0);
  for (size_t i = 0; i < p.n; i++)
    set_number(L, (lua_Integer)i + 1, p.at[i]);
  return 1;
}

/* }==================================================================== */

static const luaL_Reg functions[] = {
    {"aurc", statistics_aurc},         {"compare", statistics_compare},
    {"critical", statistics_critical}, {"draws", statistics_draws},
    {"ece", statistics_ece},           {"holm", statistics_holm},
    {"macro", statistics_macro},       {"mcnemar", statistics_mcnemar},
    {"mean_ece", statistics_mean_ece}, {"means", statistics_means},
    {"ratio", statistics_ratio},       {"risk_curve", statistics_risk_curve},
    {"scaled", statistics_scaled},     {"selective", statistics_selective},
    {"student", statistics_student},   {"temperature", statistics_temperature},
    {"wilson", statistics_wilson},     {NULL, NULL}};

static const luaL_Reg draws_metamethods[] = {{"__gc", draws_free},
                                             {NULL, NULL}};

int luaopen_core_statistics(lua_State *L) {
  bind_new_type(L, DRAWS, NULL, draws_metamethods);
  luaL_newlib(L, functions);
  return 1;
}
