-- Evidence out of files that search tools wrote.

local fail = require "ecrb.fail"
local system = require "core.system"

local evidence = {}

-- The options of a command line, in the order of the channels: what stands
-- there is `FILE` or `FILE:COLUMNS`.
evidence.sources = {
  { option = "blast", channel = "blast", format = "tabular",
    about = "BLAST or DIAMOND outfmt 6 or 7" },
  { option = "mmseqs", channel = "mmseqs", format = "tabular",
    columns = "query target fident alnlen mismatch gapopen qstart qend tstart tend "
      .. "evalue bits",
    about = "MMseqs2 easy-search" },
  { option = "hmmer", channel = "hmmer", format = "hmmer",
    about = "phmmer --tblout or --domtblout" },
}

-- Splits FILE:COLUMNS; a file whose own name holds a colon is a file.
local function parse(text)
  if system.exists(text) then return text end
  local path, columns = string.match(text, "^(.*):([^:/]+)$")
  if path then return path, columns end
  return text
end

-- The file of a source with its columns, declared or usual; nil columns are the
-- twelve of outfmt 6.
function evidence.source(source, text)
  local path, columns = parse(text)
  return { channel = source.channel, format = source.format, path = path,
    columns = columns or source.columns, declared = columns ~= nil }
end

local reasons = {
  self = "is the item itself",
  item = "is a test item",
  unknown = "is not in the training set",
}

local function leaks_of(path, intruders)
  local list = {}
  for i, intruder in ipairs(intruders) do
    list[i] = string.format("%s:%d: the neighbour %s of the item %s %s", path,
      intruder.line, intruder.neighbour, intruder.item, reasons[intruder.kind])
  end
  return list
end

local function say(report, source, found)
  report:say("%s: %d rows of %s, %d hits of %d items kept", source.channel,
    found.rows, source.path, found.chosen, found.covered)
  if found.foreign > 0 then
    report:say("%s: %d rows of queries that are no items, passed over",
      source.channel, found.foreign)
  end
  if found.unread > 0 then
    report:say("%s: what stands behind the twelve standard columns is not read "
      .. "(%d more); declare it as FILE:COLUMNS", source.channel, found.unread)
  end
end

-- Reads one source with the limits {evalue=, most=}. Returns what was found and
-- the list of hits that break the inductive rule.
function evidence.read(builder, report, source, limits)
  local found = builder:evidence(source.channel, source.path, {
    format = source.format, columns = source.columns, score = source.score,
    kind = source.kind, evalue = limits.evalue, most = limits.most })
  say(report, source, found)
  return found, leaks_of(source.path, found.intruders)
end

-- Stops the build where the training set is not what it must be.
function evidence.refuse(leaks)
  if #leaks == 0 then return end
  local shown = table.concat(leaks, "\n  ", 1, math.min(#leaks, 50))
  if #leaks > 50 then shown = shown .. "\n  ..." end
  fail("not inductive: %d cases\n  %s\nevidence must come from the training set "
    .. "alone: search again without these, or mend the training table", #leaks,
    shown)
end

return evidence
