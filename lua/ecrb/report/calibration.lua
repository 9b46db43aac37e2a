-- Do confidences mean what they say? All figures of the protocol about them, for
-- the confidence that a method states, and for M4 beside it the share of the
-- vote that the committed node won.

local core_random = require "core.random"
local metrics = require "ecrb.report.metrics"
local statistics = require "core.statistics"

local calibration = {}

-- Where a confidence comes from: key, label, its value in a record.
calibration.sources = {
  { "stated", "stated", function (record) return record.confidence end },
  { "share", "vote share", function (record) return record.share end },
}

-- How calibration error may be counted: key, label, target, left edges.
calibration.errors = {
  { "leaf_right", "L4, right edges", "l4" }, { "leaf_left", "L4, left edges", "l4", true },
  { "node_right", "node, right edges", "node" },
  { "node_left", "node, left edges", "node", true },
}

calibration.coverages = { 0.25, 0.5, 0.75, 1 }

local function columns_of(rows, value)
  local columns = { confidence = metrics.column(rows, value) }
  for _, name in ipairs { "l4", "node" } do
    columns[name] = metrics.column(rows, function (r) return r.score[name] end)
  end
  return columns
end

local function with_edges(how, left)
  return { replicates = how.replicates, seed = how.seed, draws = how.draws, left_edges = left }
end

local function errors_of(columns, how)
  local found, bins = {}, nil
  for _, error in ipairs(calibration.errors) do
    local estimate, own = statistics.ece(columns.confidence, columns[error[3]],
      with_edges(how, error[4]))
    found[error[1]] = estimate
    bins = bins or own
  end
  return found, bins
end

-- Each bin's accuracy with Wilson's interval; the bins from 0 to 1 in order.
local function with_intervals(bins)
  local list = {}
  for b, bin in ipairs(bins) do
    local low, high = statistics.wilson(math.floor(bin.accuracy * bin.n + 0.5), bin.n)
    list[b] = { n = bin.n, low = (b - 1) / 10, high = b / 10,
                confidence = bin.n > 0 and bin.confidence or nil,
                accuracy = bin.n > 0 and { bin.accuracy, low, high } or nil }
  end
  return list
end

-- The records with a confidence in two halves, drawn by the seed.
local function halves(rows, value, seed)
  local stated, stream = {}, core_random.stream(seed)
  for _, record in ipairs(rows) do
    if value(record) then stated[#stated + 1] = record end
  end
  for last = #stated, 2, -1 do
    local other = stream:below(last)
    stated[last], stated[other] = stated[other], stated[last]
  end
  local middle = (#stated + 1) // 2
  return table.move(stated, 1, middle, 1, {}), table.move(stated, middle + 1, #stated, 1, {})
end

-- One temperature for all, fitted on a half and tried on the other: {fitted=,
-- tried= numbers of items, temperature=, before=, after= estimates}; the last two
-- are errors of the half that the fit has not seen, at that temperature.
local function tempered(rows, value, how)
  local fit, test = halves(rows, value, how.seed)
  if #test == 0 then return nil end
  how = { replicates = how.replicates, seed = how.seed }
  local fitted, tried = columns_of(fit, value), columns_of(test, value)
  local found = { fitted = #fit, tried = #test,
    temperature = statistics.temperature(fitted.confidence, fitted.l4, how),
    before = statistics.ece(tried.confidence, tried.l4, how) }
  for i, confidence in ipairs(tried.confidence) do
    tried.confidence[i] = statistics.scaled(confidence, found.temperature[1])
  end
  found.after = statistics.ece(tried.confidence, tried.l4, how)
  return found
end

-- The figures of `rows`, scored records, for a source: {n=, stated= how many have
-- a confidence, errors = {[key] = estimate}, bins=, aurc=, selective = {estimate
-- for each of the coverages}, tempered=}; nil where nobody has a confidence.
-- `how`: replicates, seed, and draws over as many items.
function calibration.of(rows, source, how)
  local columns, stated = columns_of(rows, source[3]), 0
  for _, confidence in ipairs(columns.confidence) do
    if confidence then stated = stated + 1 end
  end
  if stated == 0 then return nil end
  local found = { n = #rows, stated = stated, selective = {} }
  local bins
  found.errors, bins = errors_of(columns, how)
  found.bins = with_intervals(bins)
  found.aurc = statistics.aurc(columns.confidence, columns.l4, how)
  for c, coverage in ipairs(calibration.coverages) do
    found.selective[c] = statistics.selective(columns.confidence, columns.l4, coverage, how)
  end
  found.tempered = tempered(rows, source[3], how)
  return found
end

-- All sources that the rows know: {source=, figures=} each.
function calibration.all(rows, how)
  local list = {}
  for _, source in ipairs(calibration.sources) do
    local figures = calibration.of(rows, source, how)
    if figures then list[#list + 1] = { source = source, figures = figures } end
  end
  return list
end

-- The figures of a run as a table (ecrb.tables), a column a source.
function calibration.describe(list, title)
  local description = { title = title, columns = { "confidence" }, rows = {} }
  for s, entry in ipairs(list) do
    description.columns[s + 1] = entry.source[2]
    for i, line in ipairs(calibration.lines(entry.figures)) do
      description.rows[i] = description.rows[i] or { line[1] }
      description.rows[i][s + 1] = line[2]
    end
  end
  return description
end

-- The reliability table of one source.
function calibration.reliability(entry, title)
  local rows = {}
  for _, bin in ipairs(entry.figures.bins) do
    if bin.n > 0 then
      rows[#rows + 1] = { calibration.bin_name(bin), bin.n, { bin.confidence, exact = true },
                          bin.accuracy }
    end
  end
  return { title = title, columns = { entry.source[2], "n", "mean confidence", "L4" },
           rows = rows }
end

-- A bin's name: its edges, `0.3-0.4`.
function calibration.bin_name(bin)
  return string.format("%.1f-%.1f", bin.low, bin.high)
end

-- {{label, value}...} of one source's figures, in the order of the tables; what a
-- coverage is called in them.
function calibration.lines(figures)
  local lines = { { "n", figures.n }, { "confidences", figures.stated } }
  local function add(label, value) lines[#lines + 1] = { label, value } end
  for _, error in ipairs(calibration.errors) do
    add("ECE, " .. error[2], figures.errors[error[1]])
  end
  add("AURC", figures.aurc)
  for c, coverage in ipairs(calibration.coverages) do
    add(calibration.coverage_name(coverage), figures.selective[c])
  end
  local t = figures.tempered
  add("T", t and { t.temperature[1], t.temperature[2], t.temperature[3], digits = 2 } or false)
  add("  fitted on", t and t.fitted or false)
  add("  tried on", t and t.tried or false)
  add("  ECE before", t and t.before or false)
  add("  ECE after", t and t.after or false)
  return lines
end

function calibration.coverage_name(coverage)
  return string.format("L4 at %d%%", math.floor(coverage * 100 + 0.5))
end

return calibration
