-- Figure 9: L4 by top-level class as a heat map, a row a model (the cascade with
-- evidence), or for one model a row a setting.

local core_text = require "core.text"
local complete = require "ecrb.report.paper.complete"

-- White to dark blue.
local function shade(value)
  local function mix(from, to) return math.floor(from + (to - from) * value + 0.5) end
  return mix(0xF4, 0x08) << 16 | mix(0xF8, 0x30) << 8 | mix(0xFC, 0x6B)
end

local function cells_of(board, list, names)
  local rows = {}
  for y, entry in ipairs(list) do
    for x, class in ipairs(names) do
      local levels = board:levels(entry.arm, "class", class)
      if levels then
        local value, low, high = table.unpack(levels.l4, 1, 3)
        rows[#rows + 1] = { x, -y, value, shade(value),
                            value > 0.5 and 0xFFFFFF or 0x202020, low, high }
      end
    end
  end
  return rows
end

return function (board)
  local list = board:compared("cascade-open")
  if not list[1] then return nil end
  local names, heads = complete.heads(board, "class")
  local columns, rows = {}, {}
  for x, head in ipairs(heads) do
    local class, n = string.match(head, "class (%d+) %((n = %d+)%)")
    columns[x] = { x, "EC " .. class, n }
  end
  local longest = 0
  for y, entry in ipairs(list) do
    rows[y] = { -y, entry.name }
    longest = math.max(longest, core_text.width(entry.name))
  end
  local left = 0.2 + 0.078 * longest
  return {
    title = "Figure 9. L4 by top-level class",
    caption = "Darker is higher. A multi-label item is in each class that its "
      .. "labels name. Below each value its 95% interval."
      .. (#board.models > 1 and " The cascade with evidence, a row a model." or ""),
    width = left + 0.08 + 0.62 * #names, height = 0.65 + 0.38 * #list,
    values = { { "classes", #names }, { "lines", #list },
               { "left", left } },
    blocks = {
      { name = "cells", rows = cells_of(board, list, names),
        columns = { "x", "y", "l4", "colour", "ink", "low", "high" } },
      { name = "classes", columns = { "x", "label", "n" }, rows = columns },
      { name = "rows", columns = { "y", "label" }, rows = rows },
    },
  }
end
