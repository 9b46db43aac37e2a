-- suite(folders, options) -> the paper's Tables 1 and 2 of the runs in these folders
-- that have a record, as text for a terminal: what `ecrb suite` prints when it ends.
-- Options: partial, and those of metrics.of.

local board = require "ecrb.report.board"
local main = require "ecrb.report.paper.main"
local tables = require "ecrb.tables"
local vote = require "ecrb.report.paper.vote"

local function nothing_yet(folders)
  return table.concat(folders, "\n") .. "\nno item is finished yet\n"
end

return function (folders, options)
  local open = board.open(folders, options or {})
  if not open then return nothing_yet(folders) end
  local page = tables.page()
  local parts = { tables.write("text", main.table(open, true), page) }
  local second = vote.table2(open)
  if second then parts[2] = tables.write("text", second, page) end
  return table.concat(parts, "\n")
end
