#!/bin/bash
# Start-up: how long a command that calls no model takes to get to its work,
# over a process that does nothing. Goal: 5 ms.
set -u
goal=5000 rounds=15 runs=10

took() { # command...: the microseconds of one run, over several
  local from=${EPOCHREALTIME/./}
  for ((i = 0; i < runs; i++)); do "$@" >/dev/null 2>&1; done
  echo $(((${EPOCHREALTIME/./} - from) / runs))
}

for ((round = 0; round < rounds; round++)); do
  echo $(($(took "$ECRB_BENCH_PROGRAM" score --help) - $(took /bin/true)))
done | sort -n | awk -v goal=$goal '{ at[NR] = $1 }
  END {
    median = at[int((NR + 1) / 2)]
    printf "start-up of ecrb score over a no-op process: %.1f ms (%.1f..%.1f)" \
      ", goal %.0f\n", median / 1000, at[1] / 1000, at[NR] / 1000, goal / 1000
    exit median > 1.25 * goal
  }'
