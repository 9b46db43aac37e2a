-- What every export format is made of: the items of a run, each with its
-- record, labels, score and calls. One item is held at a time.

local json = require "ecrb.json"
local records = require "ecrb.report.records"
local scored = require "ecrb.report.scored"
local story = require "ecrb.report.story"

local samples = {}

-- Opens a run for export; without labels its records have no score. Options are
-- those of records.open.
function samples.open(folder, options)
  local run = records.open(folder, options)
  run.labelled = run.bench:labelled()
  return run.labelled and scored.score(run) or run
end

-- `for number, sample in samples.each(run)`: {record, item, labels, score,
-- calls}, in the order of the benchmark.
function samples.each(run)
  local journal, at = story.journal(run), 0
  return function ()
    at = at + 1
    local record = run[at]
    if not record then
      journal:close()
      return nil
    end
    return at, { record = record, item = run.bench:item(record.index),
      labels = run.labelled and run.bench:reveal(record.index) or nil,
      score = record.score, calls = story.calls(record, journal) }
  end
end

-- The answer of a record: its deepest committed node, nil for none.
function samples.answer(record)
  return record.path[#record.path]
end

-- The figures of a sample that are 0 to 1, by name: right or not at each level,
-- and the hierarchical F1.
function samples.figures(score)
  local figures = { hf = score.hf }
  for level = 1, 4 do figures["l" .. level] = score["l" .. level] and 1 or 0 end
  return figures
end

-- A list of a record for JSON, where it may be empty.
function samples.list(values)
  return values and json.array(values)
end

-- `m2 open` and such, as one word.
function samples.task(run)
  local settings = run.settings
  return string.format("ecrb_%s_%s_%s", settings.bench.name, settings.method.id, settings.book)
end

return samples
