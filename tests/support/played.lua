-- A method on one item with scripted replies: played(spec) returns its record
-- and the prompts that it sent. spec: method (id or path), bench (folder), item,
-- book, given (options as text), paged (children on a page), reply(number,
-- prompt) -> text or outcome.

local alone = require "ecrb.alone"
local benchmark = require "ecrb.benchmark"
local method = require "ecrb.method"
local reader = require "ecrb.model".reader
local prompt = require "ecrb.prompt"
local record = require "ecrb.record"
local rehearsal = require "ecrb.rehearsal"
local run = require "ecrb.run"
local sched = require "core.sched"
local system = require "core.system"
local task = require "ecrb.task"

local function last_message(body)
  return body.messages[#body.messages].content
end

local function client_of(spec, prompts)
  return rehearsal.model(reader(), function (body)
    prompts[#prompts + 1] = last_message(body)
    local said = spec.reply(#prompts, last_message(body))
    local outcome = type(said) == "table" and said
      or { ok = true, text = said, usage = { prompt = 10, completion = 5 } }
    outcome.flags = outcome.flags or {}
    return outcome
  end)
end

local function prepared(spec, prompts)
  local given = spec.given or {}
  local loaded = method.load(method.find(spec.method))
  loaded:bind(given)
  local model = client_of(spec, prompts)
  return run.prepared { method = loaded, book = spec.book or "open", model = model,
    paged = spec.paged,
    options = loaded:settings(given), benchmark = benchmark.open(spec.bench), client = model:open(),
    prompts = prompt.shelf { loaded.folder .. "/prompts", system.self .. "/prompts" },
    parameters = {}, seed = 1, hits = 10, rule = {}, loop = sched.loop {},
    journal = rehearsal.journal(), session = 1 }
end

return function (spec)
  local prompts = {}
  local self = prepared(spec, prompts)
  local context = task.new(self, benchmark.index(self.benchmark, spec.item))
  local _, ok, value = alone(self.loop, function ()
    return task.enter(context, function ()
      return record.of(context, self.method:instance(self).run(context.enzyme, self.options))
    end)
  end, { tag = context, limits = spec.limits or self.limits.task })
  return ok and value or record.broken(context, value), prompts
end
