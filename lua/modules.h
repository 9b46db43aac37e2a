/* modules.h: the modules that C offers as `core.NAME`, one line each; NAME is
** opened by luaopen_core_NAME at its first `require`. The primitives need no
** host: any Lua has them by `require "ecrb"` (module.c). */
#ifndef MODULES_H
#define MODULES_H

#include <lua.h>

#define ECRB_PRIMITIVES(X)                                                     \
  X(bench)                                                                     \
  X(difficulty)                                                                \
  X(ec)                                                                        \
  X(import)                                                                    \
  X(journal)                                                                   \
  X(json)                                                                      \
  X(nearest)                                                                   \
  X(random)                                                                    \
  X(score)                                                                     \
  X(sequence)                                                                  \
  X(statistics)                                                                \
  X(vote)

#define ECRB_MODULES(X)                                                        \
  ECRB_PRIMITIVES(X)                                                           \
  X(edit)                                                                      \
  X(pack)                                                                      \
  X(reference)                                                                 \
  X(sandbox)                                                                   \
  X(sched)                                                                     \
  X(system)                                                                    \
  X(text)

#define ECRB_DECLARE_MODULE(name) int luaopen_core_##name(lua_State *L);
ECRB_MODULES(ECRB_DECLARE_MODULE)
#undef ECRB_DECLARE_MODULE

#endif
