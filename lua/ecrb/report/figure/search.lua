-- Figure 6: where M2 searches, and what the identity of the nearest neighbour
-- buys.

local complete = require "ecrb.report.paper.complete"

-- Calls of a channel for an enzyme, a block a model.
local function channel_blocks(board)
  local blocks, channels = {}, board.bench:channels()
  local arms = board:of_key "m2"
  for a, arm in ipairs(arms) do
    local rows, calls = {}, board:figures(arm).calls
    for c, channel in ipairs(channels) do
      rows[c] = { -c - 0.8 * ((a - 0.5) / #arms - 0.5),
                  (calls[channel] or 0) / #arm.run, calls[channel] or 0 }
    end
    blocks[a] = { name = arm.model, rows = rows,
                  columns = { "y", "calls per enzyme", "calls" } }
  end
  return blocks, channels
end

local function label_block(channels)
  local rows = {}
  for c, channel in ipairs(channels) do rows[c] = { -c, channel } end
  return { name = "channels", columns = { "y", "label" }, rows = rows }
end

-- L4 of some arms on average by bin of homology.
local function homology_block(board, list, name)
  local rows, names, heads = {}, complete.heads(board, "homology")
  for i, bin in ipairs(names) do
    local l4 = board:mean(list, "l4", "homology", bin)
    if l4 then
      rows[#rows + 1] = { i, l4[1], l4[2], l4[3], bin .. "%",
                          string.match(heads[i], "n = %d+") }
    end
  end
  return { name = name, rows = rows,
           columns = { "bin", "l4", "low", "high", "label", "n" } }
end

local function curve_blocks(board)
  local books = board:has "homology" and board.books
  if not books then return {} end
  return { homology_block(board, books.closed, "closed book, "
             .. books.closed[1].label),
           homology_block(board, books.open, "open book, "
             .. books.open[1].label) }
end

return function (board)
  local blocks, channels = channel_blocks(board)
  local names = {}
  for i, block in ipairs(blocks) do names[i] = block.name end
  local curves = curve_blocks(board)
  local models = #blocks
  if models == 0 and not curves[1] then return nil end
  blocks[#blocks + 1] = label_block(channels)
  for _, block in ipairs(curves) do blocks[#blocks + 1] = block end
  if models == 0 then names[1] = "nobody" end
  return {
    title = "Figure 6. Where M2 searches, and what homology buys",
    caption = "(a) M2's calls of each channel, for an enzyme on average. (b) L4 by "
      .. "the largest BLAST identity among an item's hits, 0 without a hit"
      .. (curves[1] and " (" .. curves[1].name .. "; " .. curves[2].name .. ")"
          or "") .. (#board.models > 1 and ", mean over the models" or "")
      .. ". Lines: 95% intervals.",
    width = 7.2, height = 3.1,
    values = { { "models", models }, { "names", names },
               { "channels", #channels }, { "curves", #curves },
               { "bins", curves[1] and #curves[2].rows or 0 } },
    blocks = blocks,
  }
end
