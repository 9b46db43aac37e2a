-- sessions(parts) -> the sessions of all parts, each once, by the time of their
-- beginning. Of a shard that stands in several parts those of the newest state
-- are taken: the most sessions, and then the ones that ended.

local json = require "ecrb.json"

-- By the number of the shard; 0 are those of a merged run itself.
local function by_shard(list)
  local groups = {}
  for _, session in ipairs(list) do
    local number = session.shard or 0
    groups[number] = groups[number] or {}
    table.insert(groups[number], session)
  end
  return groups
end

local function ended(group)
  local n = 0
  for _, session in ipairs(group) do n = n + (session.ended and 1 or 0) end
  return n
end

-- Any two states have an order, so that it does not matter which part is first.
local function is_newer(a, b)
  if #a ~= #b then return #a > #b end
  if ended(a) ~= ended(b) then return ended(a) > ended(b) end
  return json.encode(a) > json.encode(b)
end

local function begins_before(a, b)
  local x, y = a.session, b.session
  if x.started ~= y.started then return x.started < y.started end
  if a.number ~= b.number then return a.number < b.number end
  return a.place < b.place
end

return function (parts)
  local newest, places, list = {}, {}, json.array()
  for _, part in ipairs(parts) do
    for number, group in pairs(by_shard(part.sessions)) do
      if not newest[number] or is_newer(group, newest[number]) then newest[number] = group end
    end
  end
  for number, group in pairs(newest) do
    for place, session in ipairs(group) do
      places[#places + 1] = { session = session, number = number, place = place }
    end
  end
  table.sort(places, begins_before)
  for i, entry in ipairs(places) do list[i] = entry.session end
  return list
end
