-- `ecrb bench check BENCH`: everything an import makes sure of, over again on
-- the files as they are now, and what the benchmark is made of.

local aliases = require "ecrb.bench.check.aliases"
local benchmark = require "ecrb.benchmark"
local candidates = require "ecrb.bench.check.candidates"
local counted = require "ecrb.counted"
local composition = require "ecrb.bench.composition"
local decontamination = require "ecrb.bench.check.decontamination"
local difficulty = require "ecrb.bench.check.difficulty"
local evidence = require "ecrb.bench.check.evidence"
local fail = require "ecrb.fail"
local import = require "core.import"
local new_findings = require "ecrb.bench.check.findings".new
local out = require "ecrb.out"
local system = require "core.system"
local tables = require "ecrb.tables"
local training = require "ecrb.bench.check.training"

local action = { summary = "check a benchmark, and print what it is made of" }

function action.configure(p)
  p:argument("BENCH", "benchmark folder, or the name of a bundled one"):target("bench")
    :argname("BENCH")
  p:option("--train-fasta", "sequences of the training set, to check that none is an item's")
    :argname("FASTA")
end

local function as_table(value)
  return type(value) == "table" and value or {}
end

local function sorted_names(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local function check_sums(findings, bench)
  local sums = as_table(bench.manifest.sha256)
  for _, name in ipairs(sorted_names(sums)) do
    local path = bench.folder .. "/" .. name
    if not system.exists(path) then
      findings:add("%s: is missing; bench.json names it", path)
    elseif import.sha256(path) ~= sums[name] then
      findings:add("%s: is not the file that bench.json names (SHA-256 differs)", path)
    end
  end
end

-- What bench.json counts, and what there is.
local function check_counts(findings, bench, there)
  local told = as_table(bench.manifest.counts)
  local function compare(name, said, is)
    if type(said) == "number" and is and said ~= is then
      findings:add("%s/bench.json: counts.%s is %g, there are %d", bench.folder, name, said, is)
    end
  end
  for _, name in ipairs(sorted_names(there)) do compare(name, told[name], there[name]) end
  local splits, counts = benchmark.splits(bench)
  for _, split in ipairs(splits) do
    compare("splits." .. split, as_table(told.splits)[split], counts[split])
  end
end

-- The rows of a table; nil where there is none.
local function rows_of(bench, name)
  local path, n = bench.folder .. "/" .. name .. ".tsv", 0
  if not system.exists(path) then return nil end
  for _ in import.table(path, {}, "\t") do n = n + 1 end
  return n
end

local function say_tree(bench)
  local tree = bench.core:tree()
  out.write(string.format("tree: %d / %d / %d / %d nodes\n", tree:count(1),
    tree:count(2), tree:count(3), tree:count(4)))
end

local function say_composition(bench, near)
  say_tree(bench)
  local size, coverage = composition.of(bench)
  out.write(tables.write("text", size), "\n", tables.write("text", coverage), "\n")
  out.write("near-identical training sequences among the hits: ", near, "\n")
end

local function refuse(findings, bench)
  if findings.n == 0 then return end
  fail("%s: %s\n  %s", bench.folder, counted("%d {finding|findings}", findings.n),
    findings:text())
end

function action.run(args)
  local bench, findings = benchmark.open(args.bench), new_findings()
  check_sums(findings, bench)
  aliases.items(findings, bench)
  aliases.control(findings, bench)
  local known, carriers, enzymes = training.read(findings, bench)
  local near, hits = evidence.check(findings, bench, known)
  decontamination(findings, bench, near)
  difficulty(findings, bench, carriers)
  candidates(findings, bench)
  check_counts(findings, bench, { items = #bench.core, train = enzymes, evidence = hits,
    labels = rows_of(bench, "labels"), ec = rows_of(bench, "ec"),
    difficulty = rows_of(bench, "difficulty"), superseded = rows_of(bench, "superseded"),
    decontamination = rows_of(bench, "decontamination"), raw_ids = rows_of(bench, "raw_ids") })
  if args.train_fasta then training.sequences(findings, bench, args.train_fasta) end
  say_composition(bench, #sorted_names(near))
  refuse(findings, bench)
  out.write("no findings: evidence and labels hold together\n")
  return 0
end

return action
