#!/usr/bin/env ecrb
-- M5: arbiter (beyond the paper, its finding 3). Read the evidence first. Where
-- the channels' top hits agree, vote without a model call; where they conflict,
-- let the model arbitrate between the branches in question and nothing else.
-- Where one enzyme consistently carries several ECs, all are answered as a set.

-- The ECs of each channel's best hits, and in how many channels each stands.
local function read(enzyme, opt)
  local numbers, carriers, asked = {}, {}, 0
  for _, channel in ipairs(split(opt.channels, ",")) do
    local hits = evidence(enzyme, channel, opt.hits)
    asked = asked + (#hits > 0 and 1 or 0)
    for rank, hit in ipairs(hits) do
      for _, number in ipairs(hit.ec) do
        if not carriers[number] then numbers[#numbers + 1] = number end
        carriers[number] = (carriers[number] or 0) + (rank == 1 and 1 or 0)
      end
    end
  end
  return numbers, carriers, asked
end

-- What every channel's top hit carries, if nothing else stands at the top.
local function agreed(numbers, carriers, channel_count)
  local top = {}
  for _, number in ipairs(numbers) do
    if carriers[number] == channel_count then top[#top + 1] = number end
    if carriers[number] > 0 and carriers[number] < channel_count then return nil end
  end
  return top[1] and top
end

return {
  id = "m5",
  title = "Arbiter of conflicting evidence",
  books = { "open" },
  prompts = { "m5/arbitrate", "repair" },
  options = {
    channels = { "blast,hmmer", "channels that are read", channels = true },
    hits = { 5, "neighbours of each that name a branch", whole = true, least = 1 },
    temperature = { 0, "sampling temperature", least = 0, optional = true },
  },
  run = function (enzyme, opt)
    local numbers, carriers, channel_count = read(enzyme, opt)
    if channel_count == 0 then return elected {} end
    local same = agreed(numbers, carriers, channel_count)
    if same then
      local result = elected { { ec = same[1], weight = 1 } }
      result.others, result.saved = { table.unpack(same, 2) }, 1
      return result
    end
    local branches = {}
    for i, number in ipairs(numbers) do branches[i] = { ec = number } end
    local reply = ask(prompt("m5/arbitrate", {
      enzyme = about(enzyme), evidence = evidence_text(enzyme),
      candidates = candidate_text(branches),
    }), opt)
    local decision = choice(reply, branches)
    if decision.unsure then
      return { path = {}, confidence = decision.confidence,
               stop = { level = 1, cause = "abstained" } }
    end
    return { path = ec.path(decision.ec), confidence = decision.confidence }
  end,
}
