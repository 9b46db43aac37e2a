-- What a reply says of its cost. What is not said stays nil: unknown is never
-- zero. A figure that is no count of tokens is left out and flagged.
local json = require "ecrb.json"

local usage = {}

local null, tointeger = json.null, math.tointeger

-- What a prompt and an answer can have at most. Each token of a prompt stands for
-- a byte or more; a provider may put something of its own before it. The longest
-- answers on offer have less than half a million tokens.
local OTHER_TOKENS, LONGEST_PROMPT, LONGEST_ANSWER = 100000, 10000000, 1000000

-- No vocabulary has a longer token.
local LONGEST_TOKEN = 128

local function inner(part, name)
  return part and part ~= null and type(part) == "table" and part[name] or nil
end

local function bad(flags)
  flags.bad_usage = true
  return nil
end

local function count(value, most, flags)
  if value == nil or value == null then return nil end
  local whole = type(value) == "number" and tointeger(value)
  if whole and whole >= 0 and whole <= most then return whole end
  return bad(flags)
end

-- A server that did not count says 0.
local function prompt_count(value, want, flags)
  local most = want.bytes and want.bytes + OTHER_TOKENS or LONGEST_PROMPT
  local tokens = count(value, most, flags)
  if tokens == 0 then return bad(flags) end
  return tokens
end

local function money(value, flags)
  if value == nil or value == null then return nil end
  if type(value) == "number" and value >= 0 and value < math.huge then
    return value
  end
  return bad(flags)
end

-- {prompt=, completion=, reasoning=, cached=, cost=}, or nil without any; `want`
-- as reply.read has it.
function usage.read(record, want, flags)
  if type(record) ~= "table" then return nil end
  local read = {
    prompt = prompt_count(record.prompt_tokens, want, flags),
    completion = count(record.completion_tokens, LONGEST_ANSWER, flags),
    reasoning = count(inner(record.completion_tokens_details,
                            "reasoning_tokens"), LONGEST_ANSWER, flags),
    cached = count(inner(record.prompt_tokens_details, "cached_tokens")
                     or record.prompt_cache_hit_tokens, LONGEST_PROMPT, flags),
    cost = money(record.cost, flags),
  }
  return next(read) and read or nil
end

-- Takes a completion's tokens for unknown where its text cannot have so few.
function usage.check(read, text, flags)
  if read and read.completion
    and #text > read.completion * LONGEST_TOKEN then
    read.completion = bad(flags)
  end
end

return usage
