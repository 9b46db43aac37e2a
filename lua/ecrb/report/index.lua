-- The index of all records for the page's browser: a column for everything that
-- its list shows and filters by, small enough to be there at once.

local json = require "ecrb.json"
local ledger = require "ecrb.report.ledger"
local outcomes = require "ecrb.outcomes"

local function places(list)
  local map = {}
  for i, name in ipairs(list) do map[name] = i - 1 end
  return map
end

local function items_of(board)
  local found = { id = json.array(), name = json.array(), shown = json.array(),
                  split = json.array(), gold = json.array() }
  local split = places(board.splits)
  for i, row in ipairs(board.items) do
    local item = board.bench:item(row.index)
    found.id[i], found.name[i], found.shown[i] = item.id, item.name, item.shown
    found.split[i] = split[item.split]
    found.gold[i] = table.concat(board.bench:reveal(row.index), ";")
  end
  return found
end

-- How many levels are right from the top down.
local function levels_right(record)
  local right = 0
  while right < 4 and record.score["l" .. right + 1] do right = right + 1 end
  return right
end

local function records_of(board, arm, item, outcome, cause)
  local found = { item = json.array(), outcome = json.array(),
                  cause = json.array(), right = json.array(),
                  leaf = json.array(), confidence = json.array() }
  for i, record in ipairs(arm.run) do
    found.item[i] = item[record.key]
    found.outcome[i] = outcome[record.outcome]
    found.cause[i] = cause[ledger.cause_of(record, board.superseded)] or -1
    found.right[i] = levels_right(record)
    found.leaf[i] = record.path[#record.path] or ""
    found.confidence[i] = record.confidence or json.null
  end
  return found
end

local function causes()
  local keys, labels = {}, {}
  for i, cause in ipairs(ledger.causes) do keys[i], labels[i] = cause[1], cause[2] end
  return keys, labels
end

-- The index of a board's records; `chunk` items are packed together.
return function (board, chunk)
  local keys, labels = causes()
  local outcome, cause, item = places(outcomes), places(keys), {}
  for i, row in ipairs(board.items) do item[row.key] = i - 1 end
  local index = { splits = json.array(board.splits), chunk = chunk,
                  outcomes = outcomes, causes = labels, items = items_of(board),
                  arms = json.array(), records = json.array() }
  for a, arm in ipairs(board.arms) do
    index.arms[a] = board:name(arm)
    index.records[a] = records_of(board, arm, item, outcome, cause)
  end
  return index
end
