-- How hard items are, worked out again from tree, training set and evidence, as
-- core/difficulty.c did when the benchmark was made.

local core_ec = require "core.ec"
local ratings = require "ecrb.import.ratings"

local axes = {}

local SIBLINGS = 6 -- more of them are no harder

local Axes = {}
Axes.__index = Axes

local function most_leaves(tree)
  local most, nodes = 0, { "-.-.-.-" }
  for _ = 1, 3 do
    local below = {}
    for _, node in ipairs(nodes) do
      local children = tree:children(node)
      table.move(children, 1, #children, #below + 1, below)
    end
    nodes = below
  end
  for _, node in ipairs(nodes) do most = math.max(most, #tree:children(node)) end
  return most
end

local function most_carriers(tree, carriers)
  local most = 0
  for leaf, n in pairs(carriers) do
    if tree:has(leaf) then most = math.max(most, n) end
  end
  return most
end

-- `carriers`: how many training enzymes carry a complete EC number.
function axes.new(bench, carriers)
  local tree = bench.core:tree()
  return setmetatable({ bench = bench, tree = tree, carriers = carriers,
    most_leaves = most_leaves(tree), most_carriers = most_carriers(tree, carriers),
    of_leaf = {}, channels = bench.core:channels() }, Axes)
end

local function siblings(tree, node)
  return math.min(#tree:children(tree:parent(node)) - 1, SIBLINGS) / SIBLINGS
end

local function tail_of(self, leaf)
  if self.most_carriers == 0 then return 1 end
  return 1 - math.log(1.0 + (self.carriers[leaf] or 0)) / math.log(1.0 + self.most_carriers)
end

local function measure_leaf(self, leaf)
  local tree = self.tree
  local parent = tree:parent(leaf)
  local tail, branch = tail_of(self, leaf), #tree:children(parent) / self.most_leaves
  local distractors = (siblings(tree, leaf) + siblings(tree, parent)
    + siblings(tree, tree:parent(parent))) / 3
  return { h_tail = tail, h_branch = branch, h_distr = distractors,
    sum = tail + branch + distractors }
end

-- The axes of an item by the columns of difficulty.tsv, and their mean `d`.
function Axes:of(index)
  local leaf, split = self.bench.core:reveal(index)[1], self.bench.core:item(index).split
  local known = self.of_leaf[leaf] or measure_leaf(self, leaf)
  self.of_leaf[leaf] = known
  local rating = ratings[split]
  return { h_split = rating, h_tail = known.h_tail, h_branch = known.h_branch,
    h_distr = known.h_distr, d = rating and (rating + known.sum) / 4 or known.sum / 3 }
end

local function carries(hit, labels)
  for _, number in ipairs(hit.ec) do
    for _, label in ipairs(labels) do
      if core_ec.compare(number, label) == 0 then return true end
    end
  end
  return false
end

-- What the evidence shows of an item: the share of its hits that carry one of its
-- labels, and the largest identity in the channel that homology is measured in.
function Axes:evidence(index, homology_channel)
  local labels, hits, right, most = self.bench.core:reveal(index), 0, 0, 0
  for _, channel in ipairs(self.channels) do
    for _, hit in ipairs(self.bench.core:evidence(index, channel)) do
      hits = hits + 1
      if carries(hit, labels) then right = right + 1 end
      if channel == homology_channel then most = math.max(most, hit.identity or 0) end
    end
  end
  return hits > 0 and right / hits or 0, most
end

return axes
