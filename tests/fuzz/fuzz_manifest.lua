-- Any bytes as the bench.json of a benchmark: refused in a sentence, or what is
-- said of the benchmark can be written.

local input = dofile "tests/fuzz/input.lua"
local benchmark = require "ecrb.benchmark"
local check = require "ecrb.bench.check"
local show = require "ecrb.bench.show"

require "ecrb.out".write = function () end

local folder = input.folder "bench"
for name, text in pairs {
  ["ec.tsv"] = "ec\tname\torigin\n1.1.1.1\tx\tlist\n1.1.1.2\t-\tlist\n",
  ["items.tsv"] = "item\tsplit\tshown\tflags\tsequence\nP1\t30\te1\t-\tMK\nP2\t30\te2\t-\tMKV\n",
  ["labels.tsv"] = "item\tec\nP1\t1.1.1.1\nP2\t1.1.1.2\n",
} do
  input.file(text, "bench/" .. name)
end

return function (bytes)
  input.file(bytes, "bench/bench.json")
  local bench = input.refusable(benchmark.open, folder)
  if bench then
    assert(type(bench.name) == "string" and #bench.core == 2)
    benchmark.contents(bench)
  end
  input.refusable(check.run, { bench = folder })
  input.refusable(show.run, { bench = folder, item = "P1", labels = true })
end
