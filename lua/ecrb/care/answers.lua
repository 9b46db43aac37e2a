-- What a run answered, split by split, as CARE's rankings have it: the
-- committed node first, then what else the model named. An item without an
-- answer has no prediction.

local records = require "ecrb.report.records"

local answers = {}

local function predictions_of(record)
  local list = { record.path[#record.path] }
  if #list == 0 then return list end
  return table.move(record.others or {}, 1, #(record.others or {}), 2, list)
end

-- The run in a folder as a list of {split, run, rows = {{item, labels,
-- predictions}...}, width}; the widest row gives the width, 1 at least.
function answers.of(folder, options)
  local run = records.open(folder, options)
  local splits = { run = run }
  for _, record in ipairs(run) do
    local split = splits[record.split]
    if not split then
      split = { split = record.split, rows = {}, width = 1 }
      splits[#splits + 1], splits[record.split] = split, split
    end
    local predictions = predictions_of(record)
    split.width = math.max(split.width, #predictions)
    split.rows[#split.rows + 1] = { item = run.bench:item(record.index),
      labels = run.bench:reveal(record.index), predictions = predictions }
  end
  return splits
end

-- The same as rankings (ecrb.care.ranking), one a split, for the scorer.
function answers.rankings(folder, options)
  local files = {}
  for i, split in ipairs(answers.of(folder, options)) do
    local file = { path = folder .. "/" .. split.split, width = split.width,
                   separator = ",", rows = {} }
    for r, row in ipairs(split.rows) do
      file.rows[r] = { line = r, id = row.item.reaction or row.item.id,
        labels = row.labels, cells = row.predictions }
    end
    files[i] = file
  end
  return files
end

return answers
