-- What a line of calls.jsonl holds, looked at before it is read: a line that was
-- damaged or edited stops the run by its number, and is taken neither for a reply
-- nor for a call that failed.

local causes = require "ecrb.wire.causes"
local json = require "ecrb.json"
local keyed_line = require "ecrb.keyed_line"

local call_line = {}

local AMOUNTS = { "calls", "tokens", "cost" }

-- As a status line may have it: libcurl takes no other.
local function is_status(value)
  local whole = type(value) == "number" and math.tointeger(value)
  return value == json.null or whole and whole >= 0 and whole <= 999
end

local function is_cause(value)
  return value == json.null or causes[value] ~= nil
end

local function is_list_of_tables(value)
  if type(value) ~= "table" then return false end
  for _, each in ipairs(value) do
    if type(each) ~= "table" then return false end
  end
  return true
end

local function is_amount(value)
  return value == nil or type(value) == "number" and value >= 0 and value < math.huge
end

-- What is wrong with what a line holds as a reply, or nil.
function call_line.fault(entry)
  if type(entry) ~= "table" then return "is no JSON object" end
  if type(entry.raw) ~= "string" then return "`raw` is no text" end
  if not is_status(entry.status) then return "`status` is no whole number from 0 to 999" end
  if not is_cause(entry.cause) then return "`cause` is no cause that ecrb knows" end
  if not is_list_of_tables(entry.attempts) then return "`attempts` is no list of attempts" end
  return nil
end

-- What a call cost, {calls=, tokens=, cost=} with what is known of it, or nil and
-- what is wrong.
function call_line.spent(line)
  local entry, why = json.decode(line)
  if entry == nil then return nil, why end
  if type(entry) ~= "table" then return nil, "is no JSON object" end
  local spent = entry.spent
  if spent == nil then return {} end
  if type(spent) ~= "table" then return nil, "`spent` is no object" end
  local known = {}
  for _, name in ipairs(AMOUNTS) do
    if not is_amount(spent[name]) then
      return nil, "`spent." .. name .. "` is no number of at least 0"
    end
    known[name] = spent[name]
  end
  return known
end

local function number_of(journal, line)
  local key = keyed_line.key(line)
  for n = 1, journal:count() do
    if keyed_line.key(journal:line(n)) == key then return n end
  end
end

-- The message about the line of that number.
function call_line.refusal(folder, number, wrong)
  return string.format("%s/calls.jsonl:%d: %s; mend or delete the line", folder, number, wrong)
end

-- The same about a line of a journal that is read by keys.
function call_line.refusal_of(source, line, wrong)
  return call_line.refusal(source.folder or ".", number_of(source.journal, line) or 0, wrong)
end

return call_line
