-- Real tools over real sequences: `ecrb bench evidence`, killed and gone on
-- with, and what it refuses. Where a tool is missing its tests are skipped.

local benchmark = require "ecrb.benchmark"
local system = require "core.system"
local tools = require "ecrb.search.tools"
local vectors = dofile "tests/lua/vectors.lua"
local world = dofile("tests/lua/search_world.lua")

local function evidence(w, ...)
  return world.ecrb("bench", "evidence", w.bench, "--train", w.fasta, "--quiet", ...)
end

-- A test that needs installed programs.
local function with(programs, what, check)
  local absent = world.missing(programs)
  it(what, absent and function () pending(absent .. " is not installed") end or check)
end

local function sums(folder)
  return (select(2, system.run { "sh", "-c", "cd " .. folder .. " && sha256sum *.tsv" }))
end

-- Whether the relatives of each item lead its list, and nobody is missing.
local function check_channel(bench, channel, identities)
  for i = 1, #bench.core do
    local hits = bench.core:evidence(i, channel)
    assert.equal("near" .. i, hits[1].neighbour)
    assert.equal("far" .. i, hits[2].neighbour)
    if identities then
      assert.is_true(math.abs(hits[1].identity - 80) < 4)
      assert.is_true(math.abs(hits[2].identity - 67) < 5)
    end
    assert.is_true(hits[1].coverage > 90)
    assert.is_true(hits[1].evalue < 1e-3)
  end
end

local function record_of(bench, channel)
  for _, record in ipairs(bench.manifest.evidence) do
    if record.channel == channel then return record end
  end
end

describe("bench evidence", function ()
  with({ "blastp", "phmmer" }, "runs blastp and phmmer and says how", function ()
    local w = world.new(7)
    local code, output = evidence(w, "--batch", "3")
    assert.equal(0, code, output)
    local bench = benchmark.open(w.bench)
    check_channel(bench, "blast", true)
    check_channel(bench, "hmmer", false)
    local record = record_of(bench, "blast")
    assert.equal("blastp", record.tool)
    assert.equal(tools.version(tools.known.blastp), record.version)
    assert.equal("blastp -query QUERIES -db DATABASE -evalue 10 -max_target_seqs 10 "
      .. "-num_threads " .. system.cpus()
      .. ' -outfmt "6 qseqid sseqid pident qcovs evalue bitscore" -out HITS',
      record.commands[2])
    assert.same({ evalue = 1e-3, neighbours = 10 }, record.limits)
    assert.same({ ["30"] = 6, ["30-50"] = 1 }, record.covered)
    assert.equal("phmmer", record_of(bench, "hmmer").tool)
    assert.equal(0, (world.ecrb("bench", "check", w.bench, "--train-fasta", w.fasta)))
    assert.is_nil(string.find(world.read(w.bench .. "/bench.json"), w.folder, 1, true))
  end)

  with({ "diamond" }, "runs DIAMOND for blast", function ()
    local w = world.new(5)
    local code, output = evidence(w, "--channels", "blast", "--tool", "blast=diamond")
    assert.equal(0, code, output)
    check_channel(benchmark.open(w.bench), "blast", true)
  end)

  with({ "mmseqs" }, "runs MMseqs2 for either", function ()
    local w = world.new(5)
    local code, output = evidence(w, "--tool", "blast=mmseqs", "--tool", "hmmer=mmseqs")
    assert.equal(0, code, output)
    check_channel(benchmark.open(w.bench), "blast", true)
    check_channel(benchmark.open(w.bench), "hmmer", true)
  end)

  with({ "blastp", "phmmer" }, "keeps other channels and files to the byte", function ()
    local w = world.new(5)
    assert.equal(0, (evidence(w, "--neighbours", "1", "--evalue", "1e-5")))
    local before = sums(w.bench)
    system.write(w.bench .. "/notes.txt", "mine\n")
    system.mkdir(w.bench .. "/more")
    system.write(w.bench .. "/more/a", "too\n")
    assert.equal(0, (evidence(w, "--channels", "hmmer", "--neighbours", "1", "--evalue", "1e-5")))
    assert.equal(before, sums(w.bench))
    assert.equal("mine\n", world.read(w.bench .. "/notes.txt"))
    assert.equal("too\n", world.read(w.bench .. "/more/a"))
    assert.equal(1e-5, benchmark.open(w.bench).manifest.limits.evalue)
  end)

  with({ "blastp" }, "goes on after a kill without searching a batch again", function ()
    local whole, w = world.new(6), world.new(6)
    assert.equal(0, (evidence(whole, "--channels", "blast", "--batch", "2")))
    local log, search = w.folder .. "/log", nil
    local slow = world.fake(w, "blastp", string.format(
      'case $1 in -version) ;; *) echo run >>%s; [ "$(wc -l <%s)" = 2 ] && sleep 600 ;; esac\n'
      .. 'exec %s "$@"', log, log, world.path_of "blastp"))
    local words = { "ecrb", "bench", "evidence", w.bench, "--train", w.fasta, "--quiet",
      "--channels", "blast", "--batch", "2" }
    table.move(words, 1, #words, #slow + 1, slow)
    do
      local _ <close> = system.start(slow)
      assert.is_true(world.wait_for(function ()
        return system.exists(log) and world.read(log) == "run\nrun\n"
      end))
    end
    for _, name in ipairs(system.list(w.bench .. ".search")) do
      if string.find(name, "^blast-") then search = w.bench .. ".search/" .. name end
    end
    assert.same({ "000001", "000002.work" }, system.list(search))
    assert.equal(0, #benchmark.open(w.bench).core:evidence(1, "blast"))
    local code, output = system.run(slow)
    assert.equal(0, code, output)
    assert.equal("run\nrun\nrun\nrun\n", world.read(log))
    assert.same({ "000001", "000002", "000003" }, system.list(search))
    assert.equal(sums(whole.bench), sums(w.bench))
  end)

  with({ "blastp", "phmmer" }, "finds the same in shards, several at once", function ()
    local whole, w = world.new(7), world.new(7)
    assert.equal(0, (evidence(whole, "--batch", "2")))
    local before, started = sums(w.bench), {}
    for i = 1, 3 do
      started[i] = system.start { "ecrb", "bench", "evidence", w.bench, "--train", w.fasta,
        "--quiet", "--batch", "2", "--shard", i .. "/3" }
    end
    for _, process in ipairs(started) do
      local code
      assert.is_true(world.wait_for(function ()
        code = process:wait(0)
        return code
      end))
      assert.equal(0, code)
    end
    assert.equal(before, sums(w.bench))
    local code, output = evidence(w, "--batch", "2", "--gather", "3")
    assert.equal(0, code, output)
    assert.equal(sums(whole.bench), sums(w.bench))
    assert.equal(world.read(whole.bench .. "/bench.json"), world.read(w.bench .. "/bench.json"))
  end)

  with({ "blastp" }, "does not gather before all shards are searched", function ()
    local w = world.new(5)
    local code, output = evidence(w, "--channels", "blast", "--shard", "2/3")
    assert.equal(0, code, output)
    assert.is_truthy(string.find(output, "shard 2 of 3 is searched; once all are, --gather 3 "
      .. "puts what they found into ", 1, true))
    local before = sums(w.bench)
    code, output = evidence(w, "--channels", "blast", "--gather", "3")
    assert.equal(3, code, output)
    assert.equal("ecrb: blast: shards that are not searched to their end: 1, 3 of 3; run them with "
      .. "--shard and the same options, then gather again\n", output)
    assert.equal(before, sums(w.bench))
  end)
end)

-- What a command prints, with DIR for the world's folder.
local function refusal(w, words)
  local before = sums(w.bench)
  local code, output = system.run(words)
  assert.equal(2, code, output)
  assert.equal(before, sums(w.bench))
  return world.plain(w, output)
end

local function refused(w, ...)
  return refusal(w, { "ecrb", "bench", "evidence", w.bench, "--quiet", ... })
end

describe("bench evidence refuses", function ()
  local w = world.new(3)

  it("what is no training set", function ()
    local function with_fasta(text)
      system.write(w.folder .. "/x.fasta", text)
      return refused(w, "--train", w.folder .. "/x.fasta", "--channels", "blast")
    end
    assert.equal("ecrb: DIR/none: cannot be read: No such file or directory\n",
      refused(w, "--train", w.folder .. "/none"))
    assert.equal("ecrb: DIR/x.fasta: no sequence\n", with_fasta(""))
    assert.equal("ecrb: DIR/x.fasta: none of its ids stands in DIR/BENCH/train.tsv; the first "
      .. "word of a header is the id\n", with_fasta(">who\nMKV\n"))
    assert.equal("ecrb: DIR/x.fasta:3: `near1` stands in line 1 with another sequence\n",
      with_fasta(">near1\nMKV\n>near1\nMKL\n"))
    assert.equal("ecrb: DIR/x.fasta:2: character 3 (byte 0x40) is no residue; remove it\n",
      with_fasta(">near1\nMK@\n"))
    local own = with_fasta(">near1\n" .. w.items[2].sequence .. "\n")
    assert.is_truthy(string.find(own, "not inductive: 1 case\n  DIR/x.fasta:1: near1 has the "
      .. "sequence of the item " .. w.items[2].id, 1, true))
  end)

  it("channels and tools that it does not know", function ()
    local function message(...)
      return refused(w, "--train", w.fasta, ...)
    end
    assert.equal("ecrb: no tool is known for the channel `blust`; did you mean `blast`? Import "
      .. "its hits with `ecrb bench import`\n", message("--channels", "blust"))
    assert.equal("ecrb: there is no search tool `diamnd`; did you mean `diamond`? For blast: "
      .. "blastp, diamond, mmseqs\n", message("--tool", "blast=diamnd"))
    assert.equal("ecrb: blastp is no tool for the channel `hmmer`; there are diamond, mmseqs, "
      .. "phmmer\n", message("--tool", "hmmer=blastp"))
    assert.equal("ecrb: --tool blast: write CHANNEL=TOOL, as in blast=diamond\n",
      message("--tool", "blast"))
    assert.equal("ecrb: --tool hmmer=...: the channel is not among --channels\n",
      message("--channels", "blast", "--tool", "hmmer=mmseqs"))
    assert.equal("ecrb: --channels: `blast` stands twice\n", message("--channels", "blast,blast"))
  end)

  it("to go on without the tool, and names its package", function ()
    assert.equal("ecrb: blastp is not installed: Debian's package ncbi-blast+ has it (apt-get "
      .. "install ncbi-blast+)\n", refusal(w, { "env", "PATH=/nowhere", world.path_of "ecrb",
        "bench", "evidence", w.bench, "--train", w.fasta, "--channels", "blast" }))
  end)

  it("what a tool leaves when it fails", function ()
    local function with_tool(script)
      local words = world.fake(w, "blastp", 'case $1 in -version) echo "blastp: 9" ; exit ;; esac\n'
        .. 'while [ $# -gt 0 ]; do [ "$1" = -out ] && out=$2; shift; done\n' .. script)
      world.fake(w, "makeblastdb", "exit 0")
      local more = { "ecrb", "bench", "evidence", w.bench, "--train", w.fasta, "--channels",
        "blast" }
      return refusal(w, table.move(more, 1, #more, #words + 1, words))
    end
    assert.equal("ecrb: blastp failed (exit code 3): no luck\n",
      with_tool("echo no luck >&2; exit 3"))
    assert.equal("ecrb: blastp failed (ended by signal 9: did memory run out?)\n",
      with_tool("kill -9 $$"))
    assert.is_truthy(string.find(with_tool("echo surprise >$out"),
      "`surprise` is no row of a search with numbered ids", 1, true))
  end)

  it("a folder that it cannot write to, and one that is no benchmark", function ()
    assert.equal("ecrb: DIR/train.tsv: Not a directory\n",
      refused(w, "--train", w.fasta, "--work", w.table .. "/x"))
    assert.equal("ecrb: DIR/none: is no benchmark folder\n", refusal(w, { "ecrb", "bench",
      "evidence", w.folder .. "/none", "--train", w.fasta }))
  end)

  it("shards that cannot be", function ()
    assert.equal("ecrb: --shard: esm_knn is no search to share out; leave it to --gather\n",
      refused(w, "--train", w.fasta, "--channels", "blast,esm_knn", "--shard", "1/2"))
    assert.equal("ecrb: --shard I/9: 3 items can be cut into 3 shards at most\n",
      refused(w, "--train", w.fasta, "--shard", "1/9"))
  end)

  it("to work where another does", function ()
    system.mkdir(w.bench .. ".search")
    local lock <close> = system.lock(w.bench .. ".search/.lock")
    assert.is_truthy(lock)
    assert.equal("ecrb: DIR/BENCH.search: another ecrb searches for this benchmark; wait for "
      .. "it\n", refused(w, "--train", w.fasta))
  end)
end)

describe("esm_knn", function ()
  -- A matrix with the ids of its rows beside.
  local function write_vectors(path, ids, rows)
    system.write(path .. ".txt", table.concat(ids, "\n") .. "\n")
    return vectors.write(path .. ".npy", rows)
  end

  local function ids_of(list)
    local ids = {}
    for i, one in ipairs(list) do ids[i] = one.id end
    return ids
  end

  -- Item i points along axis i, near<i> almost, far<i> less so.
  local function vectors_of(w)
    local items, training = {}, {}
    local function along(i, rest)
      local row = {}
      for axis = 1, #w.items do row[axis] = axis == i and 1 or rest end
      return row
    end
    for i = 1, #w.items do items[i] = along(i, 0) end
    for n, enzyme in ipairs(w.training) do
      local kind, i = string.match(enzyme.id, "^(%a+)(%d+)$")
      training[n] = along(kind ~= "other" and tonumber(i) or 0,
        ({ near = 0.1, far = 0.3, other = 1 })[kind])
    end
    return write_vectors(w.folder .. "/items", ids_of(w.items), items),
      write_vectors(w.folder .. "/training", ids_of(w.training), training)
  end

  local function knn(w, items, training, ...)
    return { "ecrb", "bench", "evidence", w.bench, "--channels", "esm_knn", "--vectors", items,
      "--train-vectors", training, ... }
  end

  it("is searched among vectors, with the channels that were there", function ()
    local w = world.new(4)
    local items, training = vectors_of(w)
    local code, output = system.run(knn(w, items, training, "--neighbours", "3"))
    assert.equal(0, code, output)
    local bench = benchmark.open(w.bench)
    for i = 1, 4 do
      local hits = bench.core:evidence(i, "esm_knn")
      assert.equal(3, #hits)
      assert.same({ "near" .. i, "far" .. i, "cosine" },
        { hits[1].neighbour, hits[2].neighbour, hits[1].kind })
      assert.is_true(math.abs(hits[1].score - 1 / math.sqrt(1.03)) < 1e-5)
    end
    local record = record_of(bench, "esm_knn")
    assert.equal("ecrb", record.tool)
    assert.equal("items.npy", record.vectors.file)
    assert.equal(0, (world.ecrb("bench", "check", w.bench)))
    assert.equal(0, (system.run(knn(w, items, training, "--neighbours", "3"))))
    assert.equal(bench.manifest.sha256["evidence.tsv"],
      benchmark.open(w.bench).manifest.sha256["evidence.tsv"])
  end)

  it("refuses ids that do not fit", function ()
    local w = world.new(2)
    local items, training = vectors_of(w)
    assert.equal("ecrb: the channel esm_knn needs --vectors and --train-vectors\n",
      refused(w, "--channels", "esm_knn"))
    system.write(w.folder .. "/short.txt", "near1\n")
    assert.equal(string.format("ecrb: DIR/training.npy has %d rows and DIR/short.txt 1 id; row n "
      .. "belongs to the id in line n\n", #w.training),
      refusal(w, knn(w, items, training, "--train-vector-ids", w.folder .. "/short.txt")))
    local ids = ids_of(w.training)
    ids[3] = w.items[1].id
    system.write(w.folder .. "/leak.txt", table.concat(ids, "\n") .. "\n")
    assert.equal("ecrb: DIR/leak.txt:3: `" .. w.items[1].id .. "` is not in the "
      .. "training set: leave it out of the matrix, for evidence comes from the training set "
      .. "alone\n", refusal(w, knn(w, items, training, "--train-vector-ids",
        w.folder .. "/leak.txt")))
    assert.matches("^ecrb: DIR/none.npy: ", refusal(w, knn(w, w.folder .. "/none.npy", training,
      "--vector-ids", w.folder .. "/items.txt")))
  end)
end)
