#!/bin/bash
# Nine settings over 1,349 items (12,141 records, 55,309 calls): scored anew with
# 1,000 paired resamples, and reported, beside one bare pass of lua-cjson over
# what each of them reads.
set -eu
cd "$(dirname "$0")/../.."

"$ECRB_BENCH_PROGRAM" lua tests/page/make.lua full "$TMP"

cat >"$TMP/pass.lua" <<'END'
local codec = require "cjson"
for i = 1, #arg do
  for line in io.lines(arg[i]) do codec.decode(line) end
end
END

seconds() { # command...: of the processor, children included, and of the clock
  local TIMEFORMAT='%U %S %R'
  { time "$@" >/dev/null; } 2>&1 | awk 'END { print $1 + $2, $3 }'
}

say() { # name, value, unit, goal, beside, its value
  local IFS=$'\t'
  echo "$*"
}

for ((round = 0; round < ECRB_BENCH_ROUNDS; round++)); do
  read -r score wall < <(seconds "$ECRB_BENCH_PROGRAM" score "$TMP"/runs/*)
  read -r pass wall < <(seconds lua5.4 "$TMP/pass.lua" "$TMP"/runs/*/items.jsonl)
  say 'rescoring 9 settings x 1,349, read and resampled' "$score" 's CPU' \
    '<=0.5' 'a pass of cjson' "$pass"
done

# A report takes seconds; three rounds of it tell enough.
for ((round = 0; round < ECRB_BENCH_ROUNDS && round < 3; round++)); do
  read -r pass wall < <(seconds lua5.4 "$TMP/pass.lua" "$TMP"/runs/*/*.jsonl)
  read -r report wall < <(seconds "$ECRB_BENCH_PROGRAM" report "$TMP"/runs/* \
    -o "$TMP/report")
  say 'report of the nine settings, processor' "$report" s '<=9x' \
    'a pass of cjson' "$pass"
  say 'report of the nine settings, processor' "$report" s '<=10'
  say 'report of the nine settings, by the clock' "$wall" s '<=10'
done
