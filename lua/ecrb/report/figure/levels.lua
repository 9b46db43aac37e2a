-- Figure 3: the four levels of every setting, a panel a split.

local core_text = require "core.text"
local shortened = require "ecrb.report.shortened"

-- Light to dark, L1 to L4.
local shades = {
  none = { 0xDADADA, 0xB4B4B4, 0x8A8A8A, 0x5A5A5A },
  closed = { 0xFCE3B4, 0xF5BF62, 0xE08F1A, 0xA65F00 },
  open = { 0xCFE3F2, 0x85BADF, 0x2E86C1, 0x0B4A7D },
}

local short = { blast = "BLAST hit", hmmer = "HMMER hit", vote = "vote of both",
                structure = "structure", site = "structure + site" }

-- How many items an arm has where that is not what a panel's title says, as text.
local function fewer(board, arm)
  for _, split in ipairs(board.splits) do
    local levels = board:levels(arm, "split", split)
    if levels and levels.n < board.counts[split] then
      return string.format(", n = %d", #arm.run)
    end
  end
  return ""
end

-- What is drawn: the references, then each model's settings; of several models
-- B0 without evidence and M3 with it, as the paper does.
local function shown(board)
  local list = {}
  for _, reference in ipairs(board:references()) do
    if not reference.oracle then
      list[#list + 1] = { arm = reference, label = short[reference.key],
                          shades = shades.none }
    end
  end
  local several = #board.models > 1
  for _, setting in ipairs(board.settings) do
    local wanted = setting.is_paper and (not several
      or setting.key == "b0-closed" or setting.key == "m3-open")
    for _, arm in ipairs(wanted and setting.arms or {}) do
      list[#list + 1] = {
        arm = arm, shades = shades[arm.book],
        label = (several and shortened(arm.model, 20) or arm.label) .. fewer(board, arm) }
    end
  end
  return list
end

local function bars_of(board, list, split)
  local rows = {}
  for place, entry in ipairs(list) do
    local levels = board:levels(entry.arm, "split", split)
    for level = 1, levels and 4 or 0 do
      local l = levels["l" .. level]
      rows[#rows + 1] = { 5 * place + level - 3.5, l[1], l[2], l[3],
                          entry.shades[level], level }
    end
  end
  return { name = split, rows = rows,
           columns = { "x", "accuracy", "low", "high", "colour", "level" } }
end

return function (board)
  local list = shown(board)
  if not board.models[1] then return nil end
  local titles, blocks = {}, { { name = "methods", columns = { "x", "label" },
                                 rows = {} } }
  local longest = 0
  for place, entry in ipairs(list) do
    blocks[1].rows[place] = { 5 * place - 1, entry.label }
    longest = math.max(longest, core_text.width(entry.label))
  end
  for i, split in ipairs(board.splits) do
    titles[i] = string.format("%s (n = %d)", split, board.counts[split])
    blocks[i + 1] = bars_of(board, list, split)
  end
  local across = math.min(2, #titles)
  local lines, below = (#titles + across - 1) // across, 0.18 + 0.038 * longest
  local panel = 1.75 + below
  return {
    title = "Figure 3. Accuracy at each level, by split",
    caption = "Within each method the four bars run from L1 (light) to L4 (dark); "
      .. "the value of L4 stands above"
      .. (#board.models > 1 and "; B0 in closed, M3 in open book" or "")
      .. ". Grey: no model, the evidence alone. Orange: "
      .. "closed book. Blue: open book. Lines: 95% intervals.",
    width = 3.6 * across, height = panel * lines + 0.02,
    values = { { "panels", #titles }, { "across", across }, { "panel", panel },
               { "below", below }, { "last", 5 * #list + 2 },
               { "titles", titles } },
    blocks = blocks,
  }
end
