-- The options that every import has.

local evidence = require "ecrb.import.evidence"

local function number(least, whole)
  return function (value)
    local n = whole and math.tointeger(tonumber(value)) or tonumber(value)
    if n and n >= least then return n end
    return nil, string.format("`%s` is no %snumber of at least %s", value,
      whole and "whole " or "", least)
  end
end

local function input(p)
  p:option("--train", "Training set: a table with the columns `id` and `ec`.")
    :argname("TSV")
  p:option("--train-fasta", "Its sequences, to check that none is a test item's.")
    :argname("FASTA")
  for _, source in ipairs(evidence.sources) do
    p:option("--" .. source.option, "Evidence: " .. source.about .. ".")
      :argname("FILE[:COLUMNS]")
  end
  p:option("--evidence", "Evidence of any channel; `*` marks the score's column.")
    :argname("CHANNEL=FILE[:COLUMNS]"):count("*")
  p:option("--names", "Names and fates of EC numbers: a table with the columns `ec` and "
    .. "`name`, CARE's text2EC.csv, Expasy's enzyme.dat or enzclass.txt, ExplorEnz's dump "
    .. "or tables."):argname("FILE"):count("*")
end

local function limits(p)
  p:option("--evalue", "Hits up to this E-value count (1e-3)."):argname("E")
    :convert(number(0)):default(1e-3)
  p:option("--neighbours", "Neighbours an item and channel (10)."):argname("N")
    :convert(number(1, true)):default(10)
  p:option("--visible", "Items a split whose real ids a model may see (5).")
    :argname("N"):convert(number(0, true)):default(5)
  p:option("--seed", "The benchmark's seed (1)."):argname("N")
    :convert(number(0, true)):default(1)
end

local function output(p)
  p:option("-o --out", "The benchmark folder to make."):argname("BENCH"):count(1)
  p:flag("--force", "Replace a benchmark of that name.")
  p:option("--name", "Its name (default: the folder's)."):argname("NAME")
  p:flag("--no-candidates", "Leave candidates.jsonl out.")
end

return function (p)
  output(p)
  input(p)
  limits(p)
end
