-- The records of a run, in items.jsonl: one line an item, written as the item
-- ends and put in the order of the benchmark once all are there.
--
-- An item that is asked again keeps its old record until the file is written
-- anew, with all new records in their places at once. A kill before that leaves
-- the old file, and costs nothing: the replies stand in the journal of the calls.

local core_journal = require "core.journal"
local json = require "ecrb.json"
local keyed_line = require "ecrb.keyed_line"

local item_records = {}

local Records = {}
Records.__index = Records

-- Opens the file, and tells how many bytes of a torn last line were dropped.
function item_records.open(path)
  local journal, state = core_journal.open(path, "a")
  return setmetatable({ journal = journal, renewed = {} }, Records), state.torn
end

function Records:count()
  return self.journal:count()
end

-- The line of an item, as text; nil where there is none.
function Records:find(id)
  return self.renewed[id] or self.journal:find(id)
end

-- The record as a line; its key stands first, where the journal looks for it.
local function text_of(record)
  local key = record.key
  record.key = nil
  local rest = json.encode(record)
  record.key = key
  return keyed_line.head(key) .. string.sub(rest, 2)
end

-- Keeps an item's record; one that stands already gives way when the file is put
-- in order.
function Records:keep(record)
  if self.journal:find(record.key) then
    self.renewed[record.key] = text_of(record)
  else
    self.journal:append(text_of(record))
  end
end

-- Which line of the file each item of the benchmark has, the lines of no item, the
-- lines that give way, and whether every line stands where it belongs.
local function places_of(self, bench)
  local line_of, strangers, instead, sorted, last = {}, {}, {}, true, 0
  for index = 1, #bench do line_of[index] = false end
  for n = 1, self.journal:count() do
    local id = keyed_line.key(self.journal:line(n))
    local index = bench:find(id)
    if index then line_of[index] = n else strangers[#strangers + 1] = n end
    sorted = sorted and (index or math.huge) >= last
    last = index or math.huge
    instead[n] = self.renewed[id]
  end
  return line_of, strangers, instead, sorted
end

local function order_of(line_of, strangers)
  local order = {}
  for _, n in ipairs(line_of) do order[#order + 1] = n or nil end
  return table.move(strangers, 1, #strangers, #order + 1, order)
end

-- Writes the file anew in the order of the benchmark, so that it does not show
-- which reply came first; new records take the places of old ones.
function Records:put_in_order(bench)
  local line_of, strangers, instead, sorted = places_of(self, bench)
  if sorted and not next(instead) then return end
  self.journal:reorder(order_of(line_of, strangers), instead)
  self.renewed = {}
end

-- Whether records wait for their places.
function Records:is_renewed()
  return next(self.renewed) ~= nil
end

function Records:sync()
  self.journal:sync()
end

function Records:close()
  self.journal:close()
end

return item_records
