A run in shards, one process each, and the run that they make together. The
limits of a shard are its part of those on the command line:

  $ for i in 1 2 3 4; do ecrb m1 --split price --shard $i/4 --max-calls 1001 --out $TMP/s --quiet; done 2>&1 >/dev/null | grep shard
  shard 1 of 4: 9 of 36 items; its part of the limits: concurrency 16, max calls 251
  shard 2 of 4: 9 of 36 items; its part of the limits: concurrency 16, max calls 250
  shard 3 of 4: 9 of 36 items; its part of the limits: concurrency 16, max calls 250
  shard 4 of 4: 9 of 36 items; its part of the limits: concurrency 16, max calls 250
  $ grep -A 5 '"shard"' $TMP/s-3of4/run.json
      "shard": {
        "index": 3,
        "items": 36,
        "of": 4,
        "sha256": "69892874a1fa03052a3725978aa5231b3425657f995e39d56741e8fa0f80648b"
      },

A shard is a run like any other, and says that it is a part:

  $ ecrb score $TMP/s-2of4 | grep shard
  model reader (a program that reads the prompt, not a language model), benchmark ecoli, shard 2 of 4
  PARTIAL: shard 2 of 4 of a run over 36 items; `ecrb merge` puts the shards together.

Three of the four put together:

  $ ecrb merge $TMP/s-4of4 $TMP/s-1of4 $TMP/s-2of4 -o $TMP/merged
  missing: shard 3/4, 9 items
  run these shards, then merge again
  $TMP/merged: 27 of 36 items
  [exit 3]
  $ ecrb score $TMP/merged
  ecrb: $TMP/merged: 9 of 36 items have no record yet; run the same command again to finish them, or say --partial
  [exit 2]
  $ ecrb score $TMP/merged --partial | tail -2
  ECE: 10 bins, right edges, correct is L4. Causes sum to n. Scorer 1, run by ecrb 0.1.0.
  UNFINISHED: 9 of 36 items are pending and not in this table.

The fourth is added. What comes out is what one process makes:

  $ ecrb merge $TMP/s-3of4 -o $TMP/merged
  $TMP/merged: 36 of 36 items
  $ ecrb m1 --split price --out $TMP/one --quiet >/dev/null 2>&1
  $ cmp $TMP/merged/items.jsonl $TMP/one/items.jsonl
  $ ecrb score $TMP/merged --by all --csv | sed 's,merged,one,' >$TMP/a
  $ ecrb score $TMP/one --by all --csv | cmp - $TMP/a

In any order, from anything merged before, and again, the bytes are the same:

  $ ecrb merge $TMP/s-?of4 -o $TMP/again
  $TMP/again: 36 of 36 items
  $ diff -r $TMP/merged $TMP/again
  $ ecrb merge $TMP/s-4of4 $TMP/merged $TMP/s-2of4 $TMP/s-2of4 -o $TMP/again
  $TMP/again: 36 of 36 items
  $ diff -r $TMP/merged $TMP/again
  $ ls -a $TMP/again
  .
  ..
  .lock
  calls.jsonl
  items.jsonl
  run.json

The calls are there for `show`, `--replay` and for going on:

  $ ecrb show $TMP/merged price/3 --brief | tail -3
  L3  1.1.1.-        With NAD(+) or NADP(+) as acceptor  confidence 0.91
  abstained at level 4 with confidence 0.00
  4 calls, 4203 prompt and 162 completion tokens
  $ ecrb m1 --split price --replay $TMP/merged --out $TMP/replayed --quiet | head -1
  $TMP/replayed: 36 items done now, 0 before; 0 calls sent, 138 answered from the journal
  m1 Hierarchical cascade, open book
  $ cmp $TMP/replayed/items.jsonl $TMP/one/items.jsonl
  $ ecrb m1 --split price --out $TMP/merged --quiet | head -1
  $TMP/merged: 0 items done now, 36 before; 0 calls sent, 0 answered from the journal
  m1 Hierarchical cascade, open book

A run that lacks a shard is finished by the plain command just as well:

  $ ecrb merge $TMP/s-[124]of4 -o $TMP/three
  missing: shard 3/4, 9 items
  run these shards, then merge again
  $TMP/three: 27 of 36 items
  [exit 3]
  $ ecrb m1 --split price --out $TMP/three --quiet | head -1
  $TMP/three: 9 items done now, 27 before; 34 calls sent, 0 answered from the journal
  m1 Hierarchical cascade, open book
  $ cmp $TMP/three/items.jsonl $TMP/one/items.jsonl

A shard that stopped early:

  $ ecrb m1 --split price --shard 3/4 --max-calls 20 --out $TMP/early --quiet >$TMP/table 2>&1
  [exit 3]
  $ ecrb merge $TMP/early-3of4 $TMP/s-[124]of4 -o $TMP/most
  unfinished: shard 3/4, 8 of 9 items (price/8, price/9, price/11 and 5 more)
  run these shards, then merge again
  $TMP/most: 28 of 36 items
  [exit 3]
  $ ecrb m1 --split price --shard 3/4 --out $TMP/early --quiet 2>&1 >/dev/null
  shard 3 of 4: 9 of 36 items; its part of the limits: concurrency 16
  $TMP/early-3of4: 8 items done now, 1 before; 29 calls sent, 1 answered from the journal
  $ ecrb merge $TMP/early-3of4 -o $TMP/most
  $TMP/most: 36 of 36 items
  $ cmp $TMP/most/items.jsonl $TMP/one/items.jsonl

Without --out the folder of a shard is named after that of the whole run, which
the plain command finds again:

  $ cd $TMP && for i in 1 2; do ecrb vote --split price --shard $i/2 --quiet >/dev/null 2>&1; done; ls runs | sed 's/-[0-9a-f]\{8\}/-HASH/'
  ecoli-price-vote-open-none-HASH-1of2
  ecoli-price-vote-open-none-HASH-2of2
  $ cd $TMP && ecrb merge runs/*-?of2 -o $(echo runs/*-1of2 | sed 's/-1of2$//') | sed 's/-[0-9a-f]\{8\}/-HASH/'
  runs/ecoli-price-vote-open-none-HASH: 36 of 36 items
  $ cd $TMP && ecrb vote --split price --quiet 2>&1 >/dev/null | sed 's/-[0-9a-f]\{8\}/-HASH/'
  runs/ecoli-price-vote-open-none-HASH: 0 items done now, 36 before; 0 calls sent, 0 answered from the journal

A suite in shards:

  $ cd $TMP && ecrb suite --split price --shard 2/4 --settings b0-closed --quiet --runs suite 2>/dev/null | tail -2
  ECE: 10 bins, right edges, correct is L4. Causes sum to n. Scorer 1, run by ecrb 0.1.0.
  PARTIAL: shard 2 of 4 of a run over 36 items; `ecrb merge` puts the shards together.

What does not belong together is refused:

  $ ecrb m1 --split price --shard 1/4 --seed 2 --out $TMP/seed --quiet >/dev/null 2>&1
  $ ecrb merge $TMP/s-1of4 $TMP/seed-1of4 -o $TMP/no
  ecrb: $TMP/seed-1of4 is of another run than $TMP/s-1of4 (settings.seed: 1 there, 2 here)
  [exit 2]
  $ ecrb m1 --split price --shard 1/3 --out $TMP/third --quiet >/dev/null 2>&1
  $ ecrb merge $TMP/s-1of4 $TMP/third-1of3 -o $TMP/no
  ecrb: $TMP/third-1of3 is of another run than $TMP/s-1of4 (shard.of: 4 there, 3 here)
  [exit 2]
  $ ecrb m1 --split price --limit 8 --shard 1/4 --out $TMP/limit --quiet >/dev/null 2>&1
  $ ecrb merge $TMP/s-1of4 $TMP/limit-1of4 -o $TMP/no
  ecrb: $TMP/limit-1of4 is of another run than $TMP/s-1of4 (shard.items: 36 there, 8 here)
  [exit 2]
  $ ecrb merge $TMP/one $TMP/s-1of4 -o $TMP/no
  ecrb: $TMP/one: is no shard: it was run without --shard, so there is nothing to merge
  [exit 2]
  $ ecrb merge $TMP/s-1of4 $TMP/s-2of4 -o $TMP/s-3of4
  ecrb: $TMP/s-3of4: is the folder of a shard; choose another name with --out
  [exit 2]
  $ ecrb merge $TMP/s-1of4 $TMP/nowhere -o $TMP/no
  ecrb: $TMP/nowhere: there is no run here (no run.json); name the folders of shards
  [exit 2]
  $ sed 's/"confidence":[0-9.]*/"confidence":0.5/' $TMP/s-1of4/items.jsonl >$TMP/changed && cp -r $TMP/s-1of4 $TMP/other && mv $TMP/changed $TMP/other/items.jsonl
  $ ecrb merge $TMP/s-1of4 $TMP/other -o $TMP/no
  ecrb: $TMP/s-1of4 and $TMP/other hold different records of item price/13; leave one of them out
  [exit 2]
  $ ls $TMP | grep no || echo none
  none
  $ ecrb m1 --split price --seed 2 --shard 3/4 --out $TMP/s --quiet
  shard 3 of 4: 9 of 36 items; its part of the limits: concurrency 16
  ecrb: $TMP/s-3of4 holds a run with other settings (seed: recorded 1, now 2); give another folder with --out, or undo the change
  [exit 2]
  $ ecrb m1 --split price --limit 3 --shard 2/4 --quiet
  ecrb: --shard I/4: 3 items can be cut into 3 shards at most
  [exit 2]
  $ ecrb m1 --shard 0/4
  ecrb: --shard: `0/4` is no shard; write 3/8 for the third of eight (`ecrb METHOD.lua --help` explains)
  [exit 2]
  $ ecrb merge $TMP/s-1of4
  ecrb: missing option `-o` (`ecrb merge --help` explains)
  [exit 2]
