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
  return setmetatable({ path = path, journal = journal, renewed = {} }, Records), state.torn
end

-- So that records that were kept since the file was opened are found, too: while a run
-- goes on nobody asks for them, and there may be many.
function Records:read_again()
  self.journal:close()
  self.journal = core_journal.open(self.path, "a")
end

function Records:count()
  return self.journal:count()
end

-- The line of an item as the file was opened, as text; nil where there is none.
function Records:find(id)
  return self.renewed[id] or self.journal:find(id)
end

-- The record as a line, in two pieces; its key stands first, where the journal
-- looks for it.
local function pieces_of(record)
  local key = record.key
  record.key = nil
  local rest = json.fields(record)
  record.key = key
  return keyed_line.head(key), rest
end

-- Keeps an item's record; one that stands already gives way when the file is put
-- in order.
function Records:keep(record)
  if self.journal:find(record.key) then
    self.renewed[record.key] = table.concat { pieces_of(record) }
  else
    self.journal:append_unseen(pieces_of(record))
  end
end

-- Writes the file anew in the order of the benchmark, so that it does not show
-- which reply came first; new records take the places of old ones.
function Records:put_in_order(bench)
  self:read_again()
  self.journal:sort(function (place) return bench:id(place) end, #bench, self.renewed)
  self.renewed = {}
end

-- Whether records wait for their places.
function Records:is_renewed()
  return next(self.renewed) ~= nil
end

function Records:check()
  self.journal:check()
end

function Records:sync()
  self.journal:sync()
end

function Records:close()
  self.journal:close()
end

return item_records
