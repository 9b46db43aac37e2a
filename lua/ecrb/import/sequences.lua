-- The sequences of a FASTA file by id, for the ids that are wanted; what was odd
-- in them is counted.

local cells = require "ecrb.import.cells"
local import = require "core.import"

local notes = {
  { "lowered", "{sequence|sequences} with lower-case letters, made upper-case" },
  { "terminated", "{sequence|sequences} with a terminal `*`, cut off" },
}

local function note(report, path, line, record)
  for _, entry in ipairs(notes) do
    if record[entry[1]] then report:count(entry[2], path, line) end
  end
  if record.removed > 0 then
    report:count("{sequence|sequences} with blanks, digits or gaps, left out", path, line)
  end
  if record.stops > 0 then report:count(cells.STOPS, path, line) end
end

-- The id as it is wanted: itself, or what stands between the bars of
-- `sp|P12345|AAT_RABIT`.
local function wanted_id(wanted, id)
  if not wanted or wanted[id] then return id end
  local inner = string.match(id, "^%w+|([^|]+)")
  return inner and wanted[inner] and inner
end

local function keep(found, report, path, line, id, record)
  local sequence, before = string.gsub(record.sequence, "%*", "X"), found[id]
  if before and before.sequence == sequence then
    report:count("{sequence that stands|sequences that stand} twice under one id", path, line)
  elseif before then
    cells.refuse(path, line, "`%s` stands in line %d with another sequence", id, before.line)
  else
    found[id] = { sequence = sequence, line = line }
    found[#found + 1] = id
  end
end

-- Reads the file. `wanted` is a set of ids, or nil for all. Returns a table of
-- {sequence, line} by id that also lists the ids in the order of the file.
return function (report, path, wanted)
  local found = {}
  for line, record in import.fasta(path) do
    local id = wanted_id(wanted, record.id)
    if id then
      note(report, path, line, record)
      keep(found, report, path, line, id, record)
    else
      report:count("{sequence|sequences} of ids that nobody asked for, passed over", path, line)
    end
  end
  return found
end
