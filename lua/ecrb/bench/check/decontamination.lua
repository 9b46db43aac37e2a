-- decontamination.tsv: it lists the near-identical neighbours that the evidence
-- has, all of them and no others, with the numbers of the hit.

local import = require "core.import"
local system = require "core.system"

local function in_order(near)
  local list = {}
  for key, hit in pairs(near) do list[#list + 1] = { key = key, line = hit.line } end
  table.sort(list, function (a, b)
    if a.line ~= b.line then return a.line < b.line end
    return a.key < b.key
  end)
  return list
end

-- A row against the first hit that says so.
local function check_row(find, hit, identity, coverage, reason)
  if tonumber(identity) ~= hit.identity or tonumber(coverage) ~= hit.coverage then
    find("identity and coverage differ from line %d of evidence.tsv", hit.line)
  end
  if reason ~= "near-identical" then
    find("field \"reason\": `%s` is not `near-identical`", reason)
  end
end

-- `near`: by item and neighbour, the hit {line =, identity =, coverage =}.
return function (findings, bench, near)
  local path, listed = bench.folder .. "/decontamination.tsv", {}
  if system.exists(path) then
    for line, item, neighbour, identity, coverage, reason in import.table(path,
        { "item", "neighbour", "identity", "coverage", "reason" }, "\t") do
      local key = item .. "\t" .. neighbour
      local function find(format, ...) findings:at(path, line, format, ...) end
      if listed[key] then find("%s stands twice for %s", neighbour, item) end
      if near[key] then
        check_row(find, near[key], identity, coverage, reason)
      else
        find("%s is no near-identical neighbour of %s in evidence.tsv", neighbour, item)
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
