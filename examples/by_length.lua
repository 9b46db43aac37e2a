-- An analysis without a notebook: does a method do worse on long enzymes?
--
--   ecrb lua examples/by_length.lua RUN
--
-- Any question about a run goes this way: open it scored, group its records, take
-- the figures of each group with their intervals, print a table.

local metrics = require "ecrb.report.metrics"
local scored = require "ecrb.report.scored"
local tables = require "ecrb.tables"

local run = scored.open(assert(arg[1], "name a run's folder"), {})

for _, record in ipairs(run) do
  record.length = #run.bench:item(record.index).sequence
end
table.sort(run, function (a, b)
  if a.length ~= b.length then return a.length < b.length end
  return a.index < b.index
end)

-- Four groups of equal size, shortest first.
local rows = {}
for quarter = 1, 4 do
  local first = (quarter - 1) * #run // 4 + 1
  local last = quarter * #run // 4
  local levels = metrics.levels(table.move(run, first, last, 1, {}), {})
  rows[quarter] = { string.format("%d to %d residues", run[first].length,
    run[last].length), levels.n, levels.l4 }
end

io.write(tables.write("text", { title = "L4 by length",
  columns = { "", "n", "L4" }, rows = rows }))
