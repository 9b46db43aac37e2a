-- Table 6b: what the evidence gives without a model.

local retrieval = {}

local statistics = require "core.statistics"

-- The share of items whose top hit carries a label under any of its ECs.
local function any_ec(board, reference)
  if reference.run[1].any == nil then return false end
  local column = {}
  for i, record in ipairs(reference.run) do column[i] = record.any end
  return statistics.means({ column }, board.drawn)[1]
end

local function row_of(board, reference)
  local levels = board:levels(reference)
  local row = { reference.label, levels.n, levels.l1, levels.l2, levels.l3,
                levels.l4, any_ec(board, reference) }
  for _, split in ipairs(board.splits) do
    row[#row + 1] = board:levels(reference, "split", split).l4
  end
  return row
end

function retrieval.table(board)
  local rows = {}
  for i, reference in ipairs(board:references()) do
    rows[i] = row_of(board, reference)
  end
  local columns = { "diagnostic", "n", "L1", "L2", "L3", "L4", "L4 any EC" }
  for _, split in ipairs(board.splits) do
    columns[#columns + 1] = string.format("%s L4 (n = %d)", split,
      board.counts[split])
  end
  return { title = "Table 6b. Retrieval without a model, " .. board:where(),
           columns = columns, rows = rows, notes = board:notes(
    "One channel: the first EC of its top hit; \"any EC\" counts the item if any "
      .. "EC of that hit is a label. Two channels: one vote for each EC of each "
      .. "top hit. The oracle reads the labels: per item the top hit that is right "
      .. "deepest, no method but a bound on rules that trust one channel.") }
end

return retrieval
