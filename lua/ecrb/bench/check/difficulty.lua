-- difficulty.tsv: a row an item, whose axes, mean, bin and evidence-aware score are
-- what tree, labels, training set and evidence give, and whose homology is no less
-- than what the evidence shows: alignments that did not become hits count for it,
-- and nothing else in the folder tells of them.

local axes = require "ecrb.bench.check.axes"
local homology_channel = require "ecrb.import.homology_channel"
local import = require "core.import"
local system = require "core.system"

local columns = { "item", "h_split", "h_tail", "h_branch", "h_distr", "d", "bin", "homology",
  "homology_bin", "evidence_d?" }

local BINS = 5
local ROUNDING, HOMOLOGY_ROUNDING = 2e-6, 1e-3 -- of what the file prints

local edges = { { 30, "<30" }, { 40, "30-40" }, { 50, "40-50" }, { 70, "50-70" },
  { math.huge, ">=70" } }

local function homology_bin(value)
  for _, edge in ipairs(edges) do
    if value < edge[1] then return edge[2] end
  end
end

-- A number that the file states against the one that it should be; nil is none.
local function check_number(find, name, text, expected, tolerance)
  local value = tonumber(text)
  if not value and text ~= "-" then
    find("field \"%s\": `%s` is no number from 0 to 1", name, text)
  elseif expected and not (value and math.abs(value - expected) <= tolerance) then
    find("field \"%s\": %s, but the benchmark gives %.6f", name, text, expected)
  elseif value and not expected then
    find("field \"%s\": %s, but the benchmark gives none", name, text)
  end
end

local function check_axes(find, row, expected)
  for i = 2, 6 do check_number(find, columns[i], row[i], expected[columns[i]], ROUNDING) end
end

-- The mean of what homology and the neighbours' labels leave open.
local function check_evidence(find, row, support)
  local homology = tonumber(row[8])
  if not row[10] or not homology then return end
  check_number(find, "evidence_d", row[10], (1 - homology / 100 + 1 - support) / 2,
    ROUNDING + HOMOLOGY_ROUNDING / 200)
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

-- By the rank of d; of equals the first item is the easier one. The first bins are
-- one larger where items are left over.
local function check_bins(findings, path, list)
  local order, at = table.move(list, 1, #list, 1, {}), 0
  table.sort(order, function (a, b)
    if a.d ~= b.d then return a.d < b.d end
    return a.line < b.line
  end)
  for k = 1, BINS do
    local bin = "D" .. k
    for _ = 1, #list // BINS + (k <= #list % BINS and 1 or 0) do
      at = at + 1
      if order[at].bin ~= bin then
        findings:at(path, order[at].line, "field \"bin\": %s, but by the rank of its d it is %s",
          order[at].bin, bin)
      end
    end
  end
end

-- `carriers`: how many training enzymes carry a complete EC number.
return function (findings, bench, carriers)
  local path, list = bench.folder .. "/difficulty.tsv", {}
  if not system.exists(path) or not bench.core:labelled() then return end
  local world, channel = axes.new(bench, carriers), homology_channel(bench)
  for line, item, a, b, c, d, mean, bin, homology, group, known in
      import.table(path, columns, "\t") do
    local function find(format, ...) findings:at(path, line, format, ...) end
    local index = #list + 1
    local expected = index <= #bench.core and bench.core:item(index).id
    if item ~= expected then
      return find("expected `%s` but found `%s`; rows follow items.tsv one by one",
        expected or "(the end)", item)
    end
    local row, computed = { item, a, b, c, d, mean, bin, homology, group, known }, world:of(index)
    local support, most = world:evidence(index, channel)
    list[index] = { line = line, d = computed.d, bin = bin }
    check_axes(find, row, computed)
    check_homology(find, row, most)
    check_evidence(find, row, support)
  end
  if #list < #bench.core then
    return findings:add("%s: %d items, items.tsv has %d", path, #list, #bench.core)
  end
  check_bins(findings, path, list)
end
