EC numbers for sequences without labels. The training set is made of items of the
bundled benchmark; the queries are some of them, and a stranger.

needs blastp
needs phmmer

  $ ecrb annotate --help
  Usage: ecrb annotate ([--tsv] | [--jsonl]) ([--shard I/N] | [--gather N])
         [--train DB] [--ecs TSV] [--index FOLDER] [--tree FILE] [--method METHOD]
         [-o FILE] [--page N] [--work FOLDER] [--keep] [--force] [--channels LIST]
         [--tool CHANNEL=TOOL] [--evalue E] [--neighbours N] [--threads N]
         [--batch N] [--quiet] [--vectors NPY] [--vector-ids TXT]
         [--train-vectors NPY] [--train-vector-ids TXT] [--model MODEL]
         [--base-url URL] [--dialect NAME] [--key-env NAME] [--proxy URL]
         [--timeout SECONDS] [--prompt NAME=FILE] [--seed N] [--max-output TOKENS]
         [--thinking BUDGET] [--concurrency N] [--max-retries N]
         [--durability {batch,record}] [--max-calls N] [--max-tokens N]
         [--max-cost MONEY] [-h] FASTA [--set NAME=VALUE [NAME=VALUE] ...]

  EC numbers for sequences without labels.

  Arguments:
     FASTA                 protein sequences, plain or gzip'ed; - reads them from
                           standard input and prints the result

  Options:
     --train DB            training set: FASTA, a folder with train.fasta, or an
                           index made before
     --ecs TSV             its EC numbers: a table with the columns id and ec
                           (default: DB with the ending .tsv)
     --index FOLDER        folder for the index of the training set (default: in
                           the cache)
     --tree FILE           EC list, Expasy's enzyme.dat or ExplorEnz's table
                           (default: bundled)
     --method METHOD       method script or id; safe asks no model (default: safe)
     -o, --out FILE        result (default: FASTA's name with .ec.tsv, here); -
                           prints it
     --tsv                 a row a sequence between tabs (default)
     --jsonl               a JSON object a line, with more of the evidence
     --page N              children of a node that a walk offers at once (default:
                           20)
     --work FOLDER         folder for unfinished work (default: the result's name
                           with .work)
     --keep                every batch stays: its benchmark and its run
     --force               a result of that name is replaced
     --channels LIST       channels to search, separated by commas (default:
                           blast,hmmer)
     --tool CHANNEL=TOOL   another tool for a channel, blast=diamond or
                           hmmer=mmseqs; may be repeated
     --evalue E            largest E-value of a hit (default: 1e-3)
     --neighbours N        most neighbours a query and channel (default: 10)
     --threads N           processors to use (default: all)
     --batch N             queries that are searched at once, as many as a kill
                           loses at most (default: as the tools like it)
     --quiet               no progress line
     --vectors NPY         vectors of the queries for the channel esm_knn, a
                           matrix of float16 or float32
     --vector-ids TXT      ids of these vectors, one a line (default: NPY with the
                           ending .txt)
     --train-vectors NPY   vectors of the training set
     --train-vector-ids TXT
                           ids of those vectors (default: as above)
     --model MODEL         a name of models.lua or PROVIDER/ID (`ecrb help models`
                           lists them); without one the built-in reader answers
     --base-url URL        OpenAI-compatible endpoint (also OPENAI_BASE_URL)
     --dialect NAME        how requests are worded; by default as the address
                           suggests
     --key-env NAME        variable that holds the key (default: OPENAI_API_KEY)
     --proxy URL           HTTP proxy; the environment's are never used
     --timeout SECONDS     longest time for one answer (default: 900)
     --set NAME=VALUE [NAME=VALUE] ...
                           an option of the method, temperature=0.7 (`ecrb
                           METHOD.lua --help`)
     --prompt NAME=FILE    a file that stands in for a template, m1/level=my.txt
     --seed N              seed of the run (default: 1)
     --max-output TOKENS   largest answer in tokens
     --thinking BUDGET     on, off, a budget in tokens, or an effort (low, high,
                           ...), where the dialect can say so
     --concurrency N       calls in flight at most (default: 64)
     --max-retries N       retries of one call
     --durability {batch,record}
                           batch: calls are on the disk within 50 ms or 64 calls,
                           and what one sync takes; record: before a reply is
                           used. A killed process loses nothing either way
                           (default: batch)
     --max-calls N         pause before the run passes N calls, earlier sessions
                           included
     --max-tokens N        pause before the run passes N tokens, earlier sessions
                           included
     --max-cost MONEY      pause before the run costs more, earlier sessions
                           included
     --shard I/N           only the I-th of N even parts, by a hash of the ids,
                           into a result with `-IofN` in its name; limits are
                           divided by N
     --gather N            the results of N shards in one, nothing is annotated
     -h, --help            this page

  Columns of a row (a JSON object has more of the same):
     id          the first word of the FASTA header
     length      residues
     ec          the EC number, or its deepest safe prefix; - for none
     level       how many of its levels are told, 0 to 4
     also        further EC numbers of an enzyme with several
     confidence  what the method states: a model's probability, or a share of votes
     agreement   channels whose first hit carries ec / channels with a hit
     support     the first supporter of each channel: name, identity, EC numbers
     stop        answered, abstained, no_neighbour, empty (no residue), too_long
                 (over 100,000 residues, not searched), invalid, unreadable,
                 truncated, refused, failed, script
     message     more about it
  Exit code 1: some sequences ended in `failed` (the same command asks for these
  again, and only for these) or `script`.
  The rows of --vectors stand in the order of FASTA; sequences may lack one.

  $ items=$PWD/data/ecoli; cd $TMP
  > awk -F'\t' 'NR > 1 && NR < 42 { print ">" $1 "\n" $5 }' $items/items.tsv >train.fasta
  > awk 'NR == 1 { print "id\tec" } NR > 1 && NR < 42' $items/labels.tsv >train.tsv
  > awk -F'\t' 'NR == 5 || NR == 9 { print ">" $1 " of the training set\n" $5 }' \
  >   $items/items.tsv >proteins.fasta
  > printf '>short\nMKV\n>nothing\n' >>proteins.fasta

  $ cd $TMP; ecrb annotate proteins.fasta
  ecrb: --train: name the training set, a FASTA file whose table of EC numbers stands beside it as .tsv; the bundled benchmark has no training sequences
  [exit 2]

  $ cd $TMP; ecrb annotate - --train train.fasta </dev/null; ls -d *.work 2>/dev/null
  ecrb: standard input: no sequence
  [exit 2]

  $ cd $TMP; ecrb annotate proteins.fasta --train train.fasta --batch 2
  training: 40 enzymes of train.tsv
  4 sequences: answered 2, empty 1, no_neighbour 1

  $ cd $TMP; cut -f1-7,9- proteins.ec.tsv; cut -f8 proteins.ec.tsv; ls
  id	length	ec	level	also	confidence	agreement	stop	message
  ALPHAGALACTOSID-MONOMER	451	3.2.1.22	4	-	1.000	2/2	answered	-
  AROE-MONOMER	272	1.1.1.25	4	-	1.000	2/2	answered	-
  short	3	-	0	-	0.000	0/0	no_neighbour	no training enzyme within the limits
  nothing	0	-	0	-	-	0/0	empty	the sequence has no residue
  support
  blast ALPHAGALACTOSID-MONOMER 100.0% 3.2.1.22; hmmer ALPHAGALACTOSID-MONOMER - 3.2.1.22
  blast AROE-MONOMER 100.0% 1.1.1.25; hmmer AROE-MONOMER - 1.1.1.25
  -
  -
  proteins.ec.tsv
  proteins.fasta
  train.fasta
  train.tsv

The index can be named instead, any method be used, and the result be printed.

  $ cd $TMP; ecrb annotate proteins.fasta --train train.fasta --index index \
  >   --channels blast --method m1 -o m1.tsv --keep
  > cut -f1-4,6,7,9 m1.tsv; ls index m1.tsv.work | grep -v blastp-
  training: 40 enzymes of train.tsv
  4 sequences: answered 2, empty 1, no_neighbour 1
  id	length	ec	level	confidence	agreement	stop
  ALPHAGALACTOSID-MONOMER	451	3.2.1.22	4	1.000	1/1	answered
  AROE-MONOMER	272	1.1.1.25	4	1.000	1/1	answered
  short	3	-	0	0.000	0/0	no_neighbour
  nothing	0	-	0	-	0/0	empty
  index:
  index.json
  targets.fasta
  targets.tsv

  m1.tsv.work:
  000001
  000001.counts
  000001.rows
  000001.spent
  task.json

  $ cd $TMP; ecrb show m1.tsv.work/000001/run s000000001 | grep -A 8 '^== Evidence'
  == Evidence
  channel  rank  neighbour  shown as   EC        score     ident%  cov%   E-value
  -------------------------------------------------------------------------------
  blast       1  t4         TBIL6HDYW  3.2.1.22  945 bits  100.0   100.0  0.0e+00

  == Call 1, prompt m1/level
  system:
    You are an enzymologist who places an enzyme in the Enzyme Commission (EC) tree,
    one level at a time, from the reaction class down to the specific reaction.

  $ cd $TMP; ecrb annotate proteins.fasta --train index --channels hmmer -o - --jsonl |
  >   grep -v nothing | cut -c1-130
  4 sequences: abstained 2, empty 1, no_neighbour 1
  {"agreeing":1,"also":[],"channels":1,"confidence":1,"ec":"3.2.1.-","id":"ALPHAGALACTOSID-MONOMER","length":451,"level":3,"message"
  {"agreeing":1,"also":[],"channels":1,"confidence":1,"ec":"1.1.1.-","id":"AROE-MONOMER","length":272,"level":3,"message":"no neighb
  {"agreeing":0,"also":[],"channels":0,"confidence":0,"ec":null,"id":"short","length":3,"level":0,"message":"no training enzyme with

  $ cd $TMP; ecrb annotate proteins.fasta --train index
  ecrb: proteins.ec.tsv: is there already; choose another name with --out, or --force to replace it
  [exit 2]

  $ cd $TMP; ecrb annotate proteins.fasta --train index --method oracle --force
  ecrb: $ROOT/methods/oracle.lua: the method oracle is granted labels, and there are none here
  [exit 2]

  $ cd $TMP; ecrb annotate proteins.fasta --train index --channels esm_knn -o x.tsv
  ecrb: the channel esm_knn needs --vectors and --train-vectors
  [exit 2]
