#!/bin/bash
#SBATCH --job-name=ecrb
#SBATCH --array=1-8
#SBATCH --time=24:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@60
# A command of ecrb that knows --shard, as an array job of so many shards as the
# array has tasks:
#   sbatch --array=1-8 examples/slurm/array.sh m1 --bench care --out m1
# A task that is killed, preempted or out of time goes on where it was when it is
# started again: no finished call is sent twice.
set -u
if [ -z "${SLURM_ARRAY_TASK_ID-}" ]; then
  echo "array.sh: this is a task of a Slurm array: submit it with" \
    "\`sbatch --array=1-8 $0 $*\`; without Slurm, local.sh does the same" >&2
  exit 2
fi

shards=${SHARDS-$SLURM_ARRAY_TASK_MAX}
if [ -z "${SHARDS-}" ] && { [ "$SLURM_ARRAY_TASK_MIN" -ne 1 ] ||
    [ "$SLURM_ARRAY_TASK_COUNT" -ne "$SLURM_ARRAY_TASK_MAX" ]; }; then
  echo "array.sh: these are not the tasks 1 to N of an array; say how many" \
    "shards there are: SHARDS=8 sbatch --array=3,5 ..." >&2
  exit 2
fi

# A minute before its time is up the task has itself queued again, whereupon
# Slurm ends it.
trap 'scontrol requeue "$SLURM_JOB_ID"; sleep 60; exit 1' USR1

# Exit code 3 (paused by the endpoint or a budget) is tried again, for a day if
# nobody says otherwise; anything else ends the task.
for ((try = 1; ; try++)); do
  ecrb "$@" --shard "$SLURM_ARRAY_TASK_ID/$shards" &
  wait $!
  code=$?
  [ $code -eq 3 ] && [ $try -lt "${TRIES:-144}" ] || exit $code
  sleep "${PAUSE:-600}"
done
