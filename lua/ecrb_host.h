/* ecrb_host.h: the whole host inside another C program.
**
**   ecrb_err err;
**   ecrb_host *host;
**   if (ecrb_host_new(NULL, &host, &err) != ECRB_OK) ...
**   status = ecrb_host_file(host, "analysis.lua", argc, argv, &exit_code);
**   if (status != ECRB_OK) puts(ecrb_host_message(host));
**   ecrb_host_free(host);
**
** or, to ask a model that the program itself has,
**
**   ecrb_run_open(host, &(ecrb_run_spec){.method = "m1", .model = f}, &run, &err);
**   ecrb_run_all(run, each, &err);
**   ecrb_run_score(run, &summary, NULL, &err);
**   ecrb_run_close(run);
**
** (ecrb_run_next stands in for ecrb_run_all where several questions are to be
** open at once.)
**
** Nothing here exits or touches signals and locale, and only ecrb_host_main
** prints, as the command line does. A host belongs to one thread at a time;
** several may run at once, each in a thread of its own, if no thread changes the
** environment meanwhile. examples/embed.c and embed_host.c are whole programs. */
#ifndef ECRB_HOST_H
#define ECRB_HOST_H

#include "ecrb.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__ /* a shared library shows these and nothing else */
#pragma GCC visibility push(default)
#endif

typedef struct ecrb_host ecrb_host;
struct lua_State;

/* Opens a Lua state with `core.*` and `ecrb.*` in reach. `home` is the folder
** that holds lua/, prompts/, methods/ and data/; NULL looks for it in
** $ECRB_HOME, then beside the running executable, in share/ecrb of its prefix
** and above it, then likewise from libecrb.so.
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

/* {====================================================================
** A run: a method over the items of a benchmark, its questions answered by a
** function of the program, a call back for every item.
** ===================================================================== */

typedef struct ecrb_run ecrb_run;

typedef struct ecrb_message {
  ecrb_span role; /* `system`, `user`, `assistant` */
  ecrb_span content;
} ecrb_message; /* a NUL that `n` does not count follows each text */

typedef struct ecrb_question {
  const ecrb_message *messages;
  size_t count;
  ecrb_span request; /* the same as the JSON body of a chat completion */
  uint64_t ticket;   /* of ecrb_run_next */
} ecrb_question;     /* good until the function returns, or until it is
                        answered by its ticket */

/* The model: puts a text into `reply`, which stays good until the next question
** or the end of the run, and returns ECRB_OK. Any other status loses the call:
** the item's record says `failed` and the sentence in `err`. It is asked one
** question at a time, in the thread that runs, and its time counts towards no
** limit. It must not call back into this host. */
typedef int ecrb_model(void *data, const ecrb_question *question,
                       ecrb_span *reply, ecrb_err *err);

/* What became of an item. */
typedef struct ecrb_result {
  size_t index; /* in the benchmark, 0-based */
  ecrb_item item;
  ecrb_span outcome;        /* `answered`, `abstained`, `unreadable`, ... */
  ecrb_span cause, message; /* empty for an answer */
  size_t calls;             /* questions asked */
  ecrb_prediction prediction;
  bool labelled;         /* the benchmark has labels: */
  ecrb_item_score score; /* what they say of it */
} ecrb_result;           /* good until the function returns */

/* Called once for every item of the run; false ends the run early. */
typedef bool ecrb_each(void *data, const ecrb_result *result);

/* Zeroed fields take what the command line takes by default. */
typedef struct ecrb_run_spec {
  const char *benchmark;      /* a folder, or the name of a bundled one */
  const char *method;         /* a script, or the id of a shipped one */
  const char *book;           /* `open` or `closed` */
  const char *split, *items;  /* names separated by commas */
  size_t limit;               /* items of each split */
  uint64_t seed;              /* 0 is 1 */
  const char *const *options; /* the method's, `NAME=VALUE`; NULL ends them */
  const char *folder;         /* keeps the run and goes on with it; NULL: the
                                 run leaves nothing behind */
  const char *model_name;     /* what records call the model: `program` */
  ecrb_model *model;          /* NULL: the built-in reader */
  size_t open;                /* questions at once, in place of a model: for
                                 ecrb_run_next */
  void *data;                 /* handed to both functions */
} ecrb_run_spec;

/* Opens the benchmark and checks the method and its options, so that what can
** be refused is refused before the first question. Strings are copied. Close the
** run before its host. */
int ecrb_run_open(ecrb_host *host, const ecrb_run_spec *spec, ecrb_run **out,
                  ecrb_err *err);
void ecrb_run_close(ecrb_run *run);

size_t ecrb_run_size(const ecrb_run *run); /* the items that were chosen */

/* Asks about every item that has no record yet; `each` (may be NULL) hears of
** all, in the order of the benchmark. Once a run. ECRB_ELIMIT where it ended
** early; with a folder, opening it again goes on from there. */
int ecrb_run_all(ecrb_run *run, ecrb_each *each, ecrb_err *err);

/* {== Open questions: the program answers in its own time and in any order,
** from its event loop,
**
**   while ((status = ecrb_run_next(run, 0, each, &question, &err)) == ECRB_OK)
**     if (question.ticket > 0) ...      remember it, send it
**     else ...                          wait for a reply, ecrb_run_answer
**
** or from its threads: the one that runs calls ecrb_run_next(run, -1, ...) and
** hands each question to another, which calls ecrb_run_answer
** (examples/embed_open.c). Records and scores are those of ecrb_run_all,
** whatever order answers come in. */

/* Goes on with the run until it has a question: ECRB_OK, and the next one in
** `*out`. Its ticket is 0 where there is none before one that is open is
** answered; for that it has waited up to `timeout_ms` (-1: without end).
** ECRB_ENONE once every item has its record, ECRB_ELIMIT where the run ended
** early. `each` (may be NULL) hears of the items that have ended meanwhile, in
** that order. Until the run is over its host goes through no other. */
int ecrb_run_next(ecrb_run *run, long timeout_ms, ecrb_each *each,
                  ecrb_question *out, ecrb_err *err);

/* Answers an open question, or loses it for the reason `why` (may be NULL), as
** a model that fails; wakes ecrb_run_next. From any thread, at any time before
** the run is closed. The text is copied. ECRB_ENONE where the question is not
** open: answered already, or nobody's since the run ended. */
int ecrb_run_answer(ecrb_run *run, uint64_t ticket, ecrb_span reply,
                    ecrb_err *err);
int ecrb_run_lose(ecrb_run *run, uint64_t ticket, const char *why,
                  ecrb_err *err);

/* }== */

/* The means over the `*n` (may be NULL) items that have a record. ECRB_ENONE
** where the benchmark has no labels. */
int ecrb_run_score(const ecrb_run *run, ecrb_summary *out, size_t *n,
                   ecrb_err *err);

/* }==================================================================== */

/* The primitives for a Lua state of the program's own, without a host:
** luaL_requiref(L, "ecrb.core", luaopen_ecrb_core, 0). */
int luaopen_ecrb_core(struct lua_State *L);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif
#endif
