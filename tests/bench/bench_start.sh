#!/bin/bash
# Start-up: how long a command that calls no model takes to get to its work, over
# a process that does nothing; and one that calls, up to its first request,
# beside curl.
set -eu
cd "$(dirname "$0")/../.."
. tests/bench/parts/measure.bash
runs=20

took() { # command...: milliseconds of one run by the clock, over several
  local from=${EPOCHREALTIME/./}
  for ((i = 0; i < runs; i++)); do "$@" >/dev/null 2>&1 || true; done
  awk -v us=$((${EPOCHREALTIME/./} - from)) -v n=$runs \
    'BEGIN { print us / n / 1e3 }'
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
  noop=$(took "$ECRB_BENCH_PARTS/noop")
  say 'start of ecrb score, over a no-op process' \
    "$(less "$(took "$ECRB_BENCH_PROGRAM" score --help)" "$noop")" ms '<=5'
  say 'start of lua5.4 with cjson, over a no-op process' \
    "$(less "$(took lua5.4 -l cjson -e 1)" "$noop")" ms -
  command -v curl >/dev/null || continue
  say 'start of a command that calls' \
    "$(took "$ECRB_BENCH_PROGRAM" lua "$TMP/call.lua")" ms '<=2x' \
    'curl --version' "$(took curl --version)"
done
