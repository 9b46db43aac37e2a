/* desk.h: the questions that lie with the program. The thread of the run puts
** them there and takes the answers; any thread may answer. */
#ifndef DESK_H
#define DESK_H

#include <stdint.h>

#include "host.h"

typedef struct desk desk;

typedef struct desk_slip {
  uint64_t ticket; /* of the question */
  ecrb_span text;
  bool lost; /* `text` says why there is no reply */
} desk_slip;

/* NULL where memory ran out. Of an answer it tells the host's loop. */
desk *desk_new(ecrb_host *host);
void desk_free(desk *d);

/* The ticket of a question more; 0 where memory ran out. */
uint64_t desk_open(desk *d);

/* Takes the copy of an answer to the desk: ECRB_ENONE where the question is not
** open (any more). */
int desk_answer(desk *d, const desk_slip *given, ecrb_err *err);

/* The next answer, good until the next call; false where there is none. */
bool desk_take(desk *d, desk_slip *out);

/* Takes all questions back: nobody answers them any more. */
void desk_clear(desk *d);

#endif
