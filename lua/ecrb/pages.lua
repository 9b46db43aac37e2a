-- All children of a node, page by page: what annotation offers, where no label
-- tells which ones must be on a list. Children that the enzyme's evidence
-- supports come first, by their best rank, then the others, each in EC order.

local core_ec = require "core.ec"

local pages = {}

-- Child to the best rank of a hit that carries a leaf under it.
local function supported(context, level)
  local rank, run = {}, context.run
  if run.book ~= "open" then return rank end
  for _, channel in ipairs(run.channels) do
    for _, hit in ipairs(run.bench:evidence(context.index, channel, run.hits)) do
      for _, number in ipairs(hit.ec) do
        local node = core_ec.prefix(number, level)
        rank[node] = math.min(rank[node] or math.huge, hit.rank)
      end
    end
  end
  return rank
end

-- The children in the order of the offer. Sorting by (rank, place) keeps EC
-- order within a rank.
local function ordered(context, node)
  local children = context.run.tree:children(node)
  local rank = supported(context, core_ec.level(node) + 1)
  local places = {}
  for i, child in ipairs(children) do
    places[i] = { ec = child, at = i, rank = rank[child] or math.huge }
  end
  table.sort(places, function (a, b)
    if a.rank ~= b.rank then return a.rank < b.rank end
    return a.at < b.at
  end)
  return places
end

-- The page of that number (from 1) as {ec=, name=} each; `more` is how many
-- children stand on later pages, nil on the last one.
function pages.of(context, node, number)
  local size, all, list = context.run.paged, ordered(context, node), {}
  for i = (number - 1) * size + 1, math.min(number * size, #all) do
    list[#list + 1] = { ec = all[i].ec, name = context.run.tree:name(all[i].ec) }
  end
  local left = #all - number * size
  list.more = left > 0 and left or nil
  return list
end

return pages
