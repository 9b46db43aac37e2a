-- Where the items were lost on the way from 100% to L4: every lost item has
-- exactly one cause. What happened first counts: a committed node that is wrong
-- lost the item there, whatever came later; only where all that was committed
-- is right did the end of the walk lose it.

local statistics = require "core.statistics"
local metrics = require "ecrb.report.metrics"
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
    for line in io.lines(path) do set[string.match(line, "^[^\t]*")] = true end
  end
  return set
end

-- An EC number that is no node of the tree: of whose kind?
local function unknown_ec(record, superseded)
  local ec = record.path[#record.path]
  if not ec or string.find(ec, "[nB]%d+$") then return "malformed" end
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

local function conditional(rows, level, how)
  local key, above = "l" .. level, "l" .. level - 1
  local function both(r) return r.score[key] and r.score[above] end
  return statistics.ratio(metrics.column(rows, both),
    metrics.column(rows, function (r) return r.score[above] end), how)
end

-- {n=, kept=, lost = {cause = number}, given = {[level] = estimate}} of a list
-- of scored records; given[l]: P(level l right | level l - 1 right).
function ledger.of(rows, superseded, how)
  local found = { n = #rows, kept = 0, lost = {}, given = {} }
  for _, record in ipairs(rows) do
    local cause = ledger.cause_of(record, superseded)
    if cause then
      found.lost[cause] = (found.lost[cause] or 0) + 1
    else
      found.kept = found.kept + 1
    end
  end
  for level = 2, 4 do found.given[level] = conditional(rows, level, how) end
  return found
end

local function share(number, n)
  return { n > 0 and number / n or 0 }
end

-- The ledger as a table, a line a cause, with what is left behind each.
function ledger.describe(found, title)
  local rows, left = { { "all items", found.n, share(found.n, found.n) } },
    found.n
  for _, cause in ipairs(ledger.causes) do
    local lost = found.lost[cause[1]]
    if lost then
      left = left - lost
      rows[#rows + 1] = { "- " .. cause[2], lost, share(left, found.n) }
    end
  end
  rows[#rows + 1] = { "L4 right", found.kept, share(found.kept, found.n),
                      rule = true }
  for level = 2, 4 do
    rows[#rows + 1] = { string.format("P(L%d right | L%d right)", level,
      level - 1), false, found.given[level], rule = level == 2 }
  end
  return { title = title, columns = { "losses", "items", "left" }, rows = rows }
end

return ledger
