/* ecrb_host.h: the whole host inside another C program.
**
**   ecrb_err err;
**   ecrb_host *host;
**   if (ecrb_host_new(NULL, &host, &err) != ECRB_OK) ...
**   status = ecrb_host_file(host, "analysis.lua", argc, argv, &exit_code);
**   if (status != ECRB_OK) puts(ecrb_host_message(host));
**   ecrb_host_free(host);
**
** Nothing here prints or exits; a host belongs to one thread at a time, and
** several hosts may live side by side. examples/embed_host.c is a whole program. */
#ifndef ECRB_HOST_H
#define ECRB_HOST_H

#include "ecrb.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ecrb_host ecrb_host;
struct lua_State;

/* Opens a Lua state with `core.*` and `ecrb.*` in reach. `home` is the folder
** that holds lua/, prompts/, methods/ and data/; NULL looks for it in
** $ECRB_HOME, beside the running executable, in its share/ecrb, above it.
** ECRB_ENONE where there is none. */
int ecrb_host_new(const char *home, ecrb_host **out, ecrb_err *err);
void ecrb_host_free(ecrb_host *host);

/* What `ecrb ARGS` does: argv[0] is the program, argv[argc] need not be NULL.
** Errors of use and input are reported by the command line itself and end in
** its exit code; a status other than ECRB_OK is an error that reached the
** top, and ecrb_host_message has its text. */
int ecrb_host_main(ecrb_host *host, int argc, const char *const *argv,
                   int *exit_code);

/* Runs a Lua file: argv[0] is its path, the rest its arguments. It may return
** an exit code. */
int ecrb_host_file(ecrb_host *host, int argc, const char *const *argv,
                   int *exit_code);

/* The text of the last error, good until the next call on this host. With
** ECRB_DEBUG set in the environment it holds a traceback. */
const char *ecrb_host_message(const ecrb_host *host);

/* Asks the running loop to come to an end: the first time it lets the calls
** under way finish, the second time it cancels them. Safe in a signal handler.
** False where no loop is running. */
bool ecrb_host_interrupt(ecrb_host *host);

/* For programs that add functions of their own. */
struct lua_State *ecrb_host_state(ecrb_host *host);

#ifdef __cplusplus
}
#endif
#endif
