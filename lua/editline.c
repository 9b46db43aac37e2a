/* editline.c: loads libedit when the first terminal needs it. It brings two
** libraries along, and a command that reads no line should not wait for them. */
#include "editline.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define LIBRARY "libedit.so.2"

static bool find_function(editline *lib, const char *name, size_t offset) {
  void *function = dlsym(lib->library, name);
  memcpy((char *)lib + offset, &function, sizeof function);
  return function != NULL;
}

static bool find_functions(editline *lib) {
#define FUNCTION(name)                                                         \
  { #name, offsetof(editline, name) }
  static const struct {
    const char *name;
    size_t offset;
  } functions[] = {FUNCTION(el_init),      FUNCTION(el_end),
                   FUNCTION(el_get),       FUNCTION(el_set),
                   FUNCTION(el_gets),      FUNCTION(el_line),
                   FUNCTION(el_insertstr), FUNCTION(history_init),
                   FUNCTION(history_end),  FUNCTION(history)};
#undef FUNCTION
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!find_function(lib, functions[i].name, functions[i].offset))
      return false;
  return true;
}

int editline_load(editline *lib, ecrb_err *err) {
  /* NODELETE: what ncurses keeps stays reachable to the end of the process. */
  int how = RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE;
  editline found = {.library = dlopen(LIBRARY, how)};
  if (!found.library || !find_functions(&found)) {
    editline_unload(&found);
    return ecrb_fail(err, ECRB_ENONE,
                     "libedit cannot be loaded, and no line be edited without "
                     "it; install the package libedit2");
  }
  *lib = found;
  return ECRB_OK;
}

void editline_unload(editline *lib) {
  if (lib->library)
    dlclose(lib->library);
  lib->library = NULL;
}

void *editline_data(EditLine *el) {
  void *data = NULL;
  editline lib = {.library = dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD)};
  if (lib.library && find_functions(&lib))
    lib.el_get(el, EL_CLIENTDATA, &data);
  editline_unload(&lib);
  return data;
}
