-- `ecrb merge SHARD... -o RUN`: the run folders of shards as one run folder.

local counted = require "ecrb.counted"
local merge = require "ecrb.merge"
local out = require "ecrb.out"

local command = { summary = "the shards of a run put together" }

function command.configure(p)
  p:argument("shards", "run folders of shards, in any order; what was merged before counts, too")
    :args("+"):argname("SHARD")
  p:option("-o --out", "folder of the whole run; where it stands already, the shards are added")
    :argname("RUN"):count(1)
  p:option("--bench", "where the benchmark of the run stands")
end

local NAMED = 3 -- items of a shard that are named where it is unfinished

local function names_of(list)
  local more = #list > NAMED and string.format(" and %d more", #list - NAMED) or ""
  return table.concat(list, ", ", 1, math.min(#list, NAMED)) .. more
end

-- Tells which shards and items are not there yet.
local function say_missing(found)
  for number, one in ipairs(found.shards) do
    if #one.names == one.items then
      io.stderr:write(counted("missing: shard %d/%d, %d {item|items}\n", number, found.of,
        one.items))
    elseif #one.names > 0 then
      io.stderr:write(counted("unfinished: shard %d/%d, %d of %d {item|items} (%s)\n", number,
        found.of, #one.names, one.items, names_of(one.names)))
    end
  end
  io.stderr:write("run these shards, then merge again\n")
end

function command.run(args)
  local run = string.match(args.out, "^(.-)/*$")
  local found = merge.run(args.shards, run, { bench = args.bench })
  out.write(counted("%s: %d of %d {item|items}\n", run, found.done, found.items))
  if found.failed > 0 then
    io.stderr:write(string.format("%d of them failed\n", found.failed))
  end
  if found.done < found.items then
    say_missing(found)
    return 3
  end
  return found.failed > 0 and 1 or 0
end

return command
