-- A method at work without its model: the real prompts are built for the real
-- dialect, and a stand-in answers. For `ecrb prompt` (what would be sent), for
-- `--dry-run` (how much it would be), and before a run, which would otherwise find
-- out item by item that nothing can be sent. Nothing leaves the process and nothing
-- stays on the disk.

local alone = require "ecrb.alone"
local json = require "ecrb.json"
local model = require "ecrb.model"
local reader = require "ecrb.reader"
local run = require "ecrb.run"
local sandbox = require "core.sandbox"
local task = require "ecrb.task"

local rehearsal = {}

local Client = {}
Client.__index = Client

function Client:send(body)
  return self.answer(json.decode(body), body)
end

function Client.stopped()
end

function Client.state()
  return { inside = 0, waiting = 0 }
end

-- A model that words requests as `real` does and is answered by `answer(body,
-- text) -> outcome`. Why the first request cannot be made is in `refused`, if so.
function rehearsal.model(real, answer)
  local stand_in = setmetatable({}, { __index = real })
  stand_in.kind = "rehearsal"
  function stand_in.body(self, request)
    local body, why = real:body(request)
    self.refused = self.refused or why
    return body, why
  end
  function stand_in.open()
    return setmetatable({ answer = answer }, Client)
  end
  return stand_in
end

-- A journal that holds nothing and keeps nothing.
function rehearsal.journal()
  return { find = function () end, append = function () end }
end

-- The reader in the model's place: what it reads decides how the method goes
-- on, so the number of calls is that of a method which reads the evidence.
function rehearsal.read_by_reader()
  local program = model.reader()
  return function (body)
    return program:read(200, reader.complete(body))
  end
end

-- Runs a method on an item up to its first question: the body of that, or nil; why
-- it cannot be put to the model; and what else ended the method. `spec` is that of
-- ecrb.run; its model words the request.
local function first_question(spec, index)
  local asked
  spec.model = rehearsal.model(spec.model, function (body)
    asked = asked or body
    return { ok = false, class = "item", cause = "rehearsed", message = "nothing is sent" }
  end)
  spec.client, spec.journal = spec.model:open(), rehearsal.journal()
  local context = task.new(run.prepared(spec), index)
  local _, ok, problem = alone(spec.loop, function ()
    return task.enter(context, function ()
      return spec.method:instance(spec).run(context.enzyme, spec.options)
    end)
  end, { tag = context })
  return asked, spec.model.refused, not ok and problem or nil
end

-- The body of the first question that a method asks about an item, or nil if it
-- asks none; raises what ended the method before that.
function rehearsal.first_request(spec, index)
  local asked, refused, failure = first_question(spec, index)
  if refused then error(refused, 0) end
  if not asked and failure then error(sandbox.message(failure), 0) end
  return asked
end

-- Raises why the first question of a method about an item cannot be put to its
-- model, if so. What else may end a method is for its run to record.
function rehearsal.check_request(spec, index)
  if not spec.method.model then return end
  spec.budget = nil
  local _, refused = first_question(spec, index)
  if refused then error(refused, 0) end
end

return rehearsal
