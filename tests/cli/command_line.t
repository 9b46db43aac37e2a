The command line itself: what it prints, where it ends. Exit codes: 0 done, 1
some items unresolved, 2 usage or input error, 3 paused, 130 interrupted.

  $ ecrb --version
  ecrb 0.1.0

  $ ecrb help
  ecrb measures, without training, what language models know about enzymes.

    ecrb METHOD ...       run a method over a benchmark: a script (METHOD.lua) or
                          b0 m1 m2 m3 m4 m5 m6 oracle safe t2 top vote
    ecrb lua FILE ...     run a Lua file with ecrb's modules in reach
    ecrb COMMAND ...      one of these:

      ablate     variants of a prompt on the same items, compared in pairs
      annotate   EC numbers for sequences without labels
      bench      make, check and show benchmarks
      care       CARE's own rule on ranking files, and rankings for it
      compare    paired differences between runs, and the items that flipped
      export     records of a run for other programs
      help       this page, a command's, a method's, or the API's
      merge      the shards of a run put together
      probe      what an endpoint really does, measured
      prompt     what a model would get for one item
      repl       interactive: look, change a prompt, ask, compare
      report     the paper's tables and figures of runs, and one page to browse
      run        run a method script over a benchmark
      score      every figure of runs, per split, with intervals
      show       one item of a run: evidence, prompts, replies, decisions
      suite      the nine settings, then the paper's Tables 1 and 2

  `ecrb COMMAND --help` explains one, `ecrb METHOD --help` a method's options,
  `ecrb help models` what --model can name.

Help of a command, and of a method with its own options:

  $ ecrb score --help
  Usage: ecrb score ([--json] | [--csv] | [--tex] | [--md])
         [--by {split,class,difficulty,homology,all}] [--losses] [--calibration]
         [--partial] [--ece-target {leaf,node}] [--ece-edges {right,left}]
         [--replicates N] [--seed N] [--bench BENCH] [-h] RUN [RUN] ...

  Every figure of runs, per split, with intervals.

  Arguments:
     RUN                   run folders

  Options:
     --by {split,class,difficulty,homology,all}
                           group by split, class, difficulty, homology or all
                           (default: split)
     --json                as JSON, every digit
     --csv                 a line a figure, every digit
     --tex                 LaTeX tables (booktabs)
     --md                  Markdown tables
     --losses              where items were lost on the way to L4
     --calibration         what stated confidences and vote shares are worth
     --partial             score an unfinished run as far as it is
     --ece-target {leaf,node}
                           correct for ECE: leaf (L4) or node (the committed one)
                           (default: leaf)
     --ece-edges {right,left}
                           the edge that a bin of ECE holds (default: right)
     --replicates N        resamples of the bootstrap (default: 1000)
     --seed N              seed of the bootstrap (default: 1)
     --bench BENCH         where the benchmark of the runs stands
     -h, --help            this page

  The lines of the table:
     L1 to L4        share of the items whose committed EC number is right so far
     macro-L4        L4 within each of the `classes`, averaged over them
     valid-EC        the answer is a node of the tree, or an abstention if allowed
     H-F1, H-P, H-R  answer and label with all their ancestors, by item; `micro`
                     sums over the items first
     ECE             calibration error of the stated `confidences`, in ten bins
     AURC            mean error of the most confident share; less is better
     mean depth      levels that are committed; reach L4: share with all four;
                     full-EC prec.: L4 among those
     turns           calls of the model for an item; retrievals: evidence calls,
                     and below them how many of each channel
     answered, ...   what became of the items; these lines sum to n
  core/README.md, "The protocol", has the definitions.

  $ ecrb help methods/vote.lua | head -7
  vote: Neighbour vote (open book). Its options:
     --set channels=       channels, in voting order (default: blast,hmmer)
     --set hits=           hits of each channel that vote (default: 1)
                           a whole number of at least 1
     --set weight=         weight of a vote: one, bits (the channel's score) or
                           rank (1/rank) (default: one)
                           one of `one`, `bits`, `rank`

  $ ecrb methods/m4_selfconsistent.lua --help | head -16
  m4: Self-consistent chains (closed or open book). Its options:
     --set adaptive=       stop sampling when the vote can no longer change
                           (default: false)
     --set base=           the method that the chains run: m1, m2, m3, b0 or a
                           script (default: m1)
     --set k=              number of chains (default: 3)
                           a whole number from 1 to 1000
     --set tau=            vote share that a node needs (default: 0.5)
                           a number from 0 to 1
     --set temperature=    sampling temperature, so that chains differ (default:
                           0.7)
                           a number of at least 0, or none
  Those of its base m1:
     --set constrained=    the endpoint lets only a candidate through; no
                           confidence (default: false)
     --set names=          show the names of candidate nodes (default: true)

  $ ecrb help models | sed -n '1,2p;4,7p;/^ollama/p;/^vllm/p;$p'
  Names for --model; ID is the provider's own name of a model. Further ones stand in
  $HOME/config/ecrb/models.lua
  name            key                  address
  --------------------------------------------------------------------------------------------
  reader          -                    the built-in program, where no model is named
  deepseek/ID     $DEEPSEEK_API_KEY    https://api.deepseek.com
  ollama/ID       -                    http://127.0.0.1:11434/v1
  vllm/ID         $VLLM_API_KEY        http://127.0.0.1:8000/v1
  With --base-url or OPENAI_BASE_URL any name goes.
  $ mkdir -p $XDG_CONFIG_HOME/ecrb && echo 'return { mine = { base_url = "http://gpu:8000/v1", key_variable = "GPU_KEY" } }' >$XDG_CONFIG_HOME/ecrb/models.lua
  $ ecrb help models | grep mine; rm $XDG_CONFIG_HOME/ecrb/models.lua
  mine            $GPU_KEY             http://gpu:8000/v1
  $ ecrb suite --out here
  ecrb: unknown option `--out`; did you mean `--runs FOLDER`? (`ecrb suite --help` explains)
  [exit 2]

  $ ecrb help api | head -15
  What a method script finds. It returns a table {id=, title=, books=, run=,
  options=, prompts=, ...}; `run(enzyme, opt)` returns {path=, confidences=, stop=}
  or what `answer`, `ranking`, `consensus`, `elected` and `walk` return.

  An option is name = { default, "help" }; whole, least, above and most bound a
  number, one_of = {...} lists texts, optional = true lets `none` leave it out,
  channels = true holds for names of evidence channels.

  `require "ecrb.walk"` is the walk through the tree: `walk(enzyme, decide)` calls
  `decide(step)` level by level, step = {level=, node=, path=, candidates=}, and
  takes what `choice` returns (see methods/m1_cascade.lua). Files beside the script
  can be required, too. The words below are in lua/ecrb/primitives.lua.

  ask(messages, opt) -> reply
      Sends one question to the model and waits for its reply. `messages` is what

A method's page, by its id:

  $ ecrb help m3 | head -5
  m3: Mechanistic chain of thought (closed or open book). Its options:
     --set temperature=    sampling temperature (default: 0)
                           a number of at least 0, or none

  Usage: ecrb ([--open] | [--closed]) [--bench BENCH] [--split LIST]

  $ ecrb help lua
  ecrb lua FILE [ARGS]: runs a Lua file with all of Lua, ecrb's modules in reach
  (require "ecrb.report") and ARGS in `arg`. examples/by_length.lua is one.

Mistyped words get the near one:

  $ ecrb scroe runs/x
  ecrb: there is no command or method `scroe`; did you mean `score`? (`ecrb help` lists the commands)
  [exit 2]

  $ ecrb methods/m2_agentc.lua
  ecrb: there is no method `methods/m2_agentc.lua`; did you mean `methods/m2_agentic.lua`?
  [exit 2]

  $ ecrb score --jsn runs/x
  ecrb: unknown option `--jsn`; did you mean `--json`? (`ecrb score --help` explains)
  [exit 2]

  $ ecrb m2 --out ''
  ecrb: --out: is empty; name a file or a folder
  [exit 2]
  $ ecrb suite --runs= --limit 1
  ecrb: --runs: is empty; name a file or a folder
  [exit 2]

  $ ecrb m2 --limit 1.5
  ecrb: --limit: `1.5` is no whole number of at least 1 (`ecrb METHOD.lua --help` explains)
  [exit 2]

  $ ecrb m2 --seed 99999999999999999999
  ecrb: --seed: `99999999999999999999` is no whole number of at least 0 (`ecrb METHOD.lua --help` explains)
  [exit 2]

  $ for value in k=0 k=1.5 k=1e15 tau=half adaptive=yes temperature=hot; do ecrb m4 --set $value; done
  ecrb: $ROOT/methods/m4_selfconsistent.lua: option `k` is a whole number from 1 to 1000, not `0`
  ecrb: $ROOT/methods/m4_selfconsistent.lua: option `k` is a whole number from 1 to 1000, not `1.5`
  ecrb: $ROOT/methods/m4_selfconsistent.lua: option `k` is a whole number from 1 to 1000, not `1e15`
  ecrb: $ROOT/methods/m4_selfconsistent.lua: option `tau` is a number from 0 to 1, not `half`
  ecrb: $ROOT/methods/m4_selfconsistent.lua: option `adaptive` is true or false, not `yes`
  ecrb: $ROOT/methods/m4_selfconsistent.lua: option `temperature` is a number of at least 0, or none, not `hot`
  [exit 2]
  $ ecrb m2 --set protocol=tool
  ecrb: $ROOT/methods/m2_agentic.lua: option `protocol` is one of `text`, `tools`, not `tool`
  [exit 2]

  $ mkdir -p $TMP/hollow/bench.json; ecrb m2 --bench $TMP/hollow
  ecrb: $TMP/hollow/bench.json: is a folder, not a file; a benchmark folder has a bench.json (`ecrb bench import` makes one)
  [exit 2]

  $ ecrb m2 --split prise
  ecrb: the benchmark ecoli has no split `prise`; it has 30, 30-50, price, promiscuous
  [exit 2]

  $ ecrb m2 --set turn=3
  ecrb: $ROOT/methods/m2_agentic.lua: it has no option `turn`; did you mean `turns`?
  [exit 2]

  $ ecrb suite --set turn=3
  ecrb: --set turn: no method of these settings has such an option; did you mean `turns`?
  [exit 2]
  $ ecrb bench imprt
  ecrb: unknown command `imprt`; did you mean `import`? (`ecrb bench --help` explains)
  [exit 2]

What a run would ask for, without asking; what cannot be asked is refused as by the
run itself:

  $ ecrb m2 --split price --dry-run
  setting       items    calls     tokens (estimate)       cost
  m2   open        36      207                209426       0.00
  The built-in reader stood in for the model: a model that reasons at length writes more,
  and one that stops earlier or later asks more or less often.
  $ echo 'return { thinker = { base_url = "http://127.0.0.1:9/v1", dialect = "openai", key_optional = true } }' >$XDG_CONFIG_HOME/ecrb/models.lua
  $ ecrb m2 --model thinker --split price --dry-run
  ecrb: model thinker: temperature cannot be sent: reasoning models accept only their default (drop it with --set temperature=none, or list it under `omit` in models.lua)
  [exit 2]
  $ ecrb m2 --model thinker --split price --dry-run --set temperature=none | head -2
  setting       items    calls     tokens (estimate)       cost
  m2   open        36      207                209426  no prices
  $ rm $XDG_CONFIG_HOME/ecrb/models.lua
  $ printf 'return { id = "bad", title = "Bad", books = { "open" }, prompts = {},\n  run = function () return nothing.at_all end }\n' >$TMP/bad.lua
  $ ecrb $TMP/bad.lua --split price --dry-run
  setting       items    calls     tokens (estimate)       cost
  bad  open        36        0                     0       0.00
  36 items failed without a model, too, and asked for less: a run with --limit 1
  and without --dry-run tells why.
  The built-in reader stood in for the model: a model that reasons at length writes more,
  and one that stops earlier or later asks more or less often.

What is missing or impossible is said:

  $ ecrb
  ecrb: no command and no method script; `ecrb help` lists the commands
  [exit 2]

  $ ecrb --frobnicate
  ecrb: `--frobnicate` needs a command or a method script before it
  [exit 2]

  $ ecrb score
  ecrb: RUN is missing (`ecrb score --help` explains)
  [exit 2]

  $ ecrb score nowhere
  ecrb: nowhere: there is no run here (no run.json); name a run's folder
  [exit 2]

  $ ecrb m2 --closed
  ecrb: $ROOT/methods/m2_agentic.lua: method m2 has no closed-book setting
  [exit 2]

  $ ecrb m2 price --limit 2; ecrb suite m2; ecrb help m1 m2; ecrb bench show price/1 price/2; ecrb care score a --k 1
  ecrb: `price` is one word too many (`ecrb METHOD.lua --help` explains)
  ecrb: `m2` is one word too many (`ecrb suite --help` explains)
  ecrb: `m2` is one word too many (`ecrb help --help` explains)
  ecrb: `price/2` is one word too many (`ecrb bench show --help` explains)
  ecrb: unknown option `--k`; did you mean `-k`? (`ecrb care score --help` explains)
  [exit 2]

  $ ecrb m2 -n 3; ecrb m2 --prompt m2/turn
  ecrb: unknown option `-n` (`ecrb METHOD.lua --help` explains)
  ecrb: --prompt m2/turn: write NAME=FILE
  [exit 2]

  $ ecrb m2 --limit none
  ecrb: --limit: `none` is no whole number of at least 1 (`ecrb METHOD.lua --help` explains)
  [exit 2]

  $ ecrb m2 --items price/1,price/4000
  ecrb: the benchmark ecoli has no item `price/4000`; name one as `price/3`, by its accession or by its anonymized id
  [exit 2]

  $ ecrb m1 --bench nowhere
  ecrb: there is no benchmark `nowhere`: give a folder, or `ecoli` for the bundled one
  [exit 2]

  $ ecrb compare nowhere
  ecrb: one run alone compares with nothing; name another, or several seeds of a setting joined by commas: `ecrb compare A B1,B2`
  [exit 2]

  $ ecrb ablate m1 saved
  ecrb: one variant alone compares with nothing; name another: `ecrb ablate m1 saved VARIANT`
  [exit 2]

  $ ecrb m2 --model ollam
  ecrb: no model is called `ollam`; name PROVIDER/ID (`ecrb help models`), give --base-url or OPENAI_BASE_URL, or describe it in $HOME/config/ecrb/models.lua
  [exit 2]

  $ ecrb lua --help
  ecrb lua FILE [ARGS]: runs a Lua file with all of Lua, ecrb's modules in reach
  (require "ecrb.report") and ARGS in `arg`. examples/by_length.lua is one.

  $ ecrb prompt --help | grep -c -e --limit -e --max-calls -e --runs -e --dry-run
  0
  [exit 1]

  $ ecrb compare nowhere elsewhere
  ecrb: nowhere: there is no run here (no run.json); name a run's folder
  [exit 2]

  $ ecrb show nowhere price/1
  ecrb: nowhere: there is no run here (no run.json); name a run's folder
  [exit 2]

Output that cannot be written is an error, output that nobody reads is not:

  $ ecrb help > /dev/full
  ecrb: standard output: No space left on device
  [exit 2]

  $ ecrb help api | true
