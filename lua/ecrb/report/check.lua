-- What must hold of an item's record, whatever method wrote it and whoever edited
-- it since: check(record, item, channels, complain), where `channels` is a set and
-- complain(format, ...) raises. Nulls are gone already.

local core_ec = require "core.ec"
local json = require "ecrb.json"
local outcomes = require "ecrb.outcomes"

local known_outcome = {}
for _, name in ipairs(outcomes) do known_outcome[name] = true end

-- A value as JSON writes it: 7, not 7.0.
local function shown(value)
  return type(value) == "number" and string.format("%.14g", value) or tostring(value)
end

local function is_share(value)
  return type(value) == "number" and value >= 0 and value <= 1
end

local function is_count(value)
  return type(value) == "number" and value >= 0 and math.tointeger(value) ~= nil
end

local function is_amount(value)
  return type(value) == "number" and value >= 0
end

-- Fields that may be missing, each with what it must be.
local optional = {
  { "confidence", is_share, "number from 0 to 1" }, { "share", is_share, "number from 0 to 1" },
  { "consensus", is_amount, "number of levels" }, { "saved", is_amount, "number of calls" },
  { "turns", is_count, "number of calls" },
}

local function check_optional(record, complain)
  for _, field in ipairs(optional) do
    local value = record[field[1]]
    if value ~= nil and not field[2](value) then
      complain("`%s` `%s` is no %s", field[1], shown(value), field[3])
    end
  end
end

local function check_path(path, complain)
  if type(path) ~= "table" or #path > 4 then
    complain("`path` is no list of at most four EC numbers")
  end
  for level, node in ipairs(path) do
    local canonical, depth = core_ec.parse(node)
    if canonical ~= node or depth ~= level then
      complain("`path`: `%s` is no EC number of level %d", shown(node), level)
    end
  end
end

local function check_list(record, name, fits, what, complain)
  local list = record[name]
  if list == nil then return end
  if type(list) ~= "table" then complain("`%s` is no list", name) end
  for _, value in ipairs(list) do
    if not fits(value) then complain("`%s`: `%s` is no %s", name, shown(value), what) end
  end
end

local function check_lists(record, channels, complain)
  if type(record.channels) ~= "table" then complain("`channels` is missing") end
  check_list(record, "channels", function (name) return channels[name] end,
    "channel of the benchmark", complain)
  check_list(record, "others", function (ec)
    return type(ec) == "string" and core_ec.parse(ec)
  end, "EC number", complain)
  check_list(record, "confidences", function (value)
    return value == json.null or value == false or is_share(value)
  end, "number from 0 to 1", complain)
end

local function check_usage(usage, complain)
  if type(usage) ~= "table" then complain("`usage` is missing") end
  for name, value in pairs(usage) do
    if not is_amount(value) or name ~= "cost" and not is_count(value) then
      complain("`usage`: %s `%s` is no number of tokens or calls", name, shown(value))
    end
  end
end

-- How the item ended, and what was committed by then.
local function check_outcome(record, complain)
  local depth = #record.path
  if not known_outcome[record.outcome] then
    complain("unknown outcome `%s`", tostring(record.outcome))
  end
  if record.outcome == "answered" and depth < 4 then
    complain("an answer has four levels, not %d", depth)
  end
  if record.outcome == "abstained" and depth == 4 then
    complain("whoever committed four levels has not abstained")
  end
  if type(record.may_stop) ~= "boolean" then complain("`may_stop` is neither true nor false") end
end

return function (record, item, channels, complain)
  if record.split ~= item.split or record.name ~= item.name then
    complain("it is `%s` of split `%s` here, `%s` of split `%s` in the "
      .. "benchmark", tostring(record.name), tostring(record.split), item.name,
      item.split)
  end
  check_path(record.path, complain)
  check_outcome(record, complain)
  check_optional(record, complain)
  check_lists(record, channels, complain)
  check_usage(record.usage, complain)
end
