/* editline.h: the functions of libedit that core.edit calls, found at run time:
** only a terminal session needs them. */
#ifndef EDITLINE_H
#define EDITLINE_H

#include <ecrb.h>
#include <histedit.h>

typedef struct editline {
  void *library;
  __typeof__(el_init) *el_init;
  __typeof__(el_end) *el_end;
  __typeof__(el_get) *el_get;
  __typeof__(el_set) *el_set;
  __typeof__(el_gets) *el_gets;
  __typeof__(el_line) *el_line;
  __typeof__(el_insertstr) *el_insertstr;
  __typeof__(history_init) *history_init;
  __typeof__(history_end) *history_end;
  __typeof__(history) *history;
} editline;

/* Loads libedit; ECRB_ENONE where it is not installed. */
int editline_load(editline *lib, ecrb_err *err);
void editline_unload(editline *lib);

/* What was set as EL_CLIENTDATA: libedit tells its callbacks nothing else. */
void *editline_data(EditLine *el);

#endif
