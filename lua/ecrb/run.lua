-- A run: one method in one setting over the chosen items of a benchmark, in a
-- folder with two journals. After a kill at any moment the same command
-- finishes it; a call that was answered is never sent again.

local benchmark = require "ecrb.benchmark"
local budget = require "ecrb.budget"
local call_line = require "ecrb.call_line"
local core_journal = require "core.journal"
local core_text = require "core.text"
local difference = require "ecrb.difference"
local file_word = require "ecrb.file_word"
local item_records = require "ecrb.item_records"
local json = require "ecrb.json"
local manifests = require "ecrb.manifest"
local near = require "ecrb.near"
local record = require "ecrb.record"
local run_folder = require "ecrb.run_folder"
local sched = require "core.sched"
local shard = require "ecrb.shard"
local system = require "core.system"
local task = require "ecrb.task"

local run = {}

local Run = {}
Run.__index = Run

-- Of one item: calls of a chain, and what the scheduler watches.
run.default_limits = { calls = 64, task = { instructions = 100000000, seconds = 20,
                                            memory = 256 * 1000 * 1000 } }

-- {==================================================================
-- What makes two runs the same run: everything that a reply depends on.
-- ===================================================================

local function set_of(list)
  local set = {}
  for _, name in ipairs(list) do set[name] = true end
  return set
end

local function prompt_hashes(self)
  local hashes, names = {}, self.method:prompt_names()
  local known = set_of(names)
  for name in pairs(self.prompts.replaced) do
    if not known[name] then
      error(string.format("--prompt %s: method %s fills no such template%s", name, self.method.id,
        near.hint(name, names)), 0)
    end
  end
  for _, name in ipairs(names) do
    local template, message = self.prompts:get(name)
    if not template then error(message, 0) end
    hashes[name] = template.sha256
  end
  return hashes
end

local function method_hashes(method)
  local entry = { id = method.id, title = method.title, sha256 = method.sha256 }
  if #method.sources > 0 then
    entry.sources = {}
    for i, source in ipairs(method.sources) do
      entry.sources[i] = { file = string.match(source.path, "[^/]+$"), sha256 = source.sha256 }
    end
  end
  if method.wrapped then entry.base = method_hashes(method.wrapped) end
  return entry
end

-- Whatever the benchmark; also of a specification that is not opened.
function run.method_settings(self)
  return {
    method = method_hashes(self.method), book = self.book, options = self.options,
    prompts = prompt_hashes(self), parameters = self.parameters, seed = self.seed,
    model = { name = self.model.name, identity = self.model.identity, kind = self.model.kind },
    candidates = self.rule or json.null, hits = self.hits, paged = self.paged,
    oracle = self.method.grant == "labels",
  }
end

local function settings_of(self)
  local settings = run.method_settings(self)
  settings.bench = { name = self.benchmark.name, sha256 = self.benchmark.sha256,
                     contents = benchmark.contents(self.benchmark) }
  settings.split, settings.items = self.split or "all", self.items_named or json.null
  settings.shard = self.shard
  return settings
end

-- runs/BENCH-SPLIT-METHOD-BOOK-MODEL-HASH: the same command comes back to the
-- same folder, a changed prompt or option goes to a new one. A shard's is that
-- of the whole run with `-3of8` behind it.
local function folder_for(self, settings)
  settings.shard = nil
  local hash = string.sub(core_text.sha256(json.encode(settings)), 1, 8)
  settings.shard = self.shard
  return shard.named(string.format("%s/%s-%s-%s-%s-%s-%s", self.runs or "runs",
    file_word(self.benchmark.name), file_word(self.split or "all"), self.method.id, self.book,
    file_word(self.model.name), hash), self.shard)
end
-- }==================================================================

-- {==================================================================
-- The manifest
-- ===================================================================

local function check_same(self, manifest, settings)
  local found = difference(manifest.settings, settings)
  if found then
    error(string.format("%s holds a run with other settings (%s); give another folder with "
      .. "--out, or undo the change", self.folder, found), 0)
  end
end

local function open_manifest(self, settings)
  local manifest = run_folder.manifest(self.folder)
  if manifest then
    check_same(self, manifest, settings)
  else
    manifest = { format = manifests.format, settings = settings, sessions = json.array(),
                 items_total = 0 }
  end
  manifest.items_total = math.max(manifest.items_total, #self.items)
  manifest.bench_folder = self.benchmark.folder
  manifest.versions = { ecrb = system.version, lua = _VERSION }
  self.manifest = manifest
  self.session = #manifest.sessions + 1
  local sessions = json.array(manifest.sessions)
  manifest.sessions = sessions
  sessions[self.session] = { started = os.date("!%Y-%m-%dT%H:%M:%SZ"), status = "running",
                             concurrency = self.concurrency, limits = self.limits_left,
                             durability = self.durability,
                             model = self.model.manifest and self.model:manifest() }
  run_folder.write(self.folder, manifests.write, self.folder, self.manifest)
end
-- }==================================================================

local function say(line)
  io.stderr:write(line, "\n")
end

local function open_journals(self)
  local calls, torn
  self.journal, calls = core_journal.open(self.folder .. "/calls.jsonl", "a")
  self.records, torn = item_records.open(self.folder .. "/items.jsonl")
  local dropped = calls.torn + torn
  if dropped > 0 then
    local tell = self.say or say
    tell(string.format("note: %d bytes of a line that was being written when the last session "
      .. "ended are dropped", dropped))
  end
end

-- When calls are on the disk. Nothing waits for the disk on the event loop: a
-- sync takes a millisecond or ten, and would hold up every call in flight. A
-- killed process loses nothing either way; this is about a machine that fails.
run.durability = {
  batch = { seconds = 0.05, lines = 64 }, -- a reply is used at once
  record = { seconds = 0, lines = 1 }, -- a reply is used once it is on the disk
  none = false, -- the run goes with its folder
}

-- Records of items need no such care: they are made again from the calls.
local function keep_calls(self)
  local how = run.durability[self.durability or "batch"]
  if not how then return end
  self.journal:keep(how.seconds, how.lines)
  if self.durability == "record" then self.keeping = sched.gate(1) end
end

-- What the calls of the journal cost, as they were counted when they were made.
function Run:spent()
  local sum = { calls = 0, tokens = 0, cost = 0 }
  for n = 1, self.journal:count() do
    local spent, wrong = call_line.spent(self.journal:line(n))
    if not spent then error(call_line.refusal(self.folder, n, wrong), 0) end
    for name, amount in pairs(spent) do sum[name] = sum[name] + amount end
  end
  return sum
end

-- A method is for proteins or for reactions, and so is a benchmark.
local function check_items(loaded, bench)
  local there = bench.core:kind()
  if loaded.items and loaded.items ~= there then
    error(string.format("%s: method %s is for %s, the benchmark %s is of %s", loaded.path,
      loaded.id, loaded.items, bench.name, there), 0)
  end
end

-- What a task needs of a run, from {method=, benchmark=, book=, options=,
-- model=, prompts=, parameters=, seed=, loop=, hits=, rule=, ...}. `retry` is a
-- set of outcomes whose items are asked again.
function run.prepared(spec)
  check_items(spec.method, spec.benchmark)
  local self = setmetatable(spec, Run)
  self.bench, self.tree = self.benchmark.core, self.benchmark.core:tree()
  self.channels = self.bench:channels()
  self.channel_set = set_of(self.channels)
  self.method:check_channels(self.options, self.channel_set)
  self.limits = self.limits or run.default_limits
  self.counts = { sent = 0, again = 0, missed = 0, replayed = 0, done = 0, kept = 0, failed = 0 }
  self.gold = function (enzyme) return self.bench:reveal(self.bench:find(enzyme.name)) end
  self.budget = self.budget or budget.new({}, self.model)
  self.taken, self.retry = self.taken or {}, self.retry or {}
  self.failures = {} -- by outcome
  self.odd = {} -- replies, by what is odd about them (wire/oddities.lua)
  self.looked_at = 0 -- how many items
  return self
end

-- Prepares a run of spec's items: opens its folder, checks that it is the same
-- run, takes its lock. Raises a message where that cannot be.
function run.open(spec)
  local self = run.prepared(spec)
  local settings = settings_of(self)
  self.folder = self.out or folder_for(self, settings)
  if self.taken[self.folder] then
    error(self.folder .. ": two settings of this command are the same run; change one of them", 0)
  end
  self.taken[self.folder] = true
  self.lock = run_folder.claim(self.folder)
  open_manifest(self, settings)
  open_journals(self)
  keep_calls(self)
  if self.budget:limited() then self.budget:carry(self:spent()) end
  return self
end

-- A failed call or a script's error, of this session or an earlier one.
local function note_failure(self, line)
  if not record.is_failure(line.outcome) then return end
  self.counts.failed = self.counts.failed + 1
  self.failures[line.outcome] = (self.failures[line.outcome] or 0) + 1
  self.first_failure = self.first_failure or line
end

-- Counts a record, and shows it to whoever wants to hear of each.
local function note(self, index, line)
  note_failure(self, line)
  if self.each then self.each(index, line) end
end

-- Items without a record yet and those that are to be asked again, as an
-- iterator of positions.
local function pending(self)
  return function ()
    while self:to_come() > 0 do
      self.looked_at = self.looked_at + 1
      local index = self.items[self.looked_at]
      local kept = self.records:find(self.bench:item(index).id)
      local line = kept and (json.decode(kept) or {})
      if not line or self.retry[line.outcome] then return index end
      self.counts.kept = self.counts.kept + 1
      note(self, index, line)
    end
  end
end

-- One item: run the script afresh, record what came of it.
local function work(self, context)
  return task.enter(context, function ()
    local instance = self.method:instance(self)
    return record.of(context, instance.run(context.enzyme, self.options))
  end)
end

local function stopped(self)
  return self.paused or self.loop:stopping()
end

-- Where the machine has no memory left, that says nothing about the item. (What
-- a script may take is bounded, and that bound has other words.)
local function lacks_memory(ok, value)
  local message = type(value) == "table" and value.message or value
  return not ok and message == "not enough memory"
end

-- Keeps the record, unless the item was given up because the run stops: then it
-- stays pending, or keeps the record that it has, and the next session takes it
-- up.
local function finish(self, context, ok, value)
  if context.abandoned or (not ok and stopped(self) and type(value) == "table"
      and value.code == "cancelled") then
    return
  end
  if lacks_memory(ok, value) then
    return self:pause("the machine has no memory left for this run", "refused")
  end
  local line = ok and value or record.broken(context, value)
  self.records:keep(line)
  self.counts.done = self.counts.done + 1
  note(self, context.index, line)
end

-- How many items were not looked at yet.
function Run:to_come()
  return #self.items - self.looked_at
end

-- Gives the run's task of the next pending item to the scheduler, or nil.
function Run:next()
  if stopped(self) then return nil end
  self.pending = self.pending or pending(self)
  local index = self.pending()
  if not index then return nil end
  local context = task.new(self, index)
  return function () return work(self, context) end, context, self.limits.task
end

function Run:done(ok, value, context)
  for need in pairs(context.reserved) do self.budget:settle(need, {}) end
  finish(self, context, ok, value)
end

-- Stops asking; what is in flight ends, the rest stays pending. `how` is
-- "paused" (the same command goes on later) or "refused".
function Run:pause(reason, how)
  self.paused = self.paused or reason
  self.paused_how = self.paused_how or how or "paused"
end

local function check_files(self)
  self.journal:check()
  self.records:check()
end

-- The run is at its end where somebody removes or cuts its files: what is asked
-- from then on would be lost.
function Run:look_after_files()
  local ok, problem = pcall(check_files, self)
  if not ok then self:pause(problem.message, "refused") end
end

-- Closes the run's files and writes how the session ended.
function Run:close(status)
  check_files(self)
  self.journal:sync()
  self.journal:close()
  local complete = self.records:count() >= self.manifest.items_total
  if complete or self.records:is_renewed() then self.records:put_in_order(self.bench) end
  local session = self.manifest.sessions[self.session]
  session.status = status
  for _, name in ipairs { "sent", "again", "missed", "replayed" } do
    session[name] = self.counts[name]
  end
  if next(self.odd) then session.odd = self.odd end
  session.ended = os.date("!%Y-%m-%dT%H:%M:%SZ")
  if self.paused then session.reason = self.paused end
  self.manifest.complete = complete
  manifests.write(self.folder, self.manifest)
  self.records:sync()
  self.records:close()
  self.lock:release()
  return complete
end

return run
