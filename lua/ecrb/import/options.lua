-- The options that every import has.

local evidence = require "ecrb.import.evidence"
local numbers = require "ecrb.numbers"

local function input(p)
  p:option("--train", "training set: a table with the columns `id` and `ec`, or CARE's "
    .. "protein_train.csv; evidence needs it"):argname("TABLE")
  p:option("--train-fasta", "sequences of the training set, to check that none is an item's")
    :argname("FASTA")
  for _, source in ipairs(evidence.sources) do
    p:option("--" .. source.option, "evidence: " .. source.about)
      :argname("FILE[:COLUMNS]")
  end
  p:option("--evidence", "evidence of a channel of any name; may be repeated")
    :argname("CHANNEL=FILE[:COLUMNS]"):count("*")
  p:option("--names", "names and fates of EC numbers, may be repeated: a table with the "
    .. "columns `ec` and `name`, CARE's text2EC.csv, Expasy's enzyme.dat or enzclass.txt, "
    .. "ExplorEnz's dump or tables"):argname("FILE"):count("*")
end

local function limits(p)
  p:option("--evalue", "largest E-value of a hit"):argname("E")
    :convert(numbers.within { least = 0 }):default("1e-3")
  p:option("--neighbours", "most neighbours an item and channel"):argname("N")
    :convert(numbers.whole(1)):default("10")
  p:option("--visible", "items a split whose real ids a model may see"):argname("N")
    :convert(numbers.whole(0)):default("5")
  p:option("--seed", "seed of anonymized ids, candidates and the items above"):argname("N")
    :convert(numbers.whole(0)):default("1")
end

local function output(p)
  p:option("-o --out", "benchmark folder to make"):argname("BENCH"):count(1)
  p:flag("--force", "replace a benchmark that stands there")
  p:option("--name", "name of the benchmark (default: its folder's)"):argname("NAME")
  p:flag("--no-candidates", "leave candidates.jsonl out")
end

return function (p)
  output(p)
  input(p)
  limits(p)
end
