-- Figure 6: where M2 searches, and what the identity of the nearest neighbour
-- buys.

local complete = require "ecrb.report.paper.complete"

-- The channels in which any of the items has a hit: a channel that nobody could
-- call is no finding.
local function channels_of(board)
  local list = {}
  for _, channel in ipairs(board.bench:channels()) do
    for _, item in ipairs(board.items) do
      if board.bench:evidence(item.index, channel, 1)[1] then
        list[#list + 1] = channel
        break
      end
    end
  end
  return list
end

-- Calls of a channel for an enzyme, a block a model.
local function channel_blocks(board)
  local blocks, channels = {}, channels_of(board)
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

-- With the number of items where all models have as many.
local function calls_title(board)
  local n
  for _, arm in ipairs(board:of_key "m2") do
    if n and n ~= #arm.run then return "Calls of each channel by M2" end
    n = #arm.run
  end
  return string.format("Calls of each channel by M2 (n = %d)", n or 0)
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
  local both = models > 0 and curves[1]
  local function panel(letter, text) return (both and letter or "") .. text end
  return {
    title = "Figure 6. Where M2 searches, and what homology buys",
    caption = (models > 0 and panel("(a) ", "Calls of each channel by M2, for an "
        .. "enzyme on average; numbers are calls"
        .. (models > 1 and "; bars in the order of the names" or "") .. ". ") or "")
      .. (curves[1] and panel("(b) ", "L4 by the largest BLAST identity among an "
        .. "item's hits, 0 without a hit (" .. curves[1].name .. "; "
        .. curves[2].name .. ")") .. (#board.models > 1 and ", mean over the models"
        or "") .. ". Lines: 95% intervals." or ""),
    width = both and 7.2 or 3.9,
    height = (curves[1] and 3.1 or 0.85 + 0.3 * #channels)
      + (models > 1 and 0.14 * models or 0),
    values = { { "models", models }, { "names", names },
               { "calls_title", panel("(a) ", calls_title(board)) },
               { "curves_title", panel("(b) ", "L4 by homology") },
               { "channels", #channels }, { "curves", #curves },
               { "bins", curves[1] and #curves[2].rows or 0 } },
    blocks = blocks,
  }
end
