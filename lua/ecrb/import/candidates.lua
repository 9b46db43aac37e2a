-- candidates.jsonl: what every level offers along an item's gold paths, as a
-- walk that never errs would see it. For inspection: it holds gold, and no
-- method reads it.

local ec = require "core.ec"
local json = require "ecrb.json"
local writer = require "ecrb.writer"

local candidates = {}

-- The distinct gold nodes of a level, in the order of the labels.
local function gold_nodes(labels, level)
  local seen, nodes = {}, {}
  for _, label in ipairs(labels) do
    local node = ec.prefix(label, level)
    if not seen[node] then nodes[#nodes + 1] = node end
    seen[node] = true
  end
  return nodes
end
candidates.gold_nodes = gold_nodes

local function offered(bench, index, parent)
  local list = {}
  for i, candidate in ipairs(bench:candidates(index, parent)) do list[i] = candidate.ec end
  return list
end

-- The lines about an item, without their ends.
function candidates.lines(bench, index)
  local id, labels, lines = bench:item(index).id, bench:reveal(index), {}
  for level = 1, 4 do
    for _, parent in ipairs(gold_nodes(labels, level - 1)) do
      lines[#lines + 1] = json.encode { item = id, level = level, parent = parent,
        candidates = offered(bench, index, parent) }
    end
  end
  return lines
end

-- Writes the sets of an open benchmark (core.bench) to a file; returns their
-- number.
function candidates.write(bench, path)
  local file <close> = writer.open(path)
  local rows = 0
  for index = 1, #bench do
    local lines = candidates.lines(bench, index)
    file:write(table.concat(lines, "\n"), "\n")
    rows = rows + #lines
  end
  file:finish()
  return rows
end

return candidates
