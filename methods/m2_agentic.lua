#!/usr/bin/env ecrb
-- M2: agentic search (external knowledge). M1's walk with a budgeted ReAct loop
-- at each level: form a hypothesis, judge whether the evidence suffices, then
-- commit to a candidate or call one evidence channel and read the observation.

local walk = require "ecrb.walk"

return {
  id = "m2",
  title = "Agentic search",
  books = { "open" },
  prompts = { "m2/turn", "m2/tools", "repair" },
  options = {
    temperature = { 0, "sampling temperature", least = 0, optional = true },
    turns = { 3, "turns at one level; the last must decide", whole = true, least = 1 },
    calls = { 4, "evidence calls for one enzyme", whole = true, least = 0 },
    names = { true, "show the names of candidate nodes" },
    protocol = { "text", "how channels are called: in the text, or as native tools",
                 one_of = { "text", "tools" } },
  },
  run = function (enzyme, opt, offered)
    local left, observations, thoughts = opt.calls, {}, {}
    offered = offered or channels(enzyme)
    local native = opt.protocol == "tools"

    local function turn(step, menu)
      local reply = ask(prompt(native and "m2/tools" or "m2/turn", {
        enzyme = about(enzyme), observations = observation_text(observations),
        thoughts = thought_text(thoughts), level = step.level, committed = step.node,
        candidates = candidate_text(step.candidates, opt.names),
        menu = menu_text(menu, observations, left),
      }), { temperature = opt.temperature,
            tools = native and menu_tools(menu, observations) or nil })
      thoughts[#thoughts + 1] = { level = step.level, hypothesis = field(reply, "HYPOTHESIS"),
                                  enough = field(reply, "ENOUGH") }
      return choice(reply, step.candidates, menu)
    end

    return walk(enzyme, function (step)
      for n = 1, opt.turns do
        local menu = (n < opt.turns and left > 0) and offered or {}
        local decision = turn(step, menu)
        if not decision.call then return decision end
        left = left - 1
        observations[#observations + 1] = retrieve(enzyme, decision.call)
      end
    end)
  end,
}
