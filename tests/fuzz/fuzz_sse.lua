-- Any bytes as a stream of server-sent events: however it is cut in pieces, the
-- events are the same. The first byte chooses the length of the pieces.

local input = dofile "tests/fuzz/input.lua"
local sse = require "ecrb.wire.sse"

local function events_of(body, length)
  local events = {}
  local parser = sse.parser(function (data) events[#events + 1] = data end)
  for at = 1, #body, length do parser:feed(string.sub(body, at, at + length - 1)) end
  parser:finish()
  return events
end

return function (bytes)
  local length, body = input.choice(bytes, 16)
  local whole, pieces = events_of(body, math.max(1, #body)), events_of(body, length)
  assert(#whole == #pieces, "another number of events")
  for i, data in ipairs(whole) do assert(data == pieces[i], "another event") end
  local joined, why = sse.assemble(body, {})
  assert(type(joined) == "table" or type(why) == "string")
end
