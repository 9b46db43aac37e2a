/* home.c: the folder is looked for from the running executable, then from
** libecrb.so, so that a tree works wherever it is put: beside the program
** (in-tree), in share/ecrb of its prefix (installed), or above it (programs
** inside .build/). */
#include "home.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

static bool is_home(const char *dir) {
  char path[PATH_MOST];
  struct stat st;
  int n = snprintf(path, sizeof path, "%s/lua/ecrb", dir);
  return n < PATH_MOST && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int take(const char *dir, char **out, ecrb_err *err) {
  *out = realpath(dir, NULL);
  if (*out)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EIO, "%s: %s", dir, strerror(errno));
}

static int take_named(const char *dir, char **out, ecrb_err *err) {
  if (!is_home(dir))
    return ecrb_fail(err, ECRB_ENONE,
                     "%s: no folder lua/ecrb in it; name the folder that holds "
                     "ecrb's lua/, prompts/ and data/",
                     dir);
  return take(dir, out, err);
}

/* The folder of the file that holds this code. */
static bool library_folder(char dir[PATH_MOST]) {
  Dl_info info;
  if (dladdr((void *)(uintptr_t)library_folder, &info) == 0 ||
      !realpath(info.dli_fname, dir))
    return false;
  *strrchr(dir, '/') = '\0';
  return true;
}

static int executable_folder(char dir[PATH_MOST], ecrb_err *err) {
  ssize_t n = readlink("/proc/self/exe", dir, PATH_MOST - 1);
  if (n < 0)
    return ecrb_fail(err, ECRB_EIO, "/proc/self/exe: %s; set ECRB_HOME",
                     strerror(errno));
  dir[n] = '\0';
  *strrchr(dir, '/') = '\0';
  return ECRB_OK;
}

static bool search(const char *from, char dir[2 * PATH_MOST]) {
  static const char *const places[] = {
      "",  "/../share/ecrb", "/../../share/ecrb", "/..", "/../..", "/../../..",
      NULL};
  for (const char *const *place = places; *place; place++) {
    snprintf(dir, 2 * PATH_MOST, "%s%s", from, *place);
    if (is_home(dir))
      return true;
  }
  return false;
}

int home_find(const char *given, char **out, ecrb_err *err) {
  char from[PATH_MOST], library[PATH_MOST], dir[2 * PATH_MOST];
  int status;
  if (!given)
    given = getenv("ECRB_HOME");
  if (given && *given)
    return take_named(given, out, err);
  status = executable_folder(from, err);
  if (status != ECRB_OK)
    return status;
  if (search(from, dir) || (library_folder(library) && search(library, dir)))
    return take(dir, out, err);
  return ecrb_fail(err, ECRB_ENONE,
                   "no folder lua/ecrb beside %s/, in its ../share/ecrb or "
                   "above it; set ECRB_HOME to the folder that holds ecrb's "
                   "lua/, prompts/ and data/",
                   from);
}
