-- Table 1: the settings, with each model's L4 and, over the models, the other
-- figures.

local with_digits = require "ecrb.tables.cell".with_digits

local main = {}

local function present(board, key)
  return #board.models == #board:of_key(key)
end

local score_of = { l1 = "l1", l2 = "l2", l3 = "l3", l4 = "l4", valid = "valid",
                   hf = "hf", depth = "depth" }

-- A figure of a setting: the arm's own, or the mean over all models.
local function figure(board, setting, name)
  if #setting.arms == 1 then
    local single = #board.models < 2 or setting.control
    return single and board:figures(setting.arms[1])[name] or false
  end
  if not present(board, setting.key) then return false end
  local score = score_of[name]
  if not score then return board:mean_error(setting.arms) or false end
  return board:mean(setting.arms, score) or false
end

-- How many items: a number, or the range where the models differ.
local function n_of(setting)
  local least, most = math.huge, 0
  for _, arm in ipairs(setting.arms) do
    least, most = math.min(least, #arm.run), math.max(most, #arm.run)
  end
  return least == most and most or string.format("%d-%d", least, most)
end

local function named(setting)
  if not setting.control then return setting.label end
  return setting.label .. " (" .. setting.arms[1].model .. ")"
end

local function columns_of(board)
  local columns = { "setting", "n" }
  if #board.models > 1 then
    for _, model in ipairs(board.models) do
      columns[#columns + 1] = "L4 " .. model.name
    end
    columns[#columns + 1] = "L4 mean"
  else
    columns[#columns + 1] = "L4"
  end
  return table.move({ "L1", "L2", "L3", "valid", "H-F1", "ECE", "stop depth" },
    1, 7, #columns + 1, columns)
end

local function add_models(board, setting, row)
  if #board.models < 2 then return end
  for _, model in ipairs(board.models) do
    local arm = not setting.control and model.arms[setting.key]
    row[#row + 1] = arm and board:figures(arm).l4 or false
  end
end

-- The value without its interval.
local function bare(estimate)
  return estimate and { estimate[1], digits = estimate.digits }
end

local rest = { "l1", "l2", "l3", "valid", "hf", "ece" }

local function row_of(board, setting, short)
  local row = { named(setting), n_of(setting) }
  add_models(board, setting, row)
  row[#row + 1] = figure(board, setting, "l4")
  local shown = short and bare or function (estimate) return estimate end
  for _, name in ipairs(rest) do
    row[#row + 1] = shown(figure(board, setting, name) or false)
  end
  local depth = figure(board, setting, "depth")
  row[#row + 1] = shown(with_digits(depth, 2))
  return row
end

local function kind_of(setting)
  return setting.control and "control" or setting.is_paper and setting.book
    or "other"
end

-- Marks the best value of a column.
local function mark_best(rows, settings, column)
  local best
  for i, row in ipairs(rows) do
    local cell = row[column]
    if type(cell) == "table" and cell[1] and not settings[i].control
        and (not best or cell[1] > best[1]) then
      best = cell
    end
  end
  if best then best.best = true end
end

local function copied(cell)
  if type(cell) ~= "table" then return cell end
  local copy = {}
  for name, value in pairs(cell) do copy[name] = value end
  return copy
end

local mean_note = "Figures beside each model's L4 are means over the models, with "
  .. "intervals over the items they share."

-- The table of a board; `short` leaves only L4 its interval, for a terminal.
function main.table(board, short)
  local settings, rows = board.settings, {}
  local columns = columns_of(board)
  for i, setting in ipairs(settings) do
    rows[i] = row_of(board, setting, short)
    for c, cell in ipairs(rows[i]) do rows[i][c] = copied(cell) end
    rows[i].rule = i > 1 and kind_of(setting) ~= kind_of(settings[i - 1])
  end
  for c, title in ipairs(columns) do
    if string.find(title, "^L4") then mark_best(rows, settings, c) end
  end
  return { title = string.format("Table 1. All settings, %s, %s", board:who(), board:where()),
           columns = columns, rows = rows,
           notes = board:notes(#board.models > 1 and mean_note or nil) }
end

return main
