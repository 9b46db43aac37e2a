-- A stream comes in pieces, and so may what stands in none of them: a key that
-- a server sends back letter by letter is found only where they are joined.
local json = require "ecrb.json"

local pieces = {}

-- The texts of a body's members, those of one name joined.
local function joined(body)
  local texts = {}
  for name, piece in string.gmatch(body, '"([%w_]+)"%s*:%s*"([^"]*)"') do
    texts[name] = texts[name] or {}
    table.insert(texts[name], piece)
  end
  for name, list in pairs(texts) do texts[name] = table.concat(list) end
  return texts
end

-- Whether a key stands in the text.
local function holds(redact, text)
  return text ~= nil and redact(text) ~= text
end

local function any_holds(redact, texts)
  for _, text in pairs(texts) do
    if holds(redact, text) then return true end
  end
  return false
end

-- Whether `redact` finds a key in an outcome that it did not find in the body.
-- What counts as no reply is not joined by its reader; it is kept all the same.
function pieces.hold_key(redact, outcome, body)
  return holds(redact, outcome.text) or holds(redact, outcome.reasoning)
    or holds(redact, outcome.message)
    or outcome.call and holds(redact, json.encode(outcome.call.arguments))
    or not outcome.ok and any_holds(redact, joined(body))
end

return pieces
