-- Draws the test items. Four splits pick in turn, each the first enzyme in a
-- seeded order of its own that its rule admits; then the picked are searched
-- against all that was not picked, and whoever breaks a rule now goes back
-- to the training set, until nobody does.

local ec = require "ec"
local search = require "search"

local draw = {}

-- The largest identity among the hits that count; 0 without a hit.
function draw.homology(hits)
  local most = 0
  for _, hit in ipairs(search.cut(hits)) do
    most = math.max(most, hit.identity)
  end
  return most
end

-- In the order in which they pick. `size` is the most that a split takes,
-- `per_branch` the most under one third-level node (as CARE has it).
draw.splits = {
  { name = "price", size = 60, per_branch = math.huge,
    admits = function (enzyme, hits, by_id)
      return #enzyme.ec == 1 and hits[1]
        and ec.deepest(enzyme.ec, by_id[hits[1].neighbour].ec) < 4
    end },
  { name = "promiscuous", size = 60, per_branch = math.huge,
    admits = function (enzyme) return #enzyme.ec > 1 end },
  { name = "30", size = 60, per_branch = 3,
    admits = function (enzyme, hits)
      return #enzyme.ec == 1 and draw.homology(hits) < 30
    end },
  { name = "30-50", size = 60, per_branch = 3,
    admits = function (enzyme, hits)
      local homology = draw.homology(hits)
      return #enzyme.ec == 1 and homology >= 30 and homology < 50
    end },
}

-- One pick in so many is an enzyme none of whose leaves training carries.
local STRANGERS = 8

-- {leaf = number of enzymes outside `picked` that carry it}
function draw.carriers(enzymes, picked)
  local count = {}
  for _, enzyme in ipairs(enzymes) do
    for _, leaf in ipairs(picked[enzyme] and {} or enzyme.ec) do
      count[leaf] = (count[leaf] or 0) + 1
    end
  end
  return count
end

-- Does anybody outside the test set carry a leaf of the enzyme? `own` is 1
-- while the enzyme itself is still counted.
local function carried(carriers, enzyme, own)
  for _, leaf in ipairs(enzyme.ec) do
    if (carriers[leaf] or 0) > own then return true end
  end
  return false
end

-- The state of a draft: what each split took, and from which branches.
local function new_draft(world)
  local draft = { world = world, picked = {}, taken = {}, branch = {},
    carriers = draw.carriers(world.enzymes, {}) }
  for _, split in ipairs(draw.splits) do
    draft.taken[split], draft.branch[split] = 0, {}
  end
  return draft
end

local function admits(draft, split, enzyme, hits, stranger)
  local branch = ec.prefix(enzyme.ec[1], 3)
  return not draft.picked[enzyme]
    and carried(draft.carriers, enzyme, 1) ~= stranger
    and (draft.branch[split][branch] or 0) < split.per_branch
    and split.admits(enzyme, hits[enzyme.id] or {}, draft.world.by_id)
end

local function take(draft, split, enzyme, stranger)
  local branch = ec.prefix(enzyme.ec[1], 3)
  draft.picked[enzyme] = split
  draft.taken[split] = draft.taken[split] + 1
  draft.branch[split][branch] = (draft.branch[split][branch] or 0) + 1
  for _, leaf in ipairs(enzyme.ec) do
    draft.carriers[leaf] = draft.carriers[leaf] - 1
  end
  enzyme.stranger = stranger
end

-- Lets a split pick one; says whether it found any.
local function pick(draft, split, order, hits)
  if draft.taken[split] >= split.size then return false end
  local stranger = (draft.taken[split] + 1) % STRANGERS == 0
  for _, enzyme in ipairs(order) do
    if admits(draft, split, enzyme, hits, stranger) then
      take(draft, split, enzyme, stranger)
      return true
    end
  end
  return false
end

local function fill(draft, orders, hits)
  repeat
    local any = false
    for _, split in ipairs(draw.splits) do
      any = pick(draft, split, orders[split.name], hits) or any
    end
  until not any
end

-- The enzymes that are picked, and those that are not, in the given order.
function draw.divide(enzymes, picked)
  local test, train = {}, {}
  for _, enzyme in ipairs(enzymes) do
    table.insert(picked[enzyme] and test or train, enzyme)
  end
  return test, train
end

-- Is what was true of an item when it was picked still true?
local function holds(world, enzyme, split, hits, carriers)
  return carried(carriers, enzyme, 0) ~= enzyme.stranger
    and split.admits(enzyme, hits[enzyme.id] or {}, world.by_id)
end

local function send_back(world, picked, test, hits)
  local carriers, broken = draw.carriers(world.enzymes, picked), {}
  for _, enzyme in ipairs(test) do
    if not holds(world, enzyme, picked[enzyme], hits, carriers) then
      broken[#broken + 1] = enzyme
    end
  end
  for _, enzyme in ipairs(broken) do picked[enzyme] = nil end
  return #broken
end

-- `world` is what world.lua reads, `orders` the pool in the order of each
-- split by name, `find(queries, targets)` searches. Returns {enzyme = split
-- name} and the hits of the last search.
function draw.run(world, orders, find)
  local draft = new_draft(world)
  fill(draft, orders, find(world.pool, world.enzymes))
  local hits
  repeat
    local test, train = draw.divide(world.enzymes, draft.picked)
    hits = find(test, train)
  until send_back(world, draft.picked, test, hits) == 0
  local names = {}
  for enzyme, split in pairs(draft.picked) do names[enzyme] = split.name end
  return names, hits
end

return draw
