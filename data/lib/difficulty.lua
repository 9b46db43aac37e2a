-- The four axes of the prior difficulty, their mean and its five bins, and
-- beside them a score that knows the evidence: the mean of 1 - homology/100
-- and of 1 - the share of the item's hits that carry one of its leaves.

local draw = require "draw"
local ec = require "ec"

local H_SPLIT = { ["30-50"] = 0.4, price = 0.8, ["30"] = 0.9, promiscuous = 1 }
local BINS = 5

-- {node = number of children} over the leaves of the tree.
local function fan_out(leaves)
  local children, seen = {}, {}
  for _, leaf in ipairs(leaves) do
    for level = 4, 1, -1 do
      local node = ec.prefix(leaf, level)
      local parent = ec.prefix(leaf, level - 1)
      if not seen[node] then
        children[parent] = (children[parent] or 0) + 1
      end
      seen[node] = true
    end
  end
  return children
end

local function largest(counts)
  local most = 0
  for _, count in pairs(counts) do most = math.max(most, count) end
  return most
end

local function distractors(children, leaf)
  local sum = 0
  for level = 2, 4 do
    local siblings = children[ec.prefix(leaf, level - 1)] - 1
    sum = sum + math.min(siblings, 6) / 6
  end
  return sum / 3
end

local function homology_bin(homology)
  if homology < 30 then return "<30" end
  if homology < 40 then return "30-40" end
  if homology < 50 then return "40-50" end
  return homology < 70 and "50-70" or ">=70"
end

local function support(item, channels)
  local hits, right = 0, 0
  for _, channel in ipairs(channels) do
    for _, hit in ipairs(channel.hits[item.id]) do
      hits = hits + 1
      if ec.deepest(item.ec, hit.ec) == 4 then right = right + 1 end
    end
  end
  return hits > 0 and right / hits or 0
end

local function axes(item, tree, channels)
  local leaf = item.ec[1]
  local carried = tree.carriers[leaf] or 0
  local homology = draw.homology(channels[1].hits[item.id])
  local row = { item = item.id, h_split = H_SPLIT[item.split],
    h_tail = 1 - math.log(1 + carried) / math.log(1 + tree.most_carried),
    h_branch = tree.children[ec.prefix(leaf, 3)] / tree.most_children,
    h_distr = distractors(tree.children, leaf),
    homology = homology, homology_bin = homology_bin(homology),
    evidence_d = (1 - homology / 100 + 1 - support(item, channels)) / 2 }
  row.d = (row.h_split + row.h_tail + row.h_branch + row.h_distr) / 4
  return row
end

-- Bins by rank of d; ties in the order of the items; the first bins take
-- what does not divide.
local function assign_bins(rows)
  local order = {}
  for i, row in ipairs(rows) do order[i] = { row = row, at = i } end
  table.sort(order, function (a, b)
    if a.row.d ~= b.row.d then return a.row.d < b.row.d end
    return a.at < b.at
  end)
  local at = 0
  for bin = 1, BINS do
    local size = #rows // BINS + (bin <= #rows % BINS and 1 or 0)
    for i = at + 1, at + size do order[i].row.bin = "D" .. bin end
    at = at + size
  end
end

local DIGITS = { h_split = "%.1f", h_tail = "%.6f", h_branch = "%.6f",
  h_distr = "%.6f", d = "%.6f", homology = "%.3f", evidence_d = "%.6f" }

-- One row per item. `channels` begins with BLAST.
return function (items, leaves, carriers, channels)
  local children = fan_out(leaves)
  local thirds = {}
  for _, leaf in ipairs(leaves) do
    thirds[leaf] = children[ec.prefix(leaf, 3)]
  end
  local tree = { children = children, carriers = carriers,
    most_children = largest(thirds), most_carried = largest(carriers) }
  local rows = {}
  for i, item in ipairs(items) do rows[i] = axes(item, tree, channels) end
  assign_bins(rows)
  for _, row in ipairs(rows) do
    for column, format in pairs(DIGITS) do
      row[column] = string.format(format, row[column])
    end
  end
  return rows
end
