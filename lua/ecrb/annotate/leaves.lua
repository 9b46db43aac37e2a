-- The tree that annotation walks: the leaves and names of a list of EC numbers
-- (by default the bundled benchmark's), and whatever the training set carries.

local core_ec = require "core.ec"
local import = require "core.import"
local reports = require "ecrb.import.report"
local system = require "core.system"
local tree = require "ecrb.import.tree"

local leaves = {}

local Leaves = {}
Leaves.__index = Leaves

-- A builder that only remembers, so that its words can be said to others.
function Leaves:leaf(number)
  local fresh = not self.listed[number]
  if fresh then
    self.listed[number] = true
    self.order[#self.order + 1] = number
  end
  return fresh
end

function Leaves:name(number, name)
  self.named[#self.named + 1] = { number, name }
  return true
end

local function add_bundled(self, path)
  for _, number, name in import.table(path, { "ec", "name" }) do
    if core_ec.level(number) == 4 then self:leaf(number) end
    if name ~= "-" then self:name(number, name) end
  end
end

local function add_carried(self, index)
  for _, carried in ipairs(index.ecs) do
    for _, number in ipairs(core_ec.list(carried)) do
      local _, level, kind = core_ec.parse(number)
      if level == 4 and kind ~= "brenda" then self:leaf(number) end
    end
  end
end

-- The leaves of the list in the file `path` (nil: the bundled one), and of the
-- training set.
function leaves.of(path, index)
  local self = setmetatable({ listed = {}, order = {}, named = {} }, Leaves)
  local bundled = system.self .. "/data/ecoli/ec.tsv"
  if path then
    tree.new(self, reports.new()):leaves(path)
  else
    add_bundled(self, bundled)
  end
  add_carried(self, index)
  self.sha256 = import.sha256(path or bundled)
  return self
end

-- Says all of it to a real builder.
function Leaves:plant(builder)
  for _, number in ipairs(self.order) do assert(builder:leaf(number)) end
  for _, entry in ipairs(self.named) do assert(builder:name(entry[1], entry[2])) end
end

return leaves
