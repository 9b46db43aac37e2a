local build = require "ecrb.import.build"
local care = require "ecrb.import.care"
local ec = require "core.ec"
local import = require "core.import"
local system = require "core.system"
local vote = require "core.vote"

local release = dofile("tests/lua/care_release.lua")

local tmp, small, import_small = release.tmp, release.small, release.import
local read, write, without = release.read, release.write, release.without

local function message_of(changes, more)
  local folder = small(changes)
  local good, problem = pcall(import_small, folder, more)
  assert.is_false(good)
  assert.is_false(system.exists(folder .. "/BENCH"))
  for _, name in ipairs(system.list(folder)) do
    assert.is_nil(string.find(name, "BENCH", 1, true))
  end
  local text = type(problem) == "table" and problem.message or problem
  return without(folder, text)
end

describe("core.import", function ()
  it("iterates and closes", function ()
    local path = write("lines.txt", "a\r\nb\n\nc")
    local got = {}
    for number, line in import.lines(path) do got[number] = line end
    assert.same({ "a", "b", "", "c" }, got)
    for _, line in import.lines(path) do
      if line == "b" then break end
    end
  end)

  it("hands out the columns that were asked for", function ()
    local path = write("t.csv", 'x,id,"a b"\n1,p,"u,v"\n2,q,\n')
    local got = {}
    for line, id, ab, none in import.table(path, { "id", "a b", "y?" }) do
      got[#got + 1] = { line, id, ab, tostring(none) }
    end
    assert.same({ { 2, "p", "u,v", "nil" }, { 3, "q", "", "nil" } }, got)
    assert.same({ "x", "id", "a b" }, import.columns(path))
    assert.has_error(function () import.table(path, { "z" }) end)
  end)

  it("hands out FASTA records", function ()
    local path = write("a.fa", ">p1 one\nmk*\n>p2\nMK-1\n")
    local got = {}
    for line, r in import.fasta(path) do got[line] = r end
    assert.same({ id = "p1", description = "one", sequence = "MK", removed = 0,
      stops = 0, lowered = true, terminated = true }, got[1])
    assert.equal(2, got[3].removed)
  end)
end)

describe("a pipe", function ()
  local function refused(run)
    local good, problem = pcall(run)
    assert.is_false(good)
    assert.equal(tmp .. "/pipe: is no plain file, and is read more than once; write what it "
      .. "holds into a file first", type(problem) == "table" and problem.message or problem)
  end

  it("is refused where a file is read more than once", function ()
    assert.equal(0, (system.run { "mkfifo", tmp .. "/pipe" }))
    for _, look in ipairs { import.columns, import.survey, import.sha256,
      require "ecrb.import.nomenclature".read } do
      refused(function () look(tmp .. "/pipe") end)
    end
  end)
end)

describe("import of CARE", function ()
  it("builds a small release and says what it found", function ()
    local folder = small()
    local report = import_small(folder)
    local text = without(folder, table.concat(report:text(), "\n"))
    assert.equal([[
tree: 3 leaves of CARE's list
1 row whose EC2 column is corrupt, not used (first: DIR/splits/task1/30_protein_test.csv:2)
split 30: 1 item, 0 with several labels
split 30-50: 1 item, 0 with several labels
split price: 1 item, 0 with several labels
split promiscuous: 1 item, 1 with several labels
tree: 1 leaf comes from labels alone: 1.1.99.13 (P3)
training: 2 enzymes of DIR/train.tsv
training: 2 sequences of DIR/train.fasta checked
blast: 1 row of DIR/blast.tsv, 1 hit of 1 item kept
blast: 3 items of which the file says nothing
blast: items with a hit: 30 1, 30-50 0, price 0, promiscuous 0
near-identical training sequences among the hits: 0, listed in decontamination.tsv
wrote DIR/BENCH]], text)
    assert.equal("item\tec\nP1\t1.10.3.2\nP2\t1.1.1.1\nP3\t1.1.99.13\n"
      .. "P4\t1.1.1.1;1.1.1.2\n", read(folder .. "/BENCH/labels.tsv"))
  end)

  it("gives the same bytes again, and does not overwrite unasked", function ()
    local folder = small()
    import_small(folder, { visible = 1 })
    local manifest = read(folder .. "/BENCH/bench.json")
    assert.has_error(function () import_small(folder) end, folder
      .. "/BENCH: is there already; choose another name, or --force to replace it")
    import_small(folder, { visible = 1, force = true })
    assert.equal(manifest, read(folder .. "/BENCH/bench.json"))
    local other = { out = folder .. "/splits", force = true }
    assert.has_error(function () import_small(folder, other) end,
      folder .. "/splits: is there already and is no benchmark; choose another name")
  end)

  it("leaves nothing where a file may not grow, or behind a kill", function ()
    local list = {}
    for i = 1, 400 do list[i] = "1.1.1." .. i .. "\n" end
    local folder = small { ["processed_data/EC_list.txt"] = table.concat(list) }
    local words = { "bash", "-c", 'ulimit -f 2; exec ecrb bench import care "$0" -o "$0/BENCH"',
      folder }
    local code, said = system.run(words)
    assert.equal(2, code)
    assert.equal("ecrb: DIR/BENCH.new/ec.tsv: cannot be written: File too large\n",
      without(folder, said))
    assert.is_false(system.exists(folder .. "/BENCH.new"))
    system.mkdir(folder .. "/BENCH.new/half")
    words[3] = 'exec ecrb bench import care "$0" -o "$0/BENCH"'
    assert.equal(0, (system.run(words)))
    assert.is_false(system.exists(folder .. "/BENCH.new"))
    assert.is_false(system.exists(folder .. "/BENCH/half"))
  end)

  it("stops at every breach of the inductive rule, with the list", function ()
    local row = "\t50\t4\t0\t0\t1\t4\t1\t4\t1e-9\t90\n"
    assert.equal([[not inductive: 4 cases
  DIR/train.fasta:1: A has the sequence of the item P1
  DIR/blast.tsv:1: the neighbour P1 of the item P1 is the item itself
  DIR/blast.tsv:2: the neighbour P2 of the item P1 is a test item
  DIR/blast.tsv:3: the neighbour X of the item P1 is not in the training set
evidence must come from the training set alone: search again without these, ]]
      .. "or mend the training table",
      message_of { ["blast.tsv"] = "P1\tP1" .. row .. "P1\tP2" .. row .. "P1\tX" .. row,
        ["train.fasta"] = ">A\nMKVA\n>B\nMMMC\n" })
    assert.equal("DIR/train.tsv:2: `P1` is a test item: it must not stand in the training set",
      message_of { ["train.tsv"] = "id\tec\nP1\t1.1.1.1\n" })
  end)

  it("refuses what it cannot read, by file and line", function ()
    local split = "splits/task1/price_protein_test.csv"
    for changes, expected in pairs {
      [{ [split] = "Entry,EC number,Sequence\nP3,none,MKVD\n" }] =
        "DIR/" .. split .. ":2: `none` is no list of EC numbers",
      [{ [split] = "Entry,EC number,Sequence\nP3,1.1.1.-,MKVD\n" }] =
        "DIR/" .. split .. ":2: the label 1.1.1.- is incomplete; a label has four levels",
      [{ [split] = "Entry,EC number,Sequence\nP1,1.1.1.1,MKVD\n" }] =
        "DIR/" .. split .. ":2: the item `P1` stands twice; give each an id "
          .. "of its own",
      [{ [split] = "Entry,EC number,Sequence\nP3,1.1.1.1,MK1D\n" }] =
        "DIR/" .. split .. ":2: character 3 of the sequence (byte 0x31) is no upper-case "
          .. "letter; mend it, or leave the item out",
      [{ [split] = "Entry,EC,Sequence\n" }] =
        "DIR/" .. split .. ":1: no column `EC number`; there are `Entry`, `EC`, `Sequence`",
      [{ ["processed_data/EC_list.txt"] = "1.1.1.1\nEC\n" }] =
        "DIR/processed_data/EC_list.txt:2: `EC` is no EC number",
      [{ ["processed_data/EC_list.txt"] = "1.1.1.-\n" }] =
        "DIR/processed_data/EC_list.txt:1: 1.1.1.- is no complete EC number; "
          .. "a leaf needs four levels",
      [{ ["train.tsv"] = "id\tx\nA\t1\n" }] =
        "DIR/train.tsv:1: needs the columns `id` and `ec` (or `enzyme` and `ec`, "
          .. "or CARE's `Entry` and `EC number`)",
      [{ ["train.tsv"] = "id\tec\n" }] = "DIR/train.tsv: no training enzyme",
      [{ ["train.fasta"] = ">A\nMM\n>A\nMC\n" }] =
        "DIR/train.fasta:3: `A` stands in line 1 with another sequence",
      [{ ["blast.tsv"] = "P1\tA\t50\n" }] =
        "DIR/blast.tsv:1: 3 tab-separated fields where 12 columns are declared; "
          .. "declare the columns that the file has",
    } do
      assert.equal(expected, message_of(changes))
    end
    assert.equal("DIR/none.tsv: cannot be read: No such file or directory",
      without(tmp, message_of({}, { train = tmp .. "/none.tsv" })))
  end)

  it("accepts, and counts, what is odd but clear", function ()
    local folder = small {
      ["processed_data/EC_list.txt"] = "1.1.1.1\n1.1.1.1\n\n1.1.1.2\n1.10.3.2\n1.1.99.13\n",
      ["splits/task1/30_protein_test.csv"] = "\xEF\xBB\xBFEntry,Sequence,EC number\r\n"
        .. "P1,mkva*,\"1.1.1.1, 1.1.1.1\"\r\n",
      ["train.tsv"] = "id\tec\nA\t1.1.1.1; 1.1.1.2\nA\t1.10.3.2\nB\t1.1.1.-\n",
      ["train.fasta"] = ">A\nMMMM\n>A\nMMMM\n>C\nMC\n",
      ["blast.tsv"] = "",
    }
    local report = import_small(folder)
    local text = without(folder, table.concat(report:text(), "\n"))
    for _, line in ipairs {
      "1 EC number that stands twice in the list (first: DIR/processed_data/EC_list.txt:2)",
      "1 EC list joined by `,` (first: DIR/splits/task1/30_protein_test.csv:2)",
      "1 label that stands twice in one list",
      "1 sequence with lower-case letters, made upper-case",
      "1 sequence with a terminal `*`, cut off",
      "1 EC list joined by `; ` (first: DIR/train.tsv:2)",
      "1 training row of an id that was there, joined (first: DIR/train.tsv:3)",
      "1 training enzyme with an incomplete EC number, kept: it is no vote "
        .. "(first: DIR/train.tsv:4)",
      "1 training sequence that stands twice under one id (first: DIR/train.fasta:3)",
      "1 training sequence whose id the training table lacks (first: DIR/train.fasta:5)",
      "blast: 0 rows of DIR/blast.tsv, 0 hits of 0 items kept",
    } do
      assert.is_truthy(string.find(text, line, 1, true), line .. "\nis not in\n" .. text)
    end
    assert.equal("enzyme\tec\nA\t1.1.1.1;1.1.1.2;1.10.3.2\nB\t1.1.1.-\n",
      (string.gsub(read(folder .. "/BENCH/train.tsv"), "\t[^\t]*\t", "\t")))
  end)

  it("names nodes from a table or from CARE's texts", function ()
    local folder = small {
      ["text2EC.csv"] = "EC number,Text,Text Incomplete\n"
        .. '1.1.1.1,"a; b; c; d",False\n1.1.1.2,a; b,True\n1.10.3.2,"a; e; f",False\n',
      ["names.tsv"] = "ec\tname\n1.1\tdonor\n1.1.1.2\t-\n9.9.9.9\tno node\n",
    }
    import_small(folder, { names = { folder .. "/text2EC.csv" } })
    assert.equal("ec\tname\torigin\n1.-.-.-\ta\tname\n1.1.-.-\tb\tname\n1.1.1.-\tc\tname\n"
      .. "1.1.1.1\td\tlist\n1.1.1.2\t-\tlist\n1.1.99.13\t-\tlabels\n1.10.3.2\tf\tlist\n",
      read(folder .. "/BENCH/ec.tsv"))
    import_small(folder, { names = { folder .. "/names.tsv" }, force = true })
    assert.is_truthy(string.find(read(folder .. "/BENCH/ec.tsv"),
      "1.1.-.-\tdonor\tname\n1.1.1.1\t-\tlist\n", 1, true))
  end)
end)

-- What the protocol says of the real data.
local shared = (os.getenv("ECRB_SHARED") or "../shared") .. "/data"

local function real()
  local out = system.temporary(tmp) .. "/BENCH"
  local report = build.run({ dir = shared .. "/care", out = out,
    train = shared .. "/train/train.tsv",
    blast = shared .. "/evidence/blastp.tsv.gz", hmmer = shared .. "/evidence/phmmer.tbl.gz",
    evalue = 1e-3, neighbours = 10, visible = 5, seed = 1 }, "CARE, task 1",
    care.read)
  return out, table.concat(report:text(), "\n")
end

-- The ECs of the top hits of the items, channel by channel.
local function top_hits(path)
  local ballots = {}
  local columns = { "item", "channel", "rank", "ec" }
  for _, item, channel, rank, list in import.table(path, columns) do
    if rank == "1" then
      ballots[item] = ballots[item] or {}
      for _, number in ipairs(ec.list(list)) do
        table.insert(ballots[item], { ec = number, weight = 1, channel = channel })
      end
    end
  end
  for _, list in pairs(ballots) do
    for _, ballot in ipairs(list) do ballot.channel = nil end
  end
  return ballots
end

local function best_level(answer, labels)
  local best = 0
  for _, label in ipairs(labels) do best = math.max(best, ec.shared(answer, label)) end
  return best
end

-- Items correct per split at level 4, and at each level over all.
local function scores(folder)
  local ballots = top_hits(folder .. "/evidence.tsv")
  local splits, right, levels, all = {}, {}, { 0, 0, 0, 0 }, 0
  for _, item, split in import.table(folder .. "/items.tsv", { "item", "split" }) do
    splits[item] = split
  end
  for _, item, list in import.table(folder .. "/labels.tsv", { "item", "ec" }) do
    local answer = ballots[item] and vote.neighbours(ballots[item])
    local level = answer and best_level(answer, ec.list(list)) or 0
    for l = 1, level do levels[l] = levels[l] + 1 end
    right[splits[item]] = (right[splits[item]] or 0) + (level == 4 and 1 or 0)
    all = all + 1
  end
  return right, levels, all
end

describe("import of CARE's real files", function ()
  if not system.exists(shared .. "/care") then
    pending("no shared data folder")
    return
  end
  local out, text = real()

  it("counts tree, splits and coverage as the protocol does", function ()
    for _, line in ipairs {
      "tree: 4960 leaves of CARE's list",
      "11 rows whose EC2 column is corrupt, not used",
      "split 30: 432 items, 0 with several labels",
      "split 30-50: 560 items, 0 with several labels",
      "split price: 148 items, 3 with several labels",
      "split promiscuous: 209 items, 209 with several labels",
      "tree: 3 leaves come from labels alone: 1.1.99.13 (NP_436855, NP_436856), "
        .. "1.13.12.2 (WP_060740344), 3.5.1.30 (WP_060740343)",
      "training: 52838 enzymes",
      "blast: items with a hit: 30 359, 30-50 543, price 144, promiscuous 209",
      "hmmer: items with a hit: 30 363, 30-50 541, price 143, promiscuous 209",
    } do
      assert.is_truthy(string.find(text, line, 1, true), line)
    end
    local nodes, leaves = { {}, {}, {} }, 0
    for _, number in import.table(out .. "/ec.tsv", { "ec" }) do
      leaves = leaves + 1
      for level = 1, 3 do nodes[level][ec.prefix(number, level)] = true end
    end
    local function count(set)
      local n = 0
      for _ in pairs(set) do n = n + 1 end
      return n
    end
    assert.same({ 7, 73, 245, 4963 },
      { count(nodes[1]), count(nodes[2]), count(nodes[3]), leaves })
  end)

  it("bins homology and difficulty as the protocol does", function ()
    local bins = {}
    local columns = { "homology_bin", "bin" }
    for _, homology, bin in import.table(out .. "/difficulty.tsv", columns) do
      bins[homology] = (bins[homology] or 0) + 1
      bins[bin] = (bins[bin] or 0) + 1
    end
    assert.same({ ["<30"] = 211, ["30-40"] = 404, ["40-50"] = 418, ["50-70"] = 162,
      [">=70"] = 154, D1 = 270, D2 = 270, D3 = 270, D4 = 270, D5 = 269 }, bins)
  end)

  it("anonymizes all but the control subset", function ()
    local visible, shown = {}, {}
    for _, item, split, name, flags in import.table(out .. "/items.tsv",
      { "item", "split", "shown", "flags" }) do
      assert.is_nil(shown[name])
      shown[name] = true
      if flags == "visible" then
        visible[split] = (visible[split] or 0) + 1
        assert.equal(item, name)
      else
        assert.is_truthy(string.find(name, "^Q[A-Z2-7]+$"))
        assert.equal(9, #name)
      end
    end
    assert.same({ ["30"] = 5, ["30-50"] = 5, price = 5, promiscuous = 5 }, visible)
  end)

  it("gives the neighbour vote of the protocol", function ()
    local right, levels, all = scores(out)
    assert.equal(1349, all)
    local function share(n, of) return string.format("%.4f", n / of) end
    assert.same({ "0.8947", "0.8540", "0.8110", "0.6805" },
      { share(levels[1], all), share(levels[2], all), share(levels[3], all),
        share(levels[4], all) })
    assert.same({ "0.574", "0.754", "0.338", "0.947" },
      { string.format("%.3f", right["30"] / 432), string.format("%.3f", right["30-50"] / 560),
        string.format("%.3f", right.price / 148), string.format("%.3f", right.promiscuous / 209) })
  end)
end)
