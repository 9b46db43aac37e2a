-- How a ranking is scored. CARE's rule averages over an item's labels the best
-- match in a pool of predictions; the paper's ori_acc looks at one predicted
-- EC number and is right where any label agrees.
--
-- A rule is {name, note, pool = function (file, row) -> texts, score =
-- function (labels, texts) -> {l1, l2, l3, l4}}.

local ec = require "core.ec"
local metrics = require "ecrb.report.metrics"
local ranking = require "ecrb.care.ranking"
local score = require "core.score"
local statistics = require "core.statistics"

local rules = {}

-- CARE's rule over the first k columns, with all that their cells list.
function rules.first(k)
  return { name = "k=" .. k, k = k, score = score.care,
    pool = function (file, row) return ranking.pool(file, row, k) end }
end

rules.oracle = {
  name = "oracle-k", score = score.care,
  note = "oracle-k: as many predictions as gold labels (CARE's k=20 of Task 1); "
    .. "the number leaks",
  pool = function (file, row)
    local pool = ranking.pool(file, row, #row.labels)
    return table.move(pool, 1, #row.labels, 1, {})
  end,
}

local function shared_with(labels, text)
  local predicted, best = ec.parse(text), 0
  for _, label in ipairs(predicted and labels or {}) do
    best = math.max(best, ec.shared(predicted, label))
  end
  return best
end

local function any_label(labels, texts)
  local best = 0
  for _, text in ipairs(texts) do
    best = math.max(best, shared_with(labels, text))
  end
  return { best >= 1, best >= 2, best >= 3, best >= 4 }
end

-- The paper's own rule, in its two readings of a cell that lists several ECs.
rules.paper_first = {
  name = "ori_acc", score = any_label,
  note = "ori_acc: the paper's rule, the first EC number of column `0`; "
    .. "`EC 1.1.1.1` is read",
  pool = function (file, row) return { ranking.pool(file, row, 1)[1] } end,
}

rules.paper_any = {
  name = "ori_acc, any", score = any_label,
  note = "ori_acc, any: the best EC number of column `0`",
  pool = function (file, row) return ranking.pool(file, row, 1) end,
}

local function dots_in(text)
  return select(2, string.gsub(text, "%.", ""))
end

-- Counts an item without a prediction, or predictions that are no EC number to
-- CARE.
local function count_odd(result, pool)
  local given = 0
  for _, text in ipairs(pool) do
    if text ~= "" then given = given + 1 end
    if text ~= "" and dots_in(text) ~= 3 then
      result.malformed = result.malformed + 1
    end
  end
  if given == 0 then result.empty = result.empty + 1 end
end

-- Scores a file: {rule, n, empty, malformed, levels = {estimate of l1...}}.
function rules.apply(rule, file, options)
  local columns = { {}, {}, {}, {} }
  local result = { rule = rule, n = #file.rows, empty = 0, malformed = 0 }
  for i, row in ipairs(file.rows) do
    local pool = rule.pool(file, row)
    local levels = rule.score(row.labels, pool)
    for level = 1, 4 do columns[level][i] = levels[level] end
    count_odd(result, pool)
  end
  result.levels = statistics.means(columns, options)
  for _, estimate in ipairs(result.levels) do
    if estimate[2] then metrics.set_wilson(estimate, estimate[1] * result.n, result.n) end
  end
  return result
end

local function any_row(file, holds)
  for _, row in ipairs(file.rows) do
    if holds(row) then return true end
  end
  return false
end

local function several_labels(row) return #row.labels > 1 end

-- The rules that say something different about this file. `options`: k, a list
-- of numbers, and both (the paper's rule too).
function rules.of(file, options)
  local list = {}
  for _, k in ipairs(options.k) do list[#list + 1] = rules.first(k) end
  if file.width > 1 and any_row(file, several_labels) then
    list[#list + 1] = rules.oracle
  end
  if options.both then
    list[#list + 1] = rules.paper_first
    list[#list + 1] = any_row(file, function (row)
      return #ranking.pool(file, row, 1) > 1
    end) and rules.paper_any or nil
  end
  return list
end

return rules
