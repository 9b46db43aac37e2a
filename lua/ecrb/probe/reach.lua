-- Whether the endpoint is there, and what it says of itself: the list of its
-- models (some have none), the server's name, how far its clock is from ours.
local headers = require "ecrb.wire.headers"
local hints = require "ecrb.wire.hints"
local json = require "ecrb.json"
local system = require "core.system"

local reach = { name = "reach" }

local function listed(value, id)
  local list = type(value) == "table" and (value.data or value.models)
  if type(list) ~= "table" then return nil, nil end
  for _, entry in ipairs(list) do
    if type(entry) == "table" and (entry.id == id or entry.name == id) then
      return #list, true
    end
  end
  return #list, false
end

local function skew(get)
  local date = get("date")
  local at = date and hints.http_date(date)
  return at and math.floor(at - system.now() + 0.5)
end

function reach.run(asker)
  local response = asker:get("/models")
  if response.ending ~= "done" then
    return { reached = false, ending = response.ending,
             message = asker.redact(response.detail or "") }
  end
  local get = headers.of(response.headers)
  local count, present = listed(json.decode(response.body or ""),
                                asker.model.id)
  return { reached = true, status = response.status, models = count,
           listed = present, server = get("server"), clock_skew = skew(get),
           seconds = response.total }
end

return reach
