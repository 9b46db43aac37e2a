#!/bin/bash
# Annotating many sequences (ECRB_BENCH_ITEMS) takes the memory of a tenth of
# them, or of two batches: fewer are hardly more than one. The training set is
# small and made up, so that nearly all have no neighbour: what is measured is the
# way through, not the search.
set -eu
cd "$(dirname "$0")/../.."
. tests/bench/parts/measure.bash
n=$ECRB_BENCH_ITEMS

if ! command -v diamond >/dev/null; then
  echo 'skip annotate: diamond is not installed'
  exit
fi

annotate() { # sequences
  rm -rf "$TMP/some" "$TMP/out.tsv"
  mkdir "$TMP/some"
  "$ECRB_BENCH_PROGRAM" lua tests/bench/parts/large.lua "$TMP/some" "$1" fasta
  cost "$ECRB_BENCH_PROGRAM" annotate "$TMP/some/items.fasta" \
    --train "$TMP/train.fasta" --index "$TMP/index" --channels blast \
    --tool blast=diamond --threads 1 --quiet -o "$TMP/out.tsv"
}

mkdir "$TMP/train"
"$ECRB_BENCH_PROGRAM" lua tests/bench/parts/large.lua "$TMP/train" 200 fasta
sed 's/^>E/>T/' "$TMP/train/items.fasta" >"$TMP/train.fasta"
awk 'BEGIN { print "id\tec"; for (i = 1; i <= 200; i++) print "T" i "\t1.1.1." i }' \
  >"$TMP/train.tsv"
few=$((n / 10 > 40000 ? n / 10 : 40000))
annotate "$few"
few_rss=$rss
annotate "$n"
say "annotate, memory at $n sequences" "$rss" MB '<=1.1x' \
  "at $few" "$few_rss"
say "annotate, processor a sequence" \
  "$(awk -v s="$cpu" -v n="$n" 'BEGIN { print s / n * 1e6 }')" us -
