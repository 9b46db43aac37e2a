What cannot be meant is refused at once, with the reason and what to do.

What is read as a whole stands in a file on a disk:

  $ mkfifo $TMP/pipe && cp -r data/ecoli $TMP/bench && rm $TMP/bench/bench.json && mkfifo $TMP/bench/bench.json
  $ timeout 10 ecrb b0 --bench $TMP/bench --runs $TMP/runs
  ecrb: $TMP/bench/bench.json: is a pipe or a device, not a file on a disk; copy it into one; a benchmark folder has a bench.json (`ecrb bench import` makes one)
  [exit 2]
  $ timeout 10 ecrb prompt b0 price/1 --prompt b0/question=$TMP/pipe
  ecrb: prompt `b0/question`: $TMP/pipe: is a pipe or a device, not a file on a disk; copy it into one
  [exit 2]
  $ timeout 10 ecrb prompt b0 price/1 --prompt b0/question=/dev/zero
  ecrb: prompt `b0/question`: /dev/zero: is a pipe or a device, not a file on a disk; copy it into one
  [exit 2]
  $ timeout 10 ecrb repl --runs $TMP/runs --exec /
  ecrb: /: is a folder, not a file
  [exit 2]
  $ timeout 10 ecrb repl --runs $TMP/runs --exec /dev/full
  ecrb: /dev/full: is a pipe or a device, not a file on a disk; copy it into one
  [exit 2]
  $ mkdir $TMP/run && mkfifo $TMP/run/run.json
  $ timeout 10 ecrb score $TMP/run
  ecrb: cannot be read: $TMP/run/run.json: is a pipe or a device, not a file on a disk; copy it into one
  [exit 2]
  $ rm $TMP/run/run.json && mkfifo $TMP/run/items.jsonl
  $ timeout 10 ecrb b0 --out $TMP/run
  ecrb: $TMP/run/items.jsonl: is a pipe or a device, not a file on a disk; copy it into one; mend that, or give another folder with --out
  [exit 2]
  $ truncate -s 300M $TMP/large && ecrb prompt b0 price/1 --prompt b0/question=$TMP/large
  ecrb: prompt `b0/question`: $TMP/large: has more than 256 MiB; is it the file that was meant?
  [exit 2]

A template is plain text:

  $ printf 'a\r\n---\r\nb\r\n' > $TMP/t && ecrb prompt b0 price/1 --prompt b0/question=$TMP/t
  ecrb: $TMP/t:1: a CR at the end of the line; write LF alone
  [exit 2]
  $ printf '\357\273\277a\n' > $TMP/t && ecrb prompt b0 price/1 --prompt b0/question=$TMP/t
  ecrb: $TMP/t:1: begins with a byte order mark; save it as UTF-8 without one
  [exit 2]
  $ printf 'a\nb\000c\n' > $TMP/t && ecrb prompt b0 price/1 --prompt b0/question=$TMP/t
  ecrb: $TMP/t:2: a NUL byte; save it as UTF-8 text
  [exit 2]
  $ printf 'a\377\n' > $TMP/t && ecrb prompt b0 price/1 --prompt b0/question=$TMP/t
  ecrb: $TMP/t:1: byte 0xff is not UTF-8 text; save it as UTF-8
  [exit 2]
  $ printf '\n' > $TMP/t && ecrb prompt b0 price/1 --prompt b0/question=$TMP/t
  ecrb: $TMP/t: is empty; a prompt says something
  [exit 2]
  $ ecrb prompt b0 price/1 --prompt b0/qestion=$TMP/t
  ecrb: --prompt b0/qestion: method b0 fills no such template; did you mean `b0/question`?
  [exit 2]

  $ ecrb vote --set channels=blast,hmer
  ecrb: $ROOT/methods/vote.lua: option `channels`: there is no evidence channel `hmer`; did you mean `hmmer`?
  [exit 2]

Numbers:

  $ rm $TMP/bench/bench.json && for seed in 1.5 1e300 -1 '"1"'; do
  >   sed "s/\"seed\": 1/\"seed\": $seed/" data/ecoli/bench.json > $TMP/bench/bench.json
  >   ecrb b0 --bench $TMP/bench --runs $TMP/runs; done
  ecrb: $TMP/bench/bench.json: `seed` is no whole number from 0 to 9007199254740992; mend it, or `ecrb bench import` makes the folder again
  ecrb: $TMP/bench/bench.json: `seed` is no whole number from 0 to 9007199254740992; mend it, or `ecrb bench import` makes the folder again
  ecrb: $TMP/bench/bench.json: `seed` is no whole number from 0 to 9007199254740992; mend it, or `ecrb bench import` makes the folder again
  ecrb: $TMP/bench/bench.json: `seed` is no whole number from 0 to 9007199254740992; mend it, or `ecrb bench import` makes the folder again
  [exit 2]
  $ ecrb m4 --set temperature=1e999
  ecrb: $ROOT/methods/m4_selfconsistent.lua: option `temperature` is a number of at least 0, or none, not `1e999`
  [exit 2]
  $ ecrb m4 --thinking 1e999
  ecrb: --thinking: `1e999` is neither on, off, an effort (low, high, ...) nor a whole number of tokens of at least 1
  [exit 2]
  $ ecrb m4 --max-cost 1e999
  ecrb: --max-cost: `1e999` is no number of at least 0 (`ecrb METHOD.lua --help` explains)
  [exit 2]
  $ ecrb m4 --timeout 0
  ecrb: --timeout: `0` is no number above 0 (`ecrb METHOD.lua --help` explains)
  [exit 2]
  $ ecrb compare a b --replicates 1.5
  ecrb: --replicates: `1.5` is no whole number from 1 to 1000000 (`ecrb compare --help` explains)
  [exit 2]
  $ ecrb ablate m1 saved now --n 0
  ecrb: --n: `0` is no whole number of at least 1 (`ecrb ablate --help` explains)
  [exit 2]
  $ ecrb repl --max-calls many
  ecrb: --max-calls: `many` is no whole number of at least 0 (`ecrb repl --help` explains)
  [exit 2]

A request that the model's dialect has no words for is refused before the run begins:

  $ ecrb m1 --thinking on --runs $TMP/unasked
  ecrb: model reader: thinking = on cannot be mapped; it offers: nothing
  [exit 2]
  $ ecrb prompt m1 price/3 --thinking low
  ecrb: model reader: thinking = low cannot be mapped; it offers: nothing
  [exit 2]
  $ export OPENAI_API_KEY=none; words="--base-url http://127.0.0.1:9/v1 --dialect openai --model o"
  > ecrb m1 $words --runs $TMP/unasked
  > ecrb suite $words --runs $TMP/unasked --set temperature=none --thinking lots
  > ecrb m1 --set constrained=true --base-url http://127.0.0.1:9/v1 --model o --runs $TMP/unasked
  > ecrb prompt m1 price/3 $words --set temperature=none --thinking low --json | grep effort
  ecrb: model o: temperature cannot be sent: reasoning models accept only their default (drop it with --set temperature=none, or list it under `omit` in models.lua)
  ecrb: model o: thinking = lots cannot be mapped; it offers: off, none, minimal, low, medium, high, xhigh
  ecrb: model o: no choice constraint can be sent
    "reasoning_effort": "low",
  $ ls $TMP/unasked
  ls: cannot access '$TMP/unasked': No such file or directory
  [exit 2]

Words of any length, of which a message repeats the beginning:

  $ long=$(head -c 100000 /dev/zero | tr '\0' a)
  > for words in "$long" "score --$long" "bench $long" "m1 --set $long=1" "m1 --seed=$long"; do
  >   timeout 10 ecrb $words; done
  ecrb: there is no command or method `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa... (100000 bytes)` (`ecrb help` lists the commands)
  ecrb: unknown option `--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa... (100002 bytes)` (`ecrb score --help` explains)
  ecrb: unknown command `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa... (100000 bytes)` (`ecrb bench --help` explains)
  ecrb: $ROOT/methods/m1_cascade.lua: it has no option `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa... (100000 bytes)`
  ecrb: --seed: `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa... (100000 bytes)` is no whole number of at least 0 (`ecrb METHOD.lua --help` explains)
  [exit 2]

A method's own option:

  $ ecrb m1 --temperature 0.5
  ecrb: unknown option `--temperature`; did you mean `--set temperature=VALUE`? (`ecrb METHOD.lua --help` explains)
  [exit 2]
  $ ecrb prompt m4 price/1 --k=3
  ecrb: unknown option `--k`; did you mean `--set k=VALUE`? (`ecrb prompt --help` explains)
  [exit 2]

An item's id becomes the key of its record:

  $ for id in 'a"b' 'a\b' "$(printf '%0300d' 7)"; do
  >   id=$id awk -F'\t' -v OFS='\t' 'NR == 2 { $1 = ENVIRON["id"] } 1' data/ecoli/items.tsv > $TMP/bench/items.tsv
  >   cp data/ecoli/bench.json $TMP/bench; ecrb vote --bench $TMP/bench --runs $TMP/runs; done
  ecrb: $TMP/bench/items.tsv:2: field "item": `a"b` cannot be an id; it has 255 bytes at most, no quote and no backslash
  ecrb: $TMP/bench/items.tsv:2: field "item": `a\b` cannot be an id; it has 255 bytes at most, no quote and no backslash
  ecrb: $TMP/bench/items.tsv:2: field "item": `000000000000000000000000000000000000000000000000000000000000` cannot be an id; it has 255 bytes at most, no quote and no backslash
  [exit 2]

What a script says of why it stopped is one of the words that there are:

  $ cat >$TMP/stops.lua <<'END'
  > return { id = "stops", title = "x", books = { "closed" }, model = false, prompts = {},
  >   options = { kind = { 1, "which" } }, run = function (_, opt)
  >     local stops = { 7, { cause = {} }, { cause = "tired" }, { cause = "abstained", level = 9 },
  >                     { cause = "abstained", message = {} }, { cause = "timeout", message = "so" } }
  >     if opt.kind > #stops then error { code = "tired", message = "so" } end
  >     return { path = {}, stop = stops[opt.kind] }
  >   end }
  > END
  $ for kind in 1 2 3 4 5 6 7; do
  >   ecrb $TMP/stops.lua --set kind=$kind --split price --limit 1 --out $TMP/stops$kind --quiet >/dev/null 2>&1
  >   grep -o '"cause":"[^"]*"\|"message":"[^"]*"\|"outcome":"[^"]*"' $TMP/stops$kind/items.jsonl | paste -sd' '; done
  "cause":"script" "message":"`stop` is a number, not {level=, cause=}" "outcome":"script"
  "cause":"script" "message":"`stop.cause` is a table; it is `abstained` or the code of what was lost" "outcome":"script"
  "cause":"script" "message":"`stop.cause` is `tired`; it is `abstained` or the code of what was lost" "outcome":"script"
  "cause":"script" "message":"`stop.level` is 9, not a level from 1 to 4" "outcome":"script"
  "cause":"script" "message":"`stop.message` is a table, not a text" "outcome":"script"
  "cause":"timeout" "message":"so" "outcome":"failed"
  "cause":"tired" "message":"so" "outcome":"script"
