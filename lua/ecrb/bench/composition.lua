-- The paper's Table 5 of a benchmark: size, labels and difficulty by split, and
-- the items with at least one record by channel.

local benchmark = require "ecrb.benchmark"
local import = require "core.import"
local system = require "core.system"

local composition = {}

local function difficulty_bins(bench)
  local path, bins = bench.folder .. "/difficulty.tsv", {}
  if not system.exists(path) then return nil end
  for _, item, bin in import.table(path, { "item", "bin" }) do bins[item] = bin end
  return bins
end

-- What the row of all splits is called: a split may have the usual name.
local function name_of_all(splits)
  for _, split in ipairs(splits) do
    if split == "all" then return "all splits" end
  end
  return "all"
end

local function count_item(counts, all, bench, index, bins, channels)
  local item = bench.core:item(index)
  local function add(split, column)
    for _, row in ipairs { split, all } do
      counts[row] = counts[row] or {}
      counts[row][column] = (counts[row][column] or 0) + 1
    end
  end
  add(item.split, "n")
  if bench.core:labelled() and #bench.core:reveal(index) > 1 then
    add(item.split, "multi")
  end
  if bins and bins[item.id] then add(item.split, bins[item.id]) end
  for _, channel in ipairs(channels) do
    if #bench.core:evidence(index, channel, 1) > 0 then
      add(item.split, channel)
    end
  end
end

-- The last split is the row of all.
local function table_of(title, counts, splits, columns)
  local rows = {}
  for i, split in ipairs(splits) do
    rows[i] = { split, rule = i == #splits }
    for c, column in ipairs(columns) do
      rows[i][c + 1] = counts[split] and counts[split][column] or 0
    end
  end
  return { title = title, key = 1, rows = rows,
    columns = table.move(columns, 1, #columns, 2, { "split" }) }
end

-- The two panels as tables (ecrb/tables.lua).
function composition.of(bench)
  local bins, channels, counts = difficulty_bins(bench), bench.core:channels(), {}
  local splits = benchmark.splits(bench)
  local all = name_of_all(splits)
  for index = 1, #bench.core do count_item(counts, all, bench, index, bins, channels) end
  splits[#splits + 1] = all
  local size = { "n", "multi" }
  if bins then size = { "n", "multi", "D1", "D2", "D3", "D4", "D5" } end
  return table_of("(a) items, items with several labels, difficulty", counts, splits, size),
    table_of("(b) items with a record, by channel", counts, splits,
      table.move(channels, 1, #channels, 2, { "n" }))
end

return composition
