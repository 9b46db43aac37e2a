#!/bin/bash
# `make install`, ecrb where it was put (a folder with a blank in its name, away
# from the checkout), programs built against it, and `make uninstall`.
set -u
. tests/support/tap.sh
unset MAKEFLAGS MFLAGS
prefix="$TMP/a prefix"
plain=$TMP/plain
echo 1..20
make -s install PREFIX="$prefix" >"$TMP/log" 2>&1
verdict "make install ends well"
ecrb=$prefix/bin/ecrb
tree=$PWD
cd "$TMP" || exit
"$ecrb" --version | grep -qx 'ecrb [0-9.]*'
verdict "the program runs from there"
"$ecrb" m2 --split price --limit 3 --quiet --out run 2>&1 |
  grep -q '^answered'
verdict "it finds its methods, prompts and benchmark"
PATH="$prefix/bin:$PATH" "$prefix/share/ecrb/methods/vote.lua" \
  --split price --limit 3 --quiet --out vote 2>&1 | grep -q '^answered'
verdict "a method script is a command of its own"
printf ':template m1/level %s\n:save mine\n' "$tree/prompts/m1/level.txt" | "$ecrb" repl m1 >said &&
  [ "$(tail -1 said)" = "saved in $XDG_DATA_HOME/ecrb/variants/mine" ] &&
  [ ! -e "$prefix/share/ecrb/prompts/variants" ]
verdict "a saved wording is the user's, and stays when ecrb goes"
! grep -rqF "$tree" "$prefix" --exclude='*.a' --exclude='*.so*' --exclude=ecrb &&
  [ ! -e "$prefix/share/ecrb/runs" ]
verdict "nothing installed knows where it was built"

# pkg-config takes no blanks, so the programs are built against a second place,
# which is a move away from where it was installed.
make -s -C "$tree" install PREFIX="$TMP/first" >>"$TMP/log" 2>&1
mv first "$plain"
export PKG_CONFIG_PATH=$plain/lib/pkgconfig
cc -Wall -Wextra -Werror "$tree/examples/embed.c" \
  $(pkg-config --cflags --libs ecrb) -o embed 2>&1
verdict "a program is built with one pkg-config --cflags --libs ecrb"
LD_LIBRARY_PATH=$plain/lib ./embed b0 price | grep -q '^L1 .* of 5 items$'
verdict "it runs a method over a benchmark, found from libecrb.so"
readelf -d embed | grep -q 'NEEDED.*\[libecrb\.so\.[0-9]*\]$'
verdict "it asks for the soname"
cc "$tree/examples/primitives.c" $(pkg-config --cflags ecrb) "$plain/lib/libecrb.a" \
  $(pkg-config --libs libpcre2-8 zlib) -lmd -lm -ldl -o primitives 2>&1 &&
  ./primitives "$plain/share/ecrb/data/ecoli" price/3 | grep -q '^neighbours vote' &&
  ! readelf -d primitives | grep -q 'NEEDED.*lua'
verdict "the archive gives the primitives without Lua"
cc -pthread "$tree/examples/embed_open.c" $(pkg-config --cflags ecrb) "$plain/lib/libecrb.a" \
  $(pkg-config --static --libs ecrb | sed 's/-lecrb//') -o embed_open 2>&1 &&
  ECRB_HOME=$(pkg-config --variable=home ecrb) ./embed_open | grep -q '^L1 .* of 36 items$' &&
  ! readelf -d embed_open | grep -q 'NEEDED.*ecrb'
verdict "and the whole host, threads that answer its questions included"
LUA_PATH="$plain/share/lua/5.4/?/init.lua;;" LUA_CPATH="$plain/lib/lua/5.4/?.so;;" \
  lua5.4 "$tree/examples/primitives.lua" "$plain/share/ecrb/data/ecoli" price/3 |
  grep -q '^H-F1 of the vote over 181 items: 0'
verdict "a stock Lua requires ecrb"

# The public symbols are what the public headers declare.
sed 's,//.*,,' "$plain"/include/*.h | tr '\n' ' ' | sed 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,g' |
  grep -oE '\b(ecrb_[a-z0-9_]+|luaopen_[a-z_]+)\(' | tr -d '(' | sort -u >declared
nm -D --defined-only "$plain/lib/libecrb.so" | awk '{ print $3 }' | sort -u >shown
[ "$(wc -l <shown)" -gt 100 ]
verdict "the library shows its functions"
diff <(sort -u shown) <(grep -vxF -f <(sed -n 's/^typedef [a-z]* \(ecrb_[a-z_]*\)(.*/\1/p' \
  "$plain"/include/*.h) declared) >&2
verdict "and no others than the public headers declare"
nm -D --defined-only "$plain/lib/lua/5.4/ecrb/core.so" | awk '{ print $3 }' |
  diff - <(echo luaopen_ecrb_core) >&2
verdict "the Lua module shows its entry alone"
[ -z "$(nm -g --defined-only "$plain/lib/libecrb.a" |
  awk 'NF == 3 && $3 !~ /^(ecrb_|luaopen_)/')" ]
verdict "the archive takes no name that a program could have"

make -s -C "$tree" install PREFIX=/usr DESTDIR="$TMP/staged" >>"$TMP/log" 2>&1 &&
  [ -x staged/usr/bin/ecrb ] && [ -e staged/usr/share/man/man1/ecrb.1 ]
verdict "DESTDIR stands before PREFIX"
echo mine >"$plain/share/ecrb/mine"
echo old >"$plain/share/ecrb/old" && echo share/ecrb/old >>"$plain/share/ecrb/installed"
make -s -C "$tree" install PREFIX="$plain" >>"$TMP/log" 2>&1
[ ! -e "$plain/share/ecrb/old" ]
verdict "what only an earlier version had goes at the next install"
make -s -C "$tree" uninstall PREFIX="$plain" >>"$TMP/log" 2>&1
make -s -C "$tree" uninstall PREFIX="$prefix" >>"$TMP/log" 2>&1
[ "$(find "$plain" ! -type d)" = "$plain/share/ecrb/mine" ] &&
  [ -z "$(find "$prefix" ! -type d)" ]
verdict "make uninstall removes what was put there and nothing else"
make -s -C "$tree" uninstall PREFIX="$prefix" >>"$TMP/log" 2>&1
verdict "and can be said twice"
