-- Two arms over the same items. An arm is a run, or several runs of one setting
-- that differ in their seeds: an item's score in an arm is its mean over the
-- arm's runs, and what the choice of seeds adds to the variance (ecrb.report.
-- seeds) joins that over the items.

local fail = require "ecrb.fail"
local seeds = require "ecrb.report.seeds"
local shared = require "ecrb.report.shared"
local statistics = require "core.statistics"

local paired = {}

paired.figures = {
  { "l1", "L1" }, { "l2", "L2" }, { "l3", "L3" }, { "l4", "L4" },
  { "hf", "H-F1" }, { "valid", "valid-EC" },
}

local function same_benchmark(runs)
  local first = runs[1]
  for _, run in ipairs(runs) do
    if run.settings.bench.sha256 ~= first.settings.bench.sha256 then
      fail("%s and %s were run on different benchmarks (%s, %s): their items "
        .. "cannot be paired", first.folder, run.folder,
        first.settings.bench.name, run.settings.bench.name)
    end
  end
end

local function same_version(runs)
  local function version(run)
    return tostring((run.manifest.versions or {}).ecrb)
  end
  for _, run in ipairs(runs) do
    if version(run) ~= version(runs[1]) then
      fail("%s was made by ecrb %s, %s by %s: --common compares them all the "
        .. "same", runs[1].folder, version(runs[1]), run.folder, version(run))
    end
  end
end

-- The items that all runs have, in the order of the benchmark: for each a list
-- of its records, run by run. Refuses unlike item sets unless `common`.
function paired.items(runs, common)
  same_benchmark(runs)
  if not common then same_version(runs) end
  local maps, items = {}, {}
  for i, run in ipairs(runs) do maps[i] = shared.by_key(run) end
  for _, record in ipairs(runs[1]) do
    local row = {}
    for i, map in ipairs(maps) do row[i] = map[record.key] end
    if #row == #runs then items[#items + 1] = row end
  end
  for _, run in ipairs(runs) do
    if #run ~= #items and not common then
      fail("%s has %d {item|items}, only %d of them {is|are} in every run: --common "
        .. "compares those", run.folder, #run, #items)
    end
  end
  if #items == 0 then fail("the runs have no item in common") end
  return items
end

-- An item's mean score over the runs of an arm (positions in its row).
local function mean_of(row, arm, figure)
  local sum = 0
  for _, i in ipairs(arm) do sum = sum + shared.number_of(row[i].score[figure]) end
  return sum / #arm
end

local function column_of(items, arm, figure)
  local column = {}
  for i, row in ipairs(items) do column[i] = mean_of(row, arm, figure) end
  return column
end

local function average(column)
  local sum = 0
  for _, value in ipairs(column) do sum = sum + value end
  return sum / #column
end

-- How the runs of an arm scatter; nil for a single run.
local function scatter_of(items, arm, figure)
  local columns = {}
  for r, run in ipairs(arm) do columns[r] = column_of(items, { run }, figure) end
  return seeds.scatter(columns)
end

-- Joins to a difference what the choice of seeds adds to its variance: intervals of
-- Student's t take the place of percentile ones.
local function widen(d, items, arms, figure, margin)
  local scatters = {}
  for _, arm in ipairs(arms) do scatters[#scatters + 1] = scatter_of(items, arm, figure) end
  local variance, df = seeds.combined(d.error ^ 2, #items, scatters)
  d.runs_error = math.sqrt(variance - d.error ^ 2)
  if not df then return end
  d.items_error, d.error, d.df = d.error, math.sqrt(variance), df
  local function reach(p) return statistics.critical(p, df) * d.error end
  d.low, d.high = d.mean - reach(0.05), d.mean + reach(0.05)
  d.low90, d.high90 = d.mean - reach(0.1), d.mean + reach(0.1)
  d.p = statistics.student(d.mean / d.error, df)
  d.detectable = reach(0.05) + reach(0.4) -- 80% power: a fifth in one tail
  if margin then d.equivalent = d.low90 > -margin and d.high90 < margin end
end

-- How many items only one arm has right; for arms of one run, yes-or-no scores.
local function discordant(a, b)
  local only_a, only_b = 0, 0
  for i = 1, #a do
    if a[i] > b[i] then only_a = only_a + 1 end
    if b[i] > a[i] then only_b = only_b + 1 end
  end
  return only_a, only_b
end

local yes_or_no = { l1 = true, l2 = true, l3 = true, l4 = true, valid = true }

-- Arm b against arm a in one figure: a core.statistics difference, b - a, with
-- the means, and McNemar's test where it applies. `how`: replicates, seed,
-- margin.
function paired.difference(items, a, b, figure, how)
  local column_a = column_of(items, a, figure)
  local column_b = column_of(items, b, figure)
  local d = statistics.compare(column_b, column_a, how)
  if #a > 1 or #b > 1 then widen(d, items, { a, b }, figure, how.margin) end
  d.a, d.b, d.figure = average(column_a), average(column_b), figure
  if yes_or_no[figure] and #a == 1 and #b == 1 then
    d.only_a, d.only_b = discordant(column_a, column_b)
    d.mcnemar, d.mcnemar_mid = statistics.mcnemar(d.only_a, d.only_b)
  end
  return d
end

-- Holm's adjustment over a family of differences, as `holm`.
function paired.adjust(differences)
  local p = {}
  for i, d in ipairs(differences) do p[i] = d.p end
  for i, adjusted in ipairs(statistics.holm(p)) do
    differences[i].holm = adjusted
  end
end

-- The items whose L4 score differs between the arms: {a=, b=} records of the
-- arms' first runs, the mean scores, and by how much they differ.
function paired.flips(items, a, b)
  local list = {}
  for _, row in ipairs(items) do
    local before, after = mean_of(row, a, "l4"), mean_of(row, b, "l4")
    if before ~= after then
      list[#list + 1] = { a = row[a[1]], b = row[b[1]], mean_a = before,
                          mean_b = after, change = after - before }
    end
  end
  return list
end

return paired
