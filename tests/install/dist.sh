#!/bin/bash
# `make dist`: the same bytes each time, and what is in it builds, here with clang
# and every warning an error, and works; so does the rock that it holds.
set -u
. tests/support/tap.sh
unset MAKEFLAGS MFLAGS
echo 1..7
if ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
  for what in {1..7}; do skipped "make dist" "this is no checkout"; done
  exit
fi
tarball=$(make -s dist 2>&1) && [ -s "$tarball" ]
verdict "make dist names its tarball"
cp "$tarball" "$TMP/first.tar.gz"
TZ=Asia/Tokyo make -s dist >"$TMP/log" 2>&1 && cmp "$tarball" "$TMP/first.tar.gz"
verdict "a second one has the same bytes"
tar xzf "$TMP/first.tar.gz" -C "$TMP" && cd "$TMP"/ecrb-*/ || exit
[ "$(ls | sort | tr '\n' ' ')" = \
  'LICENSE Makefile README.md core data examples lua methods prompts tests ' ]
verdict "it holds the top level and nothing else"
make -s -j2 CC=clang all library >"$TMP/log" 2>&1 || { tail -5 "$TMP/log" >&2; false; }
verdict "it builds with clang without a warning"
./ecrb m2 --split price --limit 3 --quiet --out "$TMP/run" 2>&1 | grep -q '^answered'
verdict "and works"
if command -v luarocks >/dev/null; then
  luarocks --lua-version 5.4 --tree "$TMP/rocks" make --deps-mode none \
    lua/ecrb-scm-1.rockspec >"$TMP/log" 2>&1 || { tail -5 "$TMP/log" >&2; false; }
  verdict "luarocks makes the rock without a network"
  LUA_PATH="$TMP/rocks/share/lua/5.4/?/init.lua;;" \
    LUA_CPATH="$TMP/rocks/lib/lua/5.4/?.so;;" \
    lua5.4 examples/primitives.lua data/ecoli price/3 |
    grep -q '^H-F1 of the vote over 181 items: 0'
  verdict "and a stock Lua requires it"
else
  skipped "luarocks makes the rock without a network" "no luarocks here"
  skipped "and a stock Lua requires it" "no luarocks here"
fi
