-- The EC tree of a benchmark: its leaves, the names of its nodes, and what
-- became of numbers that are no more.

local cells = require "ecrb.import.cells"
local ec = require "core.ec"
local nomenclature = require "ecrb.import.nomenclature"

local tree = {}

local Tree = {}
Tree.__index = Tree

function tree.new(builder, report)
  return setmetatable({ builder = builder, report = report, gone = {}, order = {} }, Tree)
end

function Tree:name(path, line, number, name)
  cells.accept(path, line, self.builder:name(number, name))
end

-- A number may be told of twice (a dump keeps its history): the last word counts.
function Tree:forget(number, successors)
  if not self.gone[number] then self.order[#self.order + 1] = number end
  self.gone[number] = successors
end

local function name_sink(t, path)
  return {
    live = function (number, name, line)
      if name then t:name(path, line, number, name) end
    end,
    inner = function (number, name, line) t:name(path, line, number, name) end,
    gone = function (number, successors) t:forget(number, successors) end,
  }
end

-- Takes names and changes, not leaves, from a file of any known kind.
function Tree:names(path)
  nomenclature.read(path, name_sink(self, path))
end

-- Takes the leaves too; returns their number. What a later part of the file
-- tells to be gone is no leaf.
function Tree:leaves(path)
  local live, n = {}, 0
  local sink = name_sink(self, path)
  local name_live = sink.live
  sink.live = function (number, name, line)
    live[#live + 1] = { number, line }
    name_live(number, name, line)
  end
  nomenclature.read(path, sink)
  for _, entry in ipairs(live) do
    if not self.gone[entry[1]] then
      if cells.accept(path, entry[2], self.builder:leaf(entry[1])) then
        n = n + 1
      else
        self.report:count("EC {number that stands|numbers that stand} twice in the list", path,
          entry[2])
      end
    end
  end
  return n
end

-- Says which leaves come from labels alone, with the items that bear them.
function Tree:say_extra(items)
  local order, bearers = {}, {}
  for _, item in ipairs(items) do
    for _, label in ipairs(item.labels) do
      if bearers[label] then
        table.insert(bearers[label], item.id)
      elseif not self.builder:lists(label) then
        order[#order + 1], bearers[label] = label, { item.id }
      end
    end
  end
  table.sort(order, function (a, b) return ec.compare(a, b) < 0 end)
  for i, label in ipairs(order) do
    order[i] = label .. " (" .. table.concat(bearers[label], ", ") .. ")"
  end
  if #order > 0 then
    self.report:say("tree: %d {leaf comes|leaves come} from labels alone: %s", #order,
      table.concat(order, ", "))
  end
end

-- The numbers in force that a gone number became, over all steps; forward only.
function Tree:now(number)
  local seen, list, queue = { [number] = true }, {}, { number }
  local at = 1
  while queue[at] do
    for _, successor in ipairs(self.gone[queue[at]] or {}) do
      if not seen[successor] then
        seen[successor] = true
        table.insert(self.gone[successor] and queue or list, successor)
      end
    end
    at = at + 1
  end
  table.sort(list, function (a, b) return ec.compare(a, b) < 0 end)
  return list
end

local function fate(t, number)
  local now = t:now(number)
  if #now == 0 then return "deleted" end
  return "now " .. table.concat(now, ", ")
end

-- Says which labels of the items {{id, labels}...} are no longer in force.
function Tree:say_superseded(items)
  if #self.order == 0 then return end
  local bearers, order = {}, {}
  for _, item in ipairs(items) do
    for _, label in ipairs(item.labels) do
      if self.gone[label] then
        if not bearers[label] then order[#order + 1], bearers[label] = label, {} end
        table.insert(bearers[label], item.id)
      end
    end
  end
  self.report:say("nomenclature: %d {number is|numbers are} transferred or deleted; %d of them "
    .. "{is a label|are labels} here", #self.order, #order)
  table.sort(order, function (a, b) return ec.compare(a, b) < 0 end)
  for _, label in ipairs(order) do
    self.report:say("superseded label: %s is %s (%s)", label, fate(self, label),
      table.concat(bearers[label], ", "))
  end
end

-- superseded.tsv as text, or nil where nothing is known to be gone.
function Tree:superseded()
  if #self.order == 0 then return nil end
  table.sort(self.order, function (a, b) return ec.compare(a, b) < 0 end)
  local rows = { "ec\tstatus\tnow\n" }
  for _, number in ipairs(self.order) do
    local now = self:now(number)
    rows[#rows + 1] = string.format("%s\t%s\t%s\n", number,
      #now > 0 and "transferred" or "deleted", #now > 0 and table.concat(now, ";") or "-")
  end
  return table.concat(rows)
end

return tree
