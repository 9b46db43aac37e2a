-- A run for the program that embeds ecrb: what ecrb_run_* of ecrb_host.h do. The
-- program's function is the model; its other one hears of every record.

local drive = require "ecrb.drive"
local json = require "ecrb.json"
local model = require "ecrb.model"
local setting = require "ecrb.setting"
local system = require "core.system"

local embedded = {}

-- The program's function as a model: a chat completion for a request.
local function model_of(spec)
  if not spec.answer then return model.reader() end
  local name = spec.model_name or "program"
  return model.program(name, function (request, body)
    local text, why = spec.answer(request.messages, body)
    if not text then return nil, why end
    return json.encode { model = name, choices = { { finish_reason = "stop", index = 0,
      message = { role = "assistant", content = text } } } }
  end)
end

-- What the command line would have said.
local function arguments_of(spec, folder)
  return { bench = spec.benchmark, split = spec.split, items = spec.items, limit = spec.limit,
           seed = spec.seed, set = spec.options, out = folder, hits = 10, distractors = "mixed",
           concurrency = 1, durability = not spec.folder and "none" or nil, quiet = true }
end

local function each_of(self, spec)
  return function (index, record)
    local go_on = spec.each(self.run.bench, index, record, {
      path = record.path, may_stop = record.may_stop,
      confidence = record.confidence })
    if not go_on then self.run:pause("the program ended the run") end
  end
end

-- Opens a run: {size=, labelled=}, for the functions below. `spec` has the
-- fields of ecrb_run_spec and the functions answer(messages, body) -> text and
-- each(bench, index, record, prediction) -> whether to go on.
function embedded.open(spec)
  if not spec.method then error("no method is named", 0) end
  local self = {}
  local args = arguments_of(spec, spec.folder)
  local one = setting.of(args, spec.method, spec.book)
  local shared = setting.common(args, model_of(spec))
  self.scratch = not spec.folder and system.temporary(system.getenv("TMPDIR") or "/tmp") or nil
  args.out = args.out or self.scratch
  self.run = setting.open(args, shared, one, { each = each_of(self, spec),
                                               say = function () end })
  self.loop, self.size = shared.loop, #shared.items
  self.labelled = self.run.bench:labelled()
  return self
end

-- Writes down how the run ended, once.
local function close_run(self, how)
  if self.closed then return end
  self.closed = true
  self.run:close(how)
end

-- Asks about all items. Returns 1 where the run ended early.
function embedded.all(self)
  if self.closed then error("the run is over; open it again", 0) end
  local ok, how, reason = pcall(drive.run, self.loop, { self.run }, 1)
  close_run(self, ok and how or "failed")
  if not ok then error(how, 0) end
  if how == "refused" then error(reason, 0) end
  return how == "done" and 0 or 1
end

function embedded.close(self)
  close_run(self, "stopped")
  if self.scratch then system.remove(self.scratch) end
end

return embedded
