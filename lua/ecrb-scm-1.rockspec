-- The primitives as a rock, from the top of a checkout or an unpacked tarball:
--   luarocks make lua/ecrb-scm-1.rockspec
-- or, where lua-cjson is the distribution's and no rock (Debian's lua-cjson),
--   luarocks make --deps-mode none lua/ecrb-scm-1.rockspec
-- It needs make, a C compiler, and the headers of PCRE2, zlib and libmd.
rockspec_format = "3.0"
package = "ecrb"
version = "scm-1"
source = { url = "git+file://." }
description = {
  summary = "EC numbers, their tree, candidates, evidence, motifs, votes and scores",
  license = "MIT",
}
dependencies = { "lua ~> 5.4", "lua-cjson >= 2.1" }
build = {
  type = "make",
  build_target = "rock",
  install_target = "install-rock",
  build_variables = { CC = "$(CC)", LUA_INCDIR = "$(LUA_INCDIR)" },
  install_variables = { LIBDIR = "$(LIBDIR)", LUADIR = "$(LUADIR)" },
}
