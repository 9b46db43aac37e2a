-- Figure 5: the spectrum from abstaining to insisting, closed book: how deep a
-- walk goes against what it gains over one free answer.

-- The walks that may stop, against B0.
local walks = { "m1-closed", "m4-closed" }

local function row_of(board, model, key)
  local arm, base = model.arms[key], model.arms["b0-closed"]
  local gain = arm and base and board:gain({ arm }, { base }, "l4")
  if not gain then return {} end
  local depth = board:figures(arm).depth
  return { depth[1], depth[2], depth[3], gain[1], gain[2], gain[3] }
end

-- Two rows a model: M1, then M4; empty where there is none.
local function block_of(board, model)
  local rows = {}
  for i, key in ipairs(walks) do rows[i] = row_of(board, model, key) end
  return { name = model.name, rows = rows,
           columns = { "depth", "low", "high", "gain", "low", "high" } }
end

-- The items of the walk with most.
local function items_of(model)
  local n = 0
  for _, key in ipairs(walks) do
    n = math.max(n, model.arms[key] and #model.arms[key].run or 0)
  end
  return n
end

-- From below the lowest gain to above the highest, never a hair's breadth.
local function range_of(blocks)
  local low, high = -0.05, 0.05
  for _, block in ipairs(blocks) do
    for _, row in ipairs(block.rows) do
      low, high = math.min(low, row[5] or low), math.max(high, row[6] or high)
    end
  end
  local edge = 0.04 * (high - low)
  return low - edge, high + edge
end

return function (board)
  local blocks, names, any = {}, {}, false
  for i, model in ipairs(board.models) do
    blocks[i] = block_of(board, model)
    names[i] = string.format("%s, n = %d", model.name, items_of(model))
    any = any or blocks[i].rows[1][1] or blocks[i].rows[2][1]
  end
  if not any then return nil end
  local low, high = range_of(blocks)
  return {
    title = "Figure 5. The closed-book abstention spectrum",
    caption = "Mean stopping depth (larger: more willing to commit) against the "
      .. "change in L4 over B0. Filled: M1. Open: M4 of the same model. Lines: "
      .. "95% intervals, the change paired by item.",
    width = 4.4, height = 3.2 + 0.15 * #names,
    values = { { "models", #names }, { "names", names }, { "low", low }, { "high", high } },
    blocks = blocks,
  }
end
