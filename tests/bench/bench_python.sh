#!/bin/bash
# What a Python user would write: the paired bootstrap in numpy (the best of four
# ways) and the motifs with re, each beside ours in the same round.
set -eu
cd "$(dirname "$0")/../.."
. tests/bench/parts/measure.bash
python=/usr/bin/python3

if ! "$python" -c 'import numpy' 2>/dev/null; then
  echo 'skip Python: numpy is not installed'
  exit
fi

ours() { # name: the first figure of that name
  ECRB_BENCH_ROUNDS=1 "$ECRB_BENCH_FIGURES" |
    awk -F '\t' -v name="$1" 'index($1, name) == 1 { print $2; exit }'
}

for _ in $(rounds 5); do
  numpy=$("$python" tests/bench/parts/bootstrap.py)
  say 'bootstrap, 1,000 x 1,349 items x 9 settings' "$(ours bootstrap)" ms \
    '>=10x' 'the best of numpy' "$numpy"
done

[ -d "$ECRB_SHARED/data/care" ] || exit 0
for _ in $(rounds 5); do
  read -r search ahead < <("$python" tests/bench/parts/motifs.py \
    "$ECRB_SHARED/data/care")
  mine=$(ours 'six motifs')
  say 'six motifs over CARE, five times' "$mine" ms '>=5x' 'Python re, search' \
    "$search"
  say 'six motifs over CARE, five times' "$mine" ms '>=20x' \
    'Python re, lookahead' "$ahead"
done
