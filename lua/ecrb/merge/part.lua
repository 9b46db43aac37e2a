-- One folder among those that are merged: a shard, or what was merged before.

local core_journal = require "core.journal"
local difference = require "ecrb.difference"
local fail = require "ecrb.fail"
local json = require "ecrb.json"
local manifests = require "ecrb.manifest"
local records = require "ecrb.record"
local shape = require "ecrb.shape"
local system = require "core.system"

local part = {}

local MOST = 2 ^ 53

local Part = {}
Part.__index = Part

-- {==================================================================
-- The manifest
-- ===================================================================

-- The number of a shard or of shards: from 1 to `most`, where that is one itself.
local function number_up_to(most)
  return shape.whole(1, most or MOST)
end

-- What must hold of the manifest besides what holds of every run's.
local function check(folder, manifest, cut)
  local items, of = math.tointeger(cut.items), math.tointeger(cut.of)
  local common = { items = number_up_to(), of = number_up_to(items), sha256 = shape.text }
  local wanted = { bench_folder = shape.text, sessions = shape.list(shape.object {
    started = shape.text, shard = shape.optional(number_up_to(of)) }) }
  if manifest.settings.shard then
    common.index = number_up_to(of)
    wanted.settings = shape.object { shard = shape.object(common) }
  else
    common.merged = shape.list(number_up_to(of))
    wanted.shards = shape.object(common)
  end
  local wrong = shape.fault(shape.object(wanted), manifest)
  if wrong then fail("%s/run.json: is no manifest of a shard (%s)", folder, wrong) end
end

-- Of a shard the cut that it is of stands among the settings, of a merged run
-- beside them: its settings are those of a run that never was in shards.
local function cut_of(folder, manifest)
  local cut = manifest.settings.shard or manifest.shards
  if type(cut) ~= "table" then
    fail("%s: is no shard: it was run without --shard, so there is nothing to merge", folder)
  end
  check(folder, manifest, cut)
  manifest.settings.shard = nil
  return cut
end
-- }==================================================================

-- Sessions bear the number of the shard that they were of, in a merged run, too,
-- but for its own.
local function numbered(sessions, index)
  for _, session in ipairs(sessions) do session.shard = index or session.shard end
  return sessions
end

-- Reads the manifest of a folder. Fields: folder, index (of a shard; nil for a
-- merged run), merged (the shards in it), same (what must be the same in all
-- parts; in it shard, the cut), settings, sessions, bench_folder, versions.
function part.read(folder)
  local manifest = manifests.read(folder, "the folders of shards")
  local cut = cut_of(folder, manifest)
  local index, merged = cut.index, cut.merged or { cut.index }
  cut.index, cut.merged = nil, nil
  return setmetatable({
    folder = folder, index = index, merged = merged, settings = manifest.settings,
    sessions = numbered(manifest.sessions, index), bench_folder = manifest.bench_folder,
    versions = manifest.versions, taken = 0,
    same = { format = manifest.format, settings = manifest.settings, shard = cut,
             versions = manifest.versions },
  }, Part)
end

-- Refuses two parts that are not of one run.
function part.check_like(first, other)
  local found = difference(first.same, other.same, "%s: %s there, %s here")
  if found then
    fail("%s is of another run than %s (%s)", other.folder, first.folder, found)
  end
end

-- {==================================================================
-- The journals
-- ===================================================================

-- The journal of a shard that was killed before it had one.
local empty = { find = function () end, count = function () return 0 end,
                close = function () end }

local function open_journal(path)
  return system.exists(path) and core_journal.open(path, "r") or empty
end

-- Opens the journals, which a process that works on the part may still extend:
-- the records first, so that no record lacks its calls.
function Part:open()
  self.records = open_journal(self.folder .. "/items.jsonl")
  self.calls = open_journal(self.folder .. "/calls.jsonl")
end

-- The record of an item, as {line =, calls =, failed =, parts = {self}}, or nil.
function Part:record(id)
  local line = self.records:find(id)
  if not line then return nil end
  self.taken = self.taken + 1
  local record = json.decode(line)
  if type(record) ~= "table" or type(record.calls) ~= "table" then
    fail("%s/items.jsonl: the record of item %s is none that ecrb writes", self.folder, id)
  end
  return { line = line, calls = record.calls, parts = { self },
           failed = records.is_failure(record.outcome) }
end

-- Refuses records that nobody asked for.
function Part:check_taken()
  local more = self.records:count() - self.taken
  if more > 0 then
    fail("%s/items.jsonl: %d {record is|records are} of no item of this run", self.folder, more)
  end
end

function Part:close()
  if self.records then self.records:close() end
  if self.calls then self.calls:close() end
end
-- }==================================================================

return part
