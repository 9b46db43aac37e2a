-- Figure 5: the spectrum from abstaining to insisting, closed book: how deep a
-- walk goes against what it gains over one free answer.

-- The methods that may stop, against B0.
local walks = { { "m1-closed", "M1" }, { "m4-closed", "M4" } }

local function row_of(board, model, arm)
  local base = model.arms["b0-closed"]
  local gain = base and board:gain({ arm }, { base }, "l4")
  if not gain then return nil end
  local depth = board:figures(arm).depth
  return { depth[1], depth[2], depth[3], gain[1], gain[2], gain[3], model.name }
end

-- For each model the way from M1 to M4, and on which side its name stands: the
-- lower half of the depths have it on the left.
local function ways_of(board, blocks)
  local rows = {}
  for _, model in ipairs(board.models) do
    local points = {}
    for _, block in ipairs(blocks) do
      for _, row in ipairs(block.rows) do
        if row[7] == model.name then points[#points + 1] = row end
      end
    end
    local from, to = points[1], points[2] or points[1]
    if from then
      rows[#rows + 1] = { from[1], from[4], to[1], to[4], model.name }
    end
  end
  table.sort(rows, function (a, b) return a[1] < b[1] end)
  for i, row in ipairs(rows) do row[6] = i <= #rows // 2 and 1 or 0 end
  return { name = "models", rows = rows,
           columns = { "depth", "gain", "to depth", "to gain", "model",
                       "left" } }
end

return function (board)
  local blocks, any = {}, false
  for w, walk in ipairs(walks) do
    blocks[w] = { name = walk[2] .. " - B0, closed book", rows = {},
      columns = { "depth", "low", "high", "gain", "low", "high", "model" } }
    for _, model in ipairs(board.models) do
      local arm = model.arms[walk[1]]
      local row = arm and row_of(board, model, arm)
      if row then table.insert(blocks[w].rows, row) end
      any = any or row
    end
  end
  if not any then return nil end
  blocks[3] = ways_of(board, blocks)
  return {
    title = "Figure 5. The closed-book abstention spectrum",
    caption = "Mean stopping depth (larger: more willing to commit) against the "
      .. "change in L4 over B0. Filled: M1. Open: M4 of the same model."
      .. " Lines: 95% intervals, the "
      .. "change paired by item.",
    width = 4.4, height = 3.3,
    values = { { "voted", #blocks[2].rows } },
    blocks = blocks,
  }
end
