-- Under which key the journal of a run keeps a call. A call that failed for
-- want of a reply is kept under a key of its own, which names the session:
-- asked again, it may succeed.

local core_text = require "core.text"

local call_key = {}

local function digest(...)
  return string.sub(core_text.sha256(...), 1, 32)
end

-- The `ordinal`th question of a chain about an item, as `body`.
function call_key.of(identity, body, item, chain, ordinal)
  return digest(identity, "\0", body, "\0", item, "\0", chain, "\0", ordinal)
end

function call_key.failed(key, session)
  return digest(key, "\0", session, "\0failed")
end

return call_key
