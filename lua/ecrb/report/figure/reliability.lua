-- Figure 7: stated confidence against accuracy, a panel a model (M2), or for one
-- model a panel a setting.

local shortened = require "ecrb.report.shortened"
local statistics = require "core.statistics"

local least = 15 -- items of a bin that is drawn, where there are many

local function bins_of(figures)
  local rows, few = {}, figures.confidences < 20 * least
  for _, bin in ipairs(figures.bins) do
    if bin.n >= (few and 1 or least) then
      local low, high = statistics.wilson(
        math.floor(bin.accuracy * bin.n + 0.5), bin.n)
      rows[#rows + 1] = { bin.confidence, bin.accuracy, low, high, bin.n,
                          bin.n / figures.confidences }
    end
  end
  return rows, few and 1 or least
end

return function (board)
  local panels = board:confident("m2")
  if not panels[1] then return nil end
  local titles, errors, blocks, drawn = {}, {}, {}, nil
  for i, panel in ipairs(panels) do
    local figures = board:figures(panel.arm)
    titles[i] = shortened(panel.name, 24)
    errors[i] = string.format("n = %d, ECE %.3f", figures.confidences,
      figures.ece[1])
    blocks[i] = { name = panel.name, columns = { "confidence", "accuracy",
      "low", "high", "n", "share" } }
    blocks[i].rows, drawn = bins_of(figures)
  end
  local across = math.min(#panels, 5)
  local lines = (#panels + across - 1) // across
  return {
    title = "Figure 7. Reliability of the stated confidence",
    caption = string.format("Stated confidence against accuracy (L4) in ten bins, "
      .. "those of at least %s; the area of a point is its bin's share of the "
      .. "items. Dashed: perfect calibration. Lines: Wilson's 95%% intervals.%s",
      drawn == 1 and "one item" or drawn .. " items",
      #board.models > 1 and " M2, a panel a model." or ""),
    width = math.max(3, 0.58 + 1.45 * across), height = 0.45 + 1.7 * lines,
    values = { { "panels", #panels }, { "across", across }, { "lines", lines },
               { "titles", titles }, { "errors", errors } },
    blocks = blocks,
  }
end
