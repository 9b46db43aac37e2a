-- difference(recorded, now, words) -> the first field in which two settings
-- differ, as text (`words` takes the field and its two values), or nil. What is
-- now is compared as it would be recorded.

local json = require "ecrb.json"

local function told(value)
  if type(value) == "table" then return json.encode(value) end
  return type(value) == "number" and string.format("%.14g", value) or tostring(value)
end

local function first_difference(a, b, place, words)
  if type(a) ~= "table" or type(b) ~= "table" then
    if a == b then return nil end
    return string.format(words, place, told(a), told(b))
  end
  local names = {}
  for name in pairs(a) do names[name] = true end
  for name in pairs(b) do names[name] = true end
  local ordered = {}
  for name in pairs(names) do ordered[#ordered + 1] = name end
  table.sort(ordered, function (x, y) return tostring(x) < tostring(y) end)
  for _, name in ipairs(ordered) do
    local found = first_difference(a[name], b[name],
      place == "" and tostring(name) or place .. "." .. tostring(name), words)
    if found then return found end
  end
end

return function (recorded, now, words)
  return first_difference(recorded, json.decode(json.encode(now)), "",
    words or "%s: recorded %s, now %s")
end
