-- The primitives for any Lua 5.4: `require "ecrb"` gives ec, bench (with its
-- tree, candidates and evidence), sequence (motifs), vote, score, statistics,
-- difficulty, nearest, random, journal and import, which lua/README.md lists; no
-- method can be run and no model asked without the host.
--
--     local ecrb = require "ecrb"
--     local bench = ecrb.open "data/ecoli"
--     local winner = ecrb.vote.neighbours(ballots)

local ecrb = {}
for name, module in pairs(require "ecrb.core") do ecrb[name] = module end

local function seed_in(path)
  local file, why = io.open(path, "rb")
  if not file then error(why .. "; a benchmark folder has a bench.json", 0) end
  local source = file:read("a")
  file:close()
  local good, manifest = pcall(require "cjson".decode, source)
  local seed = good and type(manifest) == "table" and math.tointeger(manifest.seed)
  return seed or error(path .. ": field `seed` is missing or no whole number", 0)
end

-- Opens a benchmark folder with the seed that its bench.json names. The result
-- is that of bench.open(folder, seed).
function ecrb.open(folder)
  return ecrb.bench.open(folder, seed_in(folder .. "/bench.json"))
end

return ecrb
