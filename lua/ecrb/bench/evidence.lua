-- `ecrb bench evidence BENCH --train FASTA`: runs the search tools over the
-- items of a benchmark and puts what they find into its evidence.

local benchmark = require "ecrb.benchmark"
local channel = require "ecrb.search.channel"
local evidence = require "ecrb.import.evidence"
local existing = require "ecrb.import.existing"
local fail = require "ecrb.fail"
local folder = require "ecrb.import.folder"
local import = require "core.import"
local index = require "ecrb.search.index"
local json = require "ecrb.json"
local out = require "ecrb.out"
local plan = require "ecrb.search.plan"
local reports = require "ecrb.import.report"
local system = require "core.system"
local text = require "core.text"
local training = require "ecrb.import.training"

local action = { summary = "search the items in a training set with BLAST, HMMER and others" }

function action.configure(p)
  p:argument("bench", "Benchmark folder."):argname("BENCH")
  p:option("--train", "Sequences of the training set; ids as in its train.tsv.")
    :argname("FASTA"):count(1)
  plan.options(p)
  p:option("--work", "Where finished batches are kept (default: BENCH.search).")
    :argname("FOLDER")
end

-- What a search depends on, but not on how many processors do it.
local function digest_of(bench, found, entry, batch, limits)
  local record = plan.record(entry, { evalue = limits.evalue,
    neighbours = limits.neighbours, threads = 1 })
  return string.sub(text.sha256(json.encode { record = record, batch = batch,
    items = import.sha256(bench.folder .. "/items.tsv"),
    made_of = found.manifest.made_of }), 1, 8)
end

local function batches_of(bench, size)
  local batches = {}
  for i = 1, #bench.core do
    if (i - 1) % size == 0 then batches[#batches + 1] = {} end
    local item = bench.core:item(i)
    table.insert(batches[#batches], { id = item.id, sequence = item.sequence })
  end
  return batches
end

local function search(bench, found, steps, work, quiet)
  local batches, results = batches_of(bench, steps.batch), {}
  for i, entry in ipairs(steps.channels) do
    results[i] = { entry = entry, files = channel.search({ entry = entry, index = found,
      limits = steps.limits, quiet = quiet,
      folder = string.format("%s/%s-%s", work, entry.channel,
        digest_of(bench, found, entry, steps.batch, steps.limits)) }, batches) }
  end
  return results
end

-- Hands the batches of a channel to the builder; returns its record.
local function take(builder, report, result, limits)
  local entry, found = result.entry, nil
  for _, path in ipairs(result.files) do
    found = builder:evidence(entry.channel, path, { format = entry.tool.format,
      columns = entry.tool.columns, evalue = limits.evalue, most = limits.neighbours })
  end
  report:say("%s: %d rows of %s %s, %d hits of %d items kept", entry.channel, found.rows,
    entry.tool.name, entry.version, found.chosen, found.covered)
  evidence.refuse(evidence.leaks(entry.tool.name, found.intruders, 0))
  local record = plan.record(entry, limits)
  record.rows, record.hits, record.covered = found.rows, found.chosen, found.covered
  return record
end

local function keep(builder, bench, replaced, work)
  local scratch, kept = system.temporary(work), 0
  for _, name in ipairs(bench.core:channels()) do
    if not replaced[name] then
      existing.keep(builder, bench, name, scratch)
      kept = kept + 1
    end
  end
  system.remove(scratch)
  return kept
end

-- The manifest with what is new; limits are the widest of all channels, as
-- `ecrb bench check` reads them.
local function manifest_with(bench, records, written, kept, limits)
  local manifest, replaced = bench.manifest, {}
  for _, record in ipairs(records) do replaced[record.channel] = true end
  local list = json.array()
  for _, record in ipairs(manifest.evidence or {}) do
    if not replaced[record.channel] then list[#list + 1] = record end
  end
  manifest.evidence = table.move(records, 1, #records, #list + 1, list)
  local before = kept > 0 and manifest.limits or {}
  manifest.limits = { evalue = math.max(limits.evalue, before.evalue or 0),
    neighbours = math.max(limits.neighbours, before.neighbours or 0) }
  manifest.sha256, manifest.counts = manifest.sha256 or {}, manifest.counts or {}
  for _, file in ipairs(written) do
    manifest.sha256[file.name] = file.sha256
    manifest.counts[string.match(file.name, "^%w+")] = file.rows
  end
  return manifest
end

local function check_training(builder, report, bench, path)
  if existing.read(builder, report, bench) == 0 then
    fail("%s/train.tsv: no training enzyme; `ecrb bench import ... --train TSV` brings "
      .. "them in, with their EC numbers", bench.folder)
  end
  evidence.refuse(training.fasta(builder, report, path))
end

local function write(builder, bench, records, kept, report, limits)
  folder.build(bench.folder, true, function (beside)
    local written, reason = builder:write(beside)
    if not written then error(reason, 0) end
    folder.carry(bench.folder, beside)
    return manifest_with(bench, records, written, kept, limits)
  end)
  report:say("wrote %s", bench.folder)
end

local function open_bench(path)
  if system.kind(path) ~= "folder" then fail("%s: is no benchmark folder", path) end
  return benchmark.open((string.match(path, "^(.-)/*$")))
end

local function run(args, bench, work, report)
  local steps = plan.of(args)
  local builder <close> = import.builder(bench.seed)
  check_training(builder, report, bench, args.train)
  local source = { fasta = args.train, table = bench.folder .. "/train.tsv" }
  local found, told = index.of(work .. "/" .. index.name(source), source)
  for _, line in ipairs(told) do report:say("%s", line) end
  local results = search(bench, found, steps, work, args.quiet)
  local records, replaced = {}, {}
  for _, result in ipairs(results) do replaced[result.entry.channel] = true end
  local kept = keep(builder, bench, replaced, work)
  for i, result in ipairs(results) do records[i] = take(builder, report, result, steps.limits) end
  write(builder, bench, records, kept, report, steps.limits)
end

function action.run(args)
  local bench, report = open_bench(args.bench), reports.new()
  local work = args.work or bench.folder .. ".search"
  system.mkdir(work)
  local lock <close> = system.lock(work .. "/.lock")
  if not lock then fail("%s: another ecrb searches for this benchmark; wait for it", work) end
  run(args, bench, work, report)
  for _, line in ipairs(report:text()) do out.write(line, "\n") end
  out.write("finished batches are kept in ", work, "; remove it when they are not wanted\n")
  return 0
end

return action
