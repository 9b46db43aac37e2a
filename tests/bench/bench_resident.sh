#!/bin/bash
# The memory of a run does not grow with its items.
set -eu
cd "$(dirname "$0")/../.."
. tests/bench/parts/calls.sh

items "$TMP/tenth" $((ECRB_BENCH_ITEMS / 10))
items "$TMP/all" "$ECRB_BENCH_ITEMS"
server_up
took ask "$question" "$TMP/tenth" 256
tenth=$kb
took ask "$question" "$TMP/all" 256
say "memory of a run of $ECRB_BENCH_ITEMS items" "$kb" KB '<=1.1x' \
  'of a tenth of them' "$tenth"
