-- Every figure of the protocol over scored records (ecrb.report.scored), in a list or
-- packed (ecrb.report.kinds), each an estimate {value, low, high} or a whole number.
-- All intervals are 95% percentile bootstraps over the items, one draw for all
-- figures.
--
-- Of packed records there is a row a kind, and `times` says how often each counts.

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

-- The columns that come from an item's score as they are.
local score_fields = { "l1", "l2", "l3", "l4", "node", "valid", "depth", "hp",
                       "hr", "hf", "common", "predicted", "gold", "classes" }

-- Columns that are means; of those, the yes-or-no ones: where all or none say
-- yes, the bootstrap has nothing to draw and Wilson's interval stands in.
local means = { "l1", "l2", "l3", "l4", "valid", "reach", "hp", "hr", "hf",
                "depth", "retrievals", "turns" }
local yes_or_no = { l1 = true, l2 = true, l3 = true, l4 = true, valid = true,
                    reach = true }

-- Figures that only some methods report: of the record, of its set score.
local record_fields = { "consensus", "share", "saved" }
local set_fields = { "precision", "recall", "f1", "exact" }

-- All columns by name, in one pass: there are many items and many figures.
local function columns_of(rows)
  local columns, from_score = {}, {}
  local reach, confidence, retrievals, turns = {}, {}, {}, {}
  for f, name in ipairs(score_fields) do
    from_score[f] = {}
    columns[name] = from_score[f]
  end
  for i = 1, #rows do
    local row = rows[i]
    local score = row.score
    for f = 1, #score_fields do from_score[f][i] = score[score_fields[f]] end
    reach[i] = score.depth == 4
    confidence[i] = row.confidence or false
    retrievals[i] = #row.channels
    turns[i] = row.turns or 0
  end
  columns.reach, columns.confidence = reach, confidence
  columns.retrievals, columns.turns = retrievals, turns
  return columns
end

local function column(rows, value)
  local list = {}
  for i, row in ipairs(rows) do list[i] = value(row) or false end
  return list
end
metrics.column = column

-- How many values of a column are true.
local function count(list, times)
  local n = 0
  for i = 1, #list do
    if list[i] then n = n + (times and times[i] or 1) end
  end
  return n
end
metrics.count = count

-- Where all or none of n are hits, resampling them says nothing.
local function set_wilson(estimate, hits, n)
  if n > 0 and (hits == 0 or hits == n) then
    estimate[2], estimate[3] = statistics.wilson(hits, n)
    estimate.wilson = true
  end
end

metrics.set_wilson = set_wilson

-- The estimate of a share, with Wilson's interval where all or none of n (or of
-- the values) are true.
function metrics.with_wilson(estimate, values, n)
  set_wilson(estimate, count(values), n or #values)
  return estimate
end

-- The columns that some of the rows have: name and column, one after the other.
-- `sets` is false where sets are no answers.
local function optional_columns(rows, sets)
  local seen, names, list = {}, {}, {}
  for _, row in ipairs(rows) do
    seen.consensus = seen.consensus or row.consensus
    seen.share = seen.share or row.share
    seen.saved = seen.saved or row.saved
    seen.set = seen.set or sets ~= false and row.score.set
  end
  local function add(name, value)
    names[#names + 1], list[#list + 1] = name, column(rows, value)
  end
  for _, name in ipairs(record_fields) do
    if seen[name] then add(name, function (r) return r[name] end) end
  end
  for _, name in ipairs(seen.set and set_fields or {}) do
    add("set_" .. name, function (r)
      return r.score.set and r.score.set[name]
    end)
  end
  return names, list
end

-- Two columns' sums, item by item.
local function sum_of(a, b)
  local sum = {}
  for i = 1, #a do sum[i] = a[i] + b[i] end
  return sum
end

local function place_of(names, name)
  for i = 1, #names do
    if names[i] == name then return i end
  end
end

-- The means of all simple figures, and two ratios: full-EC precision, a share
-- of the items that reach L4, and micro F1, twice what is common over what is
-- predicted and what is gold. All into `found`, along the same draws.
local function add_means(found, items, columns, how)
  local names, list = optional_columns(items.rows, items.sets)
  for _, name in ipairs(means) do
    names[#names + 1], list[#list + 1] = name, columns[name]
  end
  local n = #list
  list[n + 1] = sum_of(columns.common, columns.common)
  list[n + 2] = sum_of(columns.predicted, columns.gold)
  local estimates, ratios = statistics.means(list, how, {
    { place_of(names, "l4"), place_of(names, "reach") }, { n + 1, n + 2 } })
  for i, name in ipairs(names) do
    found[name] = estimates[i]
    if yes_or_no[name] then
      set_wilson(estimates[i], count(list[i], items.times), found.n)
    end
  end
  found.full_ec_precision, found.hf_micro = ratios[1], ratios[2]
  set_wilson(ratios[1], count(columns.l4, items.times), count(columns.reach, items.times))
end

-- {n=, l1=, l2=, l3=, l4=} alone: what a group needs that is only broken down
-- by level. `how`: replicates, seed, draws.
function metrics.levels(rows, how)
  local found, list = { n = #rows }, {}
  for level = 1, 4 do
    local name = "l" .. level
    list[level] = column(rows, function (r) return r.score[name] end)
  end
  for level, estimate in ipairs(statistics.means(list, how)) do
    set_wilson(estimate, count(list[level]), #rows)
    found["l" .. level] = estimate
  end
  return found
end

-- Calibration, where any item states a confidence.
local function add_calibration(found, items, columns, how, drawn)
  found.confidences = count(columns.confidence, items.times)
  if found.confidences == 0 then return end
  found.ece, found.bins = statistics.ece(columns.confidence,
    how.ece_target == "node" and columns.node or columns.l4,
    { replicates = drawn.replicates, seed = drawn.seed, draws = drawn.draws, of = drawn.of,
      left_edges = how.ece_edges == "left" })
  found.aurc = statistics.aurc(columns.confidence, columns.l4, drawn)
end

-- Adds the tokens of rows that are records.
local function add_tokens(tokens, rows)
  for _, row in ipairs(rows) do
    for name, number in next, row.usage do tokens[name] = (tokens[name] or 0) + number end
  end
  return tokens
end

local function add_counts(found, items)
  found.causes, found.calls, found.tokens = {}, {}, {}
  for _, name in ipairs(outcomes) do found.causes[name] = 0 end
  for i, row in ipairs(items.rows) do
    local times = items.times and items.times[i] or 1
    found.causes[row.outcome] = found.causes[row.outcome] + times
    for _, channel in ipairs(row.channels) do
      found.calls[channel] = (found.calls[channel] or 0) + times
    end
  end
  for name, number in pairs(items.tokens or add_tokens({}, items.rows)) do
    found.tokens[name] = math.tointeger(number)
  end
end

-- Raises where figures contradict themselves.
function metrics.must_hold(truth, what)
  if not truth then
    fail("the scores contradict themselves: %s; this is a bug in the scorer, "
      .. "or the records were edited", what)
  end
end

local must_hold = metrics.must_hold

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
end

local KEPT = 8000000 -- draws (items times replicates) worth keeping

-- The draws for n items, kept in `how.draws`, where there is one, for the next
-- list of n; nil where they would be too many to keep.
local function draws_of(n, how)
  if n * how.replicates > KEPT then return nil end
  local cache = how.draws or {}
  cache[n] = cache[n] or statistics.draws(n,
    { replicates = how.replicates, seed = how.seed })
  return cache[n]
end

-- How to resample n items: replicates, seed, and draws, which stay in
-- `options.draws`, where there is such a table, for the next list of n.
function metrics.along(n, options)
  local how = metrics.settings(options)
  how = { replicates = how.replicates, seed = how.seed, draws = options and options.draws }
  how.draws = draws_of(n, how)
  return how
end

-- Rows as they are gone through: records themselves, or kinds and how often each
-- counts.
local function each_of(rows)
  if not rows.kinds then return { rows = rows } end
  return { rows = rows.kinds, of = rows.of, times = rows.times, sets = rows.sets,
           tokens = rows.tokens }
end

-- The figures over `rows`: a table by name, with n, the causes of coverage, the
-- reliability bins, the calls of each channel and the tokens used. Options:
-- replicates, seed, ece_target, ece_edges; in a table `draws` what is drawn stays for
-- the next call.
function metrics.of(rows, options)
  local how = metrics.settings(options)
  local items, drawn = each_of(rows), metrics.along(#rows, options)
  local found, columns = { n = #rows }, columns_of(items.rows)
  drawn.of = items.of
  add_means(found, items, columns, drawn)
  found.macro_l4, found.classes = statistics.macro(columns.l4, columns.classes,
    drawn)
  add_calibration(found, items, columns, how, drawn)
  add_counts(found, items)
  check(found)
  return found
end

-- The risk at each coverage of a list of scored records of which some state a
-- confidence.
function metrics.risk(rows)
  local right = column(rows, function (r) return r.score.l4 end)
  local risk = statistics.risk_curve(column(rows, function (r) return r.confidence end), right)
  must_hold(near(risk[#rows], 1 - count(right) / #rows), "the risk at coverage 1 is not 1 - L4")
  return risk
end

return metrics
