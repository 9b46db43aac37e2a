-- primitives.lua: ecrb's primitives from any Lua 5.4, without the program. What
-- does one item look like, and how near does the vote of the top hits come?
--
--   lua5.4 examples/primitives.lua data/ecoli price/3
--
-- Lua finds the module where `make install` or luarocks put it; from a tree:
--   export LUA_PATH='lua/?/init.lua;;' LUA_CPATH='.build/opt/module/?.so;;'

local ecrb = require "ecrb"

local bench = ecrb.open(arg[1] or "data/ecoli")

-- The neighbour vote over the top hits, as a prediction to score.
local function voted(index)
  local ballots = {}
  for _, channel in ipairs(bench:channels()) do
    local hit = bench:evidence(index, channel, 1)[1]
    for _, ec in ipairs(hit and hit.ec or {}) do
      ballots[#ballots + 1] = { ec = ec, weight = 1 }
    end
  end
  local winner = ecrb.vote.neighbours(ballots)
  return { index = index, path = winner and ecrb.ec.path(winner) or {},
           answered = winner ~= nil, may_stop = true }
end

local function look_at(name)
  local index = bench:find(name) or error("there is no item " .. name, 0)
  local item = bench:item(index)
  print(item.id, #item.sequence .. " residues")
  for _, motif in ipairs(ecrb.sequence.motifs(item.sequence)) do
    print(motif.name, "at " .. motif.at)
  end
  print("vote", table.concat(voted(index).path, " "))
  for _, candidate in ipairs(bench:candidates(index, "-.-.-.-")) do
    print(candidate.ec, candidate.name)
  end
end

look_at(arg[2] or "price/3")

local predictions, f1 = {}, {}
for index = 1, #bench do predictions[index] = voted(index) end
for i, score in ipairs(ecrb.score.items(bench, predictions)) do f1[i] = score.hf end
local mean = ecrb.statistics.means { f1 } [1]
print(string.format("H-F1 of the vote over %d items: %.3f (%.3f to %.3f)", #f1,
  table.unpack(mean)))
