-- What an annotation is asked for, out of the command's options: queries,
-- training set, searches, tree, method and model, and where the work is kept.

local contents = require "ecrb.contents"
local difference = require "ecrb.difference"
local fail = require "ecrb.fail"
local import = require "core.import"
local json = require "ecrb.json"
local leaves = require "ecrb.annotate.leaves"
local parts = require "ecrb.annotate.parts"
local plan = require "ecrb.search.plan"
local queries = require "ecrb.annotate.queries"
local rows = require "ecrb.annotate.rows"
local setting = require "ecrb.setting"
local run = require "ecrb.run"
local shard = require "ecrb.shard"
local source = require "ecrb.annotate.source"
local system = require "core.system"
local vectors = require "ecrb.annotate.vectors"

local task = {}

local BATCH = 5000 -- queries, where no tool has a say

-- What there is in a FASTA file (core.import.survey), which the user knows by `name`.
function task.survey(path, name)
  if system.kind(path) == "folder" then fail("%s: is a folder; give a FASTA file", path) end
  local found = import.survey(path)
  if found.records == 0 then fail("%s: no sequence", name or path) end
  return found
end

local function setting_of(args)
  local one = setting.of(args, args.method)
  if one.method.grant then
    fail("%s: the method %s is granted labels, and there are none here", one.method.path,
      one.method.id)
  end
  return one
end

-- The result and the folder of the work, beside it; `-` prints the result, as it
-- is usual where the queries come in as they go out.
function task.places(args)
  local stem = string.match(args.fasta, "([^/]*)$")
  if stem == "-" then stem, args.out = "stdin", args.out or "-" end
  stem = string.match(string.gsub(stem, "%.gz$", ""), "^(.+)%.[^.]+$") or stem
  local usual = shard.named(stem .. ".ec." .. args.format, args.shard)
  local out = args.out or usual
  if out ~= "-" and args.out then out = shard.named(out, args.shard) end
  return out, args.work or (out == "-" and usual or out) .. ".work"
end

function task.check_out(out, force)
  if out == "-" or force then return end
  if system.exists(out) then
    fail("%s: is there already; choose another name with --out, or --force to replace it", out)
  end
end

-- Whether calls of a finished result failed, which the same command asks again.
local function holds_failures(self)
  return system.exists(self.work .. "/failed")
end

-- The sequences of the shard, if there is one, by a rule about ids.
local function take_shard(self)
  local one = self.args.shard
  if not one then return end
  local number_of, total = parts.of(self.args.fasta, self.survey, one.of)
  self.total = total[one.index]
  self.belongs = function (id) return number_of(id) == one.index end
  self.told[#self.told + 1] = string.format("shard %d of %d: %d of %d sequences; its part of the "
    .. "limits: %s", one.index, one.of, self.total, self.survey.records - #self.survey.repeats,
    shard.told(self.shared.limits_left))
end

-- Everything that the result depends on.
local function settings_of(self)
  local channels = json.array()
  for i, entry in ipairs(self.plan.channels) do
    channels[i] = plan.record(entry, { evalue = self.plan.limits.evalue,
      neighbours = self.plan.limits.neighbours, threads = 1 })
  end
  return { queries = self.survey.sha256, training = self.index.manifest.made_of,
    tree = self.leaves.sha256, channels = channels, batch = self.plan.batch,
    format = self.args.format, page = self.args.page, shard = self.args.shard,
    vectors = self.vectors and self.vectors:record(),
    method = run.method_settings(setting.spec(self.args, self.shared, self.setting)) }
end

local function lock_work(self)
  system.mkdir(self.work)
  self.lock = system.lock(self.work .. "/.lock")
  if not self.lock then
    fail("%s: another ecrb works there; wait for it, or name another folder with --work",
      self.work)
  end
end

-- The folder of the work, which holds nothing of another task.
local function open_work(self)
  local path = self.work .. "/task.json"
  if not self.lock then lock_work(self) end
  local settings = settings_of(self)
  local recorded = contents(path)
  if not recorded then return system.write(path, json.pretty(settings)) end
  recorded = json.decode(recorded)
  local found = difference(recorded, settings)
  if found then
    fail("%s: holds unfinished work with other settings (%s); undo the change, remove the "
      .. "folder, or name another one with --work", self.work, found)
  end
end

-- Reads what there is to read.
local function prepare(self)
  local args = self.args
  self.survey = task.survey(args.fasta, self.given)
  self.total = self.survey.records - #self.survey.repeats
  self.plan = plan.of(args, { [vectors.source.channel] = true })
  self.plan.batch = self.plan.batch or BATCH
  self.shared = setting.shared(args)
  self.index, self.told = source.open(args)
  if self.plan.named[vectors.source.channel] then
    self.vectors = vectors.open(args, self.index)
  end
  take_shard(self)
  self.leaves = leaves.of(args.tree, self.index)
  open_work(self)
end

-- Opens the task that the options `args` describe. Of one that is refused nothing
-- stays but what was there.
function task.open(args)
  local self = { args = args, force = args.force, total = 0, format = rows.formats[args.format] }
  self.setting = setting_of(args)
  self.out, self.work = task.places(args)
  task.check_out(self.out, self.force or holds_failures(self))
  if queries.come_once(args.fasta) then
    lock_work(self)
    self.given = args.fasta == "-" and "standard input" or args.fasta
    args.fasta = queries.copy(args.fasta, self.work .. "/queries.fasta")
  end
  local good, problem = pcall(prepare, self)
  if good then return self end
  if self.lock and not system.exists(self.work .. "/task.json") then system.remove(self.work) end
  error(problem, 0)
end

return task
