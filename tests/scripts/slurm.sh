#!/bin/bash
# A run in shards as a Slurm array on a cluster of one node, made for the test
# on loopback: one task is killed in the midst of its work and queued again; the
# shards, merged, are what one process makes, to the byte.
set -u
. tests/support/tap.sh

for tool in munged slurmctld slurmd sbatch; do
  command -v $tool >/dev/null && [ "$(id -u)" -eq 0 ] && continue
  skipped "the cluster" "$tool is not installed (Debian: slurm-wlm), or this is not root"
  echo "1..$number"
  exit
done

# A node asks the kernel for control groups before anything else.
if ! grep -q ' cgroup2\? ' /proc/mounts; then
  skipped "the cluster" "no control groups are mounted, without which slurmd does not start"
  echo "1..$number"
  exit
fi

# {==================================================================
# The cluster
# ===================================================================

cluster=$TMP/cluster node=${HOSTNAME%%.*} pids=
mkdir -p "$cluster"/{munge,state,spool} "$TMP/bin"
chmod 711 "$TMP" "$cluster"
export SLURM_CONF=$cluster/slurm.conf

free_port() {
  local port
  while port=$((20000 + RANDOM % 20000)); (: </dev/tcp/127.0.0.1/$port) 2>/dev/null
  do :; done
  echo $port
}

configure() {
  cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=4
PartitionName=main Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
}

start() { # command...
  local log=$cluster/$1.log
  "$@" >"$log" 2>&1 &
  pids="$! $pids"
}

end_cluster() {
  [ -z "$pids" ] || scancel --user=root 2>/dev/null
  for pid in $pids; do
    kill "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
  done
}
trap end_cluster EXIT

patiently() { # seconds, command...: until it succeeds
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.2
  done
}

is_idle() { sinfo -h -o %T 2>/dev/null | grep -qx idle; }
answers() { munge -S "$cluster/munge/socket" -n >/dev/null 2>&1; }

start_cluster() {
  head -c 1024 /dev/urandom >"$cluster/munge/key"
  chmod 400 "$cluster/munge/key"
  start munged --foreground --force --num-threads=1 \
    --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" \
    --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" \
    --seed-file="$cluster/munge/seed"
  patiently 20 answers || return
  configure
  start slurmctld -D
  start slurmd -D
  patiently 60 is_idle
}

start_cluster
verdict "a cluster of one node is ready"
if ! is_idle; then
  tail -n 20 "$cluster"/*.log | sed 's/^/# /'
  echo "1..$number"
  exit
fi
# }==================================================================

# {==================================================================
# The benchmark: CARE, or the bundled one
# ===================================================================

bench=ecoli data=$ECRB_SHARED/data
if [ ! -e "$data/care" ]; then
  skipped "CARE" "it is not in $data; the bundled benchmark stands in for it"
elif [[ $ECRB_TEST_PROGRAM != */san/* ]]; then # there it would take a minute
  bench=$TMP/care
  ecrb bench import care "$data/care" -o "$bench" --train "$data/train/train.tsv" \
    --blast "$data/evidence/blastp.tsv.gz" --hmmer "$data/evidence/phmmer.tbl.gz" \
    >"$TMP/import.log" 2>&1
  verdict "CARE is imported"
fi
# }==================================================================

# What the tasks find as `ecrb`: in its first life the third is stopped when it
# has some records, but not all.
cat >"$TMP/bin/ecrb" <<END
#!/bin/bash
shard=$TMP/m1-3of8
if [ "\${SLURM_ARRAY_TASK_ID-}" != 3 ] || [ -e "$TMP/stopped" ]; then
  exec "$ECRB_TEST_PROGRAM" "\$@"
fi
for try in {1..50}; do
  rm -rf "\$shard"
  "$ECRB_TEST_PROGRAM" "\$@" &
  until [ -s "\$shard/items.jsonl" ] || ! kill -0 \$!; do :; done
  kill -STOP \$!
  grep -q '"complete": true' "\$shard/run.json" || break
done
echo \$! >"$TMP/stopped.new"
mv "$TMP/stopped.new" "$TMP/stopped"
wait \$!
END
chmod +x "$TMP/bin/ecrb"

submit() {
  PATH="$TMP/bin:$PATH" sbatch --parsable --array=1-8 --output="$TMP/log.%a" \
    examples/slurm/array.sh m1 --bench "$bench" --out "$TMP/m1" --quiet
}
job=$(submit)
verdict "an array of eight is submitted"

is_stopped() { [ -e "$TMP/stopped" ]; }
is_over() { # task or array
  local left
  left=$(squeue -h -t pending,running,suspended,completing -j "$1") &&
    [ -z "$left" ]
}
requeue() { scontrol requeue "${job}_3" 2>/dev/null; }

patiently 120 is_stopped && kill -KILL "$(cat "$TMP/stopped")" &&
  patiently 60 is_over "${job}_3" &&
  scontrol show job "${job}_3" | grep -q 'JobState=FAILED'
verdict "one task is killed"
records=$(wc -l <"$TMP/m1-3of8/items.jsonl")
# Slurm would wait two minutes, and must wait a second: a task that begins in the
# second in which its first life ended is taken for that.
patiently 60 requeue && scontrol update JobId="${job}_3" StartTime=now+3
verdict "and queued again"
patiently 240 is_over "$job"
verdict "all tasks end"
[ "$(scontrol show job "${job}_3" | grep -cE 'JobState=COMPLETED| Restarts=1 ')" -eq 2 ]
verdict "the killed one at its second try"
[ "$records" -gt 0 ] &&
  [ "$(grep -cE '"status": "(running|done)"' "$TMP/m1-3of8/run.json")" -eq 2 ] &&
  grep -q ": [0-9]* items done now, $records before" "$TMP/log.3"
verdict "which goes on where the first was killed"

ecrb m1 --bench "$bench" --out "$TMP/one" --quiet >"$TMP/one.out" 2>&1
verdict "one process does all of it"
examples/slurm/merge.sh "$TMP/m1" 8 >"$TMP/merge.out" 2>&1
verdict "the shards are merged"
cmp "$TMP/m1/items.jsonl" "$TMP/one/items.jsonl" | sed 's/^/# /'
cmp -s "$TMP/m1/items.jsonl" "$TMP/one/items.jsonl"
verdict "the records are the same to the byte"
for run in m1 one; do
  ecrb score "$TMP/$run" --by all --json | grep -v '"folder"' >"$TMP/$run.json"
done
cmp -s "$TMP/m1.json" "$TMP/one.json" && [ -s "$TMP/m1.json" ]
verdict "and so are the scores"
echo "1..$number"
