-- Ten enzymes of the first textbook chapter: a model that misses most of them
-- is not the one that was meant, or is not asked as it should be.
local ec = require "core.ec"
local statistics = require "core.statistics"

local floor = { name = "floor" }

local ENZYMES = {
  { "hexokinase", "2.7.1.1" }, { "alcohol dehydrogenase", "1.1.1.1" },
  { "L-lactate dehydrogenase", "1.1.1.27" }, { "trypsin", "3.4.21.4" },
  { "catalase", "1.11.1.6" }, { "carbonic anhydrase", "4.2.1.1" },
  { "triose-phosphate isomerase", "5.3.1.1" },
  { "fumarate hydratase", "4.2.1.2" },
  { "acetylcholinesterase", "3.1.1.7" },
  { "glutamine synthetase", "6.3.1.2" },
}

local function right(asker, enzyme)
  local answer = asker:ask(string.format("What is the EC number of %s? Answer "
    .. "with the number alone.", enzyme[1]))
  local text = answer.outcome and answer.outcome.text or ""
  for number in string.gmatch(text, "%d+%.%d+%.%d+%.%w+") do
    if ec.parse(number) == enzyme[2] then return true end
  end
  return false
end

function floor.run(asker)
  local hits = 0
  local results = asker.each(#ENZYMES, function(i)
    return right(asker, ENZYMES[i])
  end)
  for _, hit in ipairs(results) do hits = hits + (hit and 1 or 0) end
  local low, high = statistics.wilson(hits, #ENZYMES)
  return { right = hits, of = #ENZYMES, low = low, high = high }
end

return floor
