local bench = require "core.bench"
local evidence = require "ecrb.import.evidence"
local json = require "ecrb.json"
local release = dofile("tests/lua/care_release.lua")

local function source(option, text)
  for _, kind in ipairs(evidence.sources) do
    if kind.option == option then return evidence.source(kind, text) end
  end
end

describe("evidence on the command line", function ()
  it("is FILE or FILE:COLUMNS", function ()
    assert.same({ channel = "blast", format = "tabular", path = "b.tsv" },
      source("blast", "b.tsv"))
    assert.same({ channel = "blast", format = "tabular", path = "b.tsv", columns = "a b,c" },
      source("blast", "b.tsv:a b,c"))
    local path = release.write("odd:name", "")
    assert.equal(path, source("blast", path).path)
  end)

  it("says the direction of a HMMER table", function ()
    assert.same({ channel = "hmmer", format = "hmmer", path = "h.tbl" },
      source("hmmer", "h.tbl"))
    assert.is_true(source("hmmer", "h.tbl:swapped").swapped)
    assert.has_error(function () source("hmmer", "h.tbl:query") end,
      "--hmmer: `query`: a HMMER table has its own columns; only FILE:swapped says that the "
        .. "items are its targets")
  end)

  it("marks the score and names its kind", function ()
    local tm = source("structure", "s.m8:query target alntmscore* x")
    assert.same({ "query target alntmscore x", "alntmscore", "tm" },
      { tm.columns, tm.score, tm.kind })
    assert.same({ "cosine", "cosine" }, { source("esm-knn", "k").score,
      source("esm-knn", "k").kind })
    assert.equal("residues", source("active-site", "f").kind)
  end)

  it("may be of any channel", function ()
    assert.same({ channel = "clean", format = "tabular", path = "c.tsv",
      columns = "query target p", score = "p", kind = "p" },
      evidence.named("clean=c.tsv:query target p*"))
    assert.equal("hmmer", evidence.named("hmmer=x").format)
    assert.has_error(function () evidence.named("x") end,
      "--evidence: `x` is not CHANNEL=FILE[:COLUMNS]")
  end)
end)

describe("evidence of six channels", function ()
  local folder = release.small {
    ["knn.tsv"] = "P1\tA\t0.75\nP1\tB\t0.875\n",
    ["fold.m8"] = "P1.pdb_A\tAF-A-F1-model_v4\t0.5\t9\t1\t1\t1\t9\t1\t9\t1e-4\t60\n",
    ["sites/P1.tsv"] = "A\t2\t1\t0.5\tx,y\tX,Y,Z\nB\t3\t1\t0.9\tx,y,z\tX,Y,Z\n",
    ["sites/P4.tsv"] = "A\t2\t1\t0.5\tx,y,_,z\tX,Y,Z\n",
    ["h.tbl"] = "P4 - B - 1e-9 70.5 0.0 1e-3 29 0.0 1.3 1 1 0 1 1 1 1 -\n"
      .. "P4 - A - 0.1 7.5 0.0 1e-3 29 0.0 1.3 1 1 0 1 1 1 1 -\n"
      .. "# Program: hmmsearch\n# Version: 3.3.2 (Nov 2020)\n"
      .. "# Option settings: hmmsearch --cut_ga a b \n",
    ["other.tsv"] = "P1\tA\t7\n",
  }
  local report = release.import(folder, {
    hmmer = folder .. "/h.tbl:swapped", esm_knn = folder .. "/knn.tsv",
    structure = folder .. "/fold.m8", active_site = folder .. "/sites",
    evidence = { "mine=" .. folder .. "/other.tsv:query target weight*" } })
  local made = bench.open(folder .. "/BENCH", 1)

  it("is a list that is read as it is used", function ()
    local hits, ranks = made:evidence(1, "esm_knn"), {}
    for i, hit in ipairs(hits) do ranks[i] = hit.rank .. hit.neighbour end
    assert.same({ "1B", "2A" }, ranks)
    assert.equal(2, #hits)
    assert.same({ "A", "B" }, { hits[2].neighbour, hits[1].neighbour })
    assert.same({}, { hits[3], hits[0], hits.rank, hits["1x"] })
    assert.equal(1, #made:evidence(1, "esm_knn", 1))
    assert.is_nil(made:evidence(1, "esm_knn", 1)[2])
    assert.equal(0, #made:evidence(1, "pfam"))
    assert.has_error(function () hits[1] = hits[2] end)
  end)

  it("keeps each tool's order and kind", function ()
    assert.same({ "blast", "hmmer", "esm_knn", "structure", "active_site", "pfam", "mine" },
      made:channels())
    local function first(channel)
      local hit = made:evidence(1, channel)[1]
      return { hit.neighbour, hit.score, hit.kind, hit.identity or false,
        hit.coverage or false }
    end
    assert.equal("B", made:evidence(4, "hmmer")[1].neighbour)
    assert.same({ "B", 0.875, "cosine", false, false }, first("esm_knn"))
    assert.same({ "A", 60.0, "bits", 50.0, false }, first("structure"))
    assert.same({ "B", 3.0, "residues", false, 100.0 }, first("active_site"))
    assert.same({ "A", 7.0, "weight", false, false }, first("mine"))
  end)

  it("says what was odd", function ()
    local text = table.concat(report:text(), "\n")
    for _, part in ipairs { "structure: 1 row whose ids are known without their decoration",
      "hmmer: 1 row over the E-value limit, not used",
      "active_site: 2 rows whose residue list does not fit the motif",
      "active_site: items with a hit: 30 1, 30-50 0, price 0, promiscuous 1",
      "esm_knn: 2 rows of " } do
      assert.is_truthy(string.find(text, part, 1, true), part .. "\n" .. text)
    end
  end)

  it("keeps what a file tells of the tool that made it", function ()
    local told = json.decode(release.read(folder .. "/BENCH/bench.json")).evidence
    assert.equal("hmmsearch", told[2].tool)
    assert.equal("3.3.2 (Nov 2020)", told[2].version)
    assert.same({ "hmmsearch --cut_ga a b" }, told[2].commands)
    assert.is_nil(told[3].tool)
  end)

  it("says what may be meant otherwise", function ()
    local row = "P1\tA\t0.5\t9\t1\t1\t1\t9\t1\t9\t%s\t60\n"
    local odd = release.small {
      ["tm.m8"] = string.format(row, "9.1E-01"),
      ["twice.tsv"] = "P1\tA\t0.8\t0.8\nP1\tB\t0.7\t0.7\n",
      ["blast.tsv"] = "P1\tA\t50\t4\t0\t0\t1\t4\t1\t4\t1e-9\t90\tx\ty\n"
        .. "P1\tB\t50\t4\t0\t0\t1\t4\t1\t4\t1e-9\t90\tx\ty\n" }
    local said = table.concat(release.import(odd, { structure = odd .. "/tm.m8",
      evidence = { "tm=" .. odd .. "/twice.tsv:query target alntmscore* ttmscore" },
      train_fasta = false }):text(), "\n")
    for _, part in ipairs {
      "training: without --train-fasta nobody checked that none has an item's sequence",
      "structure: 1 row over the E-value limit, not used: in TMalign's mode that column holds "
        .. "TM-scores; declare it as alntmscore*",
      "structure: 3 items of which the file says nothing",
      "tm: alntmscore equals ttmscore in all 2 rows",
      "blast: 1 item whose first two hits differ in nothing but their ids",
      "blast: 2 columns behind the twelve standard ones are not read; to have them read name "
        .. "all columns: FILE:COLUMNS, see --help" } do
      assert.is_truthy(string.find(said, part, 1, true), part .. "\n" .. said)
    end
  end)

  it("needs a training set, and files", function ()
    for more, expected in pairs {
      [{ train = false, train_fasta = false }] =
        "evidence needs --train: hits are training enzymes",
      [{ blast = folder .. "/sites" }] = "is a directory; give a file in it",
      [{ blast = folder .. "/none" }] = "cannot be read: No such file",
    } do
      more.force = true
      local good, problem = pcall(release.import, folder, more)
      assert.is_false(good)
      local message = type(problem) == "table" and problem.message or problem
      assert.is_truthy(string.find(message, expected, 1, true), message)
    end
  end)
end)
