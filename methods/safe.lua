#!/usr/bin/env ecrb
-- Safe prefix (annotation without a model): the deepest node that the nearest
-- training enzymes agree on. From the root, take the child that most of them
-- carry while their share reaches tau; the fourth level is told only where one
-- of them is near enough. With the defaults nine in ten of the nodes that it
-- commits on CARE's items are right.

-- The first hits of each channel, those near its best one by score.
local function neighbours(enzyme, opt)
  local list = {}
  for _, channel in ipairs(split(opt.channels, ",")) do
    local hits = evidence(enzyme, channel, opt.hits)
    for _, hit in ipairs(hits) do
      if hit.score >= opt.near * hits[1].score then list[#list + 1] = hit end
    end
  end
  return list
end

-- The child of a node that most neighbours carry (a tie to the one met first),
-- their share, and the best identity among them.
local function leading(hits, node, level)
  local carriers, identity, best = {}, {}, nil
  for _, hit in ipairs(hits) do
    local seen = {}
    for _, number in ipairs(hit.ec) do
      local child = ec.prefix(number, level)
      if ec.level(child) == level and ec.prefix(child, level - 1) == node and not seen[child] then
        seen[child], carriers[child] = true, (carriers[child] or 0) + 1
        identity[child] = math.max(identity[child] or 0, hit.identity or 0)
        if not best or carriers[child] > carriers[best] then best = child end
      end
    end
  end
  return best, best and carriers[best] / #hits or 0, best and identity[best]
end

return {
  id = "safe",
  title = "Safe prefix of the neighbours",
  books = { "open" },
  model = false,
  options = {
    channels = { "blast,hmmer", "channels whose hits have a say", channels = true },
    hits = { 5, "hits of each that have one", whole = true, least = 1 },
    near = { 0.6, "share of the channel's best score that a hit needs", least = 0, most = 1 },
    tau = { 0.8, "share of the hits that a node needs", least = 0, most = 1 },
    identity = { 40, "percent that one of them needs for the fourth level", least = 0 },
  },
  run = function (enzyme, opt)
    local hits, path, node = neighbours(enzyme, opt), {}, "-.-.-.-"
    local confidence = 0
    for level = 1, 4 do
      local child, share, identity = leading(hits, node, level)
      local far = level == 4 and child and identity < opt.identity
      if share < opt.tau or far then
        return { path = path, confidence = confidence, stop = { level = level,
          cause = "abstained", message = far and "no neighbour is near enough for level 4"
            or #hits > 0 and "the neighbours part at level " .. level or nil } }
      end
      path[level], node, confidence = child, child, share
    end
    return { path = path, confidence = confidence }
  end,
}
