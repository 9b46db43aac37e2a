-- Scores of run folders, as tables or for programs.

local metrics = require "ecrb.report.metrics"
local scored = require "ecrb.report.scored"
local summary = require "ecrb.report.summary"
local tables = require "ecrb.tables"

local report = {}

-- The ledger and the calibration, where they are asked for.
local function add_asked(result, options, how)
  local run = result.run
  if options.losses then
    local ledger = require "ecrb.report.ledger"
    result.ledger = ledger.of(run.all, ledger.superseded(run.benchmark), how)
  end
  if options.calibration then
    result.calibration = require "ecrb.report.calibration".all(run.all, how)
  end
end

-- The scores of one run: {run=, groups=}, and ledger and calibration where they
-- are asked for.
local function score(folder, options)
  local run = scored.packed(folder, options, options.by or "split", options.losses)
  local result = { run = run, groups = #run.all > 0 and run.groups or {} }
  summary.add_figures(result.groups, options)
  if #run.all > 0 and (options.losses or options.calibration) then
    add_asked(result, options, metrics.along(#run.all, options))
  end
  return result
end

-- The scores of runs: {run=, groups=, ledger=, calibration=} each. Options are
-- those of records.open and metrics.of, `by` (split by default, class, difficulty,
-- homology, all), `losses`, which adds the loss ledger, and `calibration`, which
-- adds all figures of confidences.
function report.score(folders, options)
  local results = {}
  options.opened, options.draws = options.opened or {}, {}
  for i, folder in ipairs(folders) do
    results[i] = score(folder, options)
  end
  return results
end

local function of_kind(groups, by)
  local list = {}
  for _, group in ipairs(groups) do
    if group.by == by then list[#list + 1] = group end
  end
  return list
end

-- The tables of a run's confidences, all items together.
local function add_calibration(add, result)
  local list = result.calibration or {}
  if not list[1] then return end
  local calibration = require "ecrb.report.calibration"
  add(calibration.describe(list))
  for _, entry in ipairs(list) do add(calibration.reliability(entry)) end
end

-- The results as text in one of the forms of ecrb.tables.
function report.written(results, options, form)
  local parts, page = {}, tables.page()
  local function add(description)
    parts[#parts + 1] = tables.write(form, description, page)
  end
  for _, result in ipairs(results) do
    if #result.run.all == 0 then
      parts[#parts + 1] = result.run.folder .. ": no item is finished yet\n"
    end
    for _, by in ipairs(scored.groupings) do
      local groups = of_kind(result.groups, by)
      if groups[1] then add(summary.describe(result.run, groups, options)) end
    end
    if result.ledger then
      add(require "ecrb.report.ledger".describe(result.ledger))
    end
    add_calibration(add, result)
  end
  return table.concat(parts, "\n")
end

-- What a run prints when it ends: the scores of its folders as text. Options:
-- partial, opened.
function report.summary(folders, options)
  return report.written(report.score(folders, options), options, "text")
end

return report
