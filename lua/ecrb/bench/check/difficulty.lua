-- difficulty.tsv: a row an item, whose d is the mean of its axes, whose bin is the
-- rank of d, and whose homology is no less than what the evidence shows.

local import = require "core.import"
local system = require "core.system"

local columns = { "item", "h_split", "h_tail", "h_branch", "h_distr", "d", "bin", "homology",
  "homology_bin" }

local BINS = 5
local ROUNDING, HOMOLOGY_ROUNDING = 2e-6, 1e-3 -- of what the file prints

local edges = { { 30, "<30" }, { 40, "30-40" }, { 50, "40-50" }, { 70, "50-70" },
  { math.huge, ">=70" } }

local function homology_bin(value)
  for _, edge in ipairs(edges) do
    if value < edge[1] then return edge[2] end
  end
end

-- An axis; nil for none.
local function axis_of(find, name, text)
  local value = tonumber(text)
  if text ~= "-" and not (value and value >= 0 and value <= 1) then
    find("field \"%s\": `%s` is no number from 0 to 1", name, text)
  end
  return value
end

local function check_mean(find, row)
  local sum, n = 0, 0
  for i = 2, 5 do
    local value = axis_of(find, columns[i], row[i])
    if value then sum, n = sum + value, n + 1 end
  end
  local d = axis_of(find, "d", row[6])
  if d and n > 0 and math.abs(d - sum / n) > ROUNDING then
    find("d is %s, the mean of its axes %.6f", row[6], sum / n)
  end
  return d or 0
end

local function most_identity(bench, index, channel)
  local most = 0
  for _, hit in ipairs(bench.core:evidence(index, channel)) do
    most = math.max(most, hit.identity or 0)
  end
  return most
end

local function check_homology(find, row, most)
  local value = tonumber(row[8])
  if not value then
    if row[8] ~= "-" then find("field \"homology\": `%s` is no number", row[8]) end
    return
  end
  if value < most - HOMOLOGY_ROUNDING then
    find("homology %s, but a hit of %g%% identity stands in evidence.tsv", row[8], most)
  end
  if row[9] ~= homology_bin(value - HOMOLOGY_ROUNDING)
      and row[9] ~= homology_bin(value + HOMOLOGY_ROUNDING) then
    find("homology bin `%s`, but %s lies in %s", row[9], row[8], homology_bin(value))
  end
end

-- Where bin `k` of n items begins in the order of d.
local function start_of(k, n)
  return (k - 1) * (n // BINS) + math.min(k - 1, n % BINS) + 1
end

-- Values that print alike may stand on either side of an edge.
local function check_bins(findings, path, list)
  local order = table.move(list, 1, #list, 1, {})
  table.sort(order, function (a, b)
    if a.d ~= b.d then return a.d < b.d end
    return a.line < b.line
  end)
  for _, one in ipairs(list) do
    local k = tonumber(string.match(one.bin, "^D([1-5])$"))
    local low = k and order[start_of(k, #list)]
    local high = k and order[start_of(k + 1, #list) - 1]
    if not k then
      findings:at(path, one.line, "field \"bin\": `%s` is none of D1 to D5", one.bin)
    elseif start_of(k, #list) == start_of(k + 1, #list)
        or one.d < low.d - ROUNDING or one.d > high.d + ROUNDING then
      findings:at(path, one.line, "bin %s, but d %g does not rank there", one.bin, one.d)
    end
  end
end

local function homology_channel(bench)
  local channels = bench.core:channels()
  for _, name in ipairs(channels) do
    if name == "blast" then return name end
  end
  return channels[1]
end

return function (findings, bench)
  local path, list, before = bench.folder .. "/difficulty.tsv", {}, findings.n
  if not system.exists(path) then return end
  local channel = homology_channel(bench)
  for line, item, a, b, c, d, mean, bin, homology, group in import.table(path, columns, "\t") do
    local function find(format, ...) findings:at(path, line, format, ...) end
    local index = #list + 1
    local expected = index <= #bench.core and bench.core:item(index).id
    if item ~= expected then
      return find("expected `%s` but found `%s`; rows follow items.tsv one by one",
        expected or "(the end)", item)
    end
    local row = { item, a, b, c, d, mean, bin, homology, group }
    list[index] = { line = line, d = check_mean(find, row), bin = bin }
    check_homology(find, row, channel and most_identity(bench, index, channel) or 0)
  end
  if #list < #bench.core then
    return findings:add("%s: %d items, items.tsv has %d", path, #list, #bench.core)
  end
  if findings.n == before then check_bins(findings, path, list) end
end
