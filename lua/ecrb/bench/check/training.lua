-- train.tsv: enzymes that are nobody's item, each once, each with EC numbers and
-- its anonymized id.

local aliases = require "ecrb.bench.check.aliases"
local ec = require "core.ec"
local import = require "core.import"
local system = require "core.system"

local training = {}

-- Counts the enzymes that carry a complete number.
local function count_carriers(carriers, numbers)
  for _, number in ipairs(numbers) do
    if ec.level(number) == 4 then carriers[number] = (carriers[number] or 0) + 1 end
  end
end

-- Reads the training set: id to alias and EC numbers, and how many enzymes carry
-- each complete number; the third result is how many rows there are, or nil where
-- there is no file.
function training.read(findings, bench)
  local path, known, carriers, seen, n = bench.folder .. "/train.tsv", {}, {}, {}, 0
  if not system.exists(path) then return known, carriers, nil end
  local check_alias = aliases.training(findings, bench, path)
  for line, id, shown, list in import.table(path, { "enzyme", "shown", "ec" }, "\t") do
    n = n + 1
    if known[id] then findings:at(path, line, "`%s` stands twice", id) end
    if bench.core:find(id) then findings:at(path, line, "`%s` is a test item", id) end
    if seen[shown] then
      findings:at(path, line, "the alias `%s` stands in line %d too", shown, seen[shown])
    else
      check_alias(line, id, shown)
    end
    local numbers = ec.list(list)
    if not numbers or #numbers == 0 then
      findings:at(path, line, "`%s` is no list of EC numbers", string.sub(list, 1, 60))
    end
    count_carriers(carriers, numbers or {})
    known[id], seen[shown] = shown .. "\t" .. list, line
  end
  return known, carriers, n
end

-- That no sequence of a FASTA file is an item's.
function training.sequences(findings, bench, path)
  local holder = {}
  for index = 1, #bench.core do
    local item = bench.core:item(index)
    if item.sequence then holder[item.sequence] = item.id end
  end
  for line, record in import.fasta(path) do
    if holder[record.sequence] then
      findings:at(path, line, "%s has the sequence of the item %s", record.id,
        holder[record.sequence])
    end
  end
end

return training
