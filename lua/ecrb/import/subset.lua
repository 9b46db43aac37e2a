-- The control subset: items whose real ids a model may see.

local text = require "core.text"

-- Items by split, each with a draw out of seed and id.
local function drawn(ids, seed)
  local splits, order = {}, {}
  for index, item in ipairs(ids) do
    if not splits[item.split] then
      splits[item.split] = {}
      order[#order + 1] = item.split
    end
    table.insert(splits[item.split], { index = index,
      draw = text.sha256(string.format("%d\0visible\0%s", seed, item.id)) })
  end
  return splits, order
end

-- Reveals the `most` items of each split that come first by their draw: the
-- same ones whatever else stands in the benchmark.
return function (builder, ids, seed, most)
  local splits, order = drawn(ids, seed)
  for _, split in ipairs(order) do
    local list = splits[split]
    table.sort(list, function (a, b) return a.draw < b.draw end)
    for i = 1, math.min(most, #list) do builder:reveal(list[i].index) end
  end
end
