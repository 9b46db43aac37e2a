-- Any bytes as one of CARE's ranking files: refused with its line, or rows whose
-- scores are shares.

local input = dofile "tests/fuzz/input.lua"
local ranking = require "ecrb.care.ranking"
local report = require "ecrb.import.report"
local core_score = require "core.score"

local function check(read)
  for _, row in ipairs(read.rows) do
    for _, value in ipairs { core_score.care(row.labels, ranking.pool(read, row, 5)) } do
      for _, share in ipairs(value) do assert(share >= 0 and share <= 1) end
    end
  end
end

return function (bytes)
  local path = input.file(bytes, "ranking.csv")
  local said = report.new()
  local read = input.refusable(ranking.read, path, said)
  if read then check(read) end
  said:text()
end
