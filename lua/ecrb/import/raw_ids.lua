-- raw_ids.tsv: how files spelled the ids of hits, where it was not as in the
-- benchmark.

local import = require "core.import"
local system = require "core.system"

local columns = { "item", "channel", "neighbour", "item_as", "neighbour_as" }

local raw_ids = {}

-- What a hit goes by.
function raw_ids.key(item, channel, neighbour)
  return item .. "\t" .. channel .. "\t" .. neighbour
end

-- By the keys of the hits {item_as, neighbour_as, line =}.
function raw_ids.read(folder)
  local found, path = {}, folder .. "/raw_ids.tsv"
  if not system.exists(path) then return found end
  for line, item, channel, neighbour, item_as, neighbour_as in import.table(path, columns,
      "\t") do
    found[raw_ids.key(item, channel, neighbour)] = { item_as, neighbour_as, line = line }
  end
  return found
end

return raw_ids
