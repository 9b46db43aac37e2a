-- Small readings of what came over the wire.
local text = require "core.text"

local words = {}

local MESSAGE_BYTES = 300 -- of a server's words, in a message

function words.text_or_nil(value)
  return type(value) == "string" and value or nil
end

function words.is_blank(value)
  return value == nil or not string.find(value, "%S")
end

-- A server's words for a message: one line, bounded, harmless on a terminal.
function words.quoted(value)
  value = string.gsub(value, "%s+", " ")
  if #value > MESSAGE_BYTES then
    value = string.sub(value, 1, MESSAGE_BYTES) .. "..."
  end
  return text.printable(value)
end

return words
