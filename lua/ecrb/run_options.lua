-- The options of the commands that ask a model: run, suite and ablate have all of
-- them, annotate, prompt and repl some. What they come to is setting.lua's business.

local models = require "ecrb.models"
local numbers = require "ecrb.numbers"

local run_options = {}

-- Options about the method and what its model is asked; of those about its
-- endpoint perhaps those alone that decide the wording.
function run_options.request(p, wording_alone)
  p:option("--model", "a name of models.lua or PROVIDER/ID (`ecrb help models` lists them); "
    .. "without one the built-in reader answers")
    :argname("MODEL")
  if wording_alone then models.wording_options(p) else models.options(p) end
  p:option("--set", "an option of the method, temperature=0.7 (`ecrb METHOD.lua --help`)")
    :argname("NAME=VALUE"):count("*"):args("+"):action("concat"):init({})
  p:option("--prompt", "a file that stands in for a template, m1/level=my.txt")
    :argname("NAME=FILE"):count("*")
  p:option("--seed", "seed of the run"):convert(numbers.whole(0)):default("1")
    :argname("N")
  p:option("--max-output", "largest answer in tokens"):convert(numbers.whole(1))
    :argname("TOKENS")
  p:option("--thinking", "on, off, a budget in tokens, or an effort (low, high, ...), where the "
    .. "dialect can say so"):argname("BUDGET")
end

-- The same, and what may be spent.
function run_options.model(p)
  run_options.request(p)
  p:option("--concurrency", "calls in flight at most"):convert(numbers.whole(1))
    :default("64"):argname("N")
  p:option("--max-retries", "retries of one call"):convert(numbers.whole(0)):argname("N")
  p:option("--durability", "batch: calls are on the disk within 50 ms or 64 calls, and what one "
    .. "sync takes; record: before a reply is used. A killed process loses nothing either way")
    :choices { "batch", "record" }:default("batch")
  p:option("--max-calls", "pause before the run passes N calls, earlier sessions included")
    :convert(numbers.whole(0)):argname("N")
  p:option("--max-tokens", "pause before the run passes N tokens, earlier sessions included")
    :convert(numbers.whole(0)):argname("N")
  p:option("--max-cost", "pause before the run costs more, earlier sessions included")
    :convert(numbers.within { least = 0 }):argname("MONEY")
end

-- The benchmark.
function run_options.bench(p)
  p:option("--bench", "benchmark folder, or the name of a bundled one (default: ecoli)")
    :argname("BENCH")
end

-- What a method finds in a benchmark: neighbours and candidates.
function run_options.offer(p)
  p:option("--hits", "neighbours a channel"):convert(numbers.whole(1)):default("10")
    :argname("N")
  p:option("--distractors", "candidates that are not gold: siblings, strangers or mixed")
    :default("mixed"):choices { "mixed", "siblings", "strangers" }
end

-- All of them, for a command that runs methods over a benchmark.
function run_options.all(p)
  run_options.bench(p)
  p:option("--split", "only these splits, separated by commas"):argname("LIST")
  p:option("--items", "only these items, by name (price/3) or accession, separated by commas")
    :argname("LIST")
  p:option("--limit", "at most N items of each split"):convert(numbers.whole(1))
    :argname("N")
  p:option("--sample", "N items of those chosen, drawn by the seed")
    :convert(numbers.whole(1)):argname("N")
  p:flag("--visible-only", "only the control subset whose identifiers are visible")
  run_options.model(p)
  p:option("--require-probe", "run only if the model was probed within DAYS (`ecrb probe`)")
    :convert(numbers.within { least = 0 }):argname("DAYS")
  p:option("--probes", "folder for the records of probes"):default("probes"):argname("DIR")
  run_options.offer(p)
  p:option("--runs", "folder for run folders"):default("runs"):argname("FOLDER")
  p:flag("--retry-failed", "ask again the items whose record is of a failed call")
  p:flag("--retry-script-errors", "ask again the items whose record is of a script's error")
  p:flag("--dry-run", "count calls, tokens and cost from the real prompts; send nothing")
  p:flag("--quiet", "no status line")
end

return run_options
