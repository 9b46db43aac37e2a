-- Reads a run's folder for those who look at it afterwards: the manifest, and
-- the records of its items, each checked against the benchmark. The journals
-- are only read.

local benchmark = require "ecrb.benchmark"
local check = require "ecrb.report.check"
local core_ec = require "core.ec"
local core_journal = require "core.journal"
local fail = require "ecrb.fail"
local json = require "ecrb.json"
local manifests = require "ecrb.manifest"
local run_folder = require "ecrb.run_folder"
local shape = require "ecrb.shape"
local strict_json = require "ecrb.wire.strict_json"
local system = require "core.system"

local records = {}

local count, share = shape.optional(shape.between(0, 1e15)), shape.optional(shape.between(0, 1))
local texts = shape.list(shape.text)

local function ec_number(value)
  if type(value) ~= "string" or core_ec.parse(value) ~= value then return "", "EC number" end
end

-- What stands in a record beside what `check` asks for.
local record_shape = shape.object {
  key = shape.text, channels = texts, usage = shape.map(shape.between(0, 1e15)),
  turns = count, share = share, consensus = count, saved = count, stopped_at = count,
  may_stop = shape.boolean,
  calls = shape.optional(texts), others = shape.optional(shape.list(ec_number)),
  cause = shape.optional(shape.text), message = shape.optional(shape.text),
  confidences = shape.optional(shape.list(share)),
  notes = shape.optional(shape.list(shape.object { name = shape.text, value = shape.plain })),
  spans = shape.optional(shape.list(shape.object {
    key = shape.text, what = shape.text, first = shape.integer, last = shape.integer })) }

-- The level of an EC number in its canonical spelling, false of anything else.
-- The same few thousand come again and again.
local function new_levels()
  return setmetatable({}, { __index = function (known, node)
    local canonical, depth = core_ec.parse(node)
    known[node] = canonical == node and depth
    return known[node]
  end })
end

-- The benchmark that the run was made on: where it stood, or where options.bench
-- says, or a bundled one of that name.
function records.benchmark(folder, manifest, options)
  local recorded = manifest.settings.bench
  local place = options.bench or manifest.bench_folder
  if not options.bench and system.kind(place or "") ~= "folder" then
    place = recorded.name
  end
  local opened = options.opened or {}
  local good, bench = true, opened[place]
  if not bench then good, bench = pcall(benchmark.open, place) end
  if not good then
    fail("%s: the benchmark %s of this run cannot be opened: %s; name it "
      .. "with --bench", folder, recorded.name, tostring(bench))
  end
  bench.levels = bench.levels or new_levels()
  opened[place] = bench
  if bench.sha256 ~= recorded.sha256 then
    fail("%s: the run was made on another state of benchmark %s than %s holds",
      folder, recorded.name, bench.folder)
  end
  return bench
end

local function channel_set(bench)
  local set = {}
  for _, name in ipairs(bench:channels()) do set[name] = true end
  return set
end

-- JSON's null is Lua's nil.
local function without_nulls(record)
  for name, value in pairs(record) do
    if value == json.null then record[name] = nil end
  end
  return record
end

-- A line without the spans of its readings: they are the larger part of it, and
-- no figure is made of them. Neither mark can stand inside a JSON string.
local function without_spans(line)
  local _, from = string.find(line, '"spans":[', 1, true)
  local to = from and string.find(line, '],"split":', from, true)
  return to and string.sub(line, 1, from) .. string.sub(line, to) or line
end

local function read_record(self, number)
  local function complain(format, ...)
    fail("%s:%d: %s", self.path, number, string.format(format, ...))
  end
  local line = self.journal:line(number)
  local record, why = strict_json.decode(self.for_figures and without_spans(line) or line, {})
  why = why or shape.fault(record_shape, record)
  if why then
    complain("no record of an item: %s; delete the line, and the run's command makes it again "
      .. "without a call", why)
  end
  local index, id, name, split = self.bench:place(record.key)
  if not index then
    complain("the benchmark %s has no item `%s`", self.benchmark.name,
      tostring(record.key))
  end
  if id ~= record.key then complain("`%s` is no item id", record.key) end
  check(without_nulls(record), name, split, self, complain)
  record.index = index
  return record
end

-- What to do about pending items, which depends on who works on them.
local function advice(self)
  if run_folder.is_taken(self.folder) then
    return "another ecrb is writing this run: wait for it"
  end
  return "run the same command again to finish them"
end

local function check_complete(self, there, options)
  self.pending = math.max(0, (self.manifest.items_total or 0) - there)
  if options.partial then return end
  if there == 0 then fail("%s: no item is finished yet; %s", self.folder, advice(self)) end
  if self.pending > 0 then
    fail("%s: %d of %d {item|items} have no record yet; %s, or say %s", self.folder, self.pending,
      self.manifest.items_total, advice(self), options.partial_by or "--partial")
  end
end

-- A finished run's journal stands in the order of the benchmark already.
local function sort(list)
  for i = 2, #list do
    if list[i].index < list[i - 1].index then
      table.sort(list, function (a, b) return a.index < b.index end)
      return
    end
  end
end

-- What is known of a run without its records: folder, manifest, settings, benchmark
-- and bench. `options`: bench (where the benchmark stands), opened (a table in which
-- benchmarks stay open for the next run).
function records.run(folder, options)
  local manifest = manifests.read(folder, "a run's folder")
  local self = { folder = folder, manifest = manifest, settings = manifest.settings }
  self.benchmark = records.benchmark(folder, manifest, options)
  self.bench = self.benchmark.core
  self.levels, self.channels = self.benchmark.levels, channel_set(self.bench)
  return self
end

-- Hands over the records of a run, one after another as they stand in the journal,
-- and tells in `pending` how many are missing. `options`: partial (an unfinished
-- run is fine), partial_by (the word that says so, if it is not --partial). Where
-- they are read `for_figures`, spans are not.
function records.each(self, options, for_figures, use)
  self.path, self.for_figures = self.folder .. "/items.jsonl", for_figures
  self.journal = core_journal.open(self.path, "r")
  local there = self.journal:count()
  for number = 1, there do use(read_record(self, number)) end
  self.journal:close()
  check_complete(self, there, options)
end

-- All records of the run in a folder, as a list in the order of the benchmark that
-- is also what `records.run` gives.
function records.open(folder, options, for_figures)
  local self = records.run(folder, options)
  records.each(self, options, for_figures, function (record) self[#self + 1] = record end)
  sort(self)
  return self
end

return records
