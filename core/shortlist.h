/* shortlist.h: the rows that may be among the k best of a query, while scores
** come in that are right within a margin. Private to the library.
**
** Kept is whatever scores within the margin of the k-th best so far: that row
** and each of those k may in truth stand the other way round. */
#ifndef ECRB_SHORTLIST_H
#define ECRB_SHORTLIST_H

#include "ecrb.h"

typedef struct ecrb_scored {
  float score;
  uint32_t row;
} ecrb_scored;

typedef struct ecrb_shortlist {
  ecrb_scored *at; /* borrowed: room for `room` of them */
  size_t n, room, k;
  float margin;
  float floor;   /* what scores below it is out */
  bool overflow; /* more rows than there is room for are in question */
} ecrb_shortlist;

/* `room` is at least 2 k. */
void ecrb_shortlist_init(ecrb_shortlist *list, ecrb_scored *memory, size_t room,
                         size_t k, float margin);

/* Takes the scores of rows `first` and on. After an overflow it takes none. */
void ecrb_shortlist_add(ecrb_shortlist *list, const float *scores, size_t n,
                        size_t first);

/* Leaves only what is still in question, by row. */
void ecrb_shortlist_finish(ecrb_shortlist *list);

#endif
