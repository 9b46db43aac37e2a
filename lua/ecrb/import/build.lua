-- What every import does: items and tree are read by the import itself, then
-- come training set, names, evidence, control subset and the files.

local candidates = require "ecrb.import.candidates"
local channels = require "ecrb.import.channels"
local core_bench = require "core.bench"
local evidence = require "ecrb.import.evidence"
local folder = require "ecrb.import.folder"
local import = require "core.import"
local ratings = require "ecrb.import.ratings"
local reports = require "ecrb.import.report"
local subset = require "ecrb.import.subset"
local system = require "core.system"
local text = require "core.text"
local training = require "ecrb.import.training"
local trees = require "ecrb.import.tree"

local build = {}

function build.rate(builder)
  for split, rating in pairs(ratings) do builder:rate(split, rating) end
end

-- The teacher-forced candidate sets, drawn from the benchmark as it was written.
local function offer(beside, seed)
  local bench, path = core_bench.open(beside, seed), beside .. "/candidates.jsonl"
  if not bench:labelled() then return nil end
  return { name = "candidates.jsonl", rows = candidates.write(bench, path),
    sha256 = import.sha256(path) }
end

-- What became of old EC numbers.
local function tell_fates(beside, tree)
  local rows = tree:superseded()
  if not rows then return nil end
  system.write(beside .. "/superseded.tsv", rows)
  return { name = "superseded.tsv", rows = select(2, string.gsub(rows, "\n", "")) - 1,
    sha256 = text.sha256(rows) }
end

local function say_near(report, written)
  for _, file in ipairs(written) do
    if file.name == "decontamination.tsv" then
      report:say("near-identical training sequences among the hits: %d, listed in %s",
        file.rows, file.name)
    end
  end
end

local function write_files(state, beside)
  local written, reason = state.builder:write(beside)
  if not written then error(reason, 0) end
  say_near(state.report, written)
  written[#written + 1] = tell_fates(beside, state.tree)
  written[#written + 1] = state.extra and state.extra(beside)
  if not state.args.no_candidates then
    written[#written + 1] = offer(beside, state.args.seed)
  end
  return written
end

local function manifest(state, told, written)
  local args, sums, counts = state.args, {}, { splits = {} }
  for _, file in ipairs(written) do
    sums[file.name] = file.sha256
    counts[string.match(file.name, "^(.-)%.tsv$") or file.name] = file.rows
  end
  for _, item in ipairs(state.ids) do
    counts.splits[item.split] = (counts.splits[item.split] or 0) + 1
  end
  return { name = args.name or string.match(args.out, "([^/]+)/*$"),
    seed = args.seed, source = state.source, made_by = "ecrb " .. system.version,
    limits = { evalue = args.evalue, neighbours = args.neighbours },
    evidence = told, counts = counts, sha256 = sums }
end

local function read_training(state)
  local args = state.args
  if args.train then training.table(state.builder, state.report, args.train) end
  if args.train and not args.train_fasta then
    state.report:say("training: without --train-fasta nobody checked that none has an item's "
      .. "sequence under another id")
  end
  if not args.train_fasta then return {} end
  return training.fasta(state.builder, state.report, args.train_fasta)
end

-- Builds the benchmark that `args` (ecrb/import/options.lua) describe. `read` is
-- given {args, builder, report, tree, ids, source}: it fills the builder and
-- `ids` with {id, split, labels} an item, and may set `extra(folder)`, which
-- writes a file of its own. Returns the report.
function build.run(args, source, read)
  folder.check(args.out, args.force)
  local builder <close> = import.builder(args.seed)
  local report = reports.new()
  local state = { args = args, builder = builder, report = report, source = source,
    ids = {}, tree = trees.new(builder, report) }
  read(state)
  local leaks = read_training(state)
  for _, path in ipairs(args.names or {}) do state.tree:names(path) end
  state.tree:say_superseded(state.ids)
  local told, more = channels.read(builder, report, state.ids, args)
  evidence.refuse(table.move(more, 1, #more, #leaks + 1, leaks))
  subset.reveal(builder, state.ids, args.seed, args.visible)
  build.rate(builder)
  folder.build(args.out, args.force, function (beside)
    return manifest(state, told, write_files(state, beside))
  end)
  report:say("wrote %s", args.out)
  return report
end

return build
