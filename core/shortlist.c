/* shortlist.c: keeps what is within a margin of the k-th best score. Rows are
** appended while they reach the floor; when there is no more room, the k-th
** best is found (quickselect) and the floor rises to a margin below it. */
#include "shortlist.h"

#include <math.h>
#include <stdlib.h>

void ecrb_shortlist_init(ecrb_shortlist *list, ecrb_scored *memory, size_t room,
                         size_t k, float margin) {
  *list = (ecrb_shortlist){memory, 0, room, k, margin, -INFINITY, false};
}

static void swap(ecrb_scored *a, ecrb_scored *b) {
  ecrb_scored kept = *a;
  *a = *b;
  *b = kept;
}

static float middle_of(float a, float b, float c) {
  float low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

/* Orders the range so that scores above the pivot come first, those equal to it
** next; sets where the equal ones begin and end. */
static void part(ecrb_scored *at, size_t n, float pivot, size_t *above,
                 size_t *equal_end) {
  size_t i = 0, first = 0, last = n;
  while (i < last) {
    if (at[i].score > pivot)
      swap(&at[first++], &at[i++]);
    else if (at[i].score < pivot)
      swap(&at[i], &at[--last]);
    else
      i++;
  }
  *above = first;
  *equal_end = last;
}

/* The k-th largest score, 1 <= k <= n; shuffles the range. */
static float select_largest(ecrb_scored *at, size_t n, size_t k) {
  for (;;) {
    size_t above, equal_end;
    float pivot = middle_of(at[0].score, at[n / 2].score, at[n - 1].score);
    part(at, n, pivot, &above, &equal_end);
    if (k <= above) {
      n = above;
    } else if (k <= equal_end) {
      return pivot;
    } else {
      at += equal_end;
      n -= equal_end;
      k -= equal_end;
    }
  }
}

static void raise_floor(ecrb_shortlist *list) {
  size_t kept = 0;
  if (list->n < list->k)
    return;
  list->floor = select_largest(list->at, list->n, list->k) - list->margin;
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i].score >= list->floor)
      list->at[kept++] = list->at[i];
  list->n = kept;
}

/* Makes room, unless nearly all that is there is in question: to go on would
** mean to select again and again for a few places. */
static bool make_room(ecrb_shortlist *list) {
  raise_floor(list);
  list->overflow = list->n > list->room - list->room / 8;
  return !list->overflow;
}

void ecrb_shortlist_add(ecrb_shortlist *list, const float *scores, size_t n,
                        size_t first) {
  for (size_t i = 0; i < n && !list->overflow; i++) {
    if (scores[i] < list->floor)
      continue;
    if (list->n == list->room && !make_room(list))
      return;
    if (scores[i] >= list->floor)
      list->at[list->n++] = (ecrb_scored){scores[i], (uint32_t)(first + i)};
  }
}

static int by_row(const void *a, const void *b) {
  const ecrb_scored *x = a, *y = b;
  return (x->row > y->row) - (x->row < y->row);
}

void ecrb_shortlist_finish(ecrb_shortlist *list) {
  raise_floor(list);
  qsort(list->at, list->n, sizeof *list->at, by_row);
}
