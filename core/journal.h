/* journal.h: what the files of the journal share. Private to the library.
**
**   journal.c        opening, appending, reading
**   journal_lines.c  where lines begin
**   journal_index.c  where the line of a key stands
**   journal_keep.c   the thread that puts lines on the disk
**   journal_order.c  writing the file anew: another order, other lines
*/
#ifndef ECRB_JOURNAL_H
#define ECRB_JOURNAL_H

#include "bytes.h"

#include <sys/types.h>

#define ECRB_TAG_BITS 24
#define ECRB_LENGTH_BITS 16
#define ECRB_LINES_STEP 16

/* A line: how long it is, without its newline, and a tag of its key, the first
** bits of the key's hash. Five bytes: there may be millions. */
typedef struct __attribute__((packed)) ecrb_entry {
  uint64_t tag : ECRB_TAG_BITS;
  uint64_t length : ECRB_LENGTH_BITS; /* all ones: see `longer` */
} ecrb_entry;

typedef struct ecrb_long_line {
  size_t number, length;
} ecrb_long_line;

/* Lines that follow one another from the beginning of a file. */
typedef struct ecrb_journal_lines {
  ecrb_entry *entry;
  size_t count, room;
  uint64_t *at; /* of every ECRB_LINES_STEP-th line */
  size_t at_room;
  ecrb_long_line *longer; /* in their order */
  size_t long_count, long_room;
  uint64_t end; /* of the last line, newline included */
} ecrb_journal_lines;

/* Room for one more line, so that adding it cannot fail; ECRB_ENOMEM. */
int ecrb_journal_lines_reserve(ecrb_journal_lines *lines);
void ecrb_journal_lines_add(ecrb_journal_lines *lines, uint32_t tag, size_t length);

/* Where a line begins, and how long it is without its newline. */
uint64_t ecrb_journal_lines_at(const ecrb_journal_lines *lines, size_t number);
size_t ecrb_journal_lines_length(const ecrb_journal_lines *lines, size_t number);
void ecrb_journal_lines_free(ecrb_journal_lines *lines);

typedef struct ecrb_keeper ecrb_keeper;

struct ecrb_journal {
  int file;
  bool append;
  bool torn; /* a failed write is still in the file beyond `end` */
  char *path;
  ecrb_journal_lines lines;
  size_t unseen;         /* lines behind those, and their bytes */
  uint64_t unseen_bytes;
  uint32_t *slots;     /* line number + 1; 0 is free */
  size_t slot_count;
  ecrb_bytes buffer;   /* lines and their newlines, as they stand in the file */
  off_t buffer_at;     /* where they begin there */
  size_t reading;      /* the line that comes after the one read last */
  ecrb_bytes joined;   /* a line that came in pieces */
  ecrb_keeper *keeper; /* NULL: the system puts lines on the disk some day */
};

/* Messages about the journal: no memory, and errno's. */
int ecrb_journal_no_memory(const ecrb_journal *journal, ecrb_err *err);
int ecrb_journal_refused(const ecrb_journal *journal, const char *deed,
                         ecrb_err *err);

/* ECRB_EARG for a journal that is open for reading. */
int ecrb_journal_for_appending(const ecrb_journal *journal, ecrb_err *err);

/* ECRB_EARG for one with lines that it does not know. */
int ecrb_journal_seen(const ecrb_journal *journal, ecrb_err *err);

/* ECRB_EARG for what is no whole line of a journal; else its key. */
int ecrb_journal_check_line(const ecrb_journal *journal, ecrb_span line,
                            ecrb_span *key, ecrb_err *err);

/* Locks the journal's file, or one that will replace it. */
int ecrb_journal_claim(const ecrb_journal *journal, int file, ecrb_err *err);

/* pread until `n` bytes or the end of the file; the number read, or -1. */
ssize_t ecrb_journal_pread(int file, char *to, size_t n, off_t at);

/* Tells the keeper, if there is one, of one more line; ECRB_EIO where the disk
** has failed it. */
int ecrb_keeper_note(ecrb_journal *journal, ecrb_err *err);

/* Ends the keeper, if there is one, when all lines are on the disk. */
void ecrb_keeper_end(ecrb_journal *journal);

/* Room for one more line, behind the last one, so that adding it cannot fail. */
int ecrb_index_reserve(ecrb_journal *journal, ecrb_err *err);
void ecrb_index_add(ecrb_journal *journal, ecrb_span key, size_t length);

/* Builds the slots anew for changed lines. */
void ecrb_index_refill(ecrb_journal *journal);

/* Reads a line, with its newline, into the buffer. ECRB_EFORMAT
** where it is no longer the line that was indexed. */
int ecrb_index_read(ecrb_journal *journal, size_t number, ecrb_span *line,
                    ecrb_err *err);

/* The number and the line of a key, or ECRB_ENONE. */
int ecrb_index_find(ecrb_journal *journal, ecrb_span key, size_t *number,
                    ecrb_span *line, ecrb_err *err);

#endif
