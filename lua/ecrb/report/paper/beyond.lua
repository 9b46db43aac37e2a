-- Tables that the paper has not: what became of the items, where they were lost,
-- classes.

local complete = require "ecrb.report.paper.complete"
local ledger = require "ecrb.report.ledger"
local outcomes = require "ecrb.outcomes"

local beyond = {}

-- Adds a row for every arm, `row(arm)` behind who it is.
local function each_arm(board, row)
  local rows = {}
  for _, answerer in ipairs(board.answerers) do
    local first = true
    for _, arm in ipairs(answerer.arms) do
      local cells = row(arm)
      if cells then
        table.move(cells, 1, #cells, 3, cells)
        cells[1], cells[2] = answerer.name, arm.label
        cells.rule, first = first, false
        rows[#rows + 1] = cells
      end
    end
  end
  return rows
end

-- What became of the items: the causes sum to n.
function beyond.coverage(board)
  local rows = each_arm(board, function (arm)
    local f = board:figures(arm)
    local cells = { f.n }
    for i, outcome in ipairs(outcomes) do cells[i + 1] = f.causes[outcome] end
    return cells
  end)
  return { title = "Table S1. What became of the items, " .. board:where(),
           key = 2, columns = { "model", "setting", "n",
                                table.unpack(outcomes) },
           rows = rows, notes = { "The causes sum to n." } }
end

-- The causes of loss that any arm knows.
local function causes_met(board)
  local met = {}
  for _, cause in ipairs(ledger.causes) do
    for _, arm in ipairs(board.arms) do
      if board:ledger(arm).lost[cause[1]] and met[#met] ~= cause then
        met[#met + 1] = cause
      end
    end
  end
  return met
end

-- Where the items were lost on the way from all of them to L4.
function beyond.losses(board)
  local met, columns = causes_met(board), { "model", "setting", "n" }
  for _, cause in ipairs(met) do columns[#columns + 1] = cause[2] end
  columns[#columns + 1] = "L4 right"
  local rows = each_arm(board, function (arm)
    local found = board:ledger(arm)
    local cells = { found.n }
    for i, cause in ipairs(met) do cells[i + 1] = found.lost[cause[1]] or 0 end
    cells[#cells + 1] = found.kept
    return cells
  end)
  return { title = "Table S2a. Where items were lost, " .. board:where(), key = 2,
           columns = columns, rows = rows,
           notes = { "Every lost item has one cause, the first; causes and L4 "
             .. "right sum to n." } }
end

-- P(level l right | level l - 1 right).
function beyond.conditional(board)
  local rows = each_arm(board, function (arm)
    local found = board:ledger(arm)
    return { found.n, board:figures(arm).l1, found.given[2], found.given[3],
             found.given[4] }
  end)
  return { title = "Table S2b. Each level given the one above, "
             .. board:where(),
           key = 2, columns = { "model", "setting", "n", "P(L1)", "P(L2 | L1)",
                                "P(L3 | L2)", "P(L4 | L3)" },
           rows = rows, notes = board:notes() }
end

-- L4 by top-level class: what the heat map shows.
function beyond.classes(board)
  return complete.grouped(board, "class", "Table S3. L4 by class")
end

return beyond
