-- The scores of runs for programs: one JSON document, or CSV with a line a
-- figure.

local calibration = require "ecrb.report.calibration"
local json = require "ecrb.json"
local outcomes = require "ecrb.outcomes"
local scored = require "ecrb.report.scored"
local summary = require "ecrb.report.summary"

local export = {}

local wholes = { n = true, confidences = true, classes = true }

local function estimate(cell)
  if not cell or not cell[1] then return json.null end
  return { value = cell[1], low = cell[2], high = cell[3],
           interval = cell.wilson and "wilson" or nil }
end

local function figures_of(figures)
  local out = { causes = figures.causes, calls = figures.calls,
                tokens = figures.tokens, bins = figures.bins }
  for _, line in ipairs(summary.lines) do
    local key = line[1]
    if key and wholes[key] then
      out[key] = figures[key]
    elseif key and figures[key] then
      out[key] = estimate(figures[key])
    end
  end
  return out
end

local function ledger_of(found)
  if not found then return nil end
  local given, share = {}, {}
  for level, cell in pairs(found.given) do
    given["l" .. level] = { n = found.above[level], value = cell[1] or json.null,
                            low = cell[2], high = cell[3] }
  end
  for cause, cell in pairs(found.share or {}) do share[cause] = estimate(cell) end
  return { n = found.n, kept = found.kept, lost = found.lost, share = share, given = given }
end

local function bins_of(bins)
  local list = json.array()
  for b, bin in ipairs(bins) do
    list[b] = { n = bin.n, low = bin.low, high = bin.high, confidence = bin.confidence,
                accuracy = bin.accuracy and estimate(bin.accuracy) }
  end
  return list
end

local function tempered_of(t)
  return t and { fitted = t.fitted, tried = t.tried, temperature = estimate(t.temperature),
                 before = estimate(t.before), after = estimate(t.after) }
end

-- By source: what ecrb.report.calibration tells.
local function calibration_of(list)
  local out = {}
  for _, entry in ipairs(list) do
    local figures, own = entry.figures, { ece = {}, selective = json.array() }
    own.n, own.confidences = figures.n, figures.stated
    own.aurc, own.bins = estimate(figures.aurc), bins_of(figures.bins)
    own.tempered = tempered_of(figures.tempered)
    for name, cell in pairs(figures.errors) do own.ece[name] = estimate(cell) end
    for c, coverage in ipairs(calibration.coverages) do
      own.selective[c] = { coverage = coverage, l4 = estimate(figures.selective[c]) }
    end
    out[entry.source[1]] = own
  end
  return out
end

-- `results`: {run=, by=, groups=, ledger=, calibration=} each.
function export.json(results)
  local runs = json.array()
  for i, result in ipairs(results) do
    local groups = json.array()
    for g, group in ipairs(result.groups) do
      groups[g] = { by = group.by, name = group.name,
                    figures = figures_of(group.figures) }
    end
    runs[i] = { folder = result.run.folder, settings = result.run.settings,
                versions = result.run.manifest.versions,
                pending = result.run.pending, groups = groups,
                ledger = ledger_of(result.ledger),
                calibration = calibration_of(result.calibration or {}) }
  end
  return json.pretty { scorer = scored.version, runs = runs }
end

-- All figures of a group, in order: name, value, low, high.
local function each_figure(figures, add)
  for _, line in ipairs(summary.lines) do
    local found = line[1] and figures[line[1]]
    if type(found) == "table" then
      add(line[1], found[1], found[2], found[3])
    elseif found then
      add(line[1], found)
    end
  end
  for _, cause in ipairs(outcomes) do
    add(cause, figures.causes[cause])
  end
end

local columns = { "run", "method", "book", "model", "by", "group", "figure",
                  "value", "low", "high" }

-- A table (ecrb.tables) with a line a figure.
function export.lines(results)
  local rows = {}
  for _, result in ipairs(results) do
    local s = result.run.settings
    for _, group in ipairs(result.groups) do
      each_figure(group.figures, function (figure, ...)
        rows[#rows + 1] = { result.run.folder, s.method.id, s.book,
          s.model.name, group.by, group.name, figure, ... }
      end)
    end
  end
  return { columns = columns, rows = rows }
end

return export
