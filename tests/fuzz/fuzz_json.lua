-- Any bytes to the strict reader: what it takes, lua-cjson reads as the same value;
-- what it refuses although lua-cjson takes it, it refuses for a cause that it knows.

local decode = require("core.json").decode
local json = require "ecrb.json"

-- What lua-cjson lets pass.
local STRICTER = { "stands twice in one object", "no number is written so",
                   "a control character stands in a string" }

local function is_stricter(why)
  for _, words in ipairs(STRICTER) do
    if string.find(why, words, 1, true) then return true end
  end
  return false
end

-- The largest and smallest numbers have no words in JSON.
local function spelled(value)
  local ok, text = pcall(json.encode, value)
  return ok and text
end

return function (bytes)
  local strict, why = decode(bytes)
  local lax = json.decode(bytes)
  if strict ~= nil then
    assert(lax ~= nil, "lua-cjson refuses it")
    assert(spelled(strict) == spelled(lax), "lua-cjson reads another value")
  else
    assert(string.find(why, "^byte %d+: "), why)
    assert(lax == nil or is_stricter(why), why)
  end
  local flags = {}
  local lenient = decode(bytes, flags)
  assert(strict == nil or lenient ~= nil and next(flags) == nil, "strict, but not lenient")
end
