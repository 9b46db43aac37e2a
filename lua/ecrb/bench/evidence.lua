-- `ecrb bench evidence BENCH --train FASTA`: runs the search tools over the
-- items of a benchmark and puts what they find into its evidence. With --shard
-- it searches some of the items only, and --gather takes over what all shards
-- found.

local benchmark = require "ecrb.benchmark"
local channel = require "ecrb.search.channel"
local channels = require "ecrb.import.channels"
local embedding = require "ecrb.search.embedding"
local evidence = require "ecrb.import.evidence"
local existing = require "ecrb.import.existing"
local fail = require "ecrb.fail"
local folder = require "ecrb.import.folder"
local import = require "core.import"
local index = require "ecrb.search.index"
local json = require "ecrb.json"
local numbers = require "ecrb.numbers"
local out = require "ecrb.out"
local pieces = require "ecrb.search.pieces"
local plan = require "ecrb.search.plan"
local reports = require "ecrb.import.report"
local shard = require "ecrb.shard"
local system = require "core.system"
local text = require "core.text"
local training = require "ecrb.import.training"

local action = { summary = "search the items in a training set with BLAST, HMMER and others" }

function action.configure(p)
  p:argument("BENCH", "benchmark folder, in which the evidence is put"):target("bench")
    :argname("BENCH")
  p:option("--train", "sequences of the training set, with ids as in BENCH's train.tsv")
    :argname("FASTA")
  plan.options(p)
  embedding.options(p)
  p:option("--work", "folder in which finished batches are kept (default: BENCH.search)")
    :argname("FOLDER")
  p:mutex(p:option("--shard", "search the I-th of N even parts of the items, and leave BENCH as "
      .. "it is"):argname("I/N"):convert(shard.read),
    p:option("--gather", "search nothing: put what N shards found into BENCH"):argname("N")
      :convert(numbers.whole(1)))
end

-- What a search depends on, but not on how many processors do it.
local function digest_of(bench, found, entry, batch, limits)
  local record = plan.record(entry, { evalue = limits.evalue,
    neighbours = limits.neighbours, threads = 1 })
  return string.sub(text.sha256(json.encode { record = record, batch = batch,
    items = import.sha256(bench.folder .. "/items.tsv"),
    made_of = found.manifest.made_of }), 1, 8)
end

-- Runs a tool for a channel. A result is {channel =, files =, layout =, record =}.
local function run_tool(this, entry, parts)
  local limits, tool, files = this.steps.limits, entry.tool, {}
  local place = string.format("%s/%s-%s", this.work, entry.channel,
    digest_of(this.bench, this.index, entry, this.steps.batch, limits))
  if this.args.gather then pieces.check(parts, entry.channel, place) end
  for _, piece in ipairs(parts) do
    local found = channel.search({ entry = entry, index = this.index, limits = limits,
      quiet = this.args.quiet, folder = shard.named(place, piece.shard) }, piece.batches)
    table.move(found, 1, #found, #files + 1, files)
  end
  return { channel = entry.channel, files = files, record = plan.record(entry, limits),
    layout = { format = tool.format, columns = tool.columns } }
end

local function search_embedding(this)
  local path = this.work .. "/" .. embedding.channel
  local record = embedding.search(this.args, this.bench, this.builder, this.report, path)
  return { channel = embedding.channel, files = { path }, record = record,
    layout = embedding.layout }
end

-- The results by channel, and the channels in the order asked for.
local function search(this)
  local results, order = {}, {}
  local parts = this.steps.batch and pieces.of(this.bench, this.steps.batch, this.args)
  for _, entry in ipairs(this.steps.channels) do
    results[entry.channel] = run_tool(this, entry, parts)
    order[#order + 1] = entry.channel
  end
  if this.steps.named[embedding.channel] then
    results[embedding.channel] = search_embedding(this)
    order[#order + 1] = embedding.channel
  end
  return results, order
end

local function items_of(bench)
  local items = {}
  for i = 1, #bench.core do items[i] = bench.core:item(i) end
  return items
end

-- Hands the hits of a channel to the builder; completes its record.
local function take(this, result)
  local layout, limits, found = result.layout, this.steps.limits, nil
  for _, path in ipairs(result.files) do
    found = this.builder:evidence(result.channel, path, { format = layout.format,
      columns = layout.columns, score = layout.score, kind = layout.kind,
      evalue = limits.evalue, most = limits.neighbours })
  end
  local record = result.record
  this.report:say("%s: %d {row|rows} of %s %s, %d {hit|hits} of %d {item|items} kept",
    result.channel, found.rows, record.tool, record.version, found.chosen, found.covered)
  evidence.refuse(evidence.leaks(record.tool, found.intruders, 0))
  record.rows, record.hits = found.rows, found.chosen
  record.covered = channels.coverage(this.report, items_of(this.bench), result.channel, found)
end

-- All channels into the builder: those that there are in their order, searched
-- again or as they stand; then new ones. Returns how many were left as they
-- stand.
local function gather(this, results, order)
  local scratch, kept, done = system.temporary(this.work), 0, {}
  for _, name in ipairs(this.bench.core:channels()) do
    done[name] = true
    if results[name] then
      take(this, results[name])
    elseif existing.keep(this.builder, this.bench, name, scratch) then
      kept = kept + 1
    end
  end
  for _, name in ipairs(order) do
    if not done[name] then take(this, results[name]) end
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
    manifest.counts[string.match(file.name, "^(.-)%.tsv$")] = file.rows
  end
  return manifest
end

-- The training set as the tools search it; its sequences are checked first.
local function open_index(this)
  local path = this.args.train
  if not path then fail("--train: name the training set's sequences") end
  evidence.refuse(training.fasta(this.builder, this.report, path))
  local source = { fasta = path, table = this.bench.folder .. "/train.tsv" }
  local found, told = index.of(this.work .. "/" .. index.name(source), source)
  for _, line in ipairs(told) do this.report:say("%s", line) end
  return found
end

local function write(this, records, kept)
  folder.build(this.bench.folder, true, function (beside)
    local written, reason = this.builder:write(beside)
    if not written then error(reason, 0) end
    folder.carry(this.bench.folder, beside)
    return manifest_with(this.bench, records, written, kept, this.steps.limits)
  end)
  this.report:say("wrote %s", this.bench.folder)
end

local function open_bench(path)
  if system.kind(path) ~= "folder" then fail("%s: is no benchmark folder", path) end
  return benchmark.open((string.match(path, "^(.-)/*$")))
end

local function run(this)
  local builder <close> = import.builder(this.bench.seed)
  this.builder = builder
  if existing.read(builder, this.report, this.bench) == 0 then
    fail("%s/train.tsv: no training enzyme; `ecrb bench import ... --train TSV` brings "
      .. "them in, with their EC numbers", this.bench.folder)
  end
  if #this.steps.channels > 0 then this.index = open_index(this) end
  local results, order = search(this)
  if this.args.shard then
    return this.report:say("shard %d of %d is searched; once all are, --gather %d puts what they "
      .. "found into %s", this.args.shard.index, this.args.shard.of, this.args.shard.of,
      this.bench.folder)
  end
  local kept, records = gather(this, results, order), {}
  for i, name in ipairs(order) do records[i] = results[name].record end
  write(this, records, kept)
end

function action.run(args)
  local this = { args = args, bench = open_bench(args.bench), report = reports.new() }
  this.steps = plan.of(args, { [embedding.channel] = true })
  this.work = args.work or this.bench.folder .. ".search"
  if args.shard and this.steps.named[embedding.channel] then
    fail("--shard: %s is no search to share out; leave it to --gather", embedding.channel)
  end
  system.mkdir(this.work)
  local lock <close> = system.lock(shard.named(this.work .. "/.lock", args.shard))
  if not lock then
    fail("%s: another ecrb searches for this benchmark; wait for it", this.work)
  end
  run(this)
  for _, line in ipairs(this.report:text()) do out.write(line, "\n") end
  out.write("finished batches are kept in ", this.work,
    "; remove it when they are not wanted\n")
  return 0
end

return action
