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

-- Whether the answer is right; nil where there is none, which says nothing of
-- what the model knows.
local function right(asker, enzyme)
  local answer = asker:ask(string.format("What is the EC number of %s? Answer "
    .. "with the number alone.", enzyme[1]))
  local outcome = answer.outcome or { ok = false }
  if not outcome.ok and not outcome.finish then return nil end
  for number in string.gmatch(outcome.text or "", "%d+%.%d+%.%d+%.%w+") do
    if ec.parse(number) == enzyme[2] then return true end
  end
  return false
end

function floor.run(asker)
  local hits, answered = 0, 0
  asker.each(#ENZYMES, function(i)
    local hit = right(asker, ENZYMES[i])
    hits = hits + (hit and 1 or 0)
    answered = answered + (hit ~= nil and 1 or 0)
  end)
  local low, high = 0, 1
  if answered > 0 then low, high = statistics.wilson(hits, answered) end
  return { right = hits, of = answered, failed = #ENZYMES - answered, low = low,
           high = high }
end

return floor
