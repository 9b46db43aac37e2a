-- Figure 8: accuracy of the most confident share of the items, M2 a line a model,
-- or for one model a line a setting.

local metrics = require "ecrb.report.metrics"
local shortened = require "ecrb.report.shortened"

local most = 200 -- points of a line

-- The curve from 2% of the items on: before, one item more or less decides.
local function points_of(risk)
  local rows, n = {}, #risk
  local step = math.max(1, n // most)
  for k = math.max(1, n // 50), n, step do rows[#rows + 1] = { k / n, 1 - risk[k] } end
  if rows[#rows][1] < 1 then rows[#rows + 1] = { 1, 1 - risk[n] } end
  return rows
end

return function (board)
  local curves, names, blocks = board:confident("m2"), {}, {}
  if not curves[1] then return nil end
  for i, curve in ipairs(curves) do
    local figures = board:figures(curve.arm)
    names[i] = string.format("%s, n = %d, AURC %.3f (%.3f–%.3f)", shortened(curve.name, 24),
      #curve.arm.run, figures.aurc[1], figures.aurc[2] or 0, figures.aurc[3] or 0)
    blocks[i] = { name = curve.name, columns = { "coverage", "accuracy" },
                  rows = points_of(metrics.risk(curve.arm.run)) }
  end
  return {
    title = "Figure 8. Selective prediction",
    caption = "L4 of the most confident share of the items (coverage), from 2% on"
      .. (#board.models > 1 and "; M2" or "")
      .. ". AURC is the area over the curve, lower is better, with its 95% "
      .. "interval; equal confidences share their mean.",
    width = 4.6, height = 3.3 + 0.15 * #curves,
    values = { { "curves", #curves }, { "names", names } }, blocks = blocks,
  }
end
