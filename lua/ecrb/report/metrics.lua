-- Every figure of the protocol over a list of scored records (ecrb.report.
-- scored), each an estimate {value, low, high} or a whole number. All intervals
-- are 95% percentile bootstraps over the items, one draw for all figures.

local statistics = require "core.statistics"
local fail = require "ecrb.fail"
local outcomes = require "ecrb.outcomes"

local metrics = {}

local defaults = { replicates = 1000, seed = 1, ece_target = "leaf",
                   ece_edges = "right" }

-- How figures are made: what the options leave open is the protocol's choice.
function metrics.settings(options)
  local how = {}
  for name, value in pairs(defaults) do
    how[name] = options and options[name] or value
  end
  return how
end

-- Yes-or-no figures: where all or none say yes, the bootstrap has nothing to
-- draw and Wilson's interval stands in.
local shares = {
  { "l1", function (r) return r.score.l1 end },
  { "l2", function (r) return r.score.l2 end },
  { "l3", function (r) return r.score.l3 end },
  { "l4", function (r) return r.score.l4 end },
  { "node", function (r) return r.score.node end },
  { "valid", function (r) return r.score.valid end },
  { "reach", function (r) return r.score.depth == 4 end },
}

local means = {
  { "hp", function (r) return r.score.hp end },
  { "hr", function (r) return r.score.hr end },
  { "hf", function (r) return r.score.hf end },
  { "depth", function (r) return r.score.depth end },
  { "retrievals", function (r) return #r.channels end },
  { "turns", function (r) return r.turns or 0 end },
}

-- Figures that only some methods report.
local optional = {
  { "consensus", function (r) return r.consensus end },
  { "share", function (r) return r.share end },
  { "set_precision", function (r) return r.score.set and r.score.set.precision end },
  { "set_recall", function (r) return r.score.set and r.score.set.recall end },
  { "set_f1", function (r) return r.score.set and r.score.set.f1 end },
  { "set_exact", function (r) return r.score.set and r.score.set.exact end },
}

local function column(rows, value)
  local list = {}
  for i, row in ipairs(rows) do list[i] = value(row) or false end
  return list
end
metrics.column = column

local function reported(rows, value)
  for _, row in ipairs(rows) do
    if value(row) ~= nil then return true end
  end
  return false
end

local function count(list)
  local n = 0
  for _, value in ipairs(list) do
    if value then n = n + 1 end
  end
  return n
end

local function set_wilson(estimate, hits, n)
  if n > 0 and (hits == 0 or hits == n) then
    estimate[2], estimate[3] = statistics.wilson(hits, n)
    estimate.wilson = true
  end
end

-- The means of all simple figures, into `found`.
local function add_means(found, rows, how)
  local names, columns = {}, {}
  local function add(figure)
    names[#names + 1] = figure[1]
    columns[#columns + 1] = column(rows, figure[2])
  end
  for _, figure in ipairs(shares) do add(figure) end
  for _, figure in ipairs(means) do add(figure) end
  for _, figure in ipairs(optional) do
    if reported(rows, figure[2]) then add(figure) end
  end
  local estimates = statistics.means(columns, how)
  for i, name in ipairs(names) do found[name] = estimates[i] end
  for i, figure in ipairs(shares) do
    set_wilson(found[figure[1]], count(columns[i]), #rows)
  end
end

-- {n=, l1=, l2=, l3=, l4=} alone: what a group needs that is only broken down by
-- level. `how`: replicates, seed.
function metrics.levels(rows, how)
  local columns, found = {}, { n = #rows }
  for level = 1, 4 do columns[level] = column(rows, shares[level][2]) end
  for level, estimate in ipairs(statistics.means(columns, how)) do
    set_wilson(estimate, count(columns[level]), #rows)
    found["l" .. level] = estimate
  end
  return found
end

-- Full-EC precision: a share of the items that reach L4.
local function add_ratios(found, rows, how)
  local right = column(rows, function (r) return r.score.l4 end)
  local reach = column(rows, function (r) return r.score.depth == 4 end)
  found.full_ec_precision = statistics.ratio(right, reach, how)
  set_wilson(found.full_ec_precision, count(right), count(reach))
  found.hf_micro = statistics.ratio(
    column(rows, function (r) return 2 * r.score.common end),
    column(rows, function (r) return r.score.predicted + r.score.gold end), how)
end

local function add_macro(found, rows, how)
  found.macro_l4, found.classes = statistics.macro(
    column(rows, function (r) return r.score.l4 end),
    column(rows, function (r) return r.score.classes end), how)
end

local targets = {
  leaf = function (r) return r.score.l4 end,
  node = function (r) return r.score.node end,
}

-- Calibration, where any item states a confidence.
local function add_calibration(found, rows, how)
  local confidence = column(rows, function (r) return r.confidence end)
  found.confidences = count(confidence)
  if found.confidences == 0 then return end
  local target = column(rows, targets[how.ece_target])
  found.ece, found.bins = statistics.ece(confidence, target,
    { replicates = how.replicates, seed = how.seed,
      left_edges = how.ece_edges == "left" })
  local correct = column(rows, targets.leaf)
  found.aurc = statistics.aurc(confidence, correct, how)
  found.risk = statistics.risk_curve(confidence, correct)
end

local function add_counts(found, rows)
  found.causes, found.calls, found.tokens = {}, {}, {}
  for _, name in ipairs(outcomes) do found.causes[name] = 0 end
  for _, row in ipairs(rows) do
    found.causes[row.outcome] = found.causes[row.outcome] + 1
    for _, channel in ipairs(row.channels) do
      found.calls[channel] = (found.calls[channel] or 0) + 1
    end
    for name, number in pairs(row.usage) do
      found.tokens[name] = (found.tokens[name] or 0) + math.tointeger(number)
    end
  end
end

local function must_hold(truth, what)
  if not truth then
    fail("the scores contradict themselves: %s; this is a bug in the scorer, "
      .. "or the records were edited", what)
  end
end

local function near(a, b)
  return math.abs(a - b) < 1e-9
end

-- What must be true of any scores; a breach is an error, not a footnote.
local function check(found)
  local sum = 0
  for _, number in pairs(found.causes) do sum = sum + number end
  must_hold(sum == found.n, "the causes do not sum to n")
  local precision = found.full_ec_precision[1] or 0
  must_hold(near(found.reach[1] * precision, found.l4[1]),
    "reach L4 x full-EC precision is not L4")
  sum = 0
  for _, bin in ipairs(found.bins or {}) do sum = sum + bin.n end
  must_hold(sum == (found.bins and found.confidences or 0),
    "the reliability bins do not sum to n")
  must_hold(not found.risk or near(found.risk[found.n], 1 - found.l4[1]),
    "the risk at coverage 1 is not 1 - L4")
end

-- The figures over `rows`: a table by name, with n, the causes of coverage, the
-- reliability bins, the risk at each coverage, the calls of each channel and
-- the tokens used.
function metrics.of(rows, options)
  local how = metrics.settings(options)
  local drawn = { replicates = how.replicates, seed = how.seed }
  local found = { n = #rows }
  add_means(found, rows, drawn)
  add_ratios(found, rows, drawn)
  add_macro(found, rows, drawn)
  add_calibration(found, rows, how)
  add_counts(found, rows)
  check(found)
  return found
end

return metrics
