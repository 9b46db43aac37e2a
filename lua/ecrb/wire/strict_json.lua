-- Decodes a body as strictly as a measurement needs. The parser refuses NaN,
-- trailing bytes, broken escapes and deep nesting; this file adds what it lets
-- pass: an object key that stands twice (which value counts?) is refused; raw
-- line breaks and tabs inside strings are accepted and flagged; a lone
-- surrogate becomes U+FFFD and is flagged; one byte order mark is skipped.
-- A body of so many values that reading them would hold up every other call is
-- refused unread.
--
-- Where a look at the bytes shows that no key was lost (see core.json.is_plain),
-- that is all; anything else is scanned string by string.
local core_json = require "core.json"
local json = require "ecrb.json"

local strict_json = {}

local is_plain = core_json.is_plain

-- Ten log probabilities of each of 4,000 tokens are fewer. What is short cannot
-- hold as many.
local VALUES_MOST, SHORT = 250000, 1 << 19

local BACKSLASH = 92
local BOM = "\u{feff}"

-- Whether the byte at `at` is escaped: an odd run of backslashes before it.
local function escaped(text, at)
  local run = 0
  while string.byte(text, at - run - 1) == BACKSLASH do run = run + 1 end
  return run % 2 == 1
end

-- The closing quote of the string that opens at `at`. The text has been
-- parsed already, so there is one.
local function string_end(text, at)
  local last = string.find(text, '"', at + 1, true)
  while escaped(text, last) do last = string.find(text, '"', last + 1, true) end
  return last
end

-- Follows the brackets between two strings on a stack of key sets.
local function follow(text, first, last, stack)
  for mark in string.gmatch(string.sub(text, first, last), "[%[%]{}]") do
    if mark == "{" or mark == "[" then
      stack[#stack + 1] = {}
    else
      stack[#stack] = nil
    end
  end
end

-- The number of keys, the first that stands twice in one object, and whether
-- a raw line break or tab stands inside a string.
local function scan(text)
  local stack, found, twice, raw, at = {}, 0, nil, false, 1
  local first = string.find(text, '"', at, true)
  while first do
    follow(text, at, first - 1, stack)
    at = string_end(text, first) + 1
    local inside = string.sub(text, first + 1, at - 2)
    raw = raw or string.find(inside, "[\n\r\t]") ~= nil
    if string.find(text, "^[ \n\r\t]*:", at) then
      local keys = stack[#stack]
      twice = twice or keys[inside] and inside
      keys[inside], found = true, found + 1
    end
    first = string.find(text, '"', at, true)
  end
  return found, twice, raw
end

-- One escape at `at`: what to write for it, and where the text goes on.
local function mended_escape(text, at)
  if not string.find(text, "^u[dD][89a-fA-F]%x%x", at + 1) then
    return string.sub(text, at, at + 1), at + 2
  end
  local pair = string.find(
    text, "^u[dD][89abAB]%x%x\\u[dD][c-fC-F]%x%x", at + 1)
  if pair then return string.sub(text, at, at + 11), at + 12 end
  return "\\uFFFD", at + 6
end

local function mend_surrogates(text)
  local parts, start = {}, 1
  local at = string.find(text, "\\", 1, true)
  while at do
    parts[#parts + 1] = string.sub(text, start, at - 1)
    parts[#parts + 1], start = mended_escape(text, at)
    at = string.find(text, "\\", start, true)
  end
  parts[#parts + 1] = string.sub(text, start)
  return table.concat(parts)
end

local function decode(text, flags)
  local value, why = json.decode(text)
  if value == nil and string.find(why, "unicode escape", 1, true) then
    value, why = json.decode(mend_surrogates(text))
    flags.lone_surrogate = value ~= nil or nil
  end
  return value, why
end

local function without_bom(text, flags)
  if string.sub(text, 1, #BOM) ~= BOM then return text end
  flags.bom = true
  return string.sub(text, #BOM + 1)
end

-- The value, or nil, why, and the cause of the failure where it has one of its own;
-- flags go into `flags`.
function strict_json.decode(text, flags)
  if #text > SHORT and core_json.values(text) > VALUES_MOST then
    return nil, string.format("it holds more than %d values", VALUES_MOST), "too_many_values"
  end
  text = without_bom(text, flags)
  local value, why = decode(text, flags)
  if type(value) ~= "table" then return value, why end
  local plain, keys = is_plain(text, value)
  if plain then return value end
  local found, twice, raw = scan(text)
  if twice or found > keys then
    return nil, string.format("the key \"%s\" stands twice in one object",
                              twice or "?")
  end
  flags.raw_control = raw or nil
  return value
end

return strict_json
