-- Tables S4 and S5: whether confidences mean what they say.

local figures = require "ecrb.report.calibration"

local calibration = {}

local sources_note = "stated: the confidence that the method reports; vote share: that of the "
  .. "committed node (M4)."

-- A row for every arm and source of confidence: who it is, then `cells(figures,
-- entry, arm, answerer)`, nil for none.
local function each(board, cells)
  local rows = {}
  for _, answerer in ipairs(board.answerers) do
    local first = true
    for _, arm in ipairs(answerer.arms) do
      for _, entry in ipairs(board:calibration(arm)) do
        local own = cells(entry.figures, entry, arm, answerer)
        if own then
          local row = { answerer.name, arm.label, entry.source[2], rule = first }
          table.move(own, 1, #own, 4, row)
          rows[#rows + 1], first = row, false
        end
      end
    end
  end
  return rows
end

local function description(board, title, columns, rows, ...)
  if not rows[1] then return nil end
  return { title = title .. ", " .. board:where(), key = 3, rows = rows,
           columns = { "model", "setting", "confidence", table.unpack(columns) },
           notes = board:notes(sources_note, ...) }
end

-- Risk: AURC, and L4 of the most confident.
function calibration.risk(board)
  local rows = each(board, function (f)
    return { f.n, f.stated, f.aurc, table.unpack(f.selective) }
  end)
  local columns = { "n", "with one", "AURC" }
  for _, coverage in ipairs(figures.coverages) do
    columns[#columns + 1] = figures.coverage_name(coverage)
  end
  return description(board, "Table S4a. Confidence and risk", columns, rows,
    "L4 of the most confident share of all items; items without a confidence rank last.")
end

-- Calibration error under both targets and both edges.
function calibration.error(board)
  local rows = each(board, function (f)
    local cells = { f.stated }
    for i, error in ipairs(figures.errors) do cells[i + 1] = f.errors[error[1]] end
    return cells
  end)
  local columns = { "n" }
  for _, error in ipairs(figures.errors) do columns[#columns + 1] = error[2] end
  return description(board, "Table S4b. Calibration error", columns, rows,
    "n: items with a confidence. Correct is L4 or the committed node; a bin holds its "
      .. "right or its left edge.")
end

-- One temperature, fitted on one half and tried on the other.
function calibration.temperature(board)
  local rows = each(board, function (f)
    local t = f.tempered
    return t and { t.fitted, { t.temperature[1], t.temperature[2], t.temperature[3],
                               digits = 2 }, t.tried, t.before, t.after }
  end)
  return description(board, "Table S4c. Temperature scaling",
    { "n fitted", "T", "n tried", "ECE before", "ECE after" }, rows,
    "The items with a confidence are halved by the seed; T is fitted on one half by "
      .. "likelihood, from 0.05 to 20, and tried on the other, whose ECE stands here.")
end

-- The reliability table: the bins that hold an item.
function calibration.reliability(board)
  local rows = {}
  each(board, function (_, entry, arm, answerer)
    for i, row in ipairs(figures.reliability(entry).rows) do
      rows[#rows + 1] = { answerer.name, arm.label, entry.source[2], row[1], row[2], row[3],
                          row[4], rule = i == 1 }
    end
  end)
  return description(board, "Table S5. Reliability",
    { "bin", "n", "mean confidence", "L4" }, rows,
    "A bin holds its right edge, the first 0 too. Wilson's intervals.")
end

return calibration
