#!/usr/bin/env ecrb
-- M1: hierarchical cascade (output structure). From the root, pick a valid
-- child or stop; what was picked decides what is offered next.

local walk = require "ecrb.walk"

return {
  id = "m1",
  title = "Hierarchical cascade",
  books = { "closed", "open" },
  prompts = { "m1/level", "m1/choice", "repair" },
  options = {
    temperature = { 0, "sampling temperature", least = 0, optional = true },
    names = { true, "show the names of candidate nodes" },
    constrained = { false, "the endpoint lets only a candidate through; no confidence" },
  },
  run = function (enzyme, opt)
    return walk(enzyme, function (step)
      local question = prompt(opt.constrained and "m1/choice" or "m1/level", {
        enzyme = about(enzyme), evidence = evidence_text(enzyme),
        level = step.level, committed = step.node,
        candidates = candidate_text(step.candidates, opt.names),
      })
      local reply = ask(question, { temperature = opt.temperature,
        choices = opt.constrained and candidate_words(step.candidates) or nil })
      return choice(reply, step.candidates)
    end)
  end,
}
