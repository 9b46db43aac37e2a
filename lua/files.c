/* files.c: core.system's files and folders. What the system refuses raises
** {code="io", message="PATH: why"}. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "binding.h"
#include "system.h"

enum { OPEN_FOLDERS = 16 };

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool make_folder(const char *path) {
  return mkdir(path, 0777) == 0 || (errno == EEXIST && is_folder(path));
}

/*** core.system.mkdir(path)
**
** Makes a folder and what is missing above it; one that exists is fine.
*/
static int files_mkdir(lua_State *L) {
  size_t n;
  const char *path = luaL_checklstring(L, 1, &n);
  char *part = lua_newuserdatauv(L, n + 1, 0);
  for (size_t i = 0; i <= n; i++) {
    part[i] = '\0';
    if (i > 0 && path[i - 1] != '/' && (path[i] == '/' || i == n) &&
        !make_folder(part)) {
      if (errno == EEXIST)
        errno = ENOTDIR;
      return bind_fail_errno(L, part);
    }
    part[i] = path[i];
  }
  return 0;
}

/*** core.system.kind(path) -> kind
**
** `file`, `folder` or `other` (links are followed); nil where there is
** nothing.
*/
static int files_kind(lua_State *L) {
  struct stat st;
  if (stat(luaL_checkstring(L, 1), &st) != 0)
    luaL_pushfail(L);
  else if (S_ISREG(st.st_mode))
    lua_pushliteral(L, "file");
  else if (S_ISDIR(st.st_mode))
    lua_pushliteral(L, "folder");
  else
    lua_pushliteral(L, "other");
  return 1;
}

/*** core.system.exists(path) -> boolean
**
** Whether there is anything under that name.
*/
static int files_exists(lua_State *L) {
  struct stat st;
  lua_pushboolean(L, lstat(luaL_checkstring(L, 1), &st) == 0);
  return 1;
}

/*** core.system.private(path) -> boolean
**
** Whether a file is ours and nobody else may read or write it; nil where there
** is nothing.
*/
static int files_private(lua_State *L) {
  struct stat st;
  if (stat(luaL_checkstring(L, 1), &st) != 0)
    luaL_pushfail(L);
  else
    lua_pushboolean(L, st.st_uid == geteuid() &&
                           (st.st_mode & (S_IRWXG | S_IRWXO)) == 0);
  return 1;
}

static int not_dots(const struct dirent *entry) {
  return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int push_names(lua_State *L) {
  struct dirent **entries = lua_touserdata(L, 1);
  lua_Integer n = lua_tointeger(L, 2);
  lua_createtable(L, (int)n, 0);
  for (lua_Integer i = 0; i < n; i++) {
    lua_pushstring(L, entries[i]->d_name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/*** core.system.list(folder) -> {name...}
**
** The names in a folder, in the order of their bytes.
*/
static int files_list(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  struct dirent **entries;
  int status, n;
  lua_pushcfunction(L, push_names);
  n = scandir(path, &entries, not_dots, by_bytes);
  if (n < 0)
    return bind_fail_errno(L, path);
  lua_pushlightuserdata(L, entries);
  lua_pushinteger(L, n);
  status = lua_pcall(L, 2, 1, 0);
  for (int i = 0; i < n; i++)
    free(entries[i]);
  free(entries);
  return status == LUA_OK ? 1 : lua_error(L);
}

/* A rename onto a device or a pipe would put a file in its place: root could
** replace /dev/null. */
static void check_place(lua_State *L, const char *path) {
  struct stat st;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
    bind_fail(L, "io", "%s: is a device or a pipe; name a file", path);
}

/*** core.system.rename(from, to)
**
** Renames a file or folder; an existing file `to` is replaced at once, a device
** or a pipe is not.
*/
static int files_rename(lua_State *L) {
  const char *from = luaL_checkstring(L, 1), *to = luaL_checkstring(L, 2);
  check_place(L, to);
  if (rename(from, to) != 0)
    return bind_fail(L, "io", "%s -> %s: %s", from, to, strerror(errno));
  return 0;
}

/* Where the file system cannot exchange, three steps do. */
static int exchange_by_steps(const char *a, const char *b, const char *aside) {
  if (rename(a, aside) != 0)
    return -1;
  if (rename(b, a) != 0) {
    int reason = errno;
    (void)rename(aside, a);
    errno = reason;
    return -1;
  }
  return rename(aside, b);
}

/*** core.system.exchange(a, b)
**
** Two files or folders change places, at once where the file system can: at no
** moment is there nothing under either name.
*/
static int files_exchange(lua_State *L) {
  const char *a = luaL_checkstring(L, 1), *b = luaL_checkstring(L, 2);
  const char *aside = lua_pushfstring(L, "%s.aside", a);
  int status = renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
  if (status != 0 && (errno == EINVAL || errno == ENOSYS))
    status = exchange_by_steps(a, b, aside);
  if (status != 0)
    return bind_fail(L, "io", "%s <-> %s: %s", a, b, strerror(errno));
  return 0;
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *place) {
  (void)st;
  (void)type;
  (void)place;
  return remove(path);
}

/*** core.system.remove(path)
**
** Removes a file, or a folder with all that is in it. Links are removed, never
** followed. Nothing there is fine.
*/
static int files_remove(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  if (nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0 &&
      errno != ENOENT)
    return bind_fail_errno(L, path);
  return 0;
}

static bool write_all(int fd, ecrb_span text) {
  while (text.n > 0) {
    ssize_t n = write(fd, text.at, text.n);
    if (n < 0 && errno != EINTR)
      return false;
    if (n > 0) {
      text.at += n;
      text.n -= (size_t)n;
    }
  }
  return fsync(fd) == 0 || errno == EINVAL;
}

static int give_up(lua_State *L, const char *beside, const char *path) {
  int reason = errno;
  unlink(beside);
  errno = reason;
  return bind_fail_errno(L, path);
}

/*** core.system.write(path, text)
**
** Puts a file in place as a whole: it is written beside and renamed, so that a
** reader, a kill or a full disk never leaves half of it.
*/
static int files_write(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  ecrb_span text = bind_check_span(L, 2);
  check_place(L, path);
  const char *beside = lua_pushfstring(L, "%s.%d.new", path, (int)getpid());
  int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool whole;
  if (fd < 0)
    return bind_fail_errno(L, path);
  whole = write_all(fd, text);
  if (close(fd) != 0 || !whole || rename(beside, path) != 0)
    return give_up(L, beside, path);
  return 0;
}

/*** core.system.temporary(folder) -> path
**
** Makes a new folder inside `folder`; the caller removes it.
*/
static int files_temporary(lua_State *L) {
  const char *folder = luaL_checkstring(L, 1);
  char *path;
  size_t n;
  const char *pattern;
  lua_pushfstring(L, "%s/ecrb-XXXXXX", folder);
  pattern = lua_tolstring(L, -1, &n);
  path = lua_newuserdatauv(L, n + 1, 0);
  memcpy(path, pattern, n + 1);
  if (!mkdtemp(path))
    return bind_fail_errno(L, folder);
  lua_pushstring(L, path);
  return 1;
}

const luaL_Reg system_files[] = {{"exchange", files_exchange},
                                 {"exists", files_exists},
                                 {"kind", files_kind},
                                 {"list", files_list},
                                 {"mkdir", files_mkdir},
                                 {"private", files_private},
                                 {"remove", files_remove},
                                 {"rename", files_rename},
                                 {"temporary", files_temporary},
                                 {"write", files_write},
                                 {NULL, NULL}};
