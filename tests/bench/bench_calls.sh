#!/bin/bash
# What a call costs the client, which judges the reply and keeps it, and the whole
# command, start, prompts and records included, beside the smallest client that
# libcurl allows, which does nothing else.
set -eu
cd "$(dirname "$0")/../.."
. tests/bench/parts/calls.sh

items "$TMP/many" 10240
items "$TMP/half" 5120

each() { # name, goal, method, benchmark, calls, in flight
  took ask "$3" "$4" "$6"
  say "$1" "$(calculate "$cpu * 1e6 / $5")" us "$2" 'bare libcurl' \
    "$(bare cpu_us_per_req "$5" "$6")"
}

server_up
for ((round = 0; round < ECRB_BENCH_ROUNDS; round++)); do
  took client_alone 10240 256
  say 'CPU of a call, the client and its journal alone' \
    "$(calculate "$cpu * 1e6 / 10240")" us '<=2.0x' 'bare libcurl' \
    "$(bare cpu_us_per_req 10240 256)"
  each 'CPU of one question, 256 at once' '<=2.0x' "$question" "$TMP/many" 10240 256
  each 'CPU of a question of B0, 256 at once' '<=2.0x' b0 "$TMP/half" 5120 256
done
server_down

server_up --delay-ms 200
for ((round = 0; round < ECRB_BENCH_ROUNDS && round < 3; round++)); do
  each 'CPU of one question, 256 at once, 200 ms away' '<=1.6x' "$question" \
    "$TMP/half" 5120 256
  say '5,120 calls, 256 at once, 200 ms away' "$wall" s '<=1.05x' 'the ideal' 4.0
  took ask "$question" "$TMP/many" 1000
  say '10,240 calls, 1,000 at once, 200 ms away' "$wall" s '<=1.15x' \
    'the ideal' 2.048
done
server_down

# All items of a run in flight: what each takes more than libcurl alone.
few=64 most=2048
items "$TMP/few" $few
items "$TMP/most" $most
server_up --delay-ms 3000
for ((round = 0; round < ECRB_BENCH_ROUNDS && round < 3; round++)); do
  took ask "$question" "$TMP/few" $few
  least=$kb
  took ask "$question" "$TMP/most" $most
  alone=$(($(bare maxrss_kb $most $most) - $(bare maxrss_kb $few $few)))
  say 'memory of a call in flight, over libcurl' \
    "$(calculate "($kb - $least - $alone) / ($most - $few)")" KB '<=32'
done
