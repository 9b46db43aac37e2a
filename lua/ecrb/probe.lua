-- What an endpoint really does: whether it is there, under which name it
-- answers, which fields have an effect, how it counts tokens, whether long
-- prompts arrive whole, whether it knows what any model knows, whether it says
-- the same twice. About seventy short calls; a short probe (reach, echo,
-- tokenizer) has eighteen.
local alone = require "ecrb.alone"
local asker = require "ecrb.probe.asker"
local json = require "ecrb.json"
local sched = require "core.sched"
local system = require "core.system"
local verdict = require "ecrb.probe.verdict"

local probe = {}

local PARTS = { "reach", "echo", "capabilities", "tokenizer", "context",
                "floor", "sameness" }
local SHORT = { "reach", "echo", "tokenizer" }

local function empty_record(model)
  return { kind = "ecrb probe", version = 1, time = system.now(),
           model = model.name, identity = model.identity,
           dialect = model.dialect, ecrb = system.version,
           notes = json.array(model:notes()) }
end

-- Nothing further can be asked of an endpoint that is not there.
local function is_reached(record)
  return record.reach.reached and not (record.echo and record.echo.failed)
end

local function run_parts(record, line, parts, say)
  for _, name in ipairs(parts) do
    say(name)
    record[name] = require("ecrb.probe." .. name).run(line)
    if not is_reached(record) then break end
  end
  record.calls = line.calls
end

local function in_task(loop, f)
  local how, ok, problem = alone(loop, f)
  if how == "interrupted" then
    error({ code = "interrupted", message = "the probe was interrupted" }, 0)
  end
  if ok == false then error(problem, 0) end
end

-- Probes a model; the record, with the verdict beside `before` (a record, or
-- nil). `options`: short, request (fields sent with every question), say (is
-- told each part's name).
function probe.run(model, before, options)
  local record = empty_record(model)
  local parts = options.short and SHORT or PARTS
  in_task(sched.loop(model:times()), function()
    local line = asker.new(model, options.request or {})
    run_parts(record, line, parts, options.say or function() end)
  end)
  if is_reached(record) then
    record.verdict, record.findings = verdict.of(record, before)
  else
    record.verdict, record.findings = "cannot tell", json.array()
  end
  return record
end

probe.is_reached = is_reached

return probe
