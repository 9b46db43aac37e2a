-- The runs of a report as the paper names them. An arm is a scored run with
-- the paper's name of its setting, whoever answered in it, and its place in
-- the tables. What is no language model never bears a model's name alone.

local fail = require "ecrb.fail"
local paper_settings = require "ecrb.paper_settings"

local arms = {}

-- The paper's M4 wraps M1; over another base it is a setting of its own.
local function is_the_papers(settings)
  local base = settings.method.base
  return not base or base.id == "m1"
end

local function setting_of(settings)
  for place, entry in ipairs(paper_settings) do
    if entry[2] == settings.method.id and entry[3] == settings.book
        and is_the_papers(settings) then
      return entry[1], entry[4], place
    end
  end
  local base = settings.method.base
  local label = settings.method.id .. (base and " over " .. base.id or "")
    .. "·" .. settings.book
  return label, label, #paper_settings + 1
end

-- Who answered, in a few words fit for any table.
local function answerer(settings)
  if settings.oracle then return "ORACLE (reads the labels)" end
  if settings.model.kind == "reader" then return "reader (a program, no LLM)" end
  if settings.model.kind == "none" then return "no model" end
  return settings.model.name
end

-- What tells two runs of one setting apart, for their labels.
local function particular(run, first)
  local a, b = run.settings, first.settings
  if a.seed ~= b.seed then return "seed " .. tostring(a.seed) end
  if a.split ~= b.split then return "split " .. tostring(a.split) end
  return string.match(run.folder, "([^/]+)/*$")
end

local function same_benchmark(run, first)
  local here, there = run.settings.bench, first.settings.bench
  if here.sha256 ~= there.sha256 then
    fail("%s was run on benchmark %s, %s on another one (%s): a report is on "
      .. "one benchmark", run.folder, here.name, first.folder, there.name)
  end
end

-- The arm of a scored run. `control`: no model was asked.
local function arm_of(run, position)
  local s = run.settings
  local key, label, place = setting_of(s)
  return { run = run, key = key, label = label, place = place,
           position = position, book = s.book, model = answerer(s),
           control = s.oracle or s.model.kind == "none",
           is_paper = place <= #paper_settings }
end

local function in_order(a, b)
  if a.place ~= b.place then return a.place < b.place end
  return a.position < b.position
end

-- A second run of a setting by the same model keeps its own name.
local function tell_apart(list)
  local first = {}
  for _, arm in ipairs(list) do
    local name = arm.model .. "\0" .. arm.key
    if first[name] then
      arm.variant = particular(arm.run, first[name].run)
      arm.key = arm.key .. "\0" .. arm.variant
      arm.label = arm.label .. ", " .. arm.variant
    else
      first[name] = arm
    end
  end
end

-- The arms of scored runs (ecrb.report.scored), in the order of the tables.
function arms.of(runs)
  local list = {}
  for position, run in ipairs(runs) do
    same_benchmark(run, runs[1])
    list[position] = arm_of(run, position)
  end
  table.sort(list, in_order)
  tell_apart(list)
  return list
end

return arms
