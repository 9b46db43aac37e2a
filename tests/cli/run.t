A whole run over the bundled benchmark with the built-in reader: no key, no
network.

  $ ecrb methods/m2_agentic.lua --split price --out $TMP/m2
  $TMP/m2: 36 items done now, 0 before; 207 calls sent, 0 answered from the journal
  m2 Agentic search, open book
  model reader (a program that reads the prompt, not a language model), benchmark ecoli
                   price
  --------------------------------
  n                   36
  confidences         36
  --------------------------------
  L1               0.806 .667-.917
  L2               0.750 .611-.889
  L3               0.722 .583-.861
  L4               0.306 .167-.472
  macro-L4         0.184 .100-.346
    classes            6
  --------------------------------
  valid-EC         1.000 .904-1.00
  H-F1             0.683 .553-.807
  H-P              0.743 .611-.863
  H-R              0.646 .521-.771
  H-F1, micro      0.702 .573-.816
  ECE              0.336 .210-.476
  AURC             0.669 .444-.833
  --------------------------------
  mean depth        3.36 3.06-3.61
  reach L4         0.528 .361-.694
  full-EC prec.    0.579 .350-.812
  --------------------------------
  turns             5.75 5.53-5.92
  retrievals        1.92 1.81-2.00
    blast             36
    hmmer             33
  --------------------------------
  answered            19
  abstained           17
  --------------------------------
  prompt tok.       201k
  completion tok.   7932
  Intervals: 95%, percentile bootstrap, 1000 resamples of the items, seed 1; Wilson's where all or
  none are right.
  ECE: 10 bins, right edges, correct is L4. Causes sum to n. Scorer 1, run by ecrb 0.1.0.

The same command again finds everything done and prints the same table:

  $ ecrb methods/m2_agentic.lua --split price --out $TMP/m2 | head -4
  $TMP/m2: 0 items done now, 36 before; 0 calls sent, 0 answered from the journal
  m2 Agentic search, open book
  model reader (a program that reads the prompt, not a language model), benchmark ecoli
                   price
  --------------------------------

The record is in text files:

  $ ls $TMP/m2
  calls.jsonl
  items.jsonl
  run.json
  $ wc -l < $TMP/m2/items.jsonl
  36

Whatever the concurrency is, the same bytes come out:

  $ ecrb m2 --split price --out $TMP/one --concurrency 1 --quiet >/dev/null 2>&1
  $ cmp $TMP/m2/items.jsonl $TMP/one/items.jsonl

Another setting in that folder is refused:

  $ ecrb m2 --split price --out $TMP/m2 --set turns=2
  ecrb: $TMP/m2 holds a run with other settings (options.turns: recorded 3, now 2); give another folder with --out, or undo the change
  [exit 2]

The scores of runs, and how they differ:

  $ ecrb vote --split price --out $TMP/vote --quiet
  $TMP/vote: 36 items done now, 0 before; 0 calls sent, 0 answered from the journal
  vote Neighbour vote, open book
  model none, benchmark ecoli
                 price
  ------------------------------
  n                 36
  confidences        0
  ------------------------------
  L1             0.778 .639-.917
  L2             0.694 .528-.833
  L3             0.667 .500-.806
  L4             0.000 .000-.096
  macro-L4       0.000 .000-.000
    classes          6
  ------------------------------
  valid-EC       1.000 .904-1.00
  H-F1           0.535 .431-.632
  H-P            0.535 .431-.632
  H-R            0.535 .431-.632
  H-F1, micro    0.535 .431-.632
  ------------------------------
  mean depth      4.00 4.00-4.00
  reach L4       1.000 .904-1.00
  full-EC prec.  0.000 .000-.096
  winning share  0.986 .958-1.00
  ------------------------------
  turns           0.00 0.00-0.00
  retrievals      0.00 0.00-0.00
  ------------------------------
  answered          36
  Intervals: 95%, percentile bootstrap, 1000 resamples of the items, seed 1; Wilson's where all or
  none are right.
  ECE: 10 bins, right edges, correct is L4. Causes sum to n. Scorer 1, run by ecrb 0.1.0.
  $ ecrb score $TMP/vote --losses
  vote Neighbour vote, open book
  model none, benchmark ecoli
                 price
  ------------------------------
  n                 36
  confidences        0
  ------------------------------
  L1             0.778 .639-.917
  L2             0.694 .528-.833
  L3             0.667 .500-.806
  L4             0.000 .000-.096
  macro-L4       0.000 .000-.000
    classes          6
  ------------------------------
  valid-EC       1.000 .904-1.00
  H-F1           0.535 .431-.632
  H-P            0.535 .431-.632
  H-R            0.535 .431-.632
  H-F1, micro    0.535 .431-.632
  ------------------------------
  mean depth      4.00 4.00-4.00
  reach L4       1.000 .904-1.00
  full-EC prec.  0.000 .000-.096
  winning share  0.986 .958-1.00
  ------------------------------
  turns           0.00 0.00-0.00
  retrievals      0.00 0.00-0.00
  ------------------------------
  answered          36
  Intervals: 95%, percentile bootstrap, 1000 resamples of the items, seed 1; Wilson's where all or
  none are right.
  ECE: 10 bins, right edges, correct is L4. Causes sum to n. Scorer 1, run by ecrb 0.1.0.

  losses                  items  share             left
  -----------------------------------------------------
  all items                  36      -            1.000
  - wrong first at L1         8  0.222 .083-.361  0.778
  - wrong first at L2         3  0.083 .000-.167  0.694
  - wrong first at L3         1  0.028 .000-.083  0.667
  - wrong first at L4        24  0.667 .500-.806  0.000
  -----------------------------------------------------
  L4 right                    0  0.000 .000-.096  0.000
  -----------------------------------------------------
  P(L2 right | L1 right)     28  0.893 .773-1.00      -
  P(L3 right | L2 right)     25  0.960 .870-1.00      -
  P(L4 right | L3 right)     24  0.000 .000-.138      -
  $ ecrb score $TMP/vote --csv | head -8
  run,method,book,model,by,group,figure,value,low,high
  $TMP/vote,vote,open,none,split,price,n,36,,
  $TMP/vote,vote,open,none,split,price,confidences,0,,
  $TMP/vote,vote,open,none,split,price,l1,0.7777777778,0.6388888889,0.9166666667
  $TMP/vote,vote,open,none,split,price,l2,0.6944444444,0.5277777778,0.8333333333
  $TMP/vote,vote,open,none,split,price,l3,0.6666666667,0.5,0.8055555556
  $TMP/vote,vote,open,none,split,price,l4,0,0,0.09641862859
  $TMP/vote,vote,open,none,split,price,macro_l4,0,0,0
  $ ecrb compare $TMP/vote $TMP/m2 --flips 3
  A: vote Neighbour vote, open book
     model none, benchmark ecoli
     $TMP/vote

  B: m2 Agentic search, open book
     model reader (a program that reads the prompt, not a language model), benchmark ecoli
     $TMP/m2
                A      B  B - A, 95%        p      Holm   B/A   McN.    det.  same
  --------------------------------------------------------------------------------
  L1        0.778  0.806  +0.028 .000,.083  0.687  1.000  1/0   1.000  0.076  no
  L2        0.694  0.750  +0.056 .000,.139  0.254  1.000  2/0   0.500  0.104  no
  L3        0.667  0.722  +0.056 .000,.139  0.254  1.000  2/0   0.500  0.104  no
  L4        0.000  0.306  +0.306 .167,.472  0.002  0.012  11/0  <.001  0.218  no
  H-F1      0.535  0.683  +0.148 .086,.217  0.002  0.012  -     -      0.094  no
  valid-EC  1.000  1.000  +0.000 .000,.000  1.000  1.000  0/0   1.000  0.000  yes

  Flipped at L4: 11 items
          item      A                   B                   id
  -------------------------------------------------------------------------
  gained  price/2   2.3.1.29  answered  2.3.1.47  answered  7KAPSYN-MONOMER
  gained  price/12  3.1.3.74  answered  3.1.3.23  answered  EG11195-MONOMER
  gained  price/13  2.7.1.59  answered  2.7.1.4   answered  EG11288-MONOMER
  ... and 8 more (--flips 11 lists all)

  36 items. B - A with its 95% interval: paired percentile bootstrap, 1000 resamples, seed 1; p
  two-sided; Holm over 6 tests.
  B/A: items that B alone and A alone have right; McN.: McNemar's exact test of them; det.: the true
  difference that is found with 80% power; same: within 0.02, the 90% interval lies inside the margin
  (two one-sided tests at 5%).
  $ ecrb compare $TMP/vote $TMP/m2 --csv | head -3
  a,b,figure,mean_a,mean_b,difference,low,high,p,holm,mcnemar,detectable,equivalent
  $TMP/vote,$TMP/m2,l1,0.7777777778,0.8055555556,0.02777777778,0,0.08333333333,0.6873126873,1,1,0.07649461244,false
  $TMP/vote,$TMP/m2,l2,0.6944444444,0.75,0.05555555556,0,0.1388888889,0.2537462537,1,0.5,0.1041202637,false

Runs over other items are not compared unless that is meant:

  $ ecrb vote --split 30 --limit 5 --out $TMP/other --quiet >/dev/null 2>&1
  $ ecrb compare $TMP/vote $TMP/other
  ecrb: $TMP/vote has 36 items, only 0 of them are in every run: --common compares those
  [exit 2]

One item from the enzyme to its outcome:

  $ ecrb show $TMP/m2 price/2 --brief --labels
  m2 Agentic search, open book
  model reader (a program that reads the prompt, not a language model), benchmark ecoli
  price/2  7KAPSYN-MONOMER  shown to the model as QHLVJS65H

  == Enzyme
  Length: 384 residues; molecular weight: 41.6 kDa
  Mean hydropathy (Kyte-Doolittle): -0.076; hydrophobic fraction: 0.440; longest hydrophobic run: 8; membrane propensity: yes
  Positive residues: 0.091; negative residues: 0.096; net charge: -2
  Most frequent residues: A 0.138, L 0.115, G 0.083; composition entropy: 4.03 bits; low complexity: no
  Sequence:
  MSWQEKINAALDARRAADALRRRYPVAQGAGRWLVADDRQYLNFSSNDYLGLSHHPQIIR
  AWQQGAEQFGIGSGGSGHVSGYSVVHQALEEELAEWLGYSRALLFISGFAANQAVIAAMM
  AKEDRIAADRLSHASLLEAASLSPSQLRRFAHNDVTHLARLLASPCPGQQMVVTEGVFSM
  DGDSAPLAEIQQVTQQHNGWLMVDDAHGTGVIGEQGRGSCWLQKVKPELLVVTFGKGFGV
  SGAAVLCSSTVADYLLQFARHLIYSTSMPPAQAQALRASLAVIRSDEGDARREKLAALIT
  RFRAGVQDLPFTLADSCSAIQPLIVGDNSRALQLAEKLRQQGCWVTAIRPPTVPAGTARL
  RLTLTAAHEMQDIDRLLEVLHGNG

  == Motifs
  - Rossmann fold (GxGxxG): 70-75, 72-77, 208-213, 237-242
  - Walker-A P-loop ([AG]xxxxGK[ST]): none found
  - alpha/beta-hydrolase elbow (GxSxG): none found
  - zinc metallopeptidase (HExxH): none found
  - aspartic protease (D[TS]G): none found
  - thioredoxin (C[GP][PH]C): none found

  == Evidence
  channel       rank  neighbour       shown as   EC        score       ident%  cov%  E-value
  ------------------------------------------------------------------------------------------
  blast (read)     1  AKBLIG-MONOMER  T5TO3GF7S  2.3.1.29  202 bits    35.1    90.1  1.2e-62
  blast (read)     2  YP_005354192.1  TB5SFIYYP  2.3.1.47  200 bits    33.1    92.2  5.1e-62
  ------------------------------------------------------------------------------------------
  hmmer (read)     1  AKBLIG-MONOMER  T5TO3GF7S  2.3.1.29  200.9 bits  -       91.9  2.3e-60
  hmmer (read)     2  YP_005354192.1  TB5SFIYYP  2.3.1.47  196 bits    -       90.9  7.0e-59

  == Call 1, prompt m2/turn
  reply:
    The evidence read so far does not settle this level.
    HYPOTHESIS: none
    ENOUGH: no
    ACTION: blast
  read: HYPOTHESIS from `none` (bytes 66 to 69)
  read: ENOUGH from `no` (bytes 79 to 80)
  read: call from `blast` (bytes 90 to 94)

  == Call 2, prompt m2/turn
  reply:
    The evidence rows support 2.-.-.- with 100% of their weight.
    HYPOTHESIS: 2.-.-.-
    ENOUGH: yes
    ANSWER: 2.-.-.-
    CONFIDENCE: 1.00
  read: HYPOTHESIS from `2.-.-.-` (bytes 74 to 80)
  read: ENOUGH from `yes` (bytes 90 to 92)
  read: choice from `2.-.-.-` (bytes 102 to 108)
  read: confidence from `1.00` (bytes 122 to 125)

  == Call 3, prompt m2/turn
  reply:
    The evidence rows support 2.3.-.- with 100% of their weight.
    HYPOTHESIS: 2.3.-.-
    ENOUGH: yes
    ANSWER: 2.3.-.-
    CONFIDENCE: 1.00
  read: HYPOTHESIS from `2.3.-.-` (bytes 74 to 80)
  read: ENOUGH from `yes` (bytes 90 to 92)
  read: choice from `2.3.-.-` (bytes 102 to 108)
  read: confidence from `1.00` (bytes 122 to 125)

  == Call 4, prompt m2/turn
  reply:
    The evidence rows support 2.3.1.- with 100% of their weight.
    HYPOTHESIS: 2.3.1.-
    ENOUGH: yes
    ANSWER: 2.3.1.-
    CONFIDENCE: 1.00
  read: HYPOTHESIS from `2.3.1.-` (bytes 74 to 80)
  read: ENOUGH from `yes` (bytes 90 to 92)
  read: choice from `2.3.1.-` (bytes 102 to 108)
  read: confidence from `1.00` (bytes 122 to 125)

  == Call 5, prompt m2/turn
  reply:
    The evidence read so far does not settle this level.
    HYPOTHESIS: 2.3.1.47
    ENOUGH: no
    ACTION: hmmer
  read: HYPOTHESIS from `2.3.1.47` (bytes 66 to 73)
  read: ENOUGH from `no` (bytes 83 to 84)
  read: call from `hmmer` (bytes 94 to 98)

  == Call 6, prompt m2/turn
  reply:
    The evidence rows support 2.3.1.47 with 33% of their weight.
    HYPOTHESIS: 2.3.1.47
    ENOUGH: yes
    ANSWER: 2.3.1.47
    CONFIDENCE: 0.33
  read: HYPOTHESIS from `2.3.1.47` (bytes 74 to 81)
  read: ENOUGH from `yes` (bytes 91 to 93)
  read: choice from `2.3.1.47` (bytes 103 to 110)
  read: confidence from `0.33` (bytes 124 to 127)

  == Decision
  L1  2.-.-.-        Transferases  confidence 1.00
  L2  2.3.-.-        Acyltransferases  confidence 1.00
  L3  2.3.1.-        Transferring groups other than amino-acyl groups  confidence 1.00
  L4  2.3.1.47       8-amino-7-oxononanoate synthase  confidence 0.33
  answered with confidence 0.33
  6 calls, 5550 prompt and 234 completion tokens

  == Labels
  2.3.1.47
  $ ecrb show $TMP/m2 price/4000
  ecrb: the benchmark ecoli has no item `price/4000`; name one as `price/3`, by its accession or by its anonymized id
  [exit 2]

Where answers are constrained, each request lists what may be answered, and the
answer is one of them:

  $ ecrb m1 --items price/3 --set constrained=true --quiet --out $TMP/words >/dev/null 2>&1
  $ head -1 $TMP/words/calls.jsonl | grep -o '"choices":\[[^]]*\]' | head -1
  "choices":["7.-.-.-","6.-.-.-","1.-.-.-","5.-.-.-","2.-.-.-","3.-.-.-","4.-.-.-","UNSURE"]
  $ ecrb show $TMP/words price/3 --brief | grep -e '^  [1-7U]' -e '^read'
    1.-.-.-
  read: choice from `1.-.-.-` (bytes 1 to 7)
    1.1.-.-
  read: choice from `1.1.-.-` (bytes 1 to 7)
    1.1.1.-
  read: choice from `1.1.1.-` (bytes 1 to 7)
    UNSURE
  read: choice from `UNSURE` (bytes 1 to 6)

A full disk (here a limit on a file's size) ends the run and costs no item:

  $ (trap '' XFSZ; ulimit -f 200; ecrb m1 --split price --quiet --out $TMP/full >$TMP/full.out 2>&1); echo $?; grep -o 'cannot append\|make room on the disk' $TMP/full.out
  2
  cannot append
  make room on the disk
  $ ecrb m1 --split price --quiet --out $TMP/full 2>&1 | grep -e failed -e '^answered' -e '^abstained'
  answered            19
  abstained           17
