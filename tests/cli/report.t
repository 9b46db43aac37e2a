A report of runs: the paper's tables and figures, and one page.
needs gnuplot

  $ cd $TMP; for run in b0-closed b0-open m2-open vote-open; do
  >   ecrb ${run%-*} --${run#*-} --split price --quiet --out $run >/dev/null 2>&1
  > done; ls
  b0-closed
  b0-open
  m2-open
  vote-open

  $ cd $TMP; ecrb report b0-closed b0-open m2-open vote-open -o out | sed 's/[0-9.]* MB/some MB/'
  out/index.html  some MB, loads nothing
  out/tables      22 tables as Markdown, CSV, LaTeX
  out/figures     7 figures as SVG, PDF, PNG, with data and gnuplot scripts

Every table is there as Markdown, CSV and LaTeX:

  $ ls $TMP/out/tables | grep md
  table-01-settings.md
  table-02-vote.md
  table-05a-items.md
  table-05b-evidence.md
  table-06b-retrieval.md
  table-07-settings-no-model.md
  table-07-settings-reader.md
  table-09-splits-no-model.md
  table-09-splits-reader.md
  table-13b-difficulty.md
  table-14a-search.md
  table-14c-intervals.md
  table-14d-homology.md
  table-15a-m2.md
  table-s1-coverage.md
  table-s2a-losses.md
  table-s2b-levels.md
  table-s3-classes.md
  table-s4a-confidence.md
  table-s4b-error.md
  table-s4c-temperature.md
  table-s5-reliability.md

  $ cat $TMP/out/tables/table-02-vote.md
  **Table 2. L4 against the neighbour vote, model reader (a program, no LLM), benchmark ecoli**

  | L4 | price |
  | --- | ---: |
  | n | 36 |
  | neighbour vote | 0.000 (0.000–0.096) |
  | B0·open | 0.028 (0.000–0.083) |
  | M2·active | 0.306 (0.167–0.472) |
  | B0·open - vote | +0.028 (0.000 to 0.083) |
  | M2·active - vote | +0.306 (0.167 to 0.472) |

  Neighbour vote: the EC numbers of the top BLAST and the top HMMER hit, one vote each, a tie to the one met first; no model. Gains are paired by item.

  Intervals: 95%, percentile bootstrap, 1000 resamples of the items, seed 1; Wilson's where all or none are right.

  ECE: 10 bins, right edges, correct is L4. Causes sum to n. Scorer 1, run by ecrb 0.1.0.

  $ head -3 $TMP/out/tables/table-14a-search.csv
  model,n,retrievals,retrievals_low,retrievals_high,turns,turns_low,turns_high,reach L4,reach L4_low,reach L4_high,full-EC precision,full-EC precision_low,full-EC precision_high,blast,hmmer,esm_knn,structure,active_site,pfam
  "reader (a program, no LLM)",36,1.916666667,1.805555556,2,5.75,5.527777778,5.916666667,0.5277777778,0.3611111111,0.6944444444,0.5789473684,0.35,0.8125,36,33,0,0,0,0

  $ grep -v '^%' $TMP/out/tables/table-14c-intervals.tex
  \begin{tabular}{lrrrrl}
  \toprule
  model & n & B0·closed & B0·open & \begin{tabular}[b]{@{}r@{}}best\\setting\end{tabular} & which \\
  \midrule
  reader (a program, no LLM) & 36 & 0.000 & 0.028 & 0.306 & M2·active \\[-2pt]
   &  & {\scriptsize .000--.096} & {\scriptsize .000--.083} & {\scriptsize .167--.472} &  \\[2pt]
  \bottomrule
  \end{tabular}

Every figure as SVG, PDF and PNG, with the data and the script that drew it:

  $ ls $TMP/out/figures | sed 's/[.][a-z]*$//' | uniq -c
        5 figure-03-levels
        5 figure-04-ceiling
        5 figure-06-search
        5 figure-07-reliability
        5 figure-08-coverage
        5 figure-09-classes
        5 figure-10-losses

  $ head -6 $TMP/out/figures/figure-10-losses.dat
  # B0·closed
  # from to y colour items
  0 1 -1 12105912 36
  0 1 -2 15113984 36
  0 0 -9 29362 0

The script draws it again:

  $ cd $TMP/out/figures && rm *.svg && gnuplot figure-03-levels.gp && ls *.svg
  figure-03-levels.svg

A report that a full disk (or a limit, as here) cuts off leaves no half of itself,
and the older one as it was:

  $ cd $TMP; (ulimit -f 40; ecrb report b0-open -o full); ls -d full*
  ecrb: full.new/index.html: File too large
  ls: cannot access 'full*': No such file or directory
  [exit 2]
  $ cd $TMP; ls -R out >before; (ulimit -f 40; ecrb report b0-open -o out); ls -R out | cmp - before; ls -A out
  ecrb: out/.new/index.html: File too large
  figures
  index.html
  tables

What an older report left goes, what is not a report's stays:

  $ cd $TMP/out; touch tables/table-99-old.md tables/mine.md figures/mine.svg
  $ cd $TMP; ecrb report b0-open -o out >/dev/null; ls out/tables/*9* out/tables/mine.md out/figures/mine.svg
  out/figures/mine.svg
  out/tables/mine.md
  out/tables/table-09-splits-reader.csv
  out/tables/table-09-splits-reader.md
  out/tables/table-09-splits-reader.tex

Without gnuplot the figures are data and scripts, and that is said:

  $ cd $TMP; mkdir bin; ln -s $(command -v ecrb) $(command -v sh) bin
  $ cd $TMP; PATH=$TMP/bin ecrb report b0-open -o plain 2>&1 >/dev/null
  ecrb: some figures could not be drawn; their data and scripts stand in plain/figures: sh: 1: gnuplot: not found
  $ cd $TMP; grep -c 'Not drawn' plain/index.html; ls plain/figures
  4
  figure-03-levels.dat
  figure-03-levels.gp
  figure-04-ceiling.dat
  figure-04-ceiling.gp
  figure-09-classes.dat
  figure-09-classes.gp
  figure-10-losses.dat
  figure-10-losses.gp

An unfinished run is refused, or taken for what it is:

  $ cd $TMP; cp -r b0-open part; head -20 part/items.jsonl >some; mv some part/items.jsonl
  $ cd $TMP; ecrb report part -o out
  ecrb: part: 16 of 36 items have no record yet; run the same command again to finish them, or say --partial
  [exit 2]
  $ cd $TMP; ecrb report part -o out --partial >/dev/null; grep -o 'UNFINISHED[^.]*' out/index.html | sort -u
  UNFINISHED: 16 of 36 items of part are pending and in no figure

So are a folder without a run, and one that cannot be written:

  $ cd $TMP; ecrb report bin -o out
  ecrb: bin: there is no run here (no run.json); name a run's folder
  [exit 2]
  $ cd $TMP; ecrb report b0-open -o b0-open/run.json/out
  ecrb: b0-open/run.json: Not a directory
  [exit 2]

Several seeds of a setting are one arm, joined by commas; what is no such arm is
refused:

  $ for s in 1 2; do ecrb m4 --split price --limit 8 --seed $s --out $TMP/seed$s --quiet >/dev/null 2>&1; done
  $ ecrb vote --split price --limit 8 --out $TMP/eight --quiet >/dev/null 2>&1
  $ ecrb compare $TMP/eight $TMP/seed1,$TMP/seed2 --flips 1 | tail -12
  --------------------------------------------------------------------
  gained  price/2  2.3.1.29  answered  2 of 2 right    7KAPSYN-MONOMER

  8 items. B - A with its 95% interval: paired percentile bootstrap, 1000 resamples, seed 1; p
  two-sided; Holm over 6 tests.
  B/A: items that B alone and A alone have right; McN.: McNemar's exact test of them; det.: the true
  difference that is found with 80% power; same: within 0.02, the 90% interval lies inside the margin
  (two one-sided tests at 5%).
  Arms of several runs: an item counts with the mean of its runs; what the choice of seeds adds to the
  variance is in the intervals (Student's t), save that of an arm with a single run. Two runs tell
  little of it: where seeds scatter widely their 95% intervals held the truth in 92% of simulated
  cases, those of three runs in 93%.
  $ ecrb compare $TMP/eight
  ecrb: one run alone compares with nothing; name another, or several seeds of a setting joined by commas: `ecrb compare A B1,B2`
  [exit 2]
  $ ecrb compare $TMP/eight $TMP/seed1,$TMP/eight
  ecrb: $TMP/seed1 and $TMP/eight are not runs of one setting: they differ in `method`; what commas join differs in the seed alone
  [exit 2]
  $ ecrb compare $TMP/eight $TMP/seed1,$TMP/seed1/
  ecrb: $TMP/seed1/ stands twice in one arm: its scores would count as two runs
  [exit 2]

An unfinished run is compared on what it has where --common says so.

  $ cp -r $TMP/eight $TMP/seven; sed -i 3d $TMP/seven/items.jsonl
  $ ecrb compare $TMP/seed1 $TMP/seven
  ecrb: $TMP/seven: 1 of 8 items have no record yet; run the same command again to finish them, or say --common
  [exit 2]
  $ ecrb compare $TMP/seed1 $TMP/seven --common | grep -o '^[0-9]* items'
  7 items
