#!/bin/bash
#SBATCH --job-name=ecrb
#SBATCH --array=1-9
#SBATCH --time=24:00:00
#SBATCH --requeue
# One task a setting of the paper, all against one endpoint:
#   sbatch --export=ALL,MODEL=my-qwen examples/slurm.sh
# A task that is preempted starts again by --requeue and goes on where it was:
# no finished call is sent twice. Exit code 3 (paused by the endpoint or a
# budget) is tried again, anything else ends the task.
set -u
settings=(b0-closed m1-closed m3-closed m4-closed
          b0-open m2 cascade-open m3-open m4-open)
setting=${settings[$((SLURM_ARRAY_TASK_ID - 1))]}

until ecrb suite --model "${MODEL:?name a model}" --settings "$setting" \
    --no-vote --quiet --runs "${RUNS:-runs}"; do
  code=$?
  [ $code -eq 3 ] || exit $code
  sleep "${PAUSE:-600}"
done
