#!/bin/bash
# Start-up: how long a command that calls no model takes to get to its work,
# over a process that does nothing; and one that calls, beside curl.
set -eu
runs=20

took() { # command...: milliseconds of one run, over several
  local from=${EPOCHREALTIME/./}
  for ((i = 0; i < runs; i++)); do "$@" >/dev/null 2>&1 || true; done
  awk -v us=$((${EPOCHREALTIME/./} - from)) -v n=$runs 'BEGIN { print us / n / 1e3 }'
}

say() { # name, value, unit, goal, beside, its value
  local IFS=$'\t'
  echo "$*"
}

for ((round = 0; round < ECRB_BENCH_ROUNDS; round++)); do
  noop=$(took "$ECRB_BENCH_PARTS/noop")
  over=$(awk -v of="$(took "$ECRB_BENCH_PROGRAM" score --help)" -v noop="$noop" \
    'BEGIN { print of - noop }')
  say "start of ecrb score over a no-op process" "$over" ms '<=5'
  over=$(awk -v of="$(took lua5.4 -l cjson -e 1)" -v noop="$noop" \
    'BEGIN { print of - noop }')
  say "start of lua5.4 with cjson over a no-op process" "$over" ms -
done
