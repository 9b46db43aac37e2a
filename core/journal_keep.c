/* journal_keep.c: puts what is appended on the disk, from a thread of its own, so
** that whoever appends never waits for the disk. Lines that come while the disk
** is at work go with its next turn.
*/
#include "journal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct ecrb_keeper {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t news;
  int file;
  long ms;      /* the longest that a line waits for others */
  size_t lines; /* the most that wait */
  size_t written, kept;
  int error; /* of the disk; nothing is kept after it */
  bool ending;
};

static struct timespec in(long ms) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  t.tv_sec += ms / 1000;
  t.tv_nsec += ms % 1000 * 1000000;
  if (t.tv_nsec >= 1000000000) {
    t.tv_sec++;
    t.tv_nsec -= 1000000000;
  }
  return t;
}

/* Under the lock: waits for a line, then for others. */
static void wait_for_lines(ecrb_keeper *keeper) {
  while (!keeper->ending && keeper->written == keeper->kept)
    pthread_cond_wait(&keeper->news, &keeper->lock);
  struct timespec until = in(keeper->ms);
  while (!keeper->ending && keeper->written - keeper->kept < keeper->lines)
    if (pthread_cond_timedwait(&keeper->news, &keeper->lock, &until) != 0)
      return;
}

/* Under the lock, which is open while the disk is at work. */
static void keep_lines(ecrb_keeper *keeper) {
  size_t written = keeper->written;
  pthread_mutex_unlock(&keeper->lock);
  int error = fdatasync(keeper->file) == 0 ? 0 : errno;
  pthread_mutex_lock(&keeper->lock);
  keeper->error = error;
  if (!error)
    keeper->kept = written;
}

static void *keep(void *user) {
  ecrb_keeper *keeper = user;
  pthread_mutex_lock(&keeper->lock);
  while (!keeper->error &&
         (!keeper->ending || keeper->written > keeper->kept)) {
    wait_for_lines(keeper);
    if (keeper->written > keeper->kept)
      keep_lines(keeper);
  }
  pthread_mutex_unlock(&keeper->lock);
  return NULL;
}

/* Signals are for the thread that appends. */
static int start(ecrb_keeper *keeper) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&keeper->thread, NULL, keep, keeper);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

static ecrb_keeper *new_keeper(int file, size_t written, long ms,
                               size_t lines) {
  ecrb_keeper *keeper = calloc(1, sizeof *keeper);
  pthread_condattr_t by;
  if (!keeper)
    return NULL;
  keeper->file = file;
  keeper->ms = ms;
  keeper->lines = lines;
  keeper->written = written;
  pthread_mutex_init(&keeper->lock, NULL);
  pthread_condattr_init(&by);
  pthread_condattr_setclock(&by, CLOCK_MONOTONIC);
  pthread_cond_init(&keeper->news, &by);
  pthread_condattr_destroy(&by);
  return keeper;
}

static void free_keeper(ecrb_keeper *keeper) {
  pthread_cond_destroy(&keeper->news);
  pthread_mutex_destroy(&keeper->lock);
  free(keeper);
}

int ecrb_journal_keep(ecrb_journal *journal, long ms, size_t lines,
                      ecrb_err *err) {
  int status = ecrb_journal_for_appending(journal, err);
  if (status != ECRB_OK || journal->keeper)
    return status;
  if (ms < 0 || lines < 1)
    return ecrb_fail(err, ECRB_EARG,
                     "%s: it is kept within 0 or more milliseconds and 1 or "
                     "more lines",
                     journal->path);
  ecrb_keeper *keeper = new_keeper(journal->file, journal->lines.count, ms,
                                    lines);
  if (!keeper)
    return ecrb_journal_no_memory(journal, err);
  errno = start(keeper);
  if (errno != 0) {
    free_keeper(keeper);
    return ecrb_journal_refused(journal, "start a thread that keeps it", err);
  }
  journal->keeper = keeper;
  return ECRB_OK;
}

static int outcome(const ecrb_journal *journal, int error, ecrb_err *err) {
  if (error == 0)
    return ECRB_OK;
  errno = error;
  return ecrb_journal_refused(journal, "put it on the disk", err);
}

int ecrb_keeper_note(ecrb_journal *journal, ecrb_err *err) {
  ecrb_keeper *keeper = journal->keeper;
  if (!keeper)
    return ECRB_OK;
  pthread_mutex_lock(&keeper->lock);
  size_t waiting = ++keeper->written - keeper->kept;
  int error = keeper->error;
  if (waiting == 1 || waiting >= keeper->lines)
    pthread_cond_signal(&keeper->news);
  pthread_mutex_unlock(&keeper->lock);
  return outcome(journal, error, err);
}

int ecrb_journal_kept(ecrb_journal *journal, size_t *lines, ecrb_err *err) {
  ecrb_keeper *keeper = journal->keeper;
  *lines = 0;
  if (!keeper)
    return ECRB_OK;
  pthread_mutex_lock(&keeper->lock);
  *lines = keeper->kept;
  int error = keeper->error;
  pthread_mutex_unlock(&keeper->lock);
  return outcome(journal, error, err);
}

void ecrb_keeper_end(ecrb_journal *journal) {
  ecrb_keeper *keeper = journal->keeper;
  if (!keeper)
    return;
  pthread_mutex_lock(&keeper->lock);
  keeper->ending = true;
  pthread_cond_signal(&keeper->news);
  pthread_mutex_unlock(&keeper->lock);
  pthread_join(keeper->thread, NULL);
  free_keeper(keeper);
  journal->keeper = NULL;
}
