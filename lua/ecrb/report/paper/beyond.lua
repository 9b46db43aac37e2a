-- Tables that the paper has not: what became of the items, where they were lost,
-- classes, calibration.

local complete = require "ecrb.report.paper.complete"
local ledger = require "ecrb.report.ledger"
local metrics = require "ecrb.report.metrics"
local outcomes = require "ecrb.outcomes"
local statistics = require "core.statistics"

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

-- L4 of the most confident share of the items; Wilson's interval.
local function selective(rows, coverage)
  local stated = {}
  for _, record in ipairs(rows) do
    if record.confidence then stated[#stated + 1] = record end
  end
  local risk = statistics.risk_curve(
    metrics.column(stated, function (r) return r.confidence end),
    metrics.column(stated, function (r) return r.score.l4 end))
  local k = math.max(1, math.floor(coverage * #stated + 0.5))
  local low, high = statistics.wilson(math.min(k,
    math.floor((1 - risk[k]) * k + 0.5)), k)
  return { 1 - risk[k], low, high }
end

-- The ECE of the second half of the items (of every two, the one) at the
-- temperature that fits the first.
local function tempered(board, rows)
  local fit, test = {}, {}
  for _, record in ipairs(rows) do
    if record.confidence then
      table.insert(#fit > #test and test or fit, record)
    end
  end
  if #test == 0 then return { false }, false end
  local function stated(list)
    return metrics.column(list, function (r) return r.confidence end)
  end
  local function right(list)
    return metrics.column(list, function (r) return r.score.l4 end)
  end
  local temperature = statistics.temperature(stated(fit), right(fit))
  local scaled = stated(test)
  for i, value in ipairs(scaled) do
    scaled[i] = statistics.scaled(value, temperature)
  end
  return statistics.ece(scaled, right(test), board.drawn),
    { temperature, digits = 2 }
end

local function calibration_row(board, arm)
  local f = board:figures(arm)
  if f.confidences == 0 then return nil end
  local ece, temperature = tempered(board, arm.run)
  return { f.confidences, f.ece, ece, temperature, f.aurc,
           selective(arm.run, 0.25), selective(arm.run, 0.5),
           selective(arm.run, 0.75), selective(arm.run, 1) }
end

-- Calibration of the stated confidence; nil where nobody states one.
function beyond.calibration(board)
  local rows = each_arm(board, function (arm)
    return calibration_row(board, arm)
  end)
  if not rows[1] then return nil end
  return { title = "Table S4. Stated confidence, " .. board:where(), key = 2,
           columns = { "model", "setting", "n", "ECE", "ECE tempered", "T",
                       "AURC", "L4 at 25%", "L4 at 50%", "L4 at 75%",
                       "L4 at 100%" },
           rows = rows, notes = board:notes("n: items with a confidence. T is "
             .. "fitted on every other of them, \"ECE tempered\" is that of the "
             .. "rest. L4 of the most confident share, Wilson's interval.") }
end

return beyond
