-- Table 5: what the items of the runs are, and how much evidence there is.

local composition = {}

local function per_split(board, value)
  local rows = {}
  for i, split in ipairs(board.splits) do
    rows[i] = { split, board.counts[split] }
    value(rows[i], function (item) return item.split == split end)
  end
  rows[#rows + 1] = { "all", #board.items, rule = true }
  value(rows[#rows], function () return true end)
  return rows
end

local function count(board, belongs, test)
  local n = 0
  for _, item in ipairs(board.items) do
    if belongs(item) and test(item) then n = n + 1 end
  end
  return n
end

local function bin_sets(board)
  if not board:has "difficulty" then return { names = {} } end
  local groups = board:groups(board.whole, "difficulty")
  local sets = { names = groups.names }
  for _, name in ipairs(groups.names) do
    sets[name] = {}
    for _, item in ipairs(groups[name]) do sets[name][item.key] = true end
  end
  return sets
end

-- Panel a: size, labels, difficulty.
function composition.labels(board)
  local bins = bin_sets(board)
  local rows = per_split(board, function (row, belongs)
    row[3] = count(board, belongs, function (item)
      return #board.bench:reveal(item.index) > 1
    end)
    for _, name in ipairs(bins.names) do
      row[#row + 1] = count(board, belongs, function (item)
        return bins[name][item.key]
      end)
    end
  end)
  return { title = "Table 5a. Items, labels and difficulty, " .. board:where(),
           columns = { "split", "n", "multi-label", table.unpack(bins.names) },
           rows = rows }
end

-- Panel b: items with a record in each channel.
function composition.evidence(board)
  local channels = board.bench:channels()
  local rows = per_split(board, function (row, belongs)
    for _, channel in ipairs(channels) do
      row[#row + 1] = count(board, belongs, function (item)
        return board.bench:evidence(item.index, channel, 1)[1] ~= nil
      end)
    end
  end)
  return { title = "Table 5b. Items with evidence in each channel, "
             .. board:where(),
           columns = { "split", "n", table.unpack(channels) }, rows = rows }
end

return composition
