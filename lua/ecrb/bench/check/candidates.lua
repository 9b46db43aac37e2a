-- candidates.jsonl: the sets that a walk along the gold paths is offered, drawn
-- again.

local candidates = require "ecrb.import.candidates"
local lines_of = require "ecrb.lines"
local system = require "core.system"

return function (findings, bench)
  local path, line = bench.folder .. "/candidates.jsonl", 0
  if not system.exists(path) or not bench.core:labelled() then return end
  local next_line = lines_of(path)
  for index = 1, #bench.core do
    for _, expected in ipairs(candidates.lines(bench.core, index)) do
      local found = next_line()
      line = line + 1
      if not found then
        return findings:add("%s: ends after line %d, before the sets of %s", path, line - 1,
          bench.core:item(index).id)
      elseif found ~= expected then
        findings:at(path, line, "is not the candidate set of %s that tree and seed give",
          bench.core:item(index).id)
      end
    end
  end
  if next_line() then findings:at(path, line + 1, "belongs to no item") end
end
