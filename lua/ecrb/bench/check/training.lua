-- train.tsv: enzymes that are nobody's item, each once, each with EC numbers.

local ec = require "core.ec"
local import = require "core.import"
local system = require "core.system"

local training = {}

-- Reads the training set: id to alias and EC numbers; the second result is how
-- many rows there are, or nil where there is no file.
function training.read(findings, bench)
  local path, known, aliases, n = bench.folder .. "/train.tsv", {}, {}, 0
  if not system.exists(path) then return known, nil end
  for line, id, shown, list in import.table(path, { "enzyme", "shown", "ec" }, "\t") do
    n = n + 1
    if known[id] then findings:at(path, line, "`%s` stands twice", id) end
    if bench.core:find(id) then findings:at(path, line, "`%s` is a test item", id) end
    if aliases[shown] then
      findings:at(path, line, "the alias `%s` stands in line %d too", shown, aliases[shown])
    end
    local numbers = ec.list(list)
    if not numbers or #numbers == 0 then
      findings:at(path, line, "`%s` is no list of EC numbers", string.sub(list, 1, 60))
    end
    known[id], aliases[shown] = shown .. "\t" .. list, line
  end
  return known, n
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
