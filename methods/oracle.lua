#!/usr/bin/env ecrb
-- Oracle best channel: per item, the top hit whose EC agrees deepest with a
-- label. An upper bound on rules that trust one channel's top hit, not a method:
-- it alone is granted the labels, and every table marks it.

return {
  id = "oracle",
  title = "Oracle best channel",
  books = { "open" },
  model = false,
  grant = "labels",
  run = function (enzyme)
    local best, deepest = nil, -1
    for _, channel in ipairs(channels(enzyme)) do
      for _, number in ipairs(evidence(enzyme, channel, 1)[1].ec) do
        for _, label in ipairs(gold(enzyme)) do
          local depth = ec.shared(number, label)
          if depth > deepest then best, deepest = number, depth end
        end
      end
    end
    return elected { best and { ec = best, weight = 1 } }
  end,
}
