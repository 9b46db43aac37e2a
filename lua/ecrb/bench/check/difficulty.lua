-- difficulty.tsv: a row an item, whose axes, mean, bin and evidence-aware score are
-- what tree, labels, training set and evidence give, and whose homology is no less
-- than what the evidence shows: alignments that did not become hits count for it,
-- and nothing else in the folder tells of them.

local core_ec = require "core.ec"
local difficulty = require "core.difficulty"
local homology_channel = require "ecrb.import.homology_channel"
local import = require "core.import"
local ratings = require "ecrb.import.ratings"
local system = require "core.system"

local columns = { "item", "h_split", "h_tail", "h_branch", "h_distr", "d", "bin", "homology",
  "homology_bin", "evidence_d?" }

local ROUNDING, HOMOLOGY_ROUNDING = 2e-6, 1e-3 -- of what the file prints

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

-- In the order of their columns.
local axes = { "split", "tail", "branch", "distractors", "d" }

local function check_axes(find, row, expected)
  for i, axis in ipairs(axes) do
    check_number(find, columns[i + 1], row[i + 1], expected[axis], ROUNDING)
  end
end

local function carries(hit, labels)
  for _, number in ipairs(hit.ec) do
    for _, label in ipairs(labels) do
      if core_ec.compare(number, label) == 0 then return true end
    end
  end
  return false
end

-- The share of an item's hits that carry one of its labels, and the largest identity
-- in the channel that homology is measured in.
local function seen_of(bench, labels, index, homology_at)
  local hits, right, most = 0, 0, 0
  for _, channel in ipairs(bench:channels()) do
    for _, hit in ipairs(bench:evidence(index, channel)) do
      hits = hits + 1
      if carries(hit, labels) then right = right + 1 end
      if channel == homology_at then most = math.max(most, hit.identity or 0) end
    end
  end
  return hits > 0 and right / hits or 0, most
end

local function check_evidence(find, row, support)
  local homology = tonumber(row[8])
  if not row[10] or not homology then return end
  check_number(find, "evidence_d", row[10], difficulty.evidence(homology, support),
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
  local bin = difficulty.homology_bin
  if row[9] ~= bin(value - HOMOLOGY_ROUNDING) and row[9] ~= bin(value + HOMOLOGY_ROUNDING) then
    find("homology bin `%s`, but %s lies in %s", row[9], row[8], bin(value))
  end
end

local function check_bins(findings, path, list)
  local means = {}
  for i, item in ipairs(list) do means[i] = item.d end
  for i, number in ipairs(difficulty.bins(means)) do
    local item, bin = list[i], "D" .. number
    if item.bin ~= bin then
      findings:at(path, item.line, "field \"bin\": %s, but by the rank of its d it is %s",
        item.bin, bin)
    end
  end
end

local function scale_of(tree, carriers)
  local scale = difficulty.over(tree)
  for ec, n in pairs(carriers) do scale:add(ec, n) end
  return scale
end

-- `carriers`: how many training enzymes carry a complete EC number.
return function (findings, bench, carriers)
  local path, list = bench.folder .. "/difficulty.tsv", {}
  if not system.exists(path) or not bench.core:labelled() then return end
  local scale, channel = scale_of(bench.core:tree(), carriers), homology_channel(bench)
  for line, item, a, b, c, d, mean, bin, homology, group, known in
      import.table(path, columns, "\t") do
    local function find(format, ...) findings:at(path, line, format, ...) end
    local index = #list + 1
    local expected = index <= #bench.core and bench.core:item(index)
    if item ~= (expected and expected.id) then
      return find("expected `%s` but found `%s`; rows follow items.tsv one by one",
        expected and expected.id or "(the end)", item)
    end
    local row = { item, a, b, c, d, mean, bin, homology, group, known }
    local labels = bench.core:reveal(index)
    local computed = scale:axes(labels[1], ratings[expected.split])
    local support, most = seen_of(bench.core, labels, index, channel)
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
