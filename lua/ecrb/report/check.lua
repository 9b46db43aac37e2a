-- What must hold of an item's record, whatever method wrote it and whoever edited
-- it since: check(record, name, split, known, complain), where name and split are
-- the benchmark's, known.channels is a set, known.levels has the level of each EC
-- number, and complain(format, ...) raises. The record has its shape and no nulls.

local outcomes = require "ecrb.outcomes"

local known_outcome = {}
for _, name in ipairs(outcomes) do known_outcome[name] = true end

local function check_confidence(value, complain)
  if value ~= nil and not (type(value) == "number" and value >= 0 and value <= 1) then
    complain("`confidence` `%s` is no number from 0 to 1", tostring(value))
  end
end

local function check_path(path, levels, complain)
  if type(path) ~= "table" or #path > 4 then
    complain("`path` is no list of at most four EC numbers")
  end
  for level, node in ipairs(path) do
    if levels[node] ~= level then
      complain("`path`: `%s` is no EC number of level %d", tostring(node), level)
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
end

-- What was read and used on the way.
local function check_use(record, channels, complain)
  for _, name in ipairs(record.channels) do
    if not channels[name] then complain("`%s` is no channel of the benchmark", name) end
  end
  for name, value in pairs(record.usage) do
    if name ~= "cost" and not math.tointeger(value) then
      complain("`usage.%s` `%s` is no number of tokens or calls", name, tostring(value))
    end
  end
end

return function (record, name, split, known, complain)
  if record.split ~= split or record.name ~= name then
    complain("it is `%s` of split `%s` here, `%s` of split `%s` in the "
      .. "benchmark", tostring(record.name), tostring(record.split), name, split)
  end
  check_path(record.path, known.levels, complain)
  check_outcome(record, complain)
  check_confidence(record.confidence, complain)
  check_use(record, known.channels, complain)
end
