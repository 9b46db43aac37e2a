-- evidence.tsv, row by row: every neighbour is a training enzyme as train.tsv has
-- it, hits keep to the limits, and the best come first. That no neighbour is a
-- test item, that ranks count up and numbers are numbers, is made sure of in C,
-- when the evidence is first asked for.

local import = require "core.import"

local evidence = {}

local columns = { "item", "channel", "rank", "neighbour", "shown", "ec", "score", "kind",
  "identity", "coverage", "evalue" }

local NEAR_IDENTITY, NEAR_COVERAGE = 90, 80

local function is_near(row)
  return (row.identity or 0) >= NEAR_IDENTITY and (row.coverage or 100) >= NEAR_COVERAGE
end

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

-- By E-value where there is one, else by score.
local function check_order(find, row, before)
  if row.rank == 1 or not before then return end
  if row.evalue and before.evalue then
    if row.evalue < before.evalue then
      find("E-value %g behind %g: the best hit comes first", row.evalue, before.evalue)
    end
  elseif not row.evalue and row.score > before.score then
    find("score %g behind %g: the best hit comes first", row.score, before.score)
  end
end

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

-- Checks the file. Returns the near-identical neighbours, by item and neighbour
-- the line of the first hit that says so, and the number of rows.
function evidence.check(findings, bench, known)
  local path, limits = bench.folder .. "/evidence.tsv", bench.manifest.limits
  local near, kinds, before, n = {}, {}, nil, 0
  limits = type(limits) == "table" and limits or {}
  bench.core:channels()
  for line, row in rows(path) do
    local function find(format, ...) findings:at(path, line, format, ...) end
    check_neighbour(find, row, known)
    check_limits(find, row, limits)
    check_kind(find, row, kinds)
    check_order(find, row, before)
    local key = row.item .. "\t" .. row.neighbour
    if is_near(row) and not near[key] then near[key] = line end
    before, n = row, n + 1
  end
  return near, n
end

return evidence
