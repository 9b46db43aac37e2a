-- Figure 10 (not the paper's): the way from all items to L4, a panel a setting, a
-- figure a model. Each bar is what one cause took.

local ledger = require "ecrb.report.ledger"

local colours = { failed = 0x7F7F7F, abstained = 0xE69F00, wrong = 0xD55E00,
                  kept = 0x0072B2, total = 0xB8B8B8 }

local function colour_of(cause)
  local kind = string.match(cause, "^%a+")
  return colours[kind] or colours.failed
end

-- The causes that any of the arms knows.
local function causes_of(board, list)
  local met = {}
  for _, cause in ipairs(ledger.causes) do
    local any = false
    for _, arm in ipairs(list) do
      any = any or board:ledger(arm).lost[cause[1]]
    end
    if any then met[#met + 1] = cause end
  end
  return met
end

local function bars_of(found, causes)
  local left = 1
  local rows = { { 0, 1, -1, colours.total, found.n } }
  for c, cause in ipairs(causes) do
    local lost = found.lost[cause[1]] or 0
    if lost > 0 then
      rows[#rows + 1] = { left - lost / found.n, left, -c - 1,
                          colour_of(cause[1]), lost }
    end
    left = left - lost / found.n
  end
  rows[#rows + 1] = { 0, left, -#causes - 2, colours.kept, found.kept }
  return rows
end

local function names_of(causes)
  local names = { "all items" }
  for _, cause in ipairs(causes) do names[#names + 1] = cause[2] end
  names[#names + 1] = "L4 right"
  return names
end

local function figure_of(board, model)
  local list = {}
  for _, setting in ipairs(board.settings) do
    if not setting.control and model.arms[setting.key] then
      list[#list + 1] = model.arms[setting.key]
    end
  end
  local causes = causes_of(board, list)
  local titles, blocks = {}, {}
  for i, arm in ipairs(list) do
    titles[i] = string.format("%s (n = %d)", arm.label, #arm.run)
    blocks[i] = { name = arm.label,
      rows = bars_of(board:ledger(arm), causes),
      columns = { "from", "to", "y", "colour", "items" } }
  end
  local across = math.min(3, #list)
  local lines = (#list + across - 1) // across
  return {
    title = "Figure 10. Where items are lost, " .. model.name,
    caption = "From all items to those that are right at L4. Every lost item has one "
      .. "cause, the first; numbers are items.",
    width = 7.2, height = 0.4 + lines * (0.4 + 0.135 * (#causes + 2)),
    values = { { "panels", #list }, { "across", across }, { "lines", lines },
               { "bars", #causes + 2 }, { "titles", titles },
               { "causes", names_of(causes) } },
    blocks = blocks,
  }
end

return function (board)
  local list = {}
  for i, model in ipairs(board.models) do list[i] = figure_of(board, model) end
  return list
end
