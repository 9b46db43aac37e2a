#!/bin/bash
# Start-up: how long a command that calls no model takes to get to its work, over
# a process that does nothing; and one that calls, up to its first request,
# beside curl.
set -eu
cd "$(dirname "$0")/../.."
. tests/bench/parts/measure.bash
runs=20

# command...: milliseconds of one run, over several: of the processor, which a
# busy machine disturbs least, and of the clock
took() {
  # shellcheck disable=SC2016
  cost bash -c 'n=$0; for ((i = 0; i < n; i++)); do "$@" >/dev/null 2>&1; done; :' \
    $runs "$@"
  cpu=$(awk -v s="$cpu" -v n=$runs 'BEGIN { print s / n * 1e3 }')
  wall=$(awk -v s="$wall" -v n=$runs 'BEGIN { print s / n * 1e3 }')
}

less() {
  awk -v a="$1" -v b="$2" 'BEGIN { print a - b }'
}

# What a run has loaded when its first request goes out: its modules, libcurl.
cat >"$TMP/call.lua" <<'END_OF_LUA'
require "ecrb.command.run"
require "core.sched".loop { total = 1 }
END_OF_LUA

for _ in $(rounds 5); do
  took "$ECRB_BENCH_PARTS/noop"
  noop=$cpu noop_wall=$wall
  took "$ECRB_BENCH_PROGRAM" score --help
  say 'start of ecrb score over a no-op, processor' "$(less "$cpu" "$noop")" ms '<=5'
  say 'start of ecrb score over a no-op, by the clock' \
    "$(less "$wall" "$noop_wall")" ms '<=5'
  took lua5.4 -l cjson -e 1
  say 'start of lua5.4 with cjson over a no-op, processor' \
    "$(less "$cpu" "$noop")" ms -
  command -v curl >/dev/null || continue
  took curl --version
  curl=$cpu
  took "$ECRB_BENCH_PROGRAM" lua "$TMP/call.lua"
  say 'start of a command that calls, processor' "$cpu" ms '<=2x' \
    'curl --version' "$curl"
done
