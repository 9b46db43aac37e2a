-- The tables of a report: the paper's, under its numbers, then ours.

local beyond = require "ecrb.report.paper.beyond"
local calibration = require "ecrb.report.paper.calibration"
local complete = require "ecrb.report.paper.complete"
local composition = require "ecrb.report.paper.composition"
local diagnostics = require "ecrb.report.paper.diagnostics"
local main = require "ecrb.report.paper.main"
local retrieval = require "ecrb.report.paper.retrieval"
local vote = require "ecrb.report.paper.vote"

local paper = {}

-- A name as a part of a file's.
local function slug(name)
  local words = string.gsub(string.lower(name), "[^%w.]+", "-")
  return (string.gsub(string.gsub(words, "^-+", ""), "-+$", ""))
end

-- In order: a file's name and what makes the table of a board, or of a board and
-- an answerer (`each`). Whoever makes a table that the runs do not support
-- returns nil or a table without rows.
local makers = {
  { "table-01-settings", main.table },
  { "table-02-vote", vote.table2 },
  { "table-05a-items", composition.labels },
  { "table-05b-evidence", composition.evidence },
  { "table-06b-retrieval", retrieval.table },
  { "table-07-settings", complete.overall, each = true },
  { "table-09-splits", complete.splits, each = true },
  { "table-13b-difficulty", complete.difficulty },
  { "table-14a-search", diagnostics.search },
  { "table-14b-agreement", diagnostics.consistency },
  { "table-14c-intervals", diagnostics.intervals },
  { "table-14d-homology", diagnostics.homology },
  { "table-15a-m2", vote.table15a },
  { "table-15b-m4", vote.table15b },
  { "table-s1-coverage", beyond.coverage },
  { "table-s2a-losses", beyond.losses },
  { "table-s2b-levels", beyond.conditional },
  { "table-s3-classes", beyond.classes },
  { "table-s4a-confidence", calibration.risk },
  { "table-s4b-error", calibration.error },
  { "table-s4c-temperature", calibration.temperature },
  { "table-s5-reliability", calibration.reliability },
}

-- Every table that the runs of the board support: {name=, table=} in order;
-- `name` is a file's, `table` a description (ecrb.tables).
function paper.tables(board)
  local list, taken = {}, {}
  local function add(name, description)
    if not description or not description.rows[1] then return end
    taken[name] = (taken[name] or 0) + 1
    if taken[name] > 1 then name = name .. "-" .. taken[name] end
    list[#list + 1] = { name = name, table = description }
  end
  for _, maker in ipairs(makers) do
    local name, make = maker[1], maker[2]
    if not maker.each then add(name, make(board)) end
    for _, answerer in ipairs(maker.each and board.answerers or {}) do
      add(name .. "-" .. slug(answerer.word), make(board, answerer))
    end
  end
  return list
end

return paper
