/* modules.h: the modules that C offers as `core.NAME`, one line each; NAME is
** opened by luaopen_core_NAME at its first `require`. */
#ifndef MODULES_H
#define MODULES_H

#include <lua.h>

#define ECRB_MODULES(X)                                                        \
  X(bench)                                                                     \
  X(ec)                                                                        \
  X(edit)                                                                      \
  X(import)                                                                    \
  X(journal)                                                                   \
  X(nearest)                                                                   \
  X(pack)                                                                      \
  X(random)                                                                    \
  X(reference)                                                                 \
  X(sandbox)                                                                   \
  X(sched)                                                                     \
  X(score)                                                                     \
  X(sequence)                                                                  \
  X(statistics)                                                                \
  X(system)                                                                    \
  X(text)                                                                      \
  X(vote)

#define ECRB_DECLARE_MODULE(name) int luaopen_core_##name(lua_State *L);
ECRB_MODULES(ECRB_DECLARE_MODULE)
#undef ECRB_DECLARE_MODULE

#endif
