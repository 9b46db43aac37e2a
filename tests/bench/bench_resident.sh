#!/bin/bash
# The memory of a run does not grow with its items: of one that ends with records
# alone, and of one that scores them at its end.
set -eu
cd "$(dirname "$0")/../.."
. tests/bench/parts/calls.sh
n=$ECRB_BENCH_ITEMS

measure() { # what is measured, `labels` or nothing
  local tenth
  items "$TMP/tenth" $((n / 10)) $2
  items "$TMP/all" "$n" $2
  took ask "$question" "$TMP/tenth" 256
  tenth=$kb
  took ask "$question" "$TMP/all" 256
  say "memory of a run of $n items$1" "$kb" KB '<=1.1x' 'of a tenth of them' "$tenth"
}

server_up
measure '' ''
measure ', scored' labels
took "$ECRB_BENCH_PROGRAM" score "$TMP/run" >"$TMP/scores"
say "memory of scoring $n items" "$kb" KB -
say "scoring $n items, processor" "$cpu" s -
