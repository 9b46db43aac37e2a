#!/bin/bash
# CARE: the import with all evidence, opening what it made, and M1 over its
# 1,349 items with the reader.
set -eu
cd "$(dirname "$0")/../.."
. tests/bench/parts/measure.bash
data=$ECRB_SHARED/data

if [ ! -d "$data/care" ]; then
  echo 'skip CARE: the real data is not there'
  exit
fi

cat >"$TMP/open.lua" <<'END_OF_LUA'
local bench = require "ecrb.benchmark".open(arg[1])
assert(#bench.core > 0 and bench.core:evidence(1, "blast"))
END_OF_LUA

for _ in $(rounds 5); do
  cost "$ECRB_BENCH_PROGRAM" bench import care "$data/care" --force \
    --train "$data/train/train.tsv" --blast "$data/evidence/blastp.tsv.gz" \
    --hmmer "$data/evidence/phmmer.tbl.gz" -o "$TMP/care"
  say 'import of CARE, by the clock' "$wall" s '<=5'
  say 'import of CARE, processor' "$cpu" s -
  say 'import of CARE, memory' "$rss" MB '<=500'
  cost "$ECRB_BENCH_PROGRAM" lua /dev/null
  nothing=$cpu
  cost "$ECRB_BENCH_PROGRAM" lua "$TMP/open.lua" "$TMP/care"
  say 'opening CARE, evidence indexed, processor' \
    "$(awk -v a="$cpu" -v b="$nothing" 'BEGIN { print (a - b) * 1e3 }')" ms '<=50'
done

for _ in $(rounds 3); do
  rm -rf "$TMP/runs"
  cost "$ECRB_BENCH_PROGRAM" m1 --bench "$TMP/care" --runs "$TMP/runs" --quiet
  say 'M1 over CARE with the reader, processor' "$cpu" s '<=3'
done
