-- A benchmark of so many proteins without evidence, and without labels unless they
-- are asked for, for measures of what calls cost: ecrb lua items.lua FOLDER N [labels]

local system = require "core.system"

local folder, count = arg[1], tonumber(arg[2])
local letters = "ACDEFGHIKLMNPQRSTVWY"
local STOCK = 1 << 20

-- Sequences are pieces of one long one.
local function stock()
  local out = {}
  for i = 1, STOCK do
    local at = math.random(#letters)
    out[i] = string.sub(letters, at, at)
  end
  return table.concat(out)
end

local function base32(number)
  local alphabet, out = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", {}
  for i = 8, 1, -1 do
    local at = number % 32
    out[i] = string.sub(alphabet, at + 1, at + 1)
    number = number // 32
  end
  return "Q" .. table.concat(out)
end

local function write(name, text)
  system.write(folder .. "/" .. name, text)
end

local function copy(name)
  local file = assert(io.open(system.self .. "/data/ecoli/" .. name, "rb"))
  write(name, file:read("a"))
  file:close()
end

math.randomseed(7)
system.mkdir(folder)
copy("ec.tsv")
write("train.tsv", "enzyme\tshown\tec\n")
write("evidence.tsv", "item\tchannel\trank\tneighbour\tshown\tec\tscore\tkind\tidentity\t"
  .. "coverage\tevalue\n")
write("bench.json", '{"name": "items", "seed": 7}\n')
local long, file = stock(), assert(io.open(folder .. "/items.tsv", "wb"))
file:write("item\tsplit\tshown\tflags\tsequence\n")
for i = 1, count do
  local first, length = math.random(STOCK - 600), 200 + math.random(400)
  file:write(string.format("I%07d\t30\t%s\t-\t%s\n", i, base32(i * 977),
    string.sub(long, first, first + length - 1)))
end
assert(file:close())

-- Leaves of the tree, one after another.
local function leaves()
  local list = {}
  for line in io.lines(folder .. "/ec.tsv") do
    list[#list + 1] = string.match(line, "^%d+%.%d+%.%d+%.%d+")
  end
  return list
end

if arg[3] == "labels" then
  local list, out = leaves(), assert(io.open(folder .. "/labels.tsv", "wb"))
  out:write("item\tec\n")
  for i = 1, count do
    out:write(string.format("I%07d\t%s\n", i, list[i * 7919 % #list + 1]))
  end
  assert(out:close())
end
