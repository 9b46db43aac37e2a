#!/usr/bin/env ecrb
-- M4: self-consistent chain of thought (robustness). k chains of any base
-- method; descend while the leading node has a share of at least tau of all k
-- and extends the consensus; the deepest stable prefix is the answer.

return {
  id = "m4",
  title = "Self-consistent chains",
  books = { "closed", "open" },
  base = "base",
  options = {
    base = { "m1", "the method that the chains run: m1, m2, m3, b0 or a script" },
    k = { 3, "number of chains" },
    tau = { 0.5, "vote share that a node needs" },
    temperature = { 0.7, "sampling temperature, so that chains differ" },
  },
  run = function (enzyme, opt)
    local base = method(opt.base)
    local chains = sample(opt.k, function () return base.run(enzyme, opt) end)
    return consensus(chains, opt.tau, base)
  end,
}
