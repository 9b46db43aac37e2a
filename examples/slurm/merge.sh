#!/bin/bash
#SBATCH --job-name=ecrb-merge
# Puts together every run of N shards whose name begins with PREFIX:
#   sbatch --dependency=afterany:JOB examples/slurm/merge.sh PREFIX N
# Needs no Slurm. Exit code 3: some shard is missing or unfinished.
set -u
if [ $# -ne 2 ]; then
  echo "merge.sh: write merge.sh PREFIX N, as in merge.sh runs/ 8" >&2
  exit 2
fi

shopt -s nullglob
shards=("$1"*-*of"$2")
if [ ${#shards[@]} -eq 0 ]; then
  echo "merge.sh: there is no shard $1*-*of$2" >&2
  exit 2
fi

status=0
while read -r run; do
  ecrb merge "$run"-*of"$2" -o "$run" || status=$?
done < <(printf '%s\n' "${shards[@]%-*}" | sort -u)
exit $status
