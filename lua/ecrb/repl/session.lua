-- What an interactive session knows and can do, without a terminal: the item in
-- hand, the method and its options, edited templates, the model, and a folder
-- that keeps every reply that was paid for. Commands (ecrb.repl.commands) and the
-- tests speak to it.

local alone = require "ecrb.alone"
local benchmark = require "ecrb.benchmark"
local budget = require "ecrb.budget"
local contents = require "ecrb.contents"
local core_journal = require "core.journal"
local core_score = require "core.score"
local core_text = require "core.text"
local file_word = require "ecrb.file_word"
local frozen = require "ecrb.frozen"
local json = require "ecrb.json"
local method = require "ecrb.method"
local model = require "ecrb.model"
local models = require "ecrb.models"
local prompt = require "ecrb.prompt"
local record = require "ecrb.record"
local rehearsal = require "ecrb.rehearsal"
local run = require "ecrb.run"
local sandbox = require "core.sandbox"
local sched = require "core.sched"
local system = require "core.system"
local task = require "ecrb.task"
local variants = require "ecrb.variants"

local session = {}

local Session = {}
Session.__index = Session

-- {==================================================================
-- State
-- ===================================================================

-- Opens a session from command-line arguments: bench, model, method, runs.
function session.open(args)
  local self = setmetatable({ args = args, given = {}, edits = {}, undone = {}, history = {},
                              found = {}, globals = {} }, Session)
  self.benchmark = benchmark.open(args.bench)
  self.bench = self.benchmark.core
  self.model = models.resolve(args)
  self.loop = sched.loop {}
  self.folder = string.format("%s/repl-%s-%s", args.runs or "runs", file_word(self.benchmark.name),
    file_word(self.model.name))
  system.mkdir(self.folder)
  self.lock = system.lock(self.folder .. "/.lock")
  if not self.lock then
    error(self.folder .. ": another session works here; close it or give --runs", 0)
  end
  self.journal = core_journal.open(self.folder .. "/calls.jsonl", "a")
  self.budget = budget.new({ calls = args.max_calls, tokens = args.max_tokens,
                             cost = args.max_cost }, self.model)
  self.client = self.model:open(self.loop, { concurrency = args.concurrency or 8, seed = 1 })
  self.counts = { sent = 0, again = 0, missed = 0, replayed = 0 }
  self:use(args.method or "m1")
  self.index = 1
  return self
end

-- Takes up a method by id or path. On failure the old one stays.
function Session:use(name)
  local loaded = method.load(method.find(name))
  loaded:bind({})
  self.method_name, self.method = name, loaded
  self.book = loaded:offers("open") and "open" or "closed"
  self.given = {}
  self.seen = self:fingerprint()
end

-- Hashes of the files that the method stands in, to notice a change.
function Session:fingerprint()
  local parts = {}
  local paths = { self.method.path }
  for _, name in ipairs(self.method:prompt_names()) do paths[#paths + 1] = self:saved_path(name) end
  for i, path in ipairs(paths) do
    local text = contents(path)
    parts[i] = text and core_text.sha256(text) or "missing"
  end
  return table.concat(parts, " ")
end

function Session:folders()
  return { self.method.folder .. "/prompts", system.self .. "/prompts" }
end

-- Where a template's saved file stands.
function Session:saved_path(name)
  for _, folder in ipairs(self:folders()) do
    local path = folder .. "/" .. name .. ".txt"
    if system.exists(path) then return path end
  end
  return self:folders()[2] .. "/" .. name .. ".txt"
end

-- Reads script and prompts again. Returns whether anything changed.
function Session:reload()
  local now = self:fingerprint()
  local fresh = method.load(self.method.path)
  fresh:bind(self.given)
  self.method = fresh
  local changed = now ~= self.seen
  self.seen = now
  return changed
end

-- Whether the files changed since they were read.
function Session:stale()
  return self:fingerprint() ~= self.seen
end

function Session:item()
  return self.bench:item(self.index)
end

-- Moves to an item by name, accession or anonymized id; "next" goes on.
function Session:go(name)
  if name == "next" then
    self.index = self.index % #self.bench + 1
    return
  end
  self.index = benchmark.index(self.benchmark, name)
end

local function keep_for_undo(self)
  local state = { edits = {}, given = {}, book = self.book }
  for name, path in pairs(self.edits) do state.edits[name] = path end
  for name, value in pairs(self.given) do state.given[name] = value end
  self.undone[#self.undone + 1] = state
end

-- Takes the last change of templates, options or book back.
function Session:undo()
  local state = table.remove(self.undone)
  if not state then return false end
  self.edits, self.given, self.book = state.edits, state.given, state.book
  return true
end

-- Sets options {name = text}. Raises and changes nothing if one is wrong.
function Session:set(values)
  local given = {}
  for name, value in pairs(self.given) do given[name] = value end
  for name, value in pairs(values) do given[name] = value end
  local fresh = method.load(self.method.path)
  fresh:bind(given)
  fresh:settings(given)
  keep_for_undo(self)
  self.given, self.method = given, fresh
end

function Session:set_book(book)
  if not self.method:offers(book) then
    error("method " .. self.method.id .. " has no " .. book .. "-book setting", 0)
  end
  keep_for_undo(self)
  self.book = book
end

function Session:settings()
  return self.method:settings(self.given)
end
-- }==================================================================

-- {==================================================================
-- Templates
-- ===================================================================

function Session:shelf(edits)
  return prompt.shelf(self:folders(), edits or self.edits)
end

-- The path and text of a template as it is now.
function Session:template_text(name)
  local path = self.edits[name] or self:saved_path(name)
  local text = contents(path)
  if not text then error("there is no prompt `" .. name .. "` (" .. path .. ")", 0) end
  return text, path
end

-- A copy to edit. The copy counts only once `accept` took it.
function Session:working_copy(name)
  local text = self:template_text(name)
  self.copies = (self.copies or 0) + 1
  local folder = string.format("%s/edits", self.folder)
  system.mkdir(folder)
  local path
  repeat
    path = string.format("%s/%03d-%s.txt", folder, self.copies, file_word(name))
    self.copies = self.copies + (system.exists(path) and 1 or 0)
  until not system.exists(path)
  system.write(path, text)
  return path, text
end

-- Takes an edited copy as the template. Raises if it cannot be parsed.
function Session:accept(name, path)
  local text = contents(path)
  if not text then error(path .. ": the edited copy is gone", 0) end
  local template, message = prompt.parse(path, text)
  if not template then error(message, 0) end
  keep_for_undo(self)
  self.edits[name] = path
  return text
end

-- Writes the edited templates and options as a variant under prompts/variants/.
function Session:save(name)
  local templates = {}
  for template in pairs(self.edits) do templates[template] = (self:template_text(template)) end
  return variants.save(name, self.method.id, templates, self.given, self.book)
end
-- }==================================================================

-- {==================================================================
-- Work on the item in hand
-- ===================================================================

-- What a run of the item in hand needs; `changes` replaces parts of it.
function Session:specification(changes)
  local spec = {
    method = self.method, book = self.book, options = self:settings(), benchmark = self.benchmark,
    model = self.method.model and self.model or model.none(), prompts = self:shelf(),
    parameters = {},
    seed = 1, hits = 10, rule = {}, loop = self.loop, budget = self.budget, client = self.client,
  }
  for name, value in pairs(changes or {}) do spec[name] = value end
  return spec
end

-- A run for the item in hand, with the session's journal unless `changes` has
-- another.
local function work_run(self, changes)
  local spec = self:specification(changes)
  spec.journal = spec.journal or self.journal
  spec.folder, spec.session = self.folder, 0
  local made = run.prepared(spec)
  made.counts = self.counts
  return made
end

-- At the prompt one Ctrl-C is enough: the call in flight is given up, too.
local function ticker(self)
  return function ()
    if self.loop:stopping() then self.loop:stop("interrupted") end
    if self.tick then self.tick() end
  end
end

-- Runs f(context) as a task. Returns ok, value; `ok` is nil if interrupted.
function Session:within(f, changes)
  local context = task.new(work_run(self, changes), self.index)
  local ended, ok, value = alone(self.loop, function ()
    return task.enter(context, f, context)
  end, { tag = context, tick = ticker(self) })
  if ended == "interrupted" then return nil, "interrupted" end
  return ok, value, context
end

-- The messages of the first question that the method would ask.
function Session:first_request(edits)
  local body = rehearsal.first_request(self:specification({ prompts = self:shelf(edits) }),
    self.index)
  return body and body.messages
end

local function calls_of(line, context)
  local calls = {}
  for i, key in ipairs(line.calls) do
    local stored = context.run.journal:find(key)
    local call = stored and json.decode(stored)
    if call then
      local status = call.status ~= json.null and call.status or 200
      call.outcome = context.run.model:read(status, call.raw)
      call.cached = context.cached[key]
      calls[i] = call
    end
  end
  return calls
end

-- Runs the method on the item. Returns its record and the calls that it made.
function Session:ask(changes)
  local ok, value, context = self:within(function (context)
    return record.of(context, self.method:instance(context.run).run(context.enzyme,
      context.run.options))
  end, changes)
  if ok == nil then error({ code = "interrupted", message = "interrupted" }, 0) end
  local line = ok and value or record.broken(context, value)
  return line, calls_of(line, context)
end

-- Which levels of a record are right; remembered as found for the item.
function Session:correct(line)
  if not self.bench:labelled() then return nil end
  local scored = self:score(line)
  self.found[self.index] = scored.l4 and "right" or "wrong"
  return scored
end

function Session:score(line)
  return core_score.items(self.bench, { {
    index = self.index, path = line.path, may_stop = line.may_stop,
    confidence = line.confidence ~= json.null and line.confidence or nil,
  } })[1]
end

-- Evaluates Lua in the frozen environment, with the item in hand as `item` and
-- `enzyme` and globals that stay for the session. Returns ok, values.
function Session:evaluate(source)
  local compiled, chunk = pcall(sandbox.compile, "input", "return " .. source)
  if not compiled then compiled, chunk = pcall(sandbox.compile, "input", source) end
  if not compiled then return false, chunk end
  return self:within(function (context)
    return table.pack(chunk(self:environment(context)))
  end)
end

-- Whether a source is a beginning that more lines could complete.
function session.incomplete(source)
  local unfinished = false
  for _, text in ipairs { "return " .. source, source } do
    local chunk, message = load(text, "=input", "t")
    if chunk then return false end
    unfinished = unfinished or string.find(message, "<eof>$") ~= nil
  end
  return unfinished
end

function Session:environment(context)
  local tree = self.bench:tree()
  local words = {
    item = context.enzyme, enzyme = context.enzyme, opt = context.run.options,
    tree = { children = function (node) return tree:children(node) end,
             parent = function (node) return tree:parent(node) end,
             name = function (node) return tree:name(node) end,
             has = function (node) return tree:has(node) end,
             count = function (level) return tree:count(level) end },
  }
  local globals = self.globals
  setmetatable(globals, { __index = frozen.environment(words) })
  return setmetatable({}, {
    __index = globals,
    __newindex = function (_, name, value) globals[name] = value end,
  })
end
-- }==================================================================

function Session:close()
  self.journal:sync()
  self.journal:close()
  self.lock:release()
end

return session
