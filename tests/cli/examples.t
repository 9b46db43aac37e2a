The examples, as their README says to run them.

  $ ecrb examples/verify.lua --split price --out $TMP/verify --quiet | head -10
  $TMP/verify: 36 items done now, 0 before; 72 calls sent, 0 answered from the journal
  verify Draft and verify, open book
  model reader (a program that reads the prompt, not a language model), benchmark ecoli
                   price
  --------------------------------
  n                   36
  confidences          0
  --------------------------------
  L1               0.806 .667-.917
  L2               0.722 .583-.861
  L3               0.694 .555-.833

  $ ecrb lua examples/by_length.lua $TMP/verify
  L4 by length
                       n  L4
  ---------------------------------------
  108 to 263 residues  9  0.000 .000-.299
  266 to 332 residues  9  0.000 .000-.299
  336 to 405 residues  9  0.111 .000-.333
  435 to 765 residues  9  0.000 .000-.299

  $ $ECRB_TEST_UNITS/../examples/primitives data/ecoli price/3
  ADHP-MONOMER: 336 residues
  neighbours vote for 1.1.1.103
    7.-.-.-  Translocases
    6.-.-.-  Ligases
    1.-.-.-  Oxidoreductases
    5.-.-.-  Isomerases
    2.-.-.-  Transferases
    3.-.-.-  Hydrolases
    4.-.-.-  Lyases

  $ $ECRB_TEST_UNITS/../examples/primitives data/ecoli price/4000
  primitives: data/ecoli has no item price/4000
  [exit 2]

  $ $ECRB_TEST_UNITS/../examples/primitives nowhere price/3
  primitives: nowhere/ec.tsv: no such file; a benchmark is a folder with ec.tsv, items.tsv and evidence.tsv
  [exit 2]

  $ $ECRB_TEST_UNITS/../examples/embed b0 price
  6PFK-2-MONOMER answered, H-F1 0.75
  7KAPSYN-MONOMER answered, H-F1 0.75
  ADHP-MONOMER answered, H-F1 0.75
  ARGDECARBOXDEG-MONOMER answered, H-F1 0.75
  ARGSUCCINLYA-MONOMER answered, H-F1 0.50
  L1 1.00, L4 0.00, H-F1 0.70 of 5 items

  $ $ECRB_TEST_UNITS/../examples/embed b0 prise
  embed: the benchmark ecoli has no split `prise`; it has 30, 30-50, price, promiscuous
  [exit 2]

  $ $ECRB_TEST_UNITS/../examples/embed_open
  L1 0.78, L4 0.00, H-F1 0.53 of 36 items

  $ $ECRB_TEST_UNITS/../examples/embed_host examples/embed_host.lua 2.7.1.1 x
  2.7.1.1	8
  x is no EC number	nil

  $ $ECRB_TEST_UNITS/../examples/embed_host nowhere.lua
  embed_host: cannot open nowhere.lua: No such file or directory
  [exit 2]

The primitives in a Lua of its own (the module is that of the plain build):

  $ LUA_PATH='lua/?/init.lua;;' LUA_CPATH='.build/opt/module/?.so;;' lua5.4 examples/primitives.lua data/ecoli price/3
  ADHP-MONOMER	336 residues
  Rossmann fold	at 169
  thioredoxin	at 89
  vote	1.-.-.- 1.1.-.- 1.1.1.- 1.1.1.103
  7.-.-.-	Translocases
  6.-.-.-	Ligases
  1.-.-.-	Oxidoreductases
  5.-.-.-	Isomerases
  2.-.-.-	Transferases
  3.-.-.-	Hydrolases
  4.-.-.-	Lyases
  H-F1 of the vote over 181 items: 0.649 (0.592 to 0.709)

A task of a Slurm array: the shard that it does; after pauses; when it is queued
again alone; when its time is up; and where it is none. (Slurm's part is played.)

  $ cat >$TMP/task <<'END'
  > export SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_COUNT=8
  > export SLURM_ARRAY_TASK_ID=6 SLURM_JOB_ID=17 PAUSE=0
  > ecrb() { echo "ecrb $*"; }
  > END
  $ BASH_ENV=$TMP/task examples/slurm/array.sh m1 --out "a b"
  ecrb m1 --out a b --shard 6/8
  $ cat >$TMP/paused <<'END'
  > . $TMP/task
  > ecrb() { echo try; [ $(cat $TMP/tries | wc -l) = 2 ] || { echo >>$TMP/tries; return 3; }; }
  > END
  $ touch $TMP/tries; BASH_ENV=$TMP/paused examples/slurm/array.sh m1
  try
  try
  try
  $ : >$TMP/tries; TRIES=2 BASH_ENV=$TMP/paused examples/slurm/array.sh m1
  try
  try
  [exit 3]
  $ printf '. $TMP/task\nSLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_COUNT=2\n' >$TMP/two
  $ BASH_ENV=$TMP/two examples/slurm/array.sh m1
  array.sh: these are not the tasks 1 to N of an array; say how many shards there are: SHARDS=8 sbatch --array=3,5 ...
  [exit 2]
  $ SHARDS=8 BASH_ENV=$TMP/two examples/slurm/array.sh m1
  ecrb m1 --shard 6/8
  $ cat >$TMP/late <<'END'
  > . $TMP/task
  > scontrol() { echo "scontrol $*"; }
  > ecrb() { kill -USR1 $$; }
  > sleep() { :; }
  > END
  $ BASH_ENV=$TMP/late examples/slurm/array.sh m1
  scontrol requeue 17
  [exit 1]
  $ examples/slurm/array.sh m1 --bench care
  array.sh: this is a task of a Slurm array: submit it with `sbatch --array=1-8 examples/slurm/array.sh m1 --bench care`; without Slurm, local.sh does the same
  [exit 2]

The same on one machine, by GNU parallel where it is installed, and by xargs:

  $ JOBS=2 examples/slurm/local.sh 3 m1 --split price --out "$TMP/on one" --quiet >/dev/null 2>&1; ls $TMP | grep one
  on one-1of3
  on one-2of3
  on one-3of3
  $ mkdir $TMP/bin && for tool in bash seq xargs nproc ecrb; do ln -s $(command -v $tool) $TMP/bin/; done
  $ PATH=$TMP/bin examples/slurm/local.sh 3 m1 --split price --out "$TMP/by xargs" --quiet >/dev/null 2>&1; ls $TMP | grep xargs
  by xargs-1of3
  by xargs-2of3
  by xargs-3of3
  $ examples/slurm/merge.sh "$TMP/on one" 3; examples/slurm/merge.sh "$TMP/by xargs" 3
  $TMP/on one: 36 of 36 items
  $TMP/by xargs: 36 of 36 items
  $ cmp "$TMP/on one/items.jsonl" "$TMP/by xargs/items.jsonl"
  $ rm -r "$TMP/on one-2of3" "$TMP/on one"; examples/slurm/merge.sh "$TMP/on one" 3
  missing: shard 2/3, 12 items
  run these shards, then merge again
  $TMP/on one: 24 of 36 items
  [exit 3]
  $ JOBS=2 examples/slurm/local.sh 2 m1 --model nothing-like-it 2>&1 | sort -u
  ecrb: no model is called `nothing-like-it`; name PROVIDER/ID (`ecrb help models`), give --base-url or OPENAI_BASE_URL, or describe it in $HOME/config/ecrb/models.lua
  local.sh: not every shard ended well; the same command goes on
  $ examples/slurm/local.sh 2
  local.sh: write local.sh N COMMAND..., as in local.sh 8 m1 --out m1
  [exit 2]
  $ examples/slurm/merge.sh runs/
  merge.sh: write merge.sh PREFIX N, as in merge.sh runs/ 8
  [exit 2]
  $ examples/slurm/merge.sh $TMP/none 3
  merge.sh: there is no shard $TMP/none*-*of3
  [exit 2]
