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
  108 to 263 residues  9  0.000 .000-.000
  266 to 332 residues  9  0.000 .000-.000
  336 to 405 residues  9  0.111 .000-.333
  435 to 765 residues  9  0.000 .000-.000

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

The Slurm job, for a task that ends and for one that cannot begin:

  $ bash -c 'ecrb() { echo "ecrb $*"; }; export -f ecrb; SLURM_ARRAY_TASK_ID=6 MODEL=m bash examples/slurm.sh'
  ecrb suite --model m --settings m2 --no-vote --quiet --runs runs

  $ bash -c 'ecrb() { [ -e $TMP/again ] || { touch $TMP/again; return 3; }; echo done; }; export -f ecrb; PAUSE=0 SLURM_ARRAY_TASK_ID=1 MODEL=m bash examples/slurm.sh'
  done

  $ SLURM_ARRAY_TASK_ID=6 MODEL=nothing-like-it bash examples/slurm.sh
  ecrb: no model is called `nothing-like-it`; name PROVIDER/ID, give --base-url, or describe it in $HOME/config/ecrb/models.lua
  [exit 2]
