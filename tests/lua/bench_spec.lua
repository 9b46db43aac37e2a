local bench = require "ecrb.command.bench"
local import = require "core.import"
local out = require "ecrb.out"
local release = dofile("tests/lua/care_release.lua")
local system = require "core.system"

-- What a command of `ecrb bench` prints.
local function printed(args)
  local parts, write = {}, out.write
  out.write = function (...)
    for i = 1, select("#", ...) do parts[#parts + 1] = tostring((select(i, ...))) end
  end
  local good, problem = pcall(bench.run, args)
  out.write = write
  if not good then error(problem, 0) end
  return table.concat(parts)
end

local BLAST = "P1\tA\t50\t4\t0\t0\t1\t4\t1\t4\t1e-9\t90\n"
  .. "P4\tB\t95\t4\t0\t0\t1\t4\t1\t4\t1e-9\t80\n"

local function benchmark()
  local folder = release.small { ["blast.tsv"] = BLAST }
  release.import(folder)
  return folder .. "/BENCH", folder
end

-- The benchmark after one of its files was changed by a pattern.
local function changed(name, pattern, by)
  local folder = benchmark()
  local path = folder .. "/" .. name
  local text, n = string.gsub(release.read(path), pattern, by)
  assert.equal(1, n)
  system.write(path, text)
  return folder, path
end

local function findings(folder)
  local good, problem = pcall(printed, { action = "check", bench = folder })
  assert.is_false(good)
  return release.without(folder, type(problem) == "table" and problem.message or problem)
end

describe("bench check", function ()
  it("prints what a benchmark is made of", function ()
    assert.equal([[
tree: 1 / 2 / 3 / 4 nodes
(a) items, items with several labels, difficulty
split        n  multi  D1  D2  D3  D4  D5
-----------------------------------------
30           1      0   1   0   0   0   0
30-50        1      0   0   1   0   0   0
price        1      0   0   0   0   1   0
promiscuous  1      1   0   0   1   0   0
-----------------------------------------
all          4      1   1   1   1   1   0

(b) items with a record, by channel
split        n  blast  hmmer  esm_knn  structure  active_site  pfam
-------------------------------------------------------------------
30           1      1      0        0          0            0     0
30-50        1      0      0        0          0            0     0
price        1      0      0        0          0            0     0
promiscuous  1      1      0        0          0            0     0
-------------------------------------------------------------------
all          4      2      0        0          0            0     0

near-identical training sequences among the hits: 1
no findings: evidence and labels hold together
]], printed { action = "check", bench = benchmark() })
  end)

  it("names a file that was changed or is gone", function ()
    local folder = changed("ec.tsv", "\t%-\tlabels", "\tnamed\tlabels")
    assert.equal("DIR: 1 finding\n  DIR/ec.tsv: is not the file that bench.json names "
      .. "(SHA-256 differs)", findings(folder))
    folder = benchmark()
    system.remove(folder .. "/candidates.jsonl")
    assert.equal("DIR: 1 finding\n  DIR/candidates.jsonl: is missing; bench.json names it",
      findings(folder))
  end)

  it("finds every breach of the inductive rule", function ()
    for change, expected in pairs {
      [{ "train.tsv", "\nA\t", "\nP2\t" }] = "DIR/train.tsv:2: `P2` is a test item",
      [{ "train.tsv", "\nA\t", "\nB\t" }] = "DIR/train.tsv:3: `B` stands twice",
      [{ "evidence.tsv", "\tA\t", "\tX\t" }] =
        "DIR/evidence.tsv:2: the neighbour X is not in the training set",
      [{ "evidence.tsv", "\tA\t", "\tP1\t" }] =
        "DIR/evidence.tsv:2: field \"neighbour\": `P1` is a test item; evidence comes from the "
          .. "training set alone",
      [{ "evidence.tsv", "1.1.1.2;1.10.3.2", "1.1.1.2" }] =
        "DIR/evidence.tsv:3: alias or EC numbers of B differ from train.tsv",
      [{ "evidence.tsv", "50\t%-\t1e%-09", "50\t-\t1" }] =
        "DIR/evidence.tsv:2: E-value 1, the limit is 0.001",
      [{ "evidence.tsv", "\t95\t", "\t85\t" }] =
        "DIR/decontamination.tsv:2: B is no near-identical neighbour of P4 in evidence.tsv",
      [{ "ec.tsv", "1.1.99.13", "1.1.99.14" }] =
        "DIR/labels.tsv:4: field \"ec\": `1.1.99.13` is no leaf of ec.tsv",
    } do
      local text = findings((changed(table.unpack(change))))
      assert.is_truthy(string.find(text, expected, 1, true), text)
    end
  end)

  it("finds what another tool or an editor left, by file and line", function ()
    local row = "\n(P%d\t[^\n]*)\tD%d"
    for change, expected in pairs {
      [{ "train.tsv", "\t1.1.1.1\n", "\tnone\n" }] =
        "DIR/train.tsv:2: `none` is no list of EC numbers",
      [{ "train.tsv", "\nB\tT%w+", "\nB\tTAAAAAAAA" }] =
        "DIR/evidence.tsv:3: alias or EC numbers of B differ from train.tsv",
      [{ "evidence.tsv", "\t90%.?0*\tbits", "\tmuch\tbits" }] =
        "DIR/evidence.tsv:2: field \"score\": `much`; write a decimal number",
      [{ "evidence.tsv", "P4(.-)bits", "P4%1cosine" }] =
        "DIR/evidence.tsv:3: kind `cosine`, but `bits` in line 2 of the same channel",
      [{ "decontamination.tsv", "\nP4[^\n]*", "" }] =
        "DIR/evidence.tsv:3: B, near-identical to P4, is not listed in decontamination.tsv",
      [{ "difficulty.tsv", "\nP2[^\n]*", "" }] =
        "DIR/difficulty.tsv:3: expected `P2` but found `P3`; rows follow items.tsv one by one",
      [{ "difficulty.tsv", "\nP4[^\n]*", "" }] = "DIR/difficulty.tsv: 3 items, items.tsv has 4",
      [{ "difficulty.tsv", "(\nP1\t)[%d.]+", "%17" }] =
        "DIR/difficulty.tsv:2: field \"h_split\": 7, but the benchmark gives 0.900000",
      [{ "difficulty.tsv", "(\nP1\t)[%d.]+", "%1much" }] =
        "DIR/difficulty.tsv:2: field \"h_split\": `much` is no number",
      [{ "difficulty.tsv", "(\nP1\t[%d.]+\t)[%d.]+", "%10.9" }] =
        "DIR/difficulty.tsv:2: field \"h_tail\": 0.9, but the benchmark gives 0.000000",
      [{ "difficulty.tsv", "(\nP1\t[%d.]+\t[%d.]+\t)[%d.]+", "%10.9" }] =
        "DIR/difficulty.tsv:2: field \"h_branch\": 0.9, but the benchmark gives 0.500000",
      [{ "difficulty.tsv", "(\nP1\t[%d.]+\t[%d.]+\t[%d.]+\t)[%d.]+", "%10.9" }] =
        "DIR/difficulty.tsv:2: field \"h_distr\": 0.9, but the benchmark gives 0.055556",
      [{ "difficulty.tsv", "[%d.]+\tD1", "0.9\tD1" }] =
        "DIR/difficulty.tsv:2: field \"d\": 0.9, but the benchmark gives 0.",
      [{ "difficulty.tsv", "(>=70\t)[%d.]+", "%10.9" }] =
        "DIR/difficulty.tsv:5: field \"evidence_d\": 0.9, but the benchmark gives 0.",
      [{ "difficulty.tsv", string.format(row, 1, 1), "\n%1\tD4" }] =
        "DIR/difficulty.tsv:2: field \"bin\": D4, but by the rank of its d it is D1",
      [{ "difficulty.tsv", "95.000\t>=70", "20.000\t<30" }] =
        "DIR/difficulty.tsv:5: homology 20.000, but a hit of 95% identity stands in evidence.tsv",
      [{ "difficulty.tsv", "95.000\t>=70", "95.000\t50-70" }] =
        "DIR/difficulty.tsv:5: homology bin `50-70`, but 95.000 lies in >=70",
      [{ "decontamination.tsv", "\t95\t", "\t96\t" }] =
        "DIR/decontamination.tsv:2: identity and coverage differ from line 3 of evidence.tsv",
      [{ "decontamination.tsv", "\tnear%-identical", "\tbecause" }] =
        "DIR/decontamination.tsv:2: field \"reason\": `because` is not `near-identical`",
      [{ "items.tsv", "\nP1\t30\tQ%w+", "\nP1\t30\tQAAAAAAAA" }] =
        "DIR/items.tsv:2: `P1` is shown as `QAAAAAAAA`, but seed and id give `Q",
      [{ "train.tsv", "\nA\tT%w+", "\nA\tTAAAAAAAA" }] =
        "DIR/train.tsv:2: `A` is shown as `TAAAAAAAA`, but seed and id give `T",
      [{ "candidates.jsonl", "^[^\n]*", "{}" }] =
        "DIR/candidates.jsonl:1: is not the candidate set of P1 that tree and seed give",
      [{ "candidates.jsonl", "\n[^\n]*\n$", "\n" }] =
        "DIR/candidates.jsonl: ends after line ",
      [{ "candidates.jsonl", "$", "{}\n" }] = "belongs to no item",
      [{ "bench.json", '"hits": 2', '"hits": 3' }] =
        "DIR/bench.json: evidence, blast: hits is 3, there are 2",
      [{ "bench.json", '"decontamination": 1', '"decontamination": 9' }] =
        "DIR/bench.json: counts.decontamination is 9, there are 1",
      [{ "bench.json", '"items": 4', '"items": 5' }] =
        "DIR/bench.json: counts.items is 5, there are 4",
      [{ "bench.json", '"price": 1', '"price": 2' }] =
        "DIR/bench.json: counts.splits.price is 2, there are 1",
    } do
      local text = findings((changed(table.unpack(change))))
      assert.is_truthy(string.find(text, expected, 1, true), expected .. "\n" .. text)
    end
  end)

  it("finds hits that do not stand best first", function ()
    local folder = release.small { ["blast.tsv"] = BLAST
      .. "P4\tA\t60\t4\t0\t0\t1\t4\t1\t4\t1e-5\t70\n" }
    release.import(folder)
    local path = folder .. "/BENCH/evidence.tsv"
    local text, n = string.gsub(release.read(path), "\t1e%-05", "\t1e-20")
    assert.equal(1, n)
    system.write(path, text)
    assert.is_truthy(string.find(findings(folder .. "/BENCH"),
      "DIR/evidence.tsv:4: E-value 1e-20 behind 1e-09: the best hit comes first", 1, true))
  end)

  it("checks the training sequences if it has them", function ()
    local folder, files = benchmark()
    system.write(files .. "/train.fasta", ">A\nMKVC\n")
    local good, problem = pcall(printed, { action = "check", bench = folder,
      train_fasta = files .. "/train.fasta" })
    assert.is_false(good)
    assert.is_truthy(string.find(problem, "/train.fasta:1: A has the sequence of the "
      .. "item P2", 1, true))
  end)
end)

describe("bench show", function ()
  it("shows an item without its labels", function ()
    local folder = benchmark()
    local text = printed { action = "show", item = "promiscuous/1", bench = folder }
    local shown = string.match(text, "^promiscuous/1  P4  shown as (Q%w+)\n")
    assert.is_truthy(shown)
    for _, part in ipairs { "Length: 4 residues", "Sequence:\nMKVE\n",
      "1     B          T", "1.1.1.2;1.10.3.2  80",
      "No record: hmmer, esm_knn, structure, active_site, pfam\n",
      "Candidates below -.-.-.-:\n- 1.-.-.-\n- UNSURE" } do
      assert.is_truthy(string.find(text, part, 1, true), part)
    end
    for _, part in ipairs { "Label", "Difficulty", "Candidates below 1" } do
      assert.is_nil(string.find(text, part, 1, true), part)
    end
    assert.equal(text, printed { action = "show", item = shown, bench = folder })
    assert.equal(text, printed { action = "show", item = "P4", bench = folder })
  end)

  it("shows labels, gold path and difficulty if it is asked to", function ()
    local text = printed { action = "show", item = "P4", bench = benchmark(), labels = true }
    for _, part in ipairs { "Label: 1.1.1.1\nLabel: 1.1.1.2\n", "Candidates below 1.1.1.-:\n",
      "Difficulty: D3 (d 0.541667:", "homology 95.000% (>=70)" } do
      assert.is_truthy(string.find(text, part, 1, true), part)
    end
  end)

  it("shows the candidates below a node, and refuses what is none", function ()
    local folder = benchmark()
    local text = printed { action = "show", item = "P1", bench = folder, at = "1.1" }
    assert.is_truthy(string.find(text, "Candidates below 1.1.-.-:\n", 1, true))
    for _, node in ipairs { "1.1.1.1", "7.1", "x" } do
      assert.has_error(function ()
        printed { action = "show", item = "P1", bench = folder, at = node }
      end, "--at: `" .. node .. "` is no inner node of the benchmark's tree")
    end
    assert.has_error(function ()
      printed { action = "show", item = "P9", bench = folder }
    end, "the benchmark BENCH has no item `P9`; name one as `price/3`, by its accession or "
      .. "by its anonymized id")
  end)
end)

describe("candidates.jsonl", function ()
  it("holds a line per gold parent and level", function ()
    local lines = {}
    for _, line in import.lines(benchmark() .. "/candidates.jsonl") do
      lines[#lines + 1] = line
    end
    assert.equal(16, #lines)
    assert.equal('{"candidates":["1.-.-.-"],"item":"P1","level":1,"parent":"-.-.-.-"}', lines[1])
    assert.is_truthy(string.find(lines[16], '"item":"P4","level":4,"parent":"1.1.1.-"}', 1, true))
  end)
end)
