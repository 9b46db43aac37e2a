-- From the words of a command line (run_options.lua) to a run: a setting is one
-- method in one book with its options, and becomes the specification of a run.

local benchmark = require "ecrb.benchmark"
local budget = require "ecrb.budget"
local method = require "ecrb.method"
local models = require "ecrb.models"
local no_model = require "ecrb.model".none
local numbers = require "ecrb.numbers"
local prompt = require "ecrb.prompt"
local replay = require "ecrb.replay"
local run = require "ecrb.run"
local sched = require "core.sched"
local shard = require "ecrb.shard"
local system = require "core.system"

local setting = {}

local token_count = numbers.whole(1)

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
function setting.shared_over_items(args, model)
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

-- The model that a method asks.
function setting.model_for(shared, loaded)
  if loaded.model then return shared.model end
  shared.no_model = shared.no_model or no_model()
  return shared.no_model
end

-- The run's specification, before it is opened.
function setting.spec(args, shared, one)
  local loaded = one.method
  local folders = { loaded.folder .. "/prompts", system.self .. "/prompts" }
  return {
    method = loaded, book = one.book, options = one.options, benchmark = shared.benchmark,
    items = shared.items, model = setting.model_for(shared, loaded), loop = shared.loop,
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

-- The specification of one setting that is not going to be run.
function setting.specification(args, one)
  return setting.spec(args, setting.shared_over_items(args), one)
end

return setting
