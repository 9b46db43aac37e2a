#!/bin/bash
# `make install`, and ecrb where it was put: in a folder with a blank in its
# name, away from the checkout.
set -u
prefix="$TMP/a prefix"
echo 1..5
number=0
verdict() { # what; the status of the command before decides
  local status=$?
  number=$((number + 1))
  [ $status -eq 0 ] && echo "ok $number - $1" || echo "not ok $number - $1"
}

make -s install PREFIX="$prefix" >"$TMP/log" 2>&1
verdict "make install ends well"
ecrb=$prefix/bin/ecrb
cd "$TMP" || exit
"$ecrb" --version | grep -qx 'ecrb [0-9.]*'
verdict "the program runs from there"
"$ecrb" m2 --split price --limit 3 --quiet --out run 2>&1 |
  grep -q '^answered'
verdict "it finds its methods, prompts and benchmark"
PATH="$prefix/bin:$PATH" "$prefix/share/ecrb/methods/vote.lua" \
  --split price --limit 3 --quiet --out vote 2>&1 | grep -q '^answered'
verdict "a method script is a command of its own"
! grep -rqF "$OLDPWD" "$prefix/share" && [ ! -e "$prefix/share/ecrb/runs" ]
verdict "nothing installed knows where it was built"
