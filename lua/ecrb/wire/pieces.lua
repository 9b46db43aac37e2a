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

-- What a reader of the outcome gets to see.
local function said(outcome)
  return { text = outcome.text, reasoning = outcome.reasoning,
           message = outcome.message,
           call = outcome.call and json.encode(outcome.call.arguments) }
end

-- Whether `redact` finds a key in an outcome that it did not find in the body.
-- What counts as no reply is not joined by its reader; it is kept all the same.
function pieces.hold_key(redact, outcome, body)
  local function found(texts)
    for _, text in pairs(texts) do
      if redact(text) ~= text then return true end
    end
    return false
  end
  return found(said(outcome)) or not outcome.ok and found(joined(body))
end

return pieces
