-- EC numbers and names inside the prose of nomenclature databases.

local ec = require "core.ec"

local nodes = {}

-- The complete EC numbers in a text, each once, in order.
function nodes.numbers_in(text)
  local seen, list = {}, {}
  for found in string.gmatch(text, "%d+%.%d+%.%d+%.n?%d+") do
    local number = ec.parse(found)
    if number and not seen[number] then
      seen[number] = true
      list[#list + 1] = number
    end
  end
  return list
end

local entities = { lt = "<", gt = ">", amp = "&", quot = '"', apos = "'", nbsp = " " }

local function entity(name)
  local code = tonumber(string.match(name, "^#(%d+)$"))
  if code then return code < 0x110000 and utf8.char(code) or "" end
  return entities[name] or name
end

-- Undoes XML's entities once.
function nodes.unescaped(text)
  return (string.gsub(text, "&(#?%w+);", entity))
end

-- Text out of HTML on one line: no tags, Greek letters by their names.
function nodes.plain(html)
  local text = string.gsub(html, "</?%a[^>]*>", "")
  text = string.gsub(nodes.unescaped(text), "%s+", " ")
  return (string.gsub(string.gsub(text, "^ ", ""), " $", ""))
end

return nodes
