-- decontamination.tsv: it lists the near-identical neighbours that the evidence
-- has, all of them and no others.

local import = require "core.import"
local system = require "core.system"

local function in_order(near)
  local list = {}
  for key, line in pairs(near) do list[#list + 1] = { key = key, line = line } end
  table.sort(list, function (a, b)
    if a.line ~= b.line then return a.line < b.line end
    return a.key < b.key
  end)
  return list
end

-- `near`: by item and neighbour, the line of evidence.tsv.
return function (findings, bench, near)
  local path, listed = bench.folder .. "/decontamination.tsv", {}
  if system.exists(path) then
    for line, item, neighbour in import.table(path, { "item", "neighbour" }, "\t") do
      local key = item .. "\t" .. neighbour
      if not near[key] then
        findings:at(path, line, "%s is no near-identical neighbour of %s in evidence.tsv",
          neighbour, item)
      end
      listed[key] = true
    end
  end
  for _, one in ipairs(in_order(near)) do
    if not listed[one.key] then
      local item, neighbour = string.match(one.key, "^(.-)\t(.*)$")
      findings:at(bench.folder .. "/evidence.tsv", one.line,
        "%s, near-identical to %s, is not listed in decontamination.tsv", neighbour, item)
    end
  end
end
