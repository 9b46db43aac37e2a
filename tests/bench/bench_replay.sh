#!/bin/bash
# A run of 12,141 calls answered from its own journal.
set -eu
cd "$(dirname "$0")/../.."
. tests/bench/parts/calls.sh

items "$TMP/items" 12141
server_up
ask "$question" "$TMP/items" 256
server_down
mv "$TMP/run" "$TMP/recorded"

for ((round = 0; round < ECRB_BENCH_ROUNDS; round++)); do
  took ask "$question" "$TMP/items" 256 --replay "$TMP/recorded"
  cmp "$TMP/run/items.jsonl" "$TMP/recorded/items.jsonl"
  say 'replay of 12,141 calls, by the clock' "$wall" s '<=1.0'
  say 'replay of 12,141 calls, processor' "$cpu" s '<=1.0'
done
