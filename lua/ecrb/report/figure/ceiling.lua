-- Figure 4: what the best open-book setting reaches against what needs no model,
-- per split; and the jump from closed to open book.

local core_text = require "core.text"
local lineup = require "ecrb.report.lineup"
local published = require "ecrb.report.published"
local shortened = require "ecrb.report.shortened"

-- The best open-book arm on a split, by L4, of those that have all of its items.
local function best_on(board, split)
  local best
  for _, arm in ipairs(board.arms) do
    local levels = not arm.control and arm.book == "open"
      and board:levels(arm, "split", split)
    if levels and levels.n == board.counts[split]
       and (not best or levels.l4[1] > best[1]) then
      best = levels.l4
    end
  end
  return best
end

local function series_of(board)
  local list = { { "best open book", function (split)
    return best_on(board, split)
  end } }
  for _, reference in ipairs(board:references()) do
    if reference.key ~= "site" then
      list[#list + 1] = { reference.label, function (split)
        return board:levels(reference, "split", split).l4
      end }
    end
  end
  for _, specialist in ipairs(published.of(board)) do
    list[#list + 1] = { specialist.name .. " (published)", function (split)
      return { specialist[split] }
    end }
  end
  return list
end

local function ceiling_blocks(board, list)
  local blocks, width = {}, #list + 1.5
  for s, series in ipairs(list) do
    local rows = {}
    for i, split in ipairs(board.splits) do
      local l4 = series[2](split)
      if l4 then
        rows[#rows + 1] = { width * (i - 1) + s + 0.25, l4[1], l4[2] or l4[1],
                            l4[3] or l4[1] }
      end
    end
    blocks[s] = { name = series[1], rows = rows,
                  columns = { "x", "l4", "low", "high" } }
  end
  return blocks, width
end

local function split_block(board, width)
  local rows = {}
  for i, split in ipairs(board.splits) do
    rows[i] = { width * (i - 0.5), split, "n = " .. board.counts[split] }
  end
  return { name = "splits", columns = { "x", "label", "n" }, rows = rows }
end

local function pair_label(board, model, pair)
  if #board.models > 1 then return shortened(model.name, 18) end
  return (string.match(model.arms[pair[2]].label, "^[^·]+"))
end

-- Pairs of one model in both books; of several models B0 alone. And how many
-- items they have, nil where not all have as many.
local function jump_block(board)
  local rows, least, most = {}, math.huge, 0
  local several = #board.models > 1
  for _, model in ipairs(board.models) do
    for p, pair in ipairs(lineup.pairs) do
      local closed, open = model.arms[pair[1]], model.arms[pair[2]]
      if closed and open and (p == 1 or not several) then
        local a, b = board:levels(closed).l4, board:levels(open).l4
        least = math.min(least, #closed.run, #open.run)
        most = math.max(most, #closed.run, #open.run)
        rows[#rows + 1] = { -#rows - 1, a[1], a[2], a[3], b[1], b[2], b[3],
                            pair_label(board, model, pair) }
      end
    end
  end
  return { name = "closed to open", rows = rows,
           columns = { "y", "closed", "low", "high", "open", "low", "high",
                       "label" } }, least == most and most
end

return function (board)
  local jump, n = jump_block(board)
  local list = series_of(board)
  if not jump.rows[1] and not best_on(board, board.splits[1]) then return nil end
  local blocks, width = ceiling_blocks(board, list)
  local names, longest = {}, 0
  for _, row in ipairs(jump.rows) do
    longest = math.max(longest, core_text.width(row[8]))
  end
  for i, series in ipairs(list) do names[i] = series[1] end
  table.move({ split_block(board, width), jump }, 1, 2, #blocks + 1, blocks)
  return {
    title = "Figure 4. The ceiling without a model, and the jump from closed to "
      .. "open book",
    caption = (jump.rows[1] and "(a) " or "") .. "L4 of the best open-book setting "
      .. "of each split, picked on the same items, against the evidence alone; the "
      .. "oracle reads the labels. " .. (jump.rows[1] and "(b) L4 without and with "
      .. "evidence" .. (#board.models > 1 and ", B0" or "") .. ". " or "")
      .. "Lines: 95% intervals.",
    width = jump.rows[1] and 7.2 or math.max(3.6, 1.2 + 1.2 * #board.splits),
    height = 3.4,
    values = { { "series", #list }, { "names", names },
               { "group", width }, { "splits", #board.splits },
               { "jumps", #jump.rows },
               { "jump_axis", "L4" .. (n and string.format(" (n = %d)", n) or "") },
               { "labels", 0.15 + 0.07 * longest } },
    blocks = blocks,
  }
end
