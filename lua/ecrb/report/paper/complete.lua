-- Tables 7 to 13: every setting of every model, overall, level by level in each
-- split, and by difficulty.

local with_digits = require "ecrb.tables.cell".with_digits

local complete = {}

local function overall_row(board, arm)
  local f = board:figures(arm)
  return { arm.label, f.n, f.l1, f.l2, f.l3, f.l4, f.valid, f.hf, f.macro_l4,
           f.ece or false, f.aurc or false, with_digits(f.depth, 2) }
end

-- Tables 7 and 8, a panel an answerer.
function complete.overall(board, answerer)
  local rows = {}
  for i, arm in ipairs(answerer.arms) do rows[i] = overall_row(board, arm) end
  return { title = string.format("Table 7. All settings, %s, %s", answerer.name,
             board:where()),
           columns = { "setting", "n", "L1", "L2", "L3", "L4", "valid", "H-F1",
                       "macro-L4", "ECE", "AURC", "stop depth" },
           rows = rows, notes = board:notes() }
end

local function level_row(board, arm, by, name)
  local levels = board:levels(arm, by, name)
  return levels and { name, arm.label, levels.n, levels.l1, levels.l2,
                      levels.l3, levels.l4 }
end

-- Tables 9 to 13a, a panel an answerer.
function complete.splits(board, answerer)
  local rows = {}
  for _, split in ipairs(board.splits) do
    local first = true
    for _, arm in ipairs(answerer.arms) do
      local row = level_row(board, arm, "split", split)
      if row then
        row.rule, first = first, false
        rows[#rows + 1] = row
      end
    end
  end
  return { title = string.format("Table 9. Levels by split, %s, %s",
             answerer.name, board:where()),
           key = 2, columns = { "split", "setting", "n", "L1", "L2", "L3", "L4" },
           rows = rows, notes = board:notes() }
end

-- The names of a grouping's groups over the items of all runs, with their sizes
-- for the heads of columns.
function complete.heads(board, by)
  local groups = board:groups(board.whole, by)
  local heads = {}
  for i, name in ipairs(groups.names) do
    heads[i] = string.format("%s (n = %d)", name, #groups[name])
  end
  return groups.names, heads
end

-- L4 of every setting over the groups of a grouping, as a table.
function complete.grouped(board, by, title)
  local names, heads = complete.heads(board, by)
  local rows = {}
  for _, answerer in ipairs(board.answerers) do
    for a, arm in ipairs(answerer.arms) do
      local row = { answerer.name, arm.label, rule = a == 1 }
      for _, name in ipairs(names) do
        local levels = board:levels(arm, by, name)
        row[#row + 1] = levels and levels.l4
      end
      rows[#rows + 1] = row
    end
  end
  return { title = title .. ", " .. board:where(), key = 2,
           columns = { "model", "setting", table.unpack(heads) }, rows = rows,
           notes = board:notes() }
end

-- Table 13b, nil without difficulty bins.
function complete.difficulty(board)
  if not board:has "difficulty" then return nil end
  return complete.grouped(board, "difficulty", "Table 13b. L4 by difficulty")
end

return complete
