The REPL through a pipe: the same commands without a terminal.

  $ printf ':item price/12\n#evidence(item, "blast")\nx = 20 + 1\nx * 2\n' | ecrb repl m1 --runs $TMP/r
  price/12  (QSXQG5SLD, 270 residues)  method m1 open, model reader
  2
  42
  $ printf 'return nil + 1\n:nonsense\n:item nowhere\n:set k=3\n"alive"\n' | ecrb repl m1 --runs $TMP/r
  error: input:1: attempt to perform arithmetic on a nil value
  error: there is no command `:nonsense` (:help lists them)
  error: the benchmark ecoli has no item `nowhere`; name one as `price/3`, by its accession or by its anonymized id
  error: $ROOT/methods/m1_cascade.lua: it has no option `k`
  alive
  $ printf ':item price/3\n:ask\n:ask\n:reveal\n' | ecrb repl b0 --runs $TMP/r
  price/3  (Q52STPD5N, 336 residues)  method b0 open, model reader
  --- call 1, b0/question
  The evidence rows support 1.1.1.103 with 44% of their weight.
  ANSWER: 1.1.1.103
    read answer from bytes 71-79: 1.1.1.103
  => 1.1.1.103  answered
  L1 right, L2 right, L3 right, L4 wrong
  1 call (1 sent), 777 + 27 tokens; session cost 0.0000
  --- call 1, b0/question (from the journal)
  The evidence rows support 1.1.1.103 with 44% of their weight.
  ANSWER: 1.1.1.103
    read answer from bytes 71-79: 1.1.1.103
  => 1.1.1.103  answered
  L1 right, L2 right, L3 right, L4 wrong
  1 call (0 sent), 777 + 27 tokens; session cost 0.0000
  labels: 1.1.1.1
  $ printf 'for i = 1, 2 do\n  note("n", i)\nend\n"done"\n' > $TMP/script.txt
  $ ecrb repl m1 --runs $TMP/r --exec $TMP/script.txt | sed 's/^/| /'
  | > for i = 1, 2 do
  |   note("n", i)
  | end
  | > "done"
  | done
  $ printf ':item price/12\n:set names=false\n:script %s/again.txt\n' $TMP | ecrb repl m1 --runs $TMP/r
  price/12  (QSXQG5SLD, 270 residues)  method m1 open, model reader
  constrained = false
  names = false
  temperature = 0
  saved in $TMP/again.txt
  $ ecrb repl m1 --runs $TMP/r --exec $TMP/again.txt | sed 's/^/| /'
  | > :item price/12
  | price/12  (QSXQG5SLD, 270 residues)  method m1 open, model reader
  | > :set names=false
  | constrained = false
  | names = false
  | temperature = 0
  $ printf ':method nosuch\n:method vote\n:ask\n' | ecrb repl m1 --runs $TMP/r
  error: there is no method `nosuch`
  30/1  (QI3KCFUGP, 269 residues)  method vote open, model none
  => -.-.-.-  abstained
  L1 wrong, L2 wrong, L3 wrong, L4 wrong
  0 calls (0 sent), 0 + 0 tokens; session cost 0.0000
  $ printf ':prompt\n' | TERM=dumb ecrb repl m1 --runs $TMP/r | head -3
  [system]
  You are an enzymologist who places an enzyme in the Enzyme Commission (EC) tree,
  one level at a time, from the reaction class down to the specific reaction.
  $ printf 'a template {{nothing}}\n' > $TMP/bad.txt
  $ printf ':template m1/level %s/bad.txt\n:ask\n:undo\n:ask\n' $TMP | ecrb repl m1 --runs $TMP/r | tail -7
  ANSWER: UNSURE
  CONFIDENCE: 0.00
    read choice from bytes 85-90: UNSURE
    read confidence from bytes 104-107: 0.00
  => -.-.-.-  abstained, confidence 0.00
  L1 wrong, L2 wrong, L3 wrong, L4 wrong
  1 call (1 sent), 620 + 36 tokens; session cost 0.0000
  $ ecrb vote --split price --limit 2 --out $TMP/r/vote --quiet >/dev/null 2>&1; ecrb score $TMP/r/* | head -2
  left out: $TMP/r/repl-ecoli-reader, a session of the REPL, no run
  vote Neighbour vote, open book
  model none, benchmark ecoli
  $ ecrb score $TMP/r/repl-ecoli-reader
  ecrb: $TMP/r/repl-ecoli-reader: this is a session of the REPL, no run; the runs of its :ablate stand inside
  [exit 2]
  $ ecrb repl nosuch
  ecrb: there is no method `nosuch`
  [exit 2]
  $ ecrb ablate m1 saved nosuch --n 3 --runs $TMP/a
  ecrb: there is no variant `nosuch` (`saved` is the shipped wording)
  [exit 2]
