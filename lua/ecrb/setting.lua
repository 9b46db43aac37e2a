-- From command-line words to runs: the options that run, suite and ablate
-- share, and the way from settings to an exit code.

local benchmark = require "ecrb.benchmark"
local budget = require "ecrb.budget"
local counted = require "ecrb.counted"
local drive = require "ecrb.drive"
local ending = require "ecrb.ending"
local method = require "ecrb.method"
local models = require "ecrb.models"
local numbers = require "ecrb.numbers"
local out = require "ecrb.out"
local prompt = require "ecrb.prompt"
local rehearsal = require "ecrb.rehearsal"
local replay = require "ecrb.replay"
local run = require "ecrb.run"
local sched = require "core.sched"
local shard = require "ecrb.shard"
local status = require "ecrb.status"
local system = require "core.system"

local setting = {}

local token_count = numbers.whole(1)

-- Options about the method and what its model is asked; of those about its
-- endpoint perhaps those alone that decide the wording.
function setting.request_options(p, wording_alone)
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
function setting.model_options(p)
  setting.request_options(p)
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
function setting.bench_option(p)
  p:option("--bench", "benchmark folder, or the name of a bundled one (default: ecoli)")
    :argname("BENCH")
end

-- What a method finds in a benchmark: neighbours and candidates.
function setting.offer_options(p)
  p:option("--hits", "neighbours a channel"):convert(numbers.whole(1)):default("10")
    :argname("N")
  p:option("--distractors", "candidates that are not gold: siblings, strangers or mixed")
    :default("mixed"):choices { "mixed", "siblings", "strangers" }
end

-- Adds the shared options to an argparse command.
function setting.options(p)
  setting.bench_option(p)
  p:option("--split", "only these splits, separated by commas"):argname("LIST")
  p:option("--items", "only these items, by name (price/3) or accession, separated by commas")
    :argname("LIST")
  p:option("--limit", "at most N items of each split"):convert(numbers.whole(1))
    :argname("N")
  p:option("--sample", "N items of those chosen, drawn by the seed")
    :convert(numbers.whole(1)):argname("N")
  p:flag("--visible-only", "only the control subset whose identifiers are visible")
  setting.model_options(p)
  p:option("--require-probe", "run only if the model was probed within DAYS (`ecrb probe`)")
    :convert(numbers.within { least = 0 }):argname("DAYS")
  p:option("--probes", "folder for the records of probes"):default("probes"):argname("DIR")
  setting.offer_options(p)
  p:option("--runs", "folder for run folders"):default("runs"):argname("FOLDER")
  p:flag("--retry-failed", "ask again the items whose record is of a failed call")
  p:flag("--retry-script-errors", "ask again the items whose record is of a script's error")
  p:flag("--dry-run", "count calls, tokens and cost from the real prompts; send nothing")
  p:flag("--quiet", "no status line")
end

local function pairs_of(list, what)
  local values = {}
  for _, entry in ipairs(list or {}) do
    local name, value = string.match(entry, "^([^=]+)=(.*)$")
    if not name then
      error(string.format("--%s %s: write NAME=%s", what, entry,
        what == "prompt" and "FILE" or "VALUE"), 0)
    end
    values[name] = value
  end
  return values
end

local sibling_shares = { mixed = 0.7, siblings = 1, strangers = 0 }

-- A word that is not ours may be the dialect's for an effort.
local function thinking_of(word)
  if word == "on" or word == "off" then return word == "on" end
  return token_count(word) or string.match(word, "^%a+$")
    or error(string.format("--thinking: `%s` is neither on, off, an effort (low, high, ...) nor "
      .. "a whole number of tokens of at least 1", word), 0)
end

local function parameters_of(args)
  return { max_tokens = args.max_output, thinking = args.thinking and thinking_of(args.thinking) }
end

local function book_for(loaded, wanted)
  local book = wanted or (loaded:offers("open") and "open") or "closed"
  if not loaded:offers(book) then
    error(string.format("%s: method %s has no %s-book setting", loaded.path, loaded.id, book), 0)
  end
  return book
end

-- What runs of one command share: loop, model and budget. Of a shard's limits
-- its part is left.
function setting.shared(args, model)
  model = model or models.resolve(args)
  local shared = { loop = sched.loop(model:times()), model = model, taken = {},
                   limits_left = shard.divide(args, model) }
  shared.budget = budget.new({ calls = args.max_calls, tokens = args.max_tokens,
                               cost = args.max_cost }, shared.model)
  return shared
end

-- The same, with the benchmark and its chosen items. Without `model` the
-- arguments name it.
function setting.common(args, model)
  local bench = benchmark.open(args.bench)
  local shared = setting.shared(args, model)
  shared.benchmark = bench
  local choice = { split = args.split, items = args.items, limit = args.limit,
    visible = args.visible_only, sample = args.sample, seed = args.seed }
  shared.items = benchmark.select(bench, choice)
  if args.shard then
    shared.items, shared.shard = shard.of(bench, shared.items, choice, args.shard)
  end
  return shared
end

-- What the user gave with --set.
function setting.given(args)
  return pairs_of(args.set, "set")
end

-- The options of a method, those of its default base included.
function setting.options_of(name)
  return method.load(method.find(name)):bind({}):settings({})
end

-- The templates of a method, those of its default base included.
function setting.prompt_names(name)
  return method.load(method.find(name)):bind({}):prompt_names()
end

-- A setting: one method script in one book, with the user's options.
function setting.of(args, name, book, given)
  local loaded = method.load(method.find(name))
  given = given or setting.given(args)
  loaded:bind(given)
  return { method = loaded, book = book_for(loaded, book), options = loaded:settings(given) }
end

local function program_model(shared, loaded)
  if loaded.model then return shared.model end
  shared.no_model = shared.no_model or models.none()
  return shared.no_model
end

-- The run's specification, before it is opened.
function setting.spec(args, shared, one)
  local loaded = one.method
  local folders = { loaded.folder .. "/prompts", system.self .. "/prompts" }
  return {
    method = loaded, book = one.book, options = one.options, benchmark = shared.benchmark,
    items = shared.items, model = program_model(shared, loaded), loop = shared.loop,
    prompts = prompt.shelf(folders, one.replaced or pairs_of(args.prompt, "prompt")),
    parameters = parameters_of(args), seed = args.seed, hits = args.hits,
    split = args.split, items_named = args.items, runs = args.runs,
    out = args.out and shard.named(args.out, shared.shard),
    rule = { sibling_share = sibling_shares[args.distractors] },
    budget = shared.budget, taken = shared.taken, concurrency = args.concurrency,
    shard = shared.shard, limits_left = shared.limits_left, durability = args.durability,
    retry = { failed = args.retry_failed, script = args.retry_script_errors },
  }
end

-- One client for all runs of a model: they share its window and its pauses.
local function client_for(args, shared, model)
  shared.clients = shared.clients or {}
  if not shared.clients[model] then
    shared.clients[model] = model:open(shared.loop, { concurrency = args.concurrency,
      seed = args.seed, max_retries = args.max_retries, replay = args.replay ~= nil,
      admit = function (reservation, failed) return shared.budget:again(reservation, failed) end })
  end
  return shared.clients[model]
end

-- Opens the run of a setting; `changes` are made to its specification.
function setting.open(args, shared, one, changes)
  local spec = setting.spec(args, shared, one)
  if args.replay then spec.replay = replay.open(args.replay) end
  for name, value in pairs(changes or {}) do spec[name] = value end
  local opened = run.open(spec)
  opened.client = client_for(args, shared, opened.model)
  return opened
end

local function sum(runs, name)
  local total = 0
  for _, one in ipairs(runs) do total = total + one.counts[name] end
  return total
end

local function state_of(runs, shared)
  return function ()
    local client = runs[1].client:state()
    local spent, before = shared.budget.spent, shared.budget.before
    return { done = sum(runs, "done") + sum(runs, "kept"), kept = sum(runs, "kept"),
             total = #shared.items * #runs, in_flight = client.inside,
             waiting = client.reason or shared.budget:waiting(),
             sent = sum(runs, "sent"), tokens = spent.tokens - before.tokens,
             cost = spent.cost - before.cost }
  end
end

local function close_all(runs, how)
  for _, one in ipairs(runs) do one:close(how) end
end

-- Raises what broke the runs off, a full disk before all. Closing them may fail
-- for the same reason, which is said once.
local function break_off(runs, problem)
  pcall(close_all, runs, "failed")
  local told = type(problem) == "table" and problem or { message = tostring(problem) }
  error({ code = told.code, message = told.message
    .. "\nwhat is finished is kept: once this is mended, the same command goes on from here" }, 0)
end

setting.exit_codes = { done = 0, refused = 2, paused = 3, interrupted = 130 }

-- The specification of one setting that is not going to be run.
function setting.specification(args, one)
  return setting.spec(args, setting.common(args), one)
end

local function cost_word(model, cost)
  local unknown = model.kind == "endpoint" and not model.prices
  return unknown and "no prices" or string.format("%.2f", cost)
end

-- Rehearses one setting in a folder that goes away: what it would ask for, and how
-- many items failed.
local function rehearse(args, shared, one)
  local folder = system.temporary(system.getenv("TMPDIR") or "/tmp")
  local model = program_model(shared, one.method)
  local stand_in = rehearsal.model(model, rehearsal.read_by_reader())
  local opened = setting.open(args, shared, one, { model = stand_in, out = folder,
                                                   budget = budget.new({}, shared.model) })
  drive.run(shared.loop, { opened }, args.concurrency)
  opened:close("rehearsed")
  system.remove(folder)
  local spent = opened.budget.spent
  return { one.method.id, one.book, #shared.items, spent.calls, spent.tokens,
           cost_word(model, spent.cost) }, opened.counts.failed
end

-- Refuses settings of which nothing can be asked.
local function check_requests(args, shared, settings)
  if args.replay then return end
  for _, one in ipairs(settings) do
    if one.method.model then
      rehearsal.check_request(setting.spec(args, shared, one), shared.items[1])
    end
  end
end

-- `--dry-run`: calls, tokens and cost of each setting from the real prompts.
local function dry_run(args, settings)
  local shared = setting.common(args)
  check_requests(args, shared, settings)
  local lost = 0
  io.write("setting       items    calls     tokens (estimate)       cost\n")
  for _, one in ipairs(settings) do
    local row, failed = rehearse(args, shared, one)
    lost = lost + failed
    io.write(string.format("%-4s %-7s %6d %8d %21d %10s\n", table.unpack(row)))
  end
  if lost > 0 then
    io.write(counted("%d {item|items} failed without a model, too, and asked for less: a run with "
      .. "--limit 1\nand without --dry-run tells why.\n", lost))
  end
  io.write("The built-in reader stood in for the model: a model that reasons at length writes "
    .. "more,\nand one that stops earlier or later asks more or less often.\n")
  return 0
end

-- The table of the runs; where there are no labels, where the records stand.
local function told(shared, folders, summary, how)
  if shared.benchmark.core:labelled() then
    return summary(folders, { partial = how ~= "done" })
  end
  return "The benchmark has no labels, so nothing is scored; the records stand in\n  "
    .. table.concat(folders, "/items.jsonl\n  ") .. "/items.jsonl\n"
end

local function say_shard(shared)
  io.stderr:write(string.format("shard %d of %d: %d of %d items; its part of the limits: %s\n",
    shared.shard.index, shared.shard.of, #shared.items, shared.shard.items,
    shard.told(shared.limits_left)))
end

-- Files beside the connections: three of each run, and what a manifest, an
-- address or a certificate takes for a moment.
local FILES_OF_RUN, OTHER_FILES = 3, 6

-- No more calls in flight than connections may be had.
local function fit_concurrency(args, model, runs)
  if model.kind ~= "endpoint" then return end
  local most = system.files() - FILES_OF_RUN * runs - OTHER_FILES
  if most >= args.concurrency then return end
  if most < 1 then
    error("this process may open too few files for a run that sends requests: raise the limit "
      .. "(ulimit -n 1024)", 0)
  end
  io.stderr:write(string.format("note: calls in flight at most: %d, because this process may "
    .. "open few files (ulimit -n raises the limit)\n", most))
  args.concurrency = most
end

-- Runs the settings, prints the table of `summary(folders)` and returns the
-- exit code.
function setting.execute(args, settings, summary)
  if args.dry_run then return dry_run(args, settings) end
  local shared = setting.common(args)
  check_requests(args, shared, settings)
  if shared.shard then say_shard(shared) end
  fit_concurrency(args, shared.model, #settings)
  local runs, folders = {}, {}
  for i, one in ipairs(settings) do
    runs[i] = setting.open(args, shared, one)
    folders[i] = runs[i].folder
  end
  local guard = args.require_probe and require "ecrb.probe.guard"
  local probed = guard and guard.begin(args, shared.model, runs)
  local line = status.new(state_of(runs, shared))
  local ok, how, reason = pcall(drive.run, shared.loop, runs, args.concurrency,
    not args.quiet and function () line:tick() end or nil)
  line:clear()
  if probed and ok and how == "done" then
    io.stderr:write("the endpoint at the end: ", guard.finish(probed, shared.model, runs), "\n")
  end
  if not ok then break_off(runs, how) end
  local closed, problem = pcall(close_all, runs, how)
  if not closed then break_off(runs, reason or problem) end
  ending.say(runs, how, reason, shared.budget)
  summary = summary or require("ecrb.report").summary
  if how == "done" or ending.has_records(runs) then
    out.write(told(shared, folders, summary, how))
  end
  local code = setting.exit_codes[how]
  if code == 0 and sum(runs, "failed") > 0 then code = 1 end
  return code
end

return setting
