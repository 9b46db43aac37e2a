-- What a reply says of its cost. What is not said stays nil: unknown is never
-- zero. A figure that is no count of tokens is left out and flagged.
local usage = {}

local function inner(record, outer, name)
  local part = record[outer]
  return type(part) == "table" and part[name] or nil
end

local READERS = {
  prompt = function(u) return u.prompt_tokens end,
  completion = function(u) return u.completion_tokens end,
  reasoning = function(u)
    return inner(u, "completion_tokens_details", "reasoning_tokens")
  end,
  cached = function(u)
    return inner(u, "prompt_tokens_details", "cached_tokens")
      or u.prompt_cache_hit_tokens
  end,
}

local function count(value)
  local whole = math.tointeger(value)
  return whole and whole >= 0 and whole or nil
end

local function money(value)
  if type(value) == "number" and value >= 0 and value < math.huge then
    return value
  end
  return nil
end

-- {prompt=, completion=, reasoning=, cached=, cost=}, or nil without any.
function usage.read(record, flags)
  if type(record) ~= "table" then return nil end
  local read = { cost = money(record.cost) }
  for name, reader in pairs(READERS) do
    local value = reader(record)
    if type(value) == "number" then
      read[name] = count(value)
      if not read[name] then flags.bad_usage = true end
    end
  end
  return next(read) and read or nil
end

return usage
