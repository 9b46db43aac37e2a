-- What chains that were sampled agree on (M4): the result of their prefix vote, and
-- whether it is decided before all are in. A chain is what a method's `run` returned.

local core_vote = require "core.vote"

local consensus = {}

-- The confidence of a chain; of a walk the one given with the last step taken.
local function confidence_of(chain)
  if chain.confidence == nil and chain.confidences then
    return chain.confidences[#chain.confidences] or nil
  end
  return chain.confidence
end

local function mean_confidence(chains)
  local sum, n = 0, 0
  for _, chain in ipairs(chains) do
    local confidence = confidence_of(chain)
    if confidence then sum, n = sum + confidence, n + 1 end
  end
  return n > 0 and sum / n or nil
end

local function is_lost(chain)
  return #chain.path == 0 and chain.stop and chain.stop.cause ~= "abstained"
end

-- Why the vote went no deeper: where no chain had an answer, what the first was lost
-- to.
local function cause_of(chains)
  for _, chain in ipairs(chains) do
    if not is_lost(chain) then return "abstained" end
  end
  return chains[1] and chains[1].stop.cause or "abstained"
end

-- The result of the vote over `k` chains, of which those that were not drawn vote for
-- nothing. `free_text` tells whether the chains' answers are.
function consensus.of(chains, tau, k, free_text)
  local paths = {}
  for i = 1, math.max(#chains, k) do paths[i] = chains[i] and chains[i].path or {} end
  local won = core_vote.prefix(paths, tau)
  local depth = #won.path
  return { path = won.path, confidence = mean_confidence(chains), share = won.winning_share,
    shares = won.share, consensus = depth, free_text = free_text,
    stop = depth < 4 and { level = depth + 1, cause = cause_of(chains),
                           message = won.tied and "the leading nodes tied" or nil } or nil }
end

local function same_path(a, b)
  return table.concat(a, " ") == table.concat(b, " ")
end

-- Whether the vote of k chains is decided by those that are in.
function consensus.is_settled(chains, k, tau)
  local left = k - #chains
  for i = 2, #chains do
    if not same_path(chains[1].path, chains[i].path) then return false end
  end
  local decided = #chains / k >= tau and #chains > left
  return decided and (left / k < tau or #chains[1].path == 4)
end

return consensus
