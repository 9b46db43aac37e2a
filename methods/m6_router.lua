#!/usr/bin/env ecrb
-- M6: router over heterogeneous channels (beyond the paper, its finding 3: no
-- model ever calls the embedding channel). M2's loop, but where homology is thin
-- the menu leads with structure, active site and embedding neighbours; where it
-- is thick they are not offered at all.

-- The best identity that sequence search found; thin below the limit.
local function best_identity(enzyme)
  local best = 0
  for _, channel in ipairs { "blast", "hmmer" } do
    for _, hit in ipairs(evidence(enzyme, channel)) do
      best = math.max(best, hit.identity or 0)
    end
  end
  return best
end

local homology = { blast = true, hmmer = true }

local function route(enzyme, thin)
  local first, last = {}, {}
  for _, channel in ipairs(channels(enzyme)) do
    local list = homology[channel] and last or first
    list[#list + 1] = channel
  end
  if not thin then return last end
  return table.move(last, 1, #last, #first + 1, first)
end

return {
  id = "m6",
  title = "Router over evidence channels",
  books = { "open" },
  base = "base",
  options = {
    base = { "m2", "the searching method that gets the menu" },
    thin = { 30, "homology is thin below this best identity, in percent", least = 0 },
  },
  run = function (enzyme, opt)
    local thin = best_identity(enzyme) < opt.thin
    note("homology", thin and "thin" or "thick")
    return method(opt.base).run(enzyme, opt, route(enzyme, thin))
  end,
}
