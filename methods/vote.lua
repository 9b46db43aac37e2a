#!/usr/bin/env ecrb
-- Neighbour vote: the reference without a model. The top hit of each channel
-- gives one vote to each complete EC that it carries; a tie goes to the EC met
-- first (channels in the order given, ECs in EC order).

return {
  id = "vote",
  title = "Neighbour vote",
  books = { "open" },
  model = false,
  options = {
    channels = { "blast,hmmer", "channels, in voting order", channels = true },
    hits = { 1, "hits of each channel that vote", whole = true, least = 1 },
    weight = { "one", "weight of a vote: one, bits (the channel's score) or rank (1/rank)",
               one_of = { "one", "bits", "rank" } },
  },
  run = function (enzyme, opt)
    local weights = {
      one = function () return 1 end,
      bits = function (hit) return hit.score end,
      rank = function (hit) return 1 / hit.rank end,
    }
    local weight = weights[opt.weight]
    local ballots = {}
    for _, channel in ipairs(split(opt.channels, ",")) do
      for _, hit in ipairs(evidence(enzyme, channel, opt.hits)) do
        for _, number in ipairs(hit.ec) do
          ballots[#ballots + 1] = { ec = number, weight = weight(hit) }
        end
      end
    end
    return elected(ballots)
  end,
}
