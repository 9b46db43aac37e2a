#!/usr/bin/env ecrb
-- M4: self-consistent chain of thought (robustness). k chains of any base
-- method; descend while the leading node has a share of at least tau of all k
-- and extends the consensus; the deepest stable prefix is the answer.

-- One more chain at a time, until the vote can no longer change.
local function one_by_one(chain, opt)
  local chains = sample(math.min(opt.k, opt.k // 2 + 1), chain)
  while #chains < opt.k and not settled(chains, opt.k, opt.tau) do
    chains[#chains + 1] = sample(1, chain)[1]
  end
  return chains
end

return {
  id = "m4",
  title = "Self-consistent chains",
  books = { "closed", "open" },
  base = "base",
  options = {
    base = { "m1", "the method that the chains run: m1, m2, m3, b0 or a script" },
    k = { 3, "number of chains", whole = true, least = 1, most = 1000 },
    tau = { 0.5, "vote share that a node needs", least = 0, most = 1 },
    temperature = { 0.7, "sampling temperature, so that chains differ", least = 0,
                    optional = true },
    adaptive = { false, "stop sampling when the vote can no longer change" },
  },
  run = function (enzyme, opt)
    local base = method(opt.base)
    local function chain() return base.run(enzyme, opt) end
    local chains = opt.adaptive and one_by_one(chain, opt) or sample(opt.k, chain)
    local result = consensus(chains, opt.tau, base, opt.k)
    result.saved = opt.k - #chains
    return result
  end,
}
