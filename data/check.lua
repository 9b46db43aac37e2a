-- Checks the bundled benchmark and says how its splits are made up:
-- lua5.4 data/check.lua [DIR]. Exits 1 if anything is not as it must be.

local here = string.match(arg[0], "^(.*)/[^/]*$") or "."
package.path = here .. "/lib/?.lua;" .. package.path

local checks = require "checks"
local ec = require "ec"

local SPLITS = { "30", "30-50", "price", "promiscuous" }

local function run_all(bench)
  local failed = 0
  for _, check in ipairs(checks) do
    local ok, why = pcall(check.run, bench)
    print(ok and "ok" or "not ok", check.what, ok and "" or why)
    failed = failed + (ok and 0 or 1)
  end
  return failed
end

-- Leaves that some training enzyme carries.
local function carried_leaves(bench)
  local carried = {}
  for _, row in ipairs(bench.train) do
    for leaf in string.gmatch(row.ec, "[^;]+") do carried[leaf] = true end
  end
  return carried
end

local function any(list, holds)
  for _, each in ipairs(list) do
    if holds(each) then return 1 end
  end
  return 0
end

-- The most levels that the first BLAST hit shares with a label.
local function top_hit_depth(item, hits)
  return hits[1] and ec.deepest(item.leaves, hits[1].leaves) or 0
end

local function add(row, item, hits, carried)
  local function known(leaf) return carried[leaf] end
  local function right(hit) return ec.deepest(item.leaves, hit.leaves) == 4 end
  local blast, hmmer = any(hits.blast, right), any(hits.hmmer, right)
  row.n = row.n + 1
  row.blast = row.blast + math.min(#hits.blast, 1)
  row.hmmer = row.hmmer + math.min(#hits.hmmer, 1)
  row.carried = row.carried + any(item.leaves, known)
  row.among = row.among + math.max(blast, hmmer)
  for level = 1, top_hit_depth(item, hits.blast) do
    row[level] = row[level] + 1
  end
end

local function summary(bench)
  local carried = carried_leaves(bench)
  print("split\tn\tblast\thmmer\tleaf carried\tamong hits\ttop hit L1..L4")
  for _, split in ipairs(SPLITS) do
    local row = { n = 0, blast = 0, hmmer = 0, carried = 0, among = 0,
      0, 0, 0, 0 }
    for _, item in ipairs(bench.items) do
      if item.split == split then
        add(row, item, bench.hits[item.item], carried)
      end
    end
    print(split, row.n, row.blast, row.hmmer, row.carried, row.among,
      string.format("%.3f %.3f %.3f %.3f", row[1] / row.n, row[2] / row.n,
        row[3] / row.n, row[4] / row.n))
  end
end

local bench = checks.open(arg[1] or here .. "/ecoli", here)
local failed = run_all(bench)
summary(bench)
os.exit(failed == 0)
