#!/bin/bash
# What the plain build's program and libraries are made of: hardening as readelf
# sees it, and that it is complete.
set -u
. tests/support/tap.sh
unset MAKEFLAGS MFLAGS
make -s all library >"$TMP/log" 2>&1
echo 1..9
shared=$(echo .build/opt/libecrb.so.*.*)
module=.build/opt/module/ecrb/core.so
for file in ecrb "$shared" $module; do
  readelf -lW "$file" | grep -q GNU_RELRO &&
    readelf -d "$file" | grep -qE '\(FLAGS(_1)?\).*(BIND_NOW|NOW)' &&
    readelf -lW "$file" | grep 'GNU_STACK' | grep -q 'RW ' &&
    ! readelf -d "$file" | grep -qE 'TEXTREL|RPATH|RUNPATH'
  verdict "$(basename "$file"): full RELRO, no executable stack, no run path"
  nm -D --undefined-only "$file" | grep -q '__stack_chk_fail' &&
    nm -D --undefined-only "$file" | grep -qE '__(snprintf|memcpy|vsnprintf)_chk'
  verdict "$(basename "$file"): stack protector and FORTIFY_SOURCE"
done
readelf -h ecrb | grep -q 'Type: *DYN' && readelf -d ecrb | grep -q 'Flags:.*PIE'
verdict "ecrb: position-independent"
readelf -d "$shared" | grep -qE 'SONAME.*\[libecrb\.so\.[0-9]+\]'
verdict "libecrb.so: a versioned soname"
! readelf -d $module | grep -q 'NEEDED.*liblua'
verdict "the Lua module brings no Lua of its own"
