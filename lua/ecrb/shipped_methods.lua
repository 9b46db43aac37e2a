-- The shipped methods: an id is the beginning of its file's name, methods/m1_cascade.lua.

local system = require "core.system"

local shipped = {}

-- Id to path.
function shipped.paths()
  local paths, folder = {}, system.self .. "/methods"
  for _, file in ipairs(system.list(folder)) do
    local id = string.match(file, "^(%w+)[%w_]*%.lua$")
    if id then paths[id] = folder .. "/" .. file end
  end
  return paths
end

function shipped.ids()
  local ids = {}
  for id in pairs(shipped.paths()) do ids[#ids + 1] = id end
  table.sort(ids)
  return ids
end

return shipped
