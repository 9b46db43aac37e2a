-- `ecrb bench predictions FILE`: what an EC predictor said of a benchmark's
-- items, as a run, so that `ecrb score` and `ecrb compare` take it like any
-- other. An item that the file lacks is an abstention, never left out.

local benchmark = require "ecrb.benchmark"
local counted = require "ecrb.counted"
local ec = require "core.ec"
local fail = require "ecrb.fail"
local import = require "core.import"
local out = require "ecrb.out"
local predictions = require "ecrb.import.predictions"
local prompt = require "ecrb.prompt"
local record = require "ecrb.record"
local run = require "ecrb.run"
local system = require "core.system"
local task = require "ecrb.task"

local action = { summary = "turn the output of an EC predictor into a run to score" }

function action.configure(p)
  p:argument("FILE", "output of the predictor, plain or gzip'ed"):target("file"):argname("FILE")
  p:option("--from", "format of FILE: " .. table.concat(predictions.formats, ", "))
    :argname("FORMAT"):choices(predictions.formats):count(1)
  p:option("--confidence", "meaning of CLEAN's numbers: distance or probability")
    :choices { "distance", "probability" }:argname("KIND")
  p:option("--bench", "benchmark folder, or the name of a bundled one (default: ecoli)")
    :argname("BENCH")
  p:option("--split", "splits to take, separated by commas (default: all)"):argname("LIST")
  p:option("-o --out", "run folder to make"):argname("RUN"):count(1)
end

-- The answers by the position of the item; those of other proteins are counted.
local function by_item(bench, found)
  local answers, foreign = {}, 0
  for _, id in ipairs(found) do
    local index = bench.core:find(string.match(id, "^%w+|([^|]+)") or id)
    if index then answers[index] = found[id] else foreign = foreign + 1 end
  end
  return answers, foreign
end

-- What a method's script would have returned.
local function result_of(answers)
  local first, others = answers and answers[1], {}
  for i = 2, #(answers or {}) do others[i - 1] = answers[i].ec end
  local stop = not answers and { level = 1, cause = "abstained",
    message = "the predictor's file lacks it" } or nil
  return { stop = stop, path = first and ec.path(first.ec) or {}, others = others,
    confidence = first and first.confidence, free_text = true }
end

-- A predictor in the place of a method.
local function method_of(args)
  return { id = args.from, title = predictions.title(args.from), free_text = true,
    sha256 = import.sha256(args.file), sources = {},
    prompt_names = function () return {} end, check_channels = function () end }
end

local function open_run(args, bench, items)
  local method = method_of(args)
  return run.open { method = method, benchmark = bench, book = "closed",
    options = { confidence = args.confidence, abstains = predictions.abstains(args.from) },
    parameters = {}, seed = bench.seed,
    prompts = prompt.shelf({}, {}),
    model = { name = method.title, identity = method.sha256, kind = "predictions" },
    split = args.split, items = items, out = args.out }
end

local function keep(made, index, answers)
  local context = task.new(made, index)
  local line = record.of(context, result_of(answers))
  line.may_stop = true
  made:done(true, line, context)
  return line.outcome
end

local NAMED = 20

local function say_missing(missing)
  if #missing == 0 then return end
  out.write("not in the file: ", table.concat(missing, ", ", 1, math.min(#missing, NAMED)),
    #missing > NAMED and ", ..." or "", "\n")
end

local function say(args, found, answers, foreign, counts)
  local told = 0
  for _ in pairs(answers) do told = told + 1 end
  out.write(counted("%d {protein|proteins} in the file, %d of them items, %d no items of this "
    .. "benchmark\n", #found, told, foreign))
  out.write(counted("%d {item|items}: %d answered, %d abstained (%d not in the file), %d "
    .. "invalid\n", counts.n, counts.answered or 0, counts.abstained or 0, #counts.missing,
    counts.invalid or 0))
  say_missing(counts.missing)
  if not predictions.abstains(args.from) then
    out.write(predictions.title(args.from), " always answers: it has no way to say that it "
      .. "predicts nothing\n")
  end
end

function action.run(args)
  if system.exists(args.out) then fail("%s: is there already; name a new folder", args.out) end
  local bench = benchmark.open(args.bench)
  local items = benchmark.select(bench, { split = args.split })
  local found = predictions.read(args.from, args.file, { confidence = args.confidence })
  local answers, foreign = by_item(bench, found)
  local made, counts = open_run(args, bench, items), { n = #items, missing = {} }
  for _, index in ipairs(items) do
    local outcome = keep(made, index, answers[index])
    counts[outcome] = (counts[outcome] or 0) + 1
    if not answers[index] then table.insert(counts.missing, bench.core:item(index).id) end
  end
  made:close("done")
  say(args, found, answers, foreign, counts)
  return 0
end

return action
