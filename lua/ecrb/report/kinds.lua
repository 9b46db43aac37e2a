-- Scored records packed for figures. Of many records most are alike in all that
-- figures are made of: those are of one kind, which is kept once, and of an item
-- four bytes are kept that say which kind it is of.

local statistics = require "core.statistics"

local kinds = {}

-- What a kind keeps of a record. Numbers and tables that are shared name it as
-- they are, texts together.
local values = { "score", "confidence", "share", "turns", "consensus", "saved" }
local NONE = {} -- stands for nil in the way to a kind

local function below(node, value)
  if value == nil then value = NONE end
  local next_node = node[value]
  if not next_node then
    next_node = {}
    node[value] = next_node
  end
  return next_node
end

local function new_kind(record, with_path)
  local kind = { split = record.split, outcome = record.outcome, channels = record.channels,
                 path = with_path and record.path or nil }
  for _, name in ipairs(values) do kind[name] = record[name] end
  return kind
end

-- A function that gives the kind of a scored record: the same table for records
-- that figures cannot tell apart. A loss ledger reads the path, too.
function kinds.shelf(with_path)
  local root = {}
  return function (record)
    local node = root
    for i = 1, #values do node = below(node, record[values[i]]) end
    local words = record.split .. "\t" .. record.outcome .. "\t"
      .. table.concat(record.channels, " ")
    if with_path then words = words .. "\t" .. table.concat(record.path, " ") end
    local kind = node[words]
    if not kind then
      kind = new_kind(record, with_path)
      node[words] = kind
    end
    return kind
  end
end

-- Items by their kinds: rows[i], #rows and ipairs(rows) as of a list of records.
-- `kinds` are those that there are, `of` (core.statistics.numbers) says which
-- kind an item is of, `tokens` what was used in all.
local Rows = {}

function Rows:__len()
  return #self.of
end

function Rows:__index(key)
  if math.type(key) ~= "integer" then return Rows[key] end
  local number = self.of[key]
  return number and self.kinds[number]
end

function kinds.rows()
  return setmetatable({ kinds = {}, numbers = {}, of = statistics.numbers(),
                        places = statistics.numbers(), last = 0, in_order = true,
                        tokens = {} }, Rows)
end

-- Adds the item at a place of the benchmark.
function Rows:add(kind, place, usage)
  local number = self.numbers[kind]
  if not number then
    number = #self.kinds + 1
    self.kinds[number], self.numbers[kind] = kind, number
  end
  self.of:add(number)
  self.places:add(place)
  self.first = math.min(self.first or place, place)
  self.in_order = self.in_order and place >= self.last
  self.last = place
  for name, amount in next, usage do
    self.tokens[name] = (self.tokens[name] or 0) + amount
  end
end

-- To be called when all items are there: puts them in the order of the benchmark,
-- which is that of nearly every journal. `sets`: whether any item of the run
-- answers a set.
function Rows:finish(sets)
  if not self.in_order then self.of:sort(self.places) end
  self.places, self.sets = nil, sets
  self.times = self.of:counts(#self.kinds)
end

return kinds
