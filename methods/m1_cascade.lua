#!/usr/bin/env ecrb
-- M1: hierarchical cascade (output structure). From the root, pick a valid
-- child or stop; what was picked decides what is offered next.

local walk = require "ecrb.walk"

return {
  id = "m1",
  title = "Hierarchical cascade",
  books = { "closed", "open" },
  prompts = { "m1/level", "repair" },
  options = {
    temperature = { 0, "sampling temperature" },
    names = { true, "show the names of candidate nodes" },
  },
  run = function (enzyme, opt)
    return walk(enzyme, function (step)
      local reply = ask(prompt("m1/level", {
        enzyme = about(enzyme), evidence = evidence_text(enzyme),
        level = step.level, committed = step.node,
        candidates = candidate_text(step.candidates, opt.names),
      }), opt)
      return choice(reply, step.candidates)
    end)
  end,
}
