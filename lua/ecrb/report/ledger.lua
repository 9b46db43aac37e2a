-- Where the items were lost on the way from 100% to L4: every lost item has
-- exactly one cause. What happened first counts: a committed node that is wrong
-- lost the item there, whatever came later; only where all that was committed
-- is right did the end of the walk lose it.

local import = require "core.import"
local metrics = require "ecrb.report.metrics"
local statistics = require "core.statistics"
local system = require "core.system"

local ledger = {}

ledger.causes = {
  { "failed", "failed call" }, { "script", "script error" },
  { "refused", "refusal" }, { "truncated", "truncated" },
  { "unreadable", "unreadable" }, { "malformed", "malformed EC" },
  { "nonexistent", "non-existent EC" }, { "superseded", "superseded EC" },
  { "abstained1", "abstained at L1" }, { "abstained2", "abstained at L2" },
  { "abstained3", "abstained at L3" }, { "abstained4", "abstained at L4" },
  { "wrong1", "wrong first at L1" }, { "wrong2", "wrong first at L2" },
  { "wrong3", "wrong first at L3" }, { "wrong4", "wrong first at L4" },
}

-- The EC numbers that the benchmark knows to be superseded, as a set.
function ledger.superseded(benchmark)
  local set, path = {}, benchmark.folder .. "/superseded.tsv"
  if system.exists(path) then
    for _, number in import.table(path, { "ec" }, "\t") do set[number] = true end
  end
  return set
end

-- An EC number that is no node of the tree: of whose kind? A number of BRENDA's
-- own is none of the Commission's; a preliminary one may just not exist.
local function unknown_ec(record, superseded)
  local ec = record.path[#record.path]
  if not ec or string.find(ec, "B%d+$") then return "malformed" end
  return superseded[ec] and "superseded" or "nonexistent"
end

local function first_wrong(record)
  for level = 1, #record.path do
    if not record.score["l" .. level] then return level end
  end
end

-- The cause that lost the item of a scored record, nil for one that was not
-- lost. `superseded` is a set of EC numbers.
function ledger.cause_of(record, superseded)
  if record.score.l4 then return nil end
  local wrong = first_wrong(record)
  if record.outcome == "invalid" and (not wrong or wrong == #record.path) then
    return unknown_ec(record, superseded)
  end
  if wrong then return "wrong" .. wrong end
  if record.outcome == "abstained" then
    return "abstained" .. #record.path + 1
  end
  return record.outcome
end

-- P(level right | the one above right), and of how many items.
local function conditional(rows, level, how)
  local key, above = "l" .. level, "l" .. level - 1
  local both = metrics.column(rows, function (r) return r.score[key] and r.score[above] end)
  local given = metrics.column(rows, function (r) return r.score[above] end)
  local n = metrics.count(given)
  return metrics.with_wilson(statistics.ratio(both, given, how), both, n), n
end

local known = {}
for _, cause in ipairs(ledger.causes) do known[cause[1]] = true end

-- Every item is either right or lost to one cause of the list.
local function check(found)
  local sum = found.kept
  for cause, number in pairs(found.lost) do
    metrics.must_hold(known[cause], "an item was lost to `" .. cause .. "`, which is no cause")
    sum = sum + number
  end
  metrics.must_hold(sum == found.n, "the causes of loss do not sum to n")
end

-- The share of the items that each cause lost, and of those that none did.
local function shares_of(causes, found, how)
  local names, columns = { "kept" }, { {} }
  for cause in pairs(found.lost) do names[#names + 1] = cause end
  table.sort(names)
  for c, name in ipairs(names) do
    columns[c] = {}
    for i = 1, found.n do columns[c][i] = causes[i] == name end
  end
  local shares = {}
  for c, estimate in ipairs(statistics.means(columns, how)) do
    shares[names[c]] = metrics.with_wilson(estimate, columns[c])
  end
  return shares
end

-- {n=, kept=, lost = {cause = number}, share = {cause or "kept" = estimate},
-- given = {[level] = estimate}, above = {[level] = number}} of a list of scored
-- records; given[l]: P(level l right | level l - 1 right), of above[l] items.
function ledger.of(rows, superseded, how)
  local found = { n = #rows, kept = 0, lost = {}, given = {}, above = {} }
  local causes = {}
  for i, record in ipairs(rows) do
    local cause = ledger.cause_of(record, superseded)
    causes[i] = cause or "kept"
    if cause then
      found.lost[cause] = (found.lost[cause] or 0) + 1
    else
      found.kept = found.kept + 1
    end
  end
  check(found)
  if #rows > 0 then found.share = shares_of(causes, found, how) end
  for level = 2, 4 do
    found.given[level], found.above[level] = conditional(rows, level, how)
  end
  return found
end

local function left_of(number, n)
  return { n > 0 and number / n or 0, exact = true }
end

-- The ledger as a table, a line a cause, with what is left behind each.
function ledger.describe(found, title)
  local left, share = found.n, found.share or {}
  local rows = { { "all items", found.n, false, left_of(found.n, found.n) } }
  for _, cause in ipairs(ledger.causes) do
    local lost = found.lost[cause[1]]
    if lost then
      left = left - lost
      rows[#rows + 1] = { "- " .. cause[2], lost, share[cause[1]], left_of(left, found.n) }
    end
  end
  rows[#rows + 1] = { "L4 right", found.kept, share.kept or false,
                      left_of(found.kept, found.n), rule = true }
  for level = 2, 4 do
    rows[#rows + 1] = { string.format("P(L%d right | L%d right)", level,
      level - 1), found.above[level], found.given[level], false, rule = level == 2 }
  end
  return { title = title, columns = { "losses", "items", "share", "left" }, rows = rows }
end

return ledger
