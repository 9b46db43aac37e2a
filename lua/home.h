/* home.h: where the program's Lua files and data stand. */
#ifndef HOME_H
#define HOME_H

#include "ecrb.h"

/* The folder with lua/, prompts/, methods/ and data/, in memory of malloc:
** `given`, $ECRB_HOME, or found from the running executable. */
int home_find(const char *given, char **out, ecrb_err *err);

#endif
