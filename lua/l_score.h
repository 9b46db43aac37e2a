/* l_score.h: predictions, for whatever scores them. */
#ifndef L_SCORE_H
#define L_SCORE_H

#include <lua.h>

#include "ecrb.h"

/* [-0, +0] The prediction on top: {path=, may_stop=, confidence=}; one without a
** path was not answered. */
ecrb_prediction score_check_prediction(lua_State *L);

#endif
