local build = require "ecrb.import.build"
local import = require "core.import"
local own = require "ecrb.import.table"
local release = dofile("tests/lua/care_release.lua")
local system = require "core.system"
local uniprot = require "ecrb.import.uniprot"

local function folder_with(files)
  local folder = system.temporary(release.tmp)
  for name, text in pairs(files) do system.write(folder .. "/" .. name, text) end
  return folder
end

-- Runs an import over files in a new folder; options that name one of them are
-- given their path.
local function run(read, files, options)
  local folder = folder_with(files)
  local args = { out = folder .. "/BENCH", evalue = 1e-3, neighbours = 10, visible = 0, seed = 1 }
  for key, value in pairs(options) do
    args[key] = files[value] and folder .. "/" .. value or value
  end
  local good, result = pcall(build.run, args, "own", read)
  if not good then
    assert.is_false(system.exists(folder .. "/BENCH"))
    error(release.without(folder, type(result) == "table" and result.message or result), 0)
  end
  return folder .. "/BENCH", release.without(folder, table.concat(result:text(), "\n"))
end

local function refused(read, files, options)
  local good, problem = pcall(run, read, files, options)
  assert.is_false(good)
  return problem
end

local function items(folder)
  local list = {}
  for _, id, split, sequence in import.table(folder .. "/items.tsv",
    { "item", "split", "sequence" }) do
    list[#list + 1] = id .. " " .. split .. " " .. sequence
  end
  return list
end

local TREE = "1.1.1.1\n1.1.1.2\n2.7.1.1\n"

describe("import of own tables", function ()
  it("joins labels and sequences by id", function ()
    local folder, text = run(own.read, { ["l.csv"] =
      "accession,labels,split\np2,\"2.7.1.1; EC 1.1.1.1\",b\np1,1.1.1.1,a\n",
      ["s.fa"] = ">sp|p1|X\nmk*\n>p3\nMM\n>p2\nMKL\n", ["tree.txt"] = TREE },
      { table = "l.csv", fasta = "s.fa", tree = "tree.txt" })
    assert.same({ "p2 b MKL", "p1 a MK" }, items(folder))
    assert.equal("item\tec\np2\t2.7.1.1;1.1.1.1\np1\t1.1.1.1\n",
      release.read(folder .. "/labels.tsv"))
    for _, part in ipairs { "tree: 3 leaves of DIR/tree.txt",
      "1 sequence with lower-case letters, made upper-case (first: DIR/s.fa:1)",
      "1 sequence with a terminal `*`, cut off (first: DIR/s.fa:1)",
      "1 sequence of ids that nobody asked for, passed over (first: DIR/s.fa:3)",
      "split b: 1 item, 1 with several labels" } do
      assert.is_truthy(string.find(text, part, 1, true), part .. "\n" .. text)
    end
  end)

  it("takes sequences from the table, and columns by their names", function ()
    local folder, text = run(own.read, { ["l.tsv"] =
      "acc\tnumber\tseq\np1\t1.1.1.1\tmk\np1\t1.1.1.2\tmk\n" },
      { table = "l.tsv", id_column = "acc", ec_column = "number", sequence_column = "seq",
        split = "mine" })
    assert.same({ "p1 mine MK" }, items(folder))
    assert.equal("item\tec\np1\t1.1.1.1;1.1.1.2\n", release.read(folder .. "/labels.tsv"))
    assert.is_truthy(string.find(text, "no --tree is given, the leaves are the labels", 1, true))
    assert.is_truthy(string.find(text, "1 row of an id that was there, its labels joined", 1,
      true))
  end)

  it("keeps the place of a stop inside a sequence", function ()
    local folder, text = run(own.read, { ["l.csv"] = "id,ec,sequence\np1,1.1.1.1,\n"
      .. "p2,1.1.1.2,M**K*\n", ["s.fa"] = ">p1\nM*K*\n>p1\nM*K\n" },
      { table = "l.csv", fasta = "s.fa" })
    assert.same({ "p1 all MXK", "p2 all MXXK" }, items(folder))
    assert.is_truthy(string.find(text,
      "3 sequences with a stop (`*`) inside, read as X (first: DIR/s.fa:1)", 1, true), text)
  end)

  it("needs no labels", function ()
    local folder = run(own.read, { ["s.fa"] = ">a\nMK\n>b\nML\n", ["tree.txt"] = TREE },
      { fasta = "s.fa", tree = "tree.txt" })
    assert.same({ "a all MK", "b all ML" }, items(folder))
    assert.is_false(system.exists(folder .. "/labels.tsv"))
    assert.is_false(system.exists(folder .. "/candidates.jsonl"))
  end)

  it("refuses what does not fit together", function ()
    local fasta = ">p1\nMK\n"
    for files, case in pairs {
      [{ ["l.csv"] = "id,ec\np1,1.1.1.1\np2,1.1.1.1\n", ["s.fa"] = fasta }] =
        { "DIR/l.csv: 1 item has no sequence in DIR/s.fa: p2" },
      [{ ["l.csv"] = "id,ec\np1,1.1.1.1\n" }] =
        { "DIR/l.csv: 1 item has no sequence; give them with --fasta, or in a column "
          .. "`sequence`: p1" },
      [{ ["l.csv"] = "name,ec\np1,1.1.1.1\n", ["s.fa"] = fasta }] =
        { "DIR/l.csv:1: no column is called `id` or `item` or `Entry` or `accession` or `ID`; "
          .. "name it with --id-column" },
      [{ ["l.csv"] = "id,ec\np1,\n", ["s.fa"] = fasta }] =
        { "DIR/l.csv:2: `` is no list of EC numbers" },
      [{ ["l.csv"] = "id,ec,split\np1,1.1.1.1,a\np1,1.1.1.2,b\n", ["s.fa"] = fasta }] =
        { "DIR/l.csv:3: `p1` stands in line 2 with another split or sequence" },
      [{ ["l.csv"] = "id,ec\n", ["s.fa"] = fasta }] = { "DIR/l.csv: holds no row" },
      [{ ["l.csv"] = "id,ec\np1,1.1.1.1\n", ["s.fa"] = ">p1\nMK\n>p1\nML\n" }] =
        { "DIR/s.fa:3: `p1` stands in line 1 with another sequence" },
    } do
      assert.equal(case[1], refused(own.read, files, { table = "l.csv",
        fasta = files["s.fa"] and "s.fa" }))
    end
    assert.equal("give a table of labels, or sequences with --fasta, or both",
      refused(own.read, {}, {}))
    assert.equal("without labels the tree must come from --tree",
      refused(own.read, { ["s.fa"] = fasta }, { fasta = "s.fa" }))
  end)
end)

local function entry(id, ecs, sequence, day)
  local lines = { string.format("ID   %s_X Reviewed; %d AA.", id, #sequence),
    "AC   " .. id .. ";", "DT   " .. day .. ", integrated into UniProtKB/Swiss-Prot.",
    "DE   RecName: Full=An enzyme;" }
  for _, number in ipairs(ecs) do lines[#lines + 1] = "DE            EC=" .. number .. ";" end
  lines[#lines + 1] = "SQ   SEQUENCE\n     " .. sequence .. "\n//\n"
  return table.concat(lines, "\n")
end

local FLAT = entry("P1", { "1.1.1.1" }, "MKA", "01-JAN-2020")
  .. entry("P2", {}, "MKC", "01-JAN-2020")
  .. entry("P3", { "2.7.1.1", "1.1.1.-", "2.7.1.1" }, "MKD", "02-MAR-2024")
  .. entry("P4", { "1.1.1.-" }, "MKE", "03-MAR-2024")
  .. entry("P5", { "1.1.1.-" }, "MKF", "01-JAN-2001")
  .. entry("P6", { "1.1.1.1" }, "MKD", "01-JAN-2001")

local DOWNLOAD = "Entry\tEC number\tSequence\tDate of creation\n"
  .. "P1\t1.1.1.1\tMKA\t2020-01-01\nP2\t\tMKC\t2020-01-01\n"
  .. "P3\t2.7.1.1; 1.1.1.-\tMKD\t2024-03-02\nP4\t1.1.1.-\tMKE\t2024-03-03\n"
  .. "P5\t1.1.1.-\tMKF\t2001-01-01\nP6\t1.1.1.1\tMKD\t2001-01-01\n"

describe("import of UniProt", function ()
  it("makes an item of every enzyme", function ()
    local folder, text = run(uniprot.read, { ["u.dat"] = FLAT }, { file = "u.dat" })
    assert.same({ "P1 uniprot MKA", "P3 uniprot MKD", "P6 uniprot MKD" }, items(folder))
    assert.is_truthy(string.find(text, "1 item with the sequence of an earlier item", 1, true))
    assert.is_truthy(string.find(text, "uniprot: 6 entries of DIR/u.dat; left out: 1 "
      .. "without an EC number, 2 with incomplete ones alone, 0 older\n", 1, true))
  end)

  it("parts items and training set by a day, from either form", function ()
    for name, content in pairs { ["u.dat"] = FLAT, ["u.tsv"] = DOWNLOAD } do
      local folder, text = run(uniprot.read, { [name] = content },
        { file = name, since = "2024-03-02" })
      assert.same({ "P3 uniprot MKD" }, items(folder))
      assert.equal("item\tec\nP3\t2.7.1.1\n", release.read(folder .. "/labels.tsv"))
      assert.equal(">P1\nMKA\n>P5\nMKF\n", release.read(folder .. "/train.fasta"))
      assert.equal("enzyme\tec\nP1\t1.1.1.1\nP5\t1.1.1.-\n",
        (string.gsub(release.read(folder .. "/train.tsv"), "\t[^\t]*\t", "\t")))
      assert.is_truthy(string.find(text, "training: 2 older enzymes; 1 more has the sequence "
        .. "of an item and is left out", 1, true))
    end
  end)

  it("refuses what it cannot read", function ()
    assert.equal("DIR/u.tsv:1: no column `Date of creation`; there are `Entry`, `EC number`, "
      .. "`Sequence`", refused(uniprot.read, { ["u.tsv"] = "Entry\tEC number\tSequence\n" },
      { file = "u.tsv", since = "2024-03-02" }))
    assert.equal("DIR/u.dat: no entry is an item", refused(uniprot.read, { ["u.dat"] = FLAT },
      { file = "u.dat", since = "2025-01-01" }))
    assert.equal("--since makes the training set of the older entries; leave --train out",
      refused(uniprot.read, { ["u.dat"] = FLAT },
        { file = "u.dat", since = "2025-01-01", train = "x" }))
    assert.equal("DIR/u.dat:1: an entry begins with its ID line; is this a UniProt flat file?",
      refused(uniprot.read, { ["u.dat"] = ">P1\nMK\n" }, { file = "u.dat" }))
  end)
end)
