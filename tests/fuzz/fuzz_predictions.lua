-- Any bytes as the output of an EC predictor, of which kind the first byte says:
-- refused with its line, or answers with an EC number each and, where there is
-- one, a confidence.

local core_ec = require "core.ec"
local input = dofile "tests/fuzz/input.lua"
local predictions = require "ecrb.import.predictions"

local kinds = {
  { "clean", { confidence = "probability" } }, { "clean", { confidence = "distance" } },
  { "proteinfer", {} }, { "deepec", {} }, { "ecpred", {} }, { "table", {} },
}

local function check(answer)
  assert(core_ec.parse(answer.ec) == answer.ec)
  local value = answer.confidence
  assert(not value or value >= 0 and value <= 1, value)
end

return function (bytes)
  local place, text = input.choice(bytes, #kinds)
  local path = input.file(text, "predictions")
  local found = input.refusable(predictions.read, kinds[place][1], path, kinds[place][2])
  for _, id in ipairs(found or {}) do
    for _, answer in ipairs(found[id]) do check(answer) end
  end
end
