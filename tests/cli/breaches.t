What figures must never be made of: each is refused by its own name, with the line
where it stands, or counted where that is fair.

A run, and what may be done to it:

  $ cd $TMP; ecrb vote --split price --limit 4 --out good --quiet >/dev/null 2>&1
  $ cd $TMP; cat >spoil <<'END'
  > rm -rf bad; cp -r good bad; sed "$1" good/items.jsonl >bad/items.jsonl
  > ecrb score bad
  > END

Items: twice, missing, unknown, of another name:

  $ cd $TMP; sh spoil '2{p;p}'
  ecrb: bad/items.jsonl:3: the key stands already at line 2; delete one of the two lines
  [exit 2]
  $ cd $TMP; sh spoil '2d'
  ecrb: bad: 1 of 4 items have no record yet; run the same command again to finish them, or say --partial
  [exit 2]
  $ cd $TMP; sh spoil '2d' >/dev/null 2>&1; ecrb score bad --partial | grep -i pending
  UNFINISHED: 1 of 4 items are pending and not in this table.
  $ cd $TMP; sh spoil '2s/"key":"[^"]*"/"key":"NOBODY"/'
  ecrb: bad/items.jsonl:2: the benchmark ecoli has no item `NOBODY`
  [exit 2]
  $ cd $TMP; sh spoil '2s/"split":"price"/"split":"30"/'
  ecrb: bad/items.jsonl:2: it is `price/2` of split `30` here, `price/2` of split `price` in the benchmark
  [exit 2]

Confidences, shares and figures that cannot be:

  $ cd $TMP; sh spoil '2s/"confidence":null/"confidence":1.5/'
  ecrb: bad/items.jsonl:2: `confidence` `1.5` is no number from 0 to 1
  [exit 2]
  $ cd $TMP; sh spoil '2s/"confidence":null/"confidence":-0.01/'
  ecrb: bad/items.jsonl:2: `confidence` `-0.01` is no number from 0 to 1
  [exit 2]
  $ cd $TMP; sh spoil '2s/"confidence":null/"confidence":"high"/'
  ecrb: bad/items.jsonl:2: `confidence` `high` is no number from 0 to 1
  [exit 2]
  $ cd $TMP; sh spoil '2s/"confidence":null/"confidence":1e999/'
  ecrb: bad/items.jsonl:2: `confidence` `inf` is no number from 0 to 1
  [exit 2]
  $ cd $TMP; sh spoil '2s/"share":1/"share":7/'
  ecrb: bad/items.jsonl:2: no record of an item: `share` is no number from 0 to 1; delete the line, and the run's command makes it again without a call
  [exit 2]
  $ cd $TMP; sh spoil '2s/"calls":0/"calls":-3/'
  ecrb: bad/items.jsonl:2: no record of an item: `usage.calls` is no number from 0 to 1000000000000000; delete the line, and the run's command makes it again without a call
  [exit 2]

Paths and outcomes that contradict each other or the benchmark:

  $ cd $TMP; sh spoil '2s/"outcome":"answered"/"outcome":"abstained"/'
  ecrb: bad/items.jsonl:2: whoever committed four levels has not abstained
  [exit 2]
  $ cd $TMP; sh spoil '2s/"outcome":"answered"/"outcome":"triumph"/'
  ecrb: bad/items.jsonl:2: unknown outcome `triumph`
  [exit 2]
  $ cd $TMP; sh spoil '2s/"outcome":"answered"/"outcome":"invalid"/'
  ecrb: bad: price/2: the outcome is `invalid`, but `2.3.1.29` is a node of the tree
  [exit 2]
  $ cd $TMP; sh spoil '2s/"2.3.1.29"/"2.3.1.9999"/'
  ecrb: bad: price/2: the outcome is `answered`, but `2.3.1.9999` is no node of the tree
  [exit 2]
  $ cd $TMP; sh spoil '2s/,"2.3.1.29"//'
  ecrb: bad/items.jsonl:2: an answer has four levels, not 3
  [exit 2]
  $ cd $TMP; sh spoil '2s/"2.3.1.-",//'
  ecrb: bad/items.jsonl:2: `path`: `2.3.1.29` is no EC number of level 3
  [exit 2]
  $ cd $TMP; sh spoil '2s/"2.3.1.29"/"EC 2.3"/'
  ecrb: bad/items.jsonl:2: `path`: `EC 2.3` is no EC number of level 4
  [exit 2]
  $ cd $TMP; sh spoil '2s/"channels":\[\]/"channels":["magic"]/'
  ecrb: bad/items.jsonl:2: `magic` is no channel of the benchmark
  [exit 2]

A line that is no record, cut short or of another shape:

  $ cd $TMP; sh spoil '2s/.*/nonsense/'
  ecrb: bad/items.jsonl:2: the line does not begin with {"key":"...": a key of 1 to 255 bytes without escapes or control characters; mend or delete the line
  [exit 2]
  $ cd $TMP; sh spoil '2s/.*/[]/'
  ecrb: bad/items.jsonl:2: the line does not begin with {"key":"...": a key of 1 to 255 bytes without escapes or control characters; mend or delete the line
  [exit 2]
  $ cd $TMP; sh spoil '2s/.*/{}/'
  ecrb: bad/items.jsonl:2: the line does not begin with {"key":"...": a key of 1 to 255 bytes without escapes or control characters; mend or delete the line
  [exit 2]
  $ cd $TMP; rm -rf bad; cp -r good bad; head -c -20 good/items.jsonl >bad/items.jsonl; ecrb score bad
  ecrb: bad: 1 of 4 items have no record yet; run the same command again to finish them, or say --partial
  [exit 2]

An empty run, and one that was never begun:

  $ cd $TMP; sh spoil 'd'
  ecrb: bad: no item is finished yet; run the same command again to finish them
  [exit 2]
  $ cd $TMP; sh spoil 'd' >/dev/null 2>&1; ecrb score bad --partial
  bad: no item is finished yet
  $ cd $TMP; sh spoil 'd' >/dev/null 2>&1; ecrb report bad -o page --partial
  ecrb: bad: no item is finished yet
  [exit 2]
  $ cd $TMP; sh spoil 'd' >/dev/null 2>&1; ecrb compare good bad
  ecrb: bad: no item is finished yet; run the same command again to finish them
  [exit 2]
  $ cd $TMP; mkdir hollow; ecrb score hollow
  ecrb: hollow: there is no run here (no run.json); name a run's folder
  [exit 2]

Records of another benchmark, or of another state of it:

  $ cp -r data/ecoli $TMP/other; cd $TMP; echo >>other/bench.json
  $ cd $TMP; ecrb score good --bench other
  ecrb: good: the run was made on another state of benchmark ecoli than other holds
  [exit 2]
  $ cd $TMP; ecrb vote --bench other --split price --limit 4 --out elsewhere --quiet >/dev/null 2>&1
  $ cd $TMP; ecrb compare good elsewhere
  ecrb: good and elsewhere were run on different benchmarks (ecoli, ecoli): their items cannot be paired
  [exit 2]
  $ cd $TMP; ecrb compare good elsewhere --common
  ecrb: good and elsewhere were run on different benchmarks (ecoli, ecoli): their items cannot be paired
  [exit 2]
  $ cd $TMP; ecrb report good elsewhere -o page
  ecrb: elsewhere was run on benchmark ecoli, good on another one (ecoli): a report is on one benchmark
  [exit 2]

A run that is still being written says so; one that stopped says how to go on:

  $ cd $TMP; sh spoil '4d' >/dev/null 2>&1; flock bad/.lock ecrb score bad
  ecrb: bad: 1 of 4 items have no record yet; another ecrb is writing this run: wait for it, or say --partial
  [exit 2]
  $ cd $TMP; flock bad/.lock ecrb report bad -o page
  ecrb: bad: 1 of 4 items have no record yet; another ecrb is writing this run: wait for it, or say --partial
  [exit 2]
  $ cd $TMP; flock bad/.lock ecrb export bad
  ecrb: bad: 1 of 4 items have no record yet; another ecrb is writing this run: wait for it, or say --partial
  [exit 2]
  $ cd $TMP; flock bad/.lock ecrb compare good bad
  ecrb: bad: 1 of 4 items have no record yet; another ecrb is writing this run: wait for it, or say --common
  [exit 2]
  $ cd $TMP; flock bad/.lock ecrb score bad --partial | grep UNF
  UNFINISHED: 1 of 4 items are pending and not in this table.
  $ cd $TMP; ecrb score bad
  ecrb: bad: 1 of 4 items have no record yet; run the same command again to finish them, or say --partial
  [exit 2]
  $ cd $TMP; : >bad/items.jsonl; flock bad/.lock ecrb score bad
  ecrb: bad: no item is finished yet; another ecrb is writing this run: wait for it
  [exit 2]
  $ cd $TMP; rm bad/.lock; ecrb score bad
  ecrb: bad: no item is finished yet; run the same command again to finish them
  [exit 2]

An EC number of an old list is lost for that reason, not as one that never was:

  $ cd $TMP; for ec in 2.7.1.37 2.7.1.57 2.7.1.9999; do
  >   printf 'id\tec\n6PFK-2-MONOMER\t%s\n' $ec >old.tsv
  >   ecrb bench predictions --from table --split price -o $ec old.tsv >/dev/null 2>&1
  >   ecrb score $ec --losses | grep -e '-.* EC '
  > done
  - superseded EC             1  0.028 .000-.083  0.972
  - superseded EC             1  0.028 .000-.083  0.972
  - non-existent EC           1  0.028 .000-.083  0.972
