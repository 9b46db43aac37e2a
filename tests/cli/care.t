CARE's own rule on ranking files.

  $ mkdir -p $TMP/method $TMP/m
  $ cat >$TMP/method/30_protein_test_results_df.csv <<'END'
  > Entry,EC number,0,1
  > P1,2.7.1.25;2.7.7.4,2.7.1.25,2.7.7.4
  > P2,1.1.1.1,,
  > P3,1.1.1.2,no idea,
  > P4,3.4.21.4,3.4.21.1,3.4.21.4
  > END
  $ ecrb care score $TMP/method/30_protein_test_results_df.csv --replicates 0
  ranking    rule      n  empty  no EC    L4    L3    L2    L1
  ------------------------------------------------------------
  method/30  k=1       4      1      1  12.5  37.5  50.0  50.0
  method/30  oracle-k  4      1      1  25.0  50.0  50.0  50.0
  Percent, by CARE's rule: per gold label the best match in the pool, averaged over the labels.
  empty: items without a prediction; no EC: predictions without three dots; both are 0.0.0.0.
  oracle-k: as many predictions as gold labels (CARE's k=20 of Task 1); the number leaks.

What has a list in a cell, and the paper's rule beside it.

  $ cat >$TMP/m/hits.csv <<'END'
  > Entry,EC number,0
  > P1,2.7.1.25;2.7.7.4,1.1.1.1; 2.7.7.4
  > P2,1.1.1.1,EC 1.1.1.1
  > END
  $ ecrb care score $TMP/m/hits.csv --both --replicates 0 --md
  | ranking | rule | n | L4 | L3 | L2 | L1 |
  | --- | --- | ---: | ---: | ---: | ---: | ---: |
  | m/hits | k=1 | 2 | 25.0 | 25.0 | 50.0 | 50.0 |
  | m/hits | ori\_acc | 2 | 50.0 | 50.0 | 50.0 | 50.0 |
  | m/hits | ori\_acc, any | 2 | 100.0 | 100.0 | 100.0 | 100.0 |

  Percent, by CARE's rule: per gold label the best match in the pool, averaged over the labels.

  ori_acc: the paper's rule, the first EC number of column `0`; `EC 1.1.1.1` is read.

  ori_acc, any: the best EC number of column `0`.

What is left over, left out or wrong.

  $ printf 'EC number,0\n1.1.1.1,1.1.1.1\n' >$TMP/m/one.csv
  $ ecrb care score $TMP/m/hits.csv $TMP/m/one.csv --replicates 0
  ranking  rule  n    L4    L3    L2    L1
  ----------------------------------------
  m/hits   k=1   2  25.0  25.0  50.0  50.0
  Percent, by CARE's rule: per gold label the best match in the pool, averaged over the labels.
  note: $TMP/m/one.csv: left out: it has one row; a test set has more, this looks like a leftover
  [exit 1]
  $ ecrb care score $TMP/m/hits.csv --both | grep any
  m/hits   ori_acc, any  2  100.0 34.2-100.0  100.0 34.2-100.0  100.0 34.2-100.0  100.0 34.2-100.0
  ori_acc, any: the best EC number of column `0`.
  $ ecrb care score $TMP/m/one.csv -k 2
  note: $TMP/m/one.csv: left out: it has one row; a test set has more, this looks like a leftover
  [exit 1]
  $ ecrb care score $TMP/m/hits.csv -k 2
  ecrb: $TMP/m/hits.csv: -k 2: the ranking has 1 column
  [exit 2]
  $ ecrb care score $TMP/m/hits.csv -k 0
  ecrb: -k: `0` is no list of whole numbers of at least 1 (`ecrb care score --help` explains)
  [exit 2]
  $ ecrb care score $TMP/none.csv
  ecrb: $TMP/none.csv: cannot be read: No such file or directory
  [exit 2]
  $ printf 'Entry,EC number\nP1,2.7.1.25;2.7.7.4\nP3,1.1.1.1\n' >$TMP/split.csv
  $ ecrb care score $TMP/m/hits.csv --against $TMP/split.csv
  ecrb: $TMP/m/hits.csv:3: is `P2` where $TMP/split.csv:3 has `P3`
  [exit 2]
  $ printf 'Entry,EC number\nP1,2.7.1.25\n' >$TMP/split.csv
  $ ecrb care score $TMP/m/hits.csv --against $TMP/split.csv
  ecrb: $TMP/m/hits.csv:2: the gold labels `2.7.1.25;2.7.7.4` are `2.7.1.25` in $TMP/split.csv:2
  [exit 2]

The random baseline is a matter of the seed alone.

  $ printf 'Entry,EC number,Sequence\nP1,1.1.1.1,MK\nP2,1.1.1.2,ML\n' >$TMP/split.csv
  $ printf '1.1.1.1\n1.1.1.2\n1.1.1.3\n' >$TMP/list.txt
  $ ecrb care random --labels $TMP/split.csv --ecs $TMP/list.txt --seed 1 -k 3
  Entry,Sequence,EC number,0,1,2
  P1,MK,1.1.1.1,1.1.1.2,1.1.1.3,1.1.1.1
  P2,ML,1.1.1.2,1.1.1.3,1.1.1.2,1.1.1.1
  $ ecrb care random --labels $TMP/split.csv --ecs $TMP/list.txt --seed 2 -k 2
  Entry,Sequence,EC number,0,1
  P1,MK,1.1.1.1,1.1.1.2,1.1.1.3
  P2,ML,1.1.1.2,1.1.1.2,1.1.1.3
  $ ecrb care random --labels $TMP/split.csv --ecs $TMP/list.txt -k 4
  ecrb: -k 4: the EC list has only 3
  [exit 2]
  $ ecrb care random --labels $TMP/split.csv
  ecrb: $TMP/split.csv: there is no $TMP/../../processed_data/EC_list.txt; name the EC list with --ecs
  [exit 2]
  $ printf '1.1.1.1\n1.1.1\n' >$TMP/list.txt
  $ ecrb care random --labels $TMP/split.csv --ecs $TMP/list.txt
  ecrb: $TMP/list.txt:2: `1.1.1` is no complete EC number; the list has one a line
  [exit 2]
  $ ecrb care sore
  ecrb: unknown command `sore`; did you mean `score`? (`ecrb care --help` explains)
  [exit 2]
