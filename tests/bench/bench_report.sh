#!/bin/bash
# A report of the nine settings over 1,349 items (12,141 records, 55,309 calls)
# against one bare pass of lua-cjson over the same journals.
set -eu
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$ECRB_BENCH_PROGRAM" lua tests/page/make.lua full "$scratch"

seconds() { # command...: of the processor, children included
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null; } 2>&1 | awk 'END { print $1 + $2 }'
}

cat >"$scratch/pass.lua" <<'END'
local codec = require "cjson"
for i = 1, #arg do
  for line in io.lines(arg[i]) do codec.decode(line) end
end
END
pass=$(seconds "$ECRB_BENCH_PROGRAM" lua "$scratch/pass.lua" \
  "$scratch"/runs/*/*.jsonl)
report=$(seconds "$ECRB_BENCH_PROGRAM" report "$scratch"/runs/* \
  -o "$scratch/report")

awk -v pass="$pass" -v report="$report" 'BEGIN {
  ratio = report / pass; goal = 9
  printf "report: %.1f times one pass of cjson over its journals (%.1f s to " \
    "%.1f s), goal %d\n", ratio, report, pass, goal
  exit ratio > 1.25 * goal }'
