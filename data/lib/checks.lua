-- What must be true of the bundled benchmark: a list of {what, check}, where
-- check(bench) raises with the reason if it is not. `open` reads the tables.

local draw = require "draw"
local ec = require "ec"
local files = require "files"
local search = require "search"

local checks = {}

local NAMES = { "ec", "items", "labels", "train", "evidence", "difficulty",
  "decontamination", "superseded" }
local LEAST = { ["30"] = 25, ["30-50"] = 25, price = 25, promiscuous = 15 }
local MOST_BYTES = 3000000
local BINS = 5

local function numbers(text)
  local list = {}
  for number in string.gmatch(text, "[^;]+") do list[#list + 1] = number end
  return list
end

local function index(rows, column)
  local found = {}
  for _, row in ipairs(rows) do found[row[column]] = row end
  return found
end

-- {item = {channel = {row...}}}, with numbers as numbers.
local function by_item(items, evidence)
  local hits = {}
  for _, item in ipairs(items) do
    hits[item.item] = { blast = {}, hmmer = {} }
  end
  for _, row in ipairs(evidence) do
    row.bits, row.e = tonumber(row.score), tonumber(row.evalue)
    row.identity, row.leaves = tonumber(row.identity), numbers(row.ec)
    row.coverage = tonumber(row.coverage)
    table.insert(hits[row.item][row.channel], row)
  end
  return hits
end

-- Reads the benchmark in `dir`; `facts` is the folder of bifunctional.tsv.
function checks.open(dir, facts)
  local bench = { dir = dir, manifest = table.concat(
    files.lines(dir .. "/bench.json"), "\n"),
    bifunctional = files.rows(facts .. "/bifunctional.tsv") }
  for _, name in ipairs(NAMES) do
    bench[name] = files.rows(dir .. "/" .. name .. ".tsv")
  end
  bench.leaves = index(bench.ec, "ec")
  bench.enzymes = index(bench.train, "enzyme")
  bench.hits = by_item(bench.items, bench.evidence)
  for i, row in ipairs(bench.items) do
    row.leaves = numbers(bench.labels[i].ec)
  end
  return bench
end

local function expect(holds, format, ...)
  if not holds then error(string.format(format, ...), 0) end
end

local function check(what, run)
  checks[#checks + 1] = { what = what, run = run }
end

local function split_sizes(bench)
  local n = {}
  for _, item in ipairs(bench.items) do
    n[item.split] = (n[item.split] or 0) + 1
  end
  return n
end

check("four splits, none too small", function (bench)
  local n = split_sizes(bench)
  for split, least in pairs(LEAST) do
    expect((n[split] or 0) >= least, "%s has %d items", split, n[split] or 0)
    n[split] = nil
  end
  expect(next(n) == nil, "there is a split %s", next(n))
end)

check("the counts of bench.json are true", function (bench)
  local claimed = { items = #bench.items, training = #bench.train,
    hits = #bench.evidence, leaves = 0 }
  for _, row in ipairs(bench.ec) do
    if row.origin ~= "name" then claimed.leaves = claimed.leaves + 1 end
  end
  for split, n in pairs(split_sizes(bench)) do claimed[split] = n end
  for what, n in pairs(claimed) do
    local plain = string.gsub(what, "%-", "%%-")
    local said = string.match(bench.manifest, '"' .. plain .. '": (%d+)')
    expect(tonumber(said) == n, "%s: %s said, %d there", what, said, n)
  end
end)

check("the checksums of bench.json are true", function (bench)
  for _, name in ipairs(NAMES) do
    local sum = files.sha256(bench.dir .. "/" .. name .. ".tsv")
    expect(string.find(bench.manifest, sum, 1, true), "%s.tsv", name)
  end
end)

check("a superseded number is no leaf, and what it became is one", function (bench)
  for _, row in ipairs(bench.superseded) do
    expect(not bench.leaves[row.ec], "%s is a leaf", row.ec)
    expect(row.now == "-" or row.status == "transferred", "%s", row.ec)
    for _, leaf in ipairs(row.now == "-" and {} or numbers(row.now)) do
      expect(bench.leaves[leaf], "%s became %s, which is no leaf", row.ec, leaf)
    end
  end
end)

check("the folder stays under 3 MB", function (bench)
  local bytes = #bench.manifest
  for _, name in ipairs(NAMES) do
    local file = assert(io.open(bench.dir .. "/" .. name .. ".tsv"))
    bytes = bytes + file:seek("end")
    file:close()
  end
  expect(bytes < MOST_BYTES, "%d bytes", bytes)
end)

check("ids and shown names are unique", function (bench)
  local seen = {}
  local function once(text)
    expect(not seen[text], "%s stands twice", text)
    seen[text] = true
  end
  for _, row in ipairs(bench.items) do
    once(row.item)
    if row.flags ~= "visible" then once(row.shown) end
  end
  for _, row in ipairs(bench.train) do
    once(row.enzyme)
    once(row.shown)
  end
end)

check("only a control subset shows its ids", function (bench)
  for _, row in ipairs(bench.items) do
    local visible = row.flags == "visible"
    expect(visible == (row.item == row.shown), "%s", row.item)
    local hidden = #row.shown == 9 and string.find(row.shown, "^Q[A-Z2-7]+$")
    expect(visible or hidden, "%s is shown as %s", row.item, row.shown)
    expect(not visible or string.find(row.item, "^E?G%d+%-MONOMER$"),
      "%s speaks", row.item)
  end
end)

check("labels stand in the order of the items", function (bench)
  expect(#bench.labels == #bench.items, "%d labels", #bench.labels)
  for i, row in ipairs(bench.items) do
    expect(row.item == bench.labels[i].item, "row %d: %s", i, row.item)
  end
end)

check("every label and every training EC is a named leaf", function (bench)
  for _, rows in ipairs({ bench.labels, bench.train }) do
    for _, row in ipairs(rows) do
      for _, number in ipairs(numbers(row.ec)) do
        local leaf = bench.leaves[number]
        local listed = leaf and leaf.origin == "list"
        expect(listed and leaf.name ~= "-", "%s", number)
      end
    end
  end
end)

check("every inner node has a name", function (bench)
  for _, row in ipairs(bench.ec) do
    for level = 1, row.origin == "name" and 0 or 3 do
      local node = ec.prefix(row.ec, level)
      expect(bench.leaves[node], "%s has none", node)
    end
  end
end)

check("no item is in the training set", function (bench)
  for _, row in ipairs(bench.items) do
    expect(not bench.enzymes[row.item], "%s", row.item)
  end
end)

check("no two items share a sequence, and lengths are CARE's", function (bench)
  local seen = {}
  for _, row in ipairs(bench.items) do
    expect(not seen[row.sequence], "%s", row.item)
    expect(#row.sequence > 100 and #row.sequence < 1024, "%s", row.item)
    expect(not string.find(row.sequence, "[^A-Z]"), "%s", row.item)
    seen[row.sequence] = true
  end
end)

check("every hit is a training enzyme, as train.tsv has it", function (bench)
  for _, row in ipairs(bench.evidence) do
    local enzyme = bench.enzymes[row.neighbour]
    expect(enzyme and enzyme.ec == row.ec and enzyme.shown == row.shown,
      "line %d: %s", row.line, row.neighbour)
  end
end)

local function in_order(a, b)
  return a.e < b.e or a.e == b.e and a.bits >= b.bits
end

local function check_block(item, block)
  local seen = {}
  expect(#block <= search.most, "%s has %d hits", item, #block)
  for rank, row in ipairs(block) do
    expect(tonumber(row.rank) == rank, "line %d: rank", row.line)
    expect(row.e <= tonumber(search.evalue), "line %d: E-value", row.line)
    expect(not seen[row.neighbour], "line %d: twice", row.line)
    expect(rank == 1 or in_order(block[rank - 1], row), "line %d", row.line)
    seen[row.neighbour] = true
  end
end

check("hits are few, significant, ranked, one per neighbour", function (bench)
  for item, channels in pairs(bench.hits) do
    for _, block in pairs(channels) do check_block(item, block) end
  end
end)

check("every item keeps the rule of its split", function (bench)
  local rules, carries = index(draw.splits, "name"), {}
  for id, enzyme in pairs(bench.enzymes) do
    carries[id] = { ec = numbers(enzyme.ec) }
  end
  for _, row in ipairs(bench.items) do
    local hits = bench.hits[row.item].blast
    expect(rules[row.split].admits({ ec = row.leaves }, hits, carries),
      "%s is no item of %s", row.item, row.split)
  end
end)

check("promiscuous labels are those of bifunctional.tsv", function (bench)
  local known = index(bench.bifunctional, "ec")
  for i, row in ipairs(bench.items) do
    expect((row.split == "promiscuous") == (#row.leaves > 1), "%s", row.item)
    expect(#row.leaves == 1 or known[bench.labels[i].ec], "%s", row.item)
  end
end)

check("the activities of a bifunctional enzyme part by level 3", function (bench)
  for _, row in ipairs(bench.bifunctional) do
    local parted, leaves = false, numbers(row.ec)
    for _, leaf in ipairs(leaves) do
      parted = parted or ec.shared(leaf, leaves[1]) < 3
    end
    expect(parted, "%s", row.gene)
  end
end)

check("difficulty follows from its axes and the evidence", function (bench)
  local bins = {}
  for i, row in ipairs(bench.difficulty) do
    local mean = (row.h_split + row.h_tail + row.h_branch + row.h_distr) / 4
    expect(math.abs(mean - row.d) < 2e-6, "line %d: d", row.line)
    expect(row.item == bench.items[i].item, "line %d: order", row.line)
    local homology = draw.homology(bench.hits[row.item].blast)
    expect(math.abs(homology - row.homology) < 1e-9, "line %d", row.line)
    bins[row.bin] = (bins[row.bin] or 0) + 1
  end
  for bin = 1, BINS do
    local size = #bench.items // BINS + (bin <= #bench.items % BINS and 1 or 0)
    expect(bins["D" .. bin] == size, "D%d has %s", bin, bins["D" .. bin])
  end
end)

check("every near-identical neighbour is listed", function (bench)
  local listed = 0
  for _, row in ipairs(bench.evidence) do
    if (row.identity or 0) >= 90 and row.coverage >= 80 then
      listed = listed + 1
    end
  end
  expect(listed == #bench.decontamination, "%d of %d", #bench.decontamination,
    listed)
end)

return checks
