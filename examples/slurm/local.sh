#!/bin/bash
# The same as array.sh on this machine, by GNU parallel, or by xargs where that
# is not installed: N shards of a command, JOBS (all processors) at a time.
#   examples/slurm/local.sh 8 m1 --bench care --out m1
set -u
if [ $# -lt 2 ]; then
  echo "local.sh: write local.sh N COMMAND..., as in local.sh 8 m1 --out m1" >&2
  exit 2
fi
shards=$1 jobs=${JOBS:-$(nproc)}
shift

if command -v parallel >/dev/null; then
  seq "$shards" |
    parallel --will-cite -q -j "$jobs" ecrb "$@" --shard "{}/$shards"
else
  seq "$shards" | xargs -P "$jobs" -I '{}' ecrb "$@" --shard "{}/$shards"
fi && exit
echo "local.sh: not every shard ended well; the same command goes on" >&2
exit 1
