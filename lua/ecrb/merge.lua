-- The run folders of shards put together to the folder of one run, as if one
-- process had made it. What comes out depends on what is merged and on nothing
-- else: not on the order, nor on how often, nor on what was merged before. Where
-- the result stands already it is one of the parts, so that nothing that was
-- done in it is lost.

local benchmark = require "ecrb.benchmark"
local core_journal = require "core.journal"
local fail = require "ecrb.fail"
local json = require "ecrb.json"
local keyed_line = require "ecrb.keyed_line"
local made = require "ecrb.made"
local manifests = require "ecrb.manifest"
local part = require "ecrb.merge.part"
local records = require "ecrb.report.records"
local sessions = require "ecrb.merge.sessions"
local shard = require "ecrb.shard"
local system = require "core.system"
local writer = require "ecrb.writer"

local merge = {}

-- {==================================================================
-- The parts, and the items that they share out
-- ===================================================================

local function read_parts(folders)
  local parts = {}
  for i, folder in ipairs(folders) do
    parts[i] = part.read(folder)
    part.check_like(parts[1], parts[i])
  end
  return parts
end

-- The items of the run in their order, chosen again as the shards chose them.
local function choose(self, bench_place)
  local first = self.parts[1]
  local settings, cut = first.settings, first.same.shard
  self.bench = records.benchmark(first.folder, first, { bench = bench_place })
  self.items = benchmark.select(self.bench, { split = settings.split ~= "all"
    and settings.split or nil, items = settings.items ~= json.null and settings.items or nil,
    limit = cut.limit, sample = cut.sample, visible = cut.visible, seed = settings.seed })
  local ids
  self.number_of, ids = shard.numbers(self.bench, self.items, cut.of)
  for i = 1, cut.of do self.shards[i] = { items = 0, names = {} } end
  if shard.digest(ids) ~= cut.sha256 then
    fail("%s: its items are others than benchmark %s gives now; restore the benchmark, or name "
      .. "it with --bench", first.folder, self.bench.folder)
  end
end
-- }==================================================================

-- {==================================================================
-- Records
-- ===================================================================

-- What is to be kept of two records of an item that differ. A failure gives way
-- to what was found when it was tried again; two answers are a contradiction.
local function settled(self, index, a, b)
  if a.failed and b.failed then return a.line < b.line and a or b end
  if a.failed then return b end
  if b.failed then return a end
  fail("%s and %s hold different records of item %s; leave one of them out", a.parts[1].folder,
    b.parts[1].folder, self.bench.core:item(index).name)
end

-- The record of an item, with the parts that hold it; nil where none does.
local function record_of(self, index)
  local id, found = self.bench.core:item(index).id, nil
  for _, one in ipairs(self.parts) do
    local other = one:record(id)
    if other and found and other.line == found.line then
      table.insert(found.parts, one)
    elseif other then
      found = found and settled(self, index, found, other) or other
    end
  end
  return found
end
-- }==================================================================

-- {==================================================================
-- Calls
-- ===================================================================

-- The line of a call in some of the parts; where they differ, in when it was
-- answered or how, any rule will do that always picks the same.
local function call_in(parts, key)
  local found
  for _, one in ipairs(parts) do
    local line = one.calls:find(key)
    if line and (not found or line < found) then found = line end
  end
  return found
end

-- The calls of a record in their order, out of the parts that hold the record.
local function copy_calls(self, found)
  for _, key in ipairs(found.calls) do
    local line = call_in(found.parts, key)
    if line and not self.calls:find(key) then self.calls:append(line) end
  end
end

-- What belongs to no record: calls that failed, and those of unfinished items.
local function copy_other_calls(self)
  local keys, seen = {}, {}
  for _, one in ipairs(self.parts) do
    for n = 1, one.calls:count() do
      local key = keyed_line.key(one.calls:line(n))
      if not seen[key] and not self.calls:find(key) then
        keys[#keys + 1], seen[key] = key, true
      end
    end
  end
  table.sort(keys)
  for _, key in ipairs(keys) do self.calls:append(call_in(self.parts, key)) end
end
-- }==================================================================

-- {==================================================================
-- The result
-- ===================================================================

-- What is missing, by shard: {shard =, items = of the shard, names = without a
-- record}.
local function note_missing(self, index, seen)
  local number = self.number_of(index)
  local entry = self.shards[number]
  entry.items = entry.items + 1
  if not seen then table.insert(entry.names, self.bench.core:item(index).name) end
end

local function write_journals(self, folder)
  local items <close> = writer.open(folder .. "/items.jsonl")
  self.calls = core_journal.open(folder .. "/calls.jsonl", "a")
  for _, index in ipairs(self.items) do
    local found = record_of(self, index)
    note_missing(self, index, found)
    if found then
      items:write(found.line, "\n")
      copy_calls(self, found)
      self.done = self.done + 1
      self.failed = self.failed + (found.failed and 1 or 0)
    end
  end
  for _, one in ipairs(self.parts) do one:check_taken() end
  copy_other_calls(self)
  self.calls:sync()
  self.calls:close()
  items:finish()
end

-- The numbers of the shards in any part, in order.
local function merged_shards(parts)
  local seen, list = {}, json.array()
  for _, one in ipairs(parts) do
    for _, number in ipairs(one.merged) do
      if not seen[number] then list[#list + 1] = number end
      seen[number] = true
    end
  end
  table.sort(list)
  return list
end

-- Shards may have run on machines where the benchmark stands elsewhere.
local function bench_folder(parts)
  local least = parts[1].bench_folder
  for _, one in ipairs(parts) do
    if one.bench_folder < least then least = one.bench_folder end
  end
  return least
end

local function manifest_of(self)
  local first = self.parts[1]
  local shards = first.same.shard
  shards.merged = merged_shards(self.parts)
  return { format = first.same.format, settings = first.settings, shards = shards,
    sessions = sessions(self.parts), items_total = #self.items,
    bench_folder = bench_folder(self.parts), versions = first.versions,
    complete = self.done == #self.items }
end

local function close_parts(parts)
  for _, one in ipairs(parts) do one:close() end
end

local function fill(self, folder)
  local parts <close> = setmetatable(self.parts, { __close = close_parts })
  for _, one in ipairs(parts) do one:open() end
  write_journals(self, folder)
  manifests.write(folder, manifest_of(self))
end

-- Replaces the files of a run that stands there, and no others, in an order in
-- which each step leaves a run.
local function put_files(filled, out)
  for _, name in ipairs { "calls.jsonl", "items.jsonl", "run.json" } do
    system.rename(filled .. "/" .. name, out .. "/" .. name)
  end
end
-- }==================================================================

local function locked(out)
  return system.lock(out .. "/.lock")
    or fail("%s: another ecrb works on this run; wait for it", out)
end

-- The parts of the command, and the result where it stands already.
local function all_folders(folders, out)
  local all = table.move(folders, 1, #folders, 1, {})
  if not system.exists(out) then return all, false end
  if part.read(out).index then
    fail("%s: is the folder of a shard; choose another name with --out", out)
  end
  all[#all + 1] = out
  return all, true
end

-- Merges folders into `out`. options: bench (where the benchmark stands).
-- Returns {done =, failed =, items =, of =, shards = {{items =, names = of those
-- without a record}...}}.
function merge.run(folders, out, options)
  local all, stands = all_folders(folders, out)
  local _ <close> = stands and locked(out) or nil
  local self = { parts = read_parts(all), done = 0, failed = 0, shards = {} }
  choose(self, options.bench)
  made(out, function (beside) fill(self, beside) end, stands and put_files or system.rename)
  return { done = self.done, failed = self.failed, items = #self.items,
           of = self.parts[1].same.shard.of, shards = self.shards }
end

return merge
