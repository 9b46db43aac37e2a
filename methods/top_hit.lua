#!/usr/bin/env ecrb
-- Top hit: the EC number of one channel's best neighbour (control without a
-- model). Where the neighbour carries several, the first in EC order is given;
-- all of them stand in the record as its set answer.

return {
  id = "top",
  title = "Top hit of a channel",
  books = { "open" },
  model = false,
  options = { channel = { "blast", "blast, hmmer, structure, ...", channels = true } },
  run = function (enzyme, opt)
    local hit = evidence(enzyme, opt.channel, 1)[1]
    if not hit then return { path = {}, stop = { level = 1, cause = "abstained" } } end
    local result = elected { { ec = hit.ec[1], weight = 1 } }
    result.others = #hit.ec > 1 and { table.unpack(hit.ec, 2) } or nil
    return result
  end,
}
