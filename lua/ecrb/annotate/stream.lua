-- A FASTA file in batches. One batch is in memory at a time.

local import = require "core.import"

local stream = {}

local LEAST_GENE = 30 -- letters

-- Residues of the longest sequence that is searched: HMMER's own bound, above any
-- known protein. A genome in one piece would keep the tools busy for an hour.
stream.longest = 100000

local Stream = {}
Stream.__index = Stream

-- `survey` is what core.import.survey found; records that repeat an earlier one
-- are passed over, and those whose ids `belongs` (where it is given) turns down.
function stream.open(path, survey, size, belongs)
  local self = setmetatable({ number = 0, record = 0, size = size, repeats = {}, nucleic = 0,
    belongs = belongs or function () return true end }, Stream)
  for _, record in ipairs(survey.repeats) do self.repeats[record] = true end
  self.next_record, self.state, self.control, self.closing = import.fasta(path)
  return self
end

-- A record as a query: `item` is its name inside ecrb, for ids may be anything.
-- `sequence` is nil where there is nothing to search, or too much.
local function query(number, record)
  local one = { item = string.format("s%09d", number), id = record.id,
    length = #record.sequence }
  if one.length > 0 and one.length <= stream.longest then
    one.sequence = string.gsub(record.sequence, "%A", "X")
  end
  return one
end

-- A gene in the place of its protein.
local function is_nucleic(sequence)
  return #sequence >= LEAST_GENE and not string.find(sequence, "[^ACGTUN]")
end

-- The next batch {number =, queries = {...}}; nil at the end.
function Stream:next()
  local queries = {}
  while #queries < self.size do
    local line, record = self.next_record(self.state, self.control)
    if not line then break end
    self.record = self.record + 1
    if is_nucleic(record.sequence) then self.nucleic = self.nucleic + 1 end
    if not self.repeats[self.record] and self.belongs(record.id) then
      queries[#queries + 1] = query(self.record, record)
    end
  end
  if #queries == 0 then return nil end
  self.number = self.number + 1
  return { number = self.number, queries = queries }
end

return stream
