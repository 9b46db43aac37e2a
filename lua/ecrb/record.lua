-- From what a script returned to what the journal holds: checked, in one
-- shape, with exactly one outcome. Nothing is dropped: a script that returns
-- nonsense or raises leaves a record with its cause.

local causes = require "ecrb.wire.causes"
local core_ec = require "core.ec"
local json = require "ecrb.json"
local sandbox = require "core.sandbox"

local record = {}

local outcome_of_cause = {
  abstained = "abstained", unreadable = "unreadable", refused = "refused",
  truncated = "truncated", budget_exhausted = "truncated", no_answer = "unreadable",
  empty_answer = "unreadable", constraint_not_applied = "unreadable", tool_call = "unreadable",
  script = "script", limit = "script", refused_request = "script",
}

-- A code that a script made up is its own error, and no failed call.
function record.outcome_of(cause)
  return outcome_of_cause[cause] or causes[cause] and "failed" or "script"
end

-- Whether an item ended in a failed call or a script's error: nothing was found
-- out about the model, and the item can be asked again.
function record.is_failure(outcome)
  return outcome == "failed" or outcome == "script"
end

local function wrong(format, ...)
  error({ code = "script", message = string.format(format, ...) }, 0)
end

local function check_confidence(value, where)
  if value == nil or value == false then return nil end
  if type(value) ~= "number" or value ~= value or value < 0 or value > 1 then
    wrong("%s is %s; a confidence is a number from 0 to 1", where, tostring(value))
  end
  return value
end

local function check_amount(value, where)
  if value == nil or value == false then return nil end
  if type(value) ~= "number" or value ~= value or value < 0 then
    wrong("%s is %s, not a number of at least 0", where, tostring(value))
  end
  return value
end

-- A walk may commit only what it was offered at that node; free text may name
-- any EC number.
local function check_path(context, path, free_text)
  if type(path) ~= "table" then wrong("`path` is a %s, not a list of EC numbers", type(path)) end
  if #path > 4 then wrong("`path` has %d levels; an EC number has four", #path) end
  local nodes = { nil, nil, nil, nil } -- room for four
  for level, node in ipairs(path) do
    local canonical, depth = core_ec.parse(node)
    if not canonical then wrong("level %d: `%s` is no EC number", level, tostring(node)) end
    if depth ~= level then
      wrong("level %d: `%s` is a node of level %d", level, canonical, depth)
    end
    if not free_text and not context.run.tree:has(canonical) then
      wrong("level %d: `%s` is not a node of the benchmark's tree", level, canonical)
    end
    local above = nodes[level - 1] or "-.-.-.-"
    local child = core_ec.prefix(canonical, level - 1) == above
    if not free_text and not child and context.offered[canonical] ~= above then
      wrong("level %d: `%s` is no child of `%s` and was not offered below it",
        level, canonical, above)
    end
    nodes[level] = canonical
  end
  return nodes
end

local function check_others(others)
  if others == nil then return json.null end
  local nodes = json.array()
  for i, node in ipairs(others) do
    nodes[i] = core_ec.parse(node) or wrong("`others`: `%s` is no EC number", tostring(node))
  end
  return nodes
end

local function shown(value)
  return type(value) == "string" and "`" .. string.sub(value, 1, 60) .. "`" or "a " .. type(value)
end

-- A script's word for why it committed no more.
local function check_stop(stop)
  if type(stop) ~= "table" then wrong("`stop` is a %s, not {level=, cause=}", type(stop)) end
  local cause, level, message = stop.cause, math.tointeger(stop.level), stop.message
  if not (outcome_of_cause[cause] or causes[cause]) then
    wrong("`stop.cause` is %s; it is `abstained` or the code of what was lost", shown(cause))
  end
  if stop.level ~= nil and not (level and level >= 1 and level <= 4) then
    wrong("`stop.level` is %s, not a level from 1 to 4", tostring(stop.level))
  end
  if message ~= nil and type(message) ~= "string" then
    wrong("`stop.message` is a %s, not a text", type(message))
  end
  return record.outcome_of(cause), cause, message and sandbox.message(message), level
end

-- Where a result ended, as outcome and cause.
local function ending(context, result, path, free_text)
  if result.stop then return check_stop(result.stop) end
  local leaf = path[#path]
  if not leaf then return "abstained", "abstained", nil, 1 end
  if free_text and not context.run.tree:has(leaf) then
    return "invalid", "invalid", "`" .. leaf .. "` is not a node of the tree", nil
  end
  if #path < 4 then return "abstained", "abstained", nil, #path + 1 end
  return "answered"
end

local function last_confidence(result, confidences)
  if result.confidence ~= nil then return check_confidence(result.confidence, "`confidence`") end
  return confidences[#confidences] or nil
end

local function confidence_list(result)
  local list = {}
  for level, value in ipairs(result.confidences or {}) do
    list[level] = check_confidence(value, "confidence of level " .. level) or false
  end
  return list
end

local function or_null(value)
  if value == nil or value == false then return json.null end
  return value
end

local function filled(list)
  local out = json.array()
  for i, value in ipairs(list) do out[i] = or_null(value) end
  return out
end

-- What the task did, whatever its result was.
local function history(context)
  return {
    key = context.item.id, name = context.item.name, split = context.item.split,
    channels = json.array(context.channels), turns = #context.calls,
    calls = json.array(context.calls), notes = json.array(context.notes),
    spans = json.array(context.spans), usage = context.usage,
    path = nil, may_stop = nil, confidences = nil, confidence = nil, outcome = nil, -- room
    cause = nil, message = nil, stopped_at = nil, share = nil, consensus = nil, others = nil,
    saved = nil,
  }
end

local function answered(context, result)
  if type(result) ~= "table" then
    wrong("`run` returned %s; it returns a result with a `path`",
      result == nil and "nothing" or "a " .. type(result))
  end
  local free_text = result.free_text
  if free_text == nil then free_text = context.run.method.free_text or false end
  local path = check_path(context, result.path, free_text)
  local confidences = confidence_list(result)
  local outcome, cause, message, level = ending(context, result, path, free_text)
  if outcome == "abstained" and #path == 4 then
    wrong("`stop` says that it abstained, and `path` has four levels")
  end
  local line = history(context)
  line.path, line.may_stop = json.array(path), not free_text
  line.confidences = filled(confidences)
  line.confidence = or_null(last_confidence(result, confidences))
  line.outcome, line.cause, line.message = outcome, or_null(cause), or_null(message)
  line.stopped_at = or_null(level)
  line.share = or_null(check_confidence(result.share, "`share`"))
  line.consensus = or_null(check_amount(result.consensus, "`consensus`"))
  line.others = check_others(result.others)
  line.saved = or_null(check_amount(result.saved, "`saved`"))
  return line
end

-- The record of an item whose script raised `err`.
function record.broken(context, err)
  local lost = type(err) == "table" and type(err.code) == "string"
  local line = history(context)
  line.path, line.confidences = json.array(), json.array()
  line.may_stop = not context.run.method.free_text
  line.confidence, line.share, line.consensus = json.null, json.null, json.null
  line.others, line.stopped_at, line.saved = json.null, 1, json.null
  line.cause = lost and err.code or "script"
  line.outcome = record.outcome_of(line.cause)
  line.message = sandbox.message(err)
  return line
end

-- record.of(context, result) -> the record of an item: `result` is what the
-- script returned.
record.of = sandbox.unwatched(function (context, result)
  local ok, line = pcall(answered, context, result)
  if ok then return line end
  return record.broken(context, line)
end)

return record
