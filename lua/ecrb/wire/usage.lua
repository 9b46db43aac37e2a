-- What a reply says of its cost. What is not said stays nil: unknown is never
-- zero. A figure that is no count of tokens is left out and flagged.
local usage = {}

local function inner(part, name)
  return type(part) == "table" and part[name] or nil
end

local function count(value, flags)
  if type(value) ~= "number" then return nil end
  local whole = math.tointeger(value)
  if whole and whole >= 0 then return whole end
  flags.bad_usage = true
  return nil
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
  local read = {
    prompt = count(record.prompt_tokens, flags),
    completion = count(record.completion_tokens, flags),
    reasoning = count(inner(record.completion_tokens_details,
                            "reasoning_tokens"), flags),
    cached = count(inner(record.prompt_tokens_details, "cached_tokens")
                     or record.prompt_cache_hit_tokens, flags),
    cost = money(record.cost),
  }
  return next(read) and read or nil
end

return usage
