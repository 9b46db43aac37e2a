-- One folder among those that are merged: a shard, or what was merged before.

local core_journal = require "core.journal"
local difference = require "ecrb.difference"
local fail = require "ecrb.fail"
local manifests = require "ecrb.manifest"

local part = {}

local Part = {}
Part.__index = Part

-- The cut that a shard is of, which all shards of a run share.
local function cut_of(folder, manifest)
  local cut = manifest.settings.shard or manifest.shards
  if type(cut) ~= "table" or not math.tointeger(cut.of) then
    fail("%s: is no shard: it was run without --shard, so there is nothing to merge", folder)
  end
  return { of = cut.of, items = cut.items, sha256 = cut.sha256, limit = cut.limit,
           sample = cut.sample, visible = cut.visible }
end

-- Sessions with the number of the shard that they were of; those of a merged run
-- have it, but for sessions of its own.
local function sessions_of(manifest, index)
  local sessions = manifest.sessions or {}
  if index then
    for _, session in ipairs(sessions) do session.shard = index end
  end
  return sessions
end

-- Reads the manifest of a folder. Fields: folder, index (of a shard; nil for a
-- merged run), merged (the shards in it), same (what must be the same in all
-- parts), cut, sessions, bench_folder.
function part.read(folder)
  local manifest = manifests.read(folder, "the folders of shards")
  local cut = cut_of(folder, manifest)
  local index = manifest.settings.shard and manifest.settings.shard.index
  manifest.settings.shard = nil
  return setmetatable({
    folder = folder, index = index, merged = index and { index } or manifest.shards.merged,
    cut = cut, settings = manifest.settings, sessions = sessions_of(manifest, index),
    bench_folder = manifest.bench_folder, versions = manifest.versions,
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

-- Opens the journals, which a process that works on the part may still extend:
-- the records first, so that no record lacks its calls.
function Part:open()
  self.records = core_journal.open(self.folder .. "/items.jsonl", "r")
  self.calls = core_journal.open(self.folder .. "/calls.jsonl", "r")
end

function Part:close()
  if self.records then self.records:close() end
  if self.calls then self.calls:close() end
end

return part
