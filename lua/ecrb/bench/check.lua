-- `ecrb bench check BENCH`: everything an import makes sure of, over again on
-- the files as they are now, and what the benchmark is made of.

local benchmark = require "ecrb.benchmark"
local composition = require "ecrb.bench.composition"
local fail = require "ecrb.fail"
local import = require "core.import"
local out = require "ecrb.out"
local system = require "core.system"
local tables = require "ecrb.tables"

local action = { summary = "check a benchmark, and print what it is made of" }

local SHOWN = 50

function action.configure(p)
  p:argument("BENCH", "Benchmark folder, or the name of a bundled one."):target("bench")
    :argname("BENCH")
  p:option("--train-fasta", "Sequences of the training set, to check that none is an item's.")
    :argname("FASTA")
end

-- Problems, of which the first ones are kept.
local function new_findings()
  local findings = { n = 0 }
  function findings.add(format, ...)
    findings.n = findings.n + 1
    if findings.n <= SHOWN then findings[findings.n] = string.format(format, ...) end
  end
  return findings
end

local function check_sums(findings, bench)
  for name, sum in pairs(bench.manifest.sha256 or {}) do
    local path = bench.folder .. "/" .. name
    if not system.exists(path) then
      findings.add("%s: is missing; bench.json names it", path)
    elseif import.sha256(path) ~= sum then
      findings.add("%s: is not the file that bench.json names (SHA-256 differs)", path)
    end
  end
end

-- The training set: id to alias and ECs.
local function read_training(findings, bench)
  local path, known = bench.folder .. "/train.tsv", {}
  for line, id, shown, list in import.table(path, { "enzyme", "shown", "ec" }) do
    if known[id] then findings.add("%s:%d: `%s` stands twice", path, line, id) end
    if bench.core:find(id) then
      findings.add("%s:%d: `%s` is a test item", path, line, id)
    end
    known[id] = shown .. "\t" .. list
  end
  return known
end

local function is_near(hit)
  return (hit.identity or 0) >= 90 and (hit.coverage or 100) >= 80
end

-- That no neighbour is a test item, and that every label is a leaf, is made sure
-- of in C by whoever opens these files.
local function check_hit(findings, where, hit, known)
  local expected = hit.shown .. "\t" .. table.concat(hit.ec, ";")
  if not known[hit.neighbour] then
    findings.add("%s: the neighbour %s is not in the training set", where,
      hit.neighbour)
  elseif known[hit.neighbour] ~= expected then
    findings.add("%s: alias or EC numbers of %s differ from train.tsv", where,
      hit.neighbour)
  end
end

-- Checks the evidence of an item; returns its near-identical neighbours.
local function check_evidence(findings, bench, index, known, limits)
  local item, near = bench.core:item(index), {}
  for _, channel in ipairs(bench.core:channels()) do
    local hits = bench.core:evidence(index, channel)
    local where = item.name .. " (" .. item.id .. "), " .. channel
    if limits.neighbours and #hits > limits.neighbours then
      findings.add("%s: %d neighbours, the limit is %d", where, #hits,
        limits.neighbours)
    end
    for _, hit in ipairs(hits) do
      check_hit(findings, where, hit, known)
      if limits.evalue and (hit.evalue or 0) > limits.evalue then
        findings.add("%s: E-value %g, the limit is %g", where, hit.evalue, limits.evalue)
      end
      if is_near(hit) then near[hit.neighbour] = true end
    end
  end
  return near
end

local function listed_near(bench)
  local path, n = bench.folder .. "/decontamination.tsv", 0
  if not system.exists(path) then return nil end
  for _ in import.table(path, { "item" }) do n = n + 1 end
  return n
end

local function check_items(findings, bench, known)
  local near = 0
  for index = 1, #bench.core do
    local found = check_evidence(findings, bench, index, known,
      bench.manifest.limits or {})
    for _ in pairs(found) do near = near + 1 end
  end
  local listed = listed_near(bench)
  if listed and listed ~= near then
    findings.add("%s/decontamination.tsv: lists %d near-identical neighbours, the "
      .. "evidence has %d", bench.folder, listed, near)
  end
  return near
end

local function check_sequences(findings, bench, path)
  local holder = {}
  for index = 1, #bench.core do
    local item = bench.core:item(index)
    holder[item.sequence] = item.id
  end
  for line, record in import.fasta(path) do
    if holder[record.sequence] then
      findings.add("%s:%d: %s has the sequence of the item %s", path, line,
        record.id, holder[record.sequence])
    end
  end
end

local function say_tree(bench)
  local tree = bench.core:tree()
  out.write(string.format("tree: %d / %d / %d / %d nodes\n", tree:count(1),
    tree:count(2), tree:count(3), tree:count(4)))
end

local function refuse(findings, bench)
  if findings.n == 0 then return end
  local more = findings.n > SHOWN and "\n  ..." or ""
  fail("%s: %d findings\n  %s%s", bench.folder, findings.n,
    table.concat(findings, "\n  "), more)
end

function action.run(args)
  local bench = benchmark.open(args.bench)
  local findings = new_findings()
  check_sums(findings, bench)
  local near = check_items(findings, bench, read_training(findings, bench))
  if args.train_fasta then check_sequences(findings, bench, args.train_fasta) end
  say_tree(bench)
  local size, coverage = composition.of(bench)
  out.write(tables.write("text", size), "\n", tables.write("text", coverage), "\n")
  out.write("near-identical training sequences among the hits: ", near, "\n")
  refuse(findings, bench)
  out.write("no findings: evidence and labels hold together\n")
  return 0
end

return action
