-- evidence.tsv, row by row: every neighbour is a training enzyme as train.tsv has
-- it, hits keep to the limits, and the best come first. That no neighbour is a
-- test item, that ranks count up and numbers are numbers, is made sure of in C,
-- when the evidence is first asked for.

local import = require "core.import"
local raw_ids = require "ecrb.import.raw_ids"

local evidence = {}

local columns = { "item", "channel", "rank", "neighbour", "shown", "ec", "score", "kind",
  "identity", "coverage", "evalue" }

local function check_neighbour(find, row, known)
  local expected = known[row.neighbour]
  if not expected then
    find("the neighbour %s is not in the training set", row.neighbour)
  elseif expected ~= row.shown .. "\t" .. row.ec then
    find("alias or EC numbers of %s differ from train.tsv", row.neighbour)
  end
end

local function check_limits(find, row, limits)
  local most, evalue = limits.neighbours, limits.evalue
  if type(most) == "number" and row.rank > most then
    find("%d neighbours, the limit is %d", row.rank, most)
  end
  if type(evalue) == "number" and (row.evalue or 0) > evalue then
    find("E-value %g, the limit is %g", row.evalue, evalue)
  end
end

-- A channel's scores are of one kind.
local function check_kind(find, row, kinds)
  local first = kinds[row.channel]
  if not first then
    kinds[row.channel] = row
  elseif first.kind ~= row.kind then
    find("kind `%s`, but `%s` in line %d of the same channel", row.kind, first.kind, first.line)
  end
end

-- The keys of the order: which of two values stands first.
local keys = {
  { "evalue", "E-value %g behind %g", function (a, b) return a < b end },
  { "score", "score %g behind %g", function (a, b) return a > b end },
  { "identity", "identity %g behind %g", function (a, b) return a > b end },
}

local RESIDUES = "residues" -- Folddisco's score; ties by an RMSD that is not kept

-- By E-value where there is one, then by score, identity and id.
local function check_order(find, row, before)
  if row.rank == 1 or not before then return end
  for _, key in ipairs(keys) do
    local value, former = row[key[1]], before[key[1]]
    if value and former and value ~= former then
      if key[3](value, former) then
        find(key[2] .. ": the best hit comes first", value, former)
      end
      return
    end
    if (value == nil) ~= (former == nil) then return end
    if key[1] == "score" and row.kind == RESIDUES then return end
  end
  if row.neighbour < before.neighbour then
    find("%s behind %s: of equal hits the first id comes first", row.neighbour,
      before.neighbour)
  end
end

-- {==================================================================
-- What bench.json counts of each channel
-- ===================================================================

local function count(counts, bench, row)
  local one = counts[row.channel]
  if not one then
    one = { hits = 0, covered = {} }
    counts[row.channel] = one
  end
  one.hits = one.hits + 1
  local index = row.rank == 1 and bench.core:find(row.item)
  if not index then return end
  local split = bench.core:item(index).split
  one.covered[split] = (one.covered[split] or 0) + 1
end

-- The last record of a channel counts all of its files.
local function last_records(bench)
  local last, told = {}, bench.manifest.evidence
  for _, record in ipairs(type(told) == "table" and told or {}) do
    if type(record) == "table" and type(record.channel) == "string" then
      last[record.channel] = record
    end
  end
  return last
end

local function check_counts(findings, bench, counts)
  for name, record in pairs(last_records(bench)) do
    local there = counts[name] or { hits = 0, covered = {} }
    local function compare(what, said, is)
      if type(said) == "number" and said ~= is then
        findings:add("%s/bench.json: evidence, %s: %s is %g, there are %d", bench.folder, name,
          what, said, is)
      end
    end
    compare("hits", record.hits, there.hits)
    for split, n in pairs(type(record.covered) == "table" and record.covered or {}) do
      compare("covered." .. split, n, there.covered[split] or 0)
    end
  end
end
-- }==================================================================

-- The rows, as an iterator of tables.
local function rows(path)
  local next_row, state, first, closing = import.table(path, columns, "\t")
  return function (_, line)
    local number, item, channel, rank, neighbour, shown, ec, score, kind, identity, coverage,
      evalue = next_row(state, line)
    if not number then return nil end
    return number, { line = number, item = item, channel = channel, rank = tonumber(rank),
      neighbour = neighbour, shown = shown, ec = ec, score = tonumber(score), kind = kind,
      identity = tonumber(identity), coverage = tonumber(coverage), evalue = tonumber(evalue) }
  end, nil, first, closing
end

-- Rows about no hit are left.
local function check_raw(findings, bench, raw)
  local lines = {}
  for _, one in pairs(raw) do lines[#lines + 1] = one.line end
  table.sort(lines)
  for _, line in ipairs(lines) do
    findings:at(bench.folder .. "/raw_ids.tsv", line, "is about no hit of evidence.tsv")
  end
end

-- Checks the file. Returns the near-identical neighbours, by item and neighbour
-- the first hit that says so, and the number of rows.
function evidence.check(findings, bench, known)
  local path, limits = bench.folder .. "/evidence.tsv", bench.manifest.limits
  local near, kinds, counts, before, n = {}, {}, {}, nil, 0
  local raw = raw_ids.read(bench.folder)
  limits = type(limits) == "table" and limits or {}
  bench.core:channels()
  for line, row in rows(path) do
    local function find(format, ...) findings:at(path, line, format, ...) end
    check_neighbour(find, row, known)
    check_limits(find, row, limits)
    check_kind(find, row, kinds)
    check_order(find, row, before)
    local key = row.item .. "\t" .. row.neighbour
    if import.near_identical(row.identity, row.coverage) and not near[key] then near[key] = row end
    count(counts, bench, row)
    if next(raw) then raw[raw_ids.key(row.item, row.channel, row.neighbour)] = nil end
    before, n = row, n + 1
  end
  check_counts(findings, bench, counts)
  check_raw(findings, bench, raw)
  return near, n
end

return evidence
