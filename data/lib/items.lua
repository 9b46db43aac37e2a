-- Puts the drawn enzymes in the order of the benchmark and names them. Five
-- of each split stay visible, as a control; their ids spell no enzyme.

local seeded = require "seeded"

local items = { splits = { "30", "30-50", "price", "promiscuous" } }

local VISIBLE = 5

local function order(list)
  local rank = {}
  for i, split in ipairs(items.splits) do rank[split] = i end
  table.sort(list, function (a, b)
    if a.split ~= b.split then return rank[a.split] < rank[b.split] end
    return a.id < b.id
  end)
end

local function opaque(id)
  return string.find(id, "^E?G%d+%-MONOMER$") ~= nil
end

local function show(list)
  local visible = {}
  for _, item in ipairs(seeded.shuffled(list, "visible")) do
    local count = visible[item.split] or 0
    item.visible = opaque(item.id) and count < VISIBLE
    visible[item.split] = count + (item.visible and 1 or 0)
    item.shown = item.visible and item.id or seeded.name("Q", item.id)
  end
end

local function check_names(...)
  local seen = {}
  for _, list in ipairs({ ... }) do
    for _, enzyme in ipairs(list) do
      if seen[enzyme.shown] then
        error("two enzymes are shown as " .. enzyme.shown, 0)
      end
      seen[enzyme.shown] = true
    end
  end
end

-- `names` is {enzyme = split}; `train` gets its names too.
function items.of(names, train)
  local list = {}
  for enzyme, split in pairs(names) do
    enzyme.split = split
    list[#list + 1] = enzyme
  end
  order(list)
  show(list)
  for _, enzyme in ipairs(train) do
    enzyme.shown = seeded.name("T", enzyme.id)
  end
  check_names(list, train)
  return list
end

return items
