-- Runs for the tests of the page and the bench of reports:
--   ecrb lua tests/page/make.lua small|large|full DIR
-- Small: two models in three settings on the bundled benchmark; one model and
-- one reply are hostile. Large: 12,141 records, nine settings of 1,349 items, a
-- call each. Full: the same with all calls.

local benchmark = require "ecrb.benchmark"
local synthetic = dofile "tests/support/synthetic.lua"

local kind, folder = arg[1], arg[2]

if kind == "large" or kind == "full" then
  local bench = benchmark.open(synthetic.benchmark(folder .. "/bench"))
  synthetic.runs(folder .. "/runs", bench, synthetic.nine,
    { model = "alpha", calls = kind == "large" and 1 or nil })
else
  local bench = benchmark.open("ecoli")
  local settings = { "b0-closed", "m2", "m4-open" }
  synthetic.runs(folder .. "/runs", bench, settings,
    { model = "alpha", hostile = 3 })
  for _, setting in ipairs(settings) do
    synthetic.run(folder .. "/runs/hostile-" .. setting, bench, setting,
      { model = "<img src=x onerror=alert(1)>", seed = 2 })
  end
end
