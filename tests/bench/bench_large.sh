#!/bin/bash
# A benchmark of many items (ECRB_BENCH_ITEMS) with ten hits each: made, checked,
# opened, looked up in; and the look-ups of CARE beside. bare LMDB by
# $ECRB_SHARED/bench/prim where that could be built.
set -eu
cd "$(dirname "$0")/../.."
. tests/bench/parts/measure.bash
n=$ECRB_BENCH_ITEMS

lmdb() { # keys: microseconds a look-up, or nothing
  [ -x "$ECRB_BENCH_PARTS/prim" ] || return 0
  mkdir -p "$TMP/db"
  "$ECRB_BENCH_PARTS/prim" lookup "$1" "$TMP/db" |
    sed -n 's/.*LMDB.*"ns":\([0-9.]*\).*/\1/p' | awk '{ print $1 / 1e3 }'
}

if [ -n "${ECRB_BENCH_CARE-}" ]; then
  "$ECRB_BENCH_PROGRAM" lua tests/bench/parts/lookups.lua "$ECRB_BENCH_CARE" \
    $(lmdb 1349)
else
  echo 'skip look-ups of CARE: the real data is not there'
fi

"$ECRB_BENCH_PROGRAM" lua tests/bench/parts/large.lua "$TMP" "$n"
cost "$ECRB_BENCH_PROGRAM" bench import table "$TMP/items.tsv" --no-candidates \
  --train "$TMP/train.tsv" --blast "$TMP/blast.tsv" -o "$TMP/bench"
say "import of $n items with ten hits, processor" "$cpu" s -
say "import of $n items with ten hits, memory" "$rss" MB '<=4096'
cost "$ECRB_BENCH_PROGRAM" bench check "$TMP/bench"
say "check of $n items, processor" "$cpu" s -
say "check of $n items, memory" "$rss" MB '<=4096'
echo 'require "ecrb.benchmark".open(arg[1]).core:evidence(1, "blast")' >"$TMP/open.lua"
cost "$ECRB_BENCH_PROGRAM" lua "$TMP/open.lua" "$TMP/bench"
say "opening $n items, evidence indexed" "$wall" s -
say "opening $n items, memory" "$rss" MB '<=4096'
"$ECRB_BENCH_PROGRAM" lua tests/bench/parts/lookups.lua "$TMP/bench" $(lmdb "$n")
