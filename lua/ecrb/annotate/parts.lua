-- A FASTA file in shards: which id is in which. Of each sequence 16 bytes are
-- kept while the cut is made.

local import = require "core.import"
local shard = require "ecrb.shard"

local parts = {}

-- Calls take(id) for every record but those that repeat an earlier one.
function parts.each_id(path, survey, take)
  local repeats, record = {}, 0
  for _, number in ipairs(survey.repeats) do repeats[number] = true end
  for _, found in import.fasta(path) do
    record = record + 1
    if not repeats[record] then take(found.id) end
  end
end

-- A function from an id to the number of its shard, and how many sequences each
-- shard has.
function parts.of(path, survey, of)
  local places, totals = {}, {}
  parts.each_id(path, survey, function (id) places[#places + 1] = shard.place(id) end)
  local number_of = shard.cut(places, of)
  for i = 1, of do totals[i] = 0 end
  for _, place in ipairs(places) do
    local number = number_of(place)
    totals[number] = totals[number] + 1
  end
  return function (id) return number_of(shard.place(id)) end, totals
end

return parts
