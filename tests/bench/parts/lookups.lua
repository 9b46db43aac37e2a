-- Look-ups through the Lua call: ecrb lua lookups.lua FOLDER
-- Prints the lines of two figures: finding the hits of an item in a channel, and
-- reading ten of them as tables.

local open = require "ecrb.benchmark".open
local rounds = tonumber(os.getenv "ECRB_BENCH_ROUNDS") or 5
local CALLS = 100000

local bench = open(arg[1]).core
local items, channel = #bench, "blast"
local goal = items > 100000 and "<=2" or "<=0.5"

math.randomseed(1)
local order = {}
for i = 1, CALLS do order[i] = math.random(items) end

local function time(work)
  local from = os.clock()
  for i = 1, CALLS do work(order[i]) end
  return (os.clock() - from) / CALLS * 1e6
end

local function look_up(item)
  return bench:evidence(item, channel, 10)
end

local function read_all(item)
  for _, hit in ipairs(bench:evidence(item, channel, 10)) do
    assert(hit.rank)
  end
end

time(look_up)
local lmdb = tonumber(arg[2])
for _ = 1, rounds do
  local found = time(look_up)
  print(string.format("ten hits found, %d items\t%g\tus\t%s", items, found, goal))
  if lmdb then
    print(string.format("ten hits found, %d items\t%g\tus\t<=1.5x\tbare LMDB\t%g",
      items, found, lmdb))
  end
  print(string.format("ten hits found and read as tables, %d items\t%g\tus\t-",
    items, time(read_all)))
end
