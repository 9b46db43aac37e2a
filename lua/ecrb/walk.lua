-- The walk from the root of the EC tree: at each level offer candidates below
-- the committed node, let the method decide, commit or stop (paper, section 4,
-- M1; M2 walks the same way). What was committed decides what is offered next;
-- a stranger that was picked is committed like any other.

-- walk(enzyme, decide): decide(step) gets {level=, node=, path=, candidates=}
-- and returns a decision of `choice`: {ec=} or {unsure=true}, with confidence;
-- {more=true} turns the page where candidates have several.
-- Returns {path=, confidences=, stop=} where stop is nil at a leaf. A lost
-- world (a failed call, an unreadable reply, a spent budget) ends the walk
-- there as an abstention that carries its cause.
local function walk(enzyme, decide)
  local result = { path = {}, confidences = {} }
  local node = "-.-.-.-"
  for level = 1, 4 do
    local step = { level = level, node = node, path = result.path, page = 0 }
    local ok, decision
    repeat
      step.page = step.page + 1
      step.candidates = candidates(enzyme, node, step.page)
      ok, decision = pcall(decide, step)
    until not ok or not decision.more
    if not ok then
      local cause = lost(decision)
      if not cause then error(decision, 0) end
      result.stop = { level = level, cause = cause, message = decision.message }
      return result
    end
    result.confidences[level] = decision.confidence or false
    if decision.unsure then
      result.stop = { level = level, cause = "abstained" }
      return result
    end
    node = decision.ec
    result.path[level] = node
  end
  return result
end

return walk
