-- Any bytes as a list of EC numbers: Expasy's two files, ExplorEnz's dump and
-- tables, CARE's names, plain lists. What goes to the sink are EC numbers of the
-- right level, names on one line.

local core_ec = require "core.ec"
local input = dofile "tests/fuzz/input.lua"
local nomenclature = require "ecrb.import.nomenclature"

local function check_number(number)
  assert(core_ec.parse(number) == number, number)
end

local function check_name(name)
  assert(not name or not string.find(name, "\n"), "a name of several lines")
end

local sink = {}

function sink.live(number, name, line)
  check_number(number)
  check_name(name)
  assert(math.type(line) == "integer")
end

function sink.inner(number, name, line)
  sink.live(number, name, line)
end

function sink.gone(number, successors, line)
  check_number(number)
  for _, successor in ipairs(successors) do check_number(successor) end
  assert(math.type(line) == "integer")
end

return function (bytes)
  input.refusable(nomenclature.read, input.file(bytes, "nomenclature"), sink)
end
