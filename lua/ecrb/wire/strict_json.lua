-- Reads a body of a server's, or an event of a stream: strictly (core.json.decode),
-- but for what servers do all the same, which is flagged. One of so many values
-- that reading them would hold up every other call is not read to its end.
local decode = require("core.json").decode

local strict_json = {}

-- Ten log probabilities of each of 4,000 tokens are fewer.
local VALUES_MOST = 250000

-- The value, or nil, why, and the cause of the failure where it has one of its own;
-- flags go into `flags`.
function strict_json.decode(text, flags)
  local value, why, many = decode(text, flags, VALUES_MOST)
  return value, why, many and "too_many_values"
end

return strict_json
