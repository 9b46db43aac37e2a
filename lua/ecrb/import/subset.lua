-- The control subset: items whose real ids a model may see.

local text = require "core.text"

local subset = {}

-- Items by split, each with a draw out of seed and id.
local function by_split(ids, seed)
  local splits = {}
  for index, item in ipairs(ids) do
    splits[item.split] = splits[item.split] or {}
    table.insert(splits[item.split], { index = index,
      draw = text.sha256(string.format("%d\0visible\0%s", seed, item.id)) })
  end
  return splits
end

-- The set of those items {{id =, split =}...} that come first by their draw, as
-- many of each split as `counts` says: the same ones whatever else stands in the
-- benchmark.
function subset.drawn(ids, seed, counts)
  local chosen = {}
  for split, list in pairs(by_split(ids, seed)) do
    table.sort(list, function (a, b) return a.draw < b.draw end)
    for i = 1, math.min(counts[split] or 0, #list) do chosen[list[i].index] = true end
  end
  return chosen
end

-- Reveals `most` items of each split.
function subset.reveal(builder, ids, seed, most)
  local counts = {}
  for _, item in ipairs(ids) do counts[item.split] = most end
  local chosen = subset.drawn(ids, seed, counts)
  for index = 1, #ids do
    if chosen[index] then builder:reveal(index) end
  end
end

return subset
