-- `ecrb annotate` with real tools over real sequences: rows, methods, kills,
-- and what it refuses. Where a tool is missing its tests are skipped.

local faults = dofile("tests/support/faults.lua")
local json = require "ecrb.json"
local system = require "core.system"
local world = dofile("tests/lua/search_world.lua")

local absent = world.missing { "blastp", "phmmer" }

local function with_tools(what, check)
  it(what, absent and function () pending(absent .. " is not installed") end or check)
end

local shared = world.new(7)

local function words_of(w, ...)
  return { "ecrb", "annotate", w.queries, "--train", w.fasta, "--index", w.folder .. "/index",
    "--out", w.folder .. "/out", "--quiet", ... }
end

local function annotate(w, ...)
  local code, output = system.run(words_of(w, "--force", ...))
  return code, world.plain(w, output)
end

local function rows_of(path)
  local rows = {}
  for line in io.lines(path) do
    local row = {}
    for cell in string.gmatch(line, "[^\t]+") do row[#row + 1] = cell end
    rows[#rows + 1] = row
  end
  return rows
end

local function objects_of(path)
  local list = {}
  for line in io.lines(path) do list[#list + 1] = assert(json.decode(line)) end
  return list
end

describe("annotate in shards", function ()
  local whole = shared.folder .. "/out"

  local function of_shard(i, ...)
    return annotate(shared, "--shard", i .. "/3", ...)
  end

  local function check_gathered(...)
    assert.equal(0, (annotate(shared, ...)))
    local expected = world.read(whole)
    for i = 1, 3 do
      local code, output = of_shard(i, ...)
      assert.equal(0, code, output)
    end
    local code, output = annotate(shared, "--gather", "3", ...)
    assert.equal(0, code, output)
    assert.equal("DIR/out: the rows of 3 shards\n", output)
    assert.equal(expected, world.read(whole))
    for i = 1, 3 do system.remove(whole .. "-" .. i .. "of3") end
  end

  with_tools("ends in the same rows as in one piece", function ()
    check_gathered("--batch", "2")
    check_gathered("--jsonl")
    check_gathered("--method", "m1")
  end)

  with_tools("says which part it is, and of what", function ()
    local code, output = of_shard(2, "--concurrency", "6")
    assert.equal(0, code, output)
    assert.equal("training: 54 enzymes of DIR/train.tsv\n"
      .. "shard 2 of 3: 2 of 7 sequences; its part of the limits: concurrency 2\n"
      .. "2 sequences: answered 2\n", output)
    assert.equal(3, #rows_of(whole .. "-2of3"))
  end)

  with_tools("is not put together before all of it is there", function ()
    assert.equal(0, (of_shard(2)))
    local code, output = annotate(shared, "--gather", "3")
    assert.equal(3, code, output)
    assert.equal("ecrb: DIR/out: missing or unfinished are the shards 1, 3 of 3; run them with "
      .. "--shard, then gather again\n", output)
    for _, i in ipairs { 1, 3 } do assert.equal(0, (of_shard(i))) end
    local other = world.fasta(shared.folder .. "/other.fasta", { shared.items[1], shared.items[2],
      shared.items[3] })
    code, output = system.run { "ecrb", "annotate", other, "--out", whole, "--gather", "3",
      "--force" }
    assert.equal(2, code, output)
    assert.matches("rows? ", output)
    code, output = annotate(shared, "--gather", "3", "--jsonl")
    assert.equal(2, code, output)
    assert.matches("has no row of", output)
    system.run { "sh", "-c", "head -n 1 " .. whole .. "-2of3 >" .. whole .. ".x && mv " .. whole
      .. ".x " .. whole .. "-2of3" }
    code, output = annotate(shared, "--gather", "3")
    assert.equal(2, code, output)
    assert.matches("^ecrb: DIR/out%-2of3: has no row of `[^`]+` where it should be; was it made of "
      .. "this FASTA file%?\n$", output)
  end)
end)

describe("annotate", function ()
  with_tools("tells a number and what supports it, a row a sequence", function ()
    local code, output = annotate(shared)
    assert.equal(0, code, output)
    assert.equal("training: 54 enzymes of DIR/train.tsv\n7 sequences: answered 7\n", output)
    local rows = rows_of(shared.folder .. "/out")
    assert.same({ "id", "length", "ec", "level", "also", "confidence", "agreement", "support",
      "stop", "message" }, rows[1])
    for i, item in ipairs(shared.items) do
      local row = rows[i + 1]
      assert.equal(item.id, row[1])
      assert.equal(#item.sequence, tonumber(row[2]))
      assert.is_truthy(string.find(item.ec, row[3], 1, true))
      assert.same({ "4", "-", "1.000", "2/2" }, { table.unpack(row, 4, 7) })
      assert.matches("^blast near" .. i .. " [78]%d%.%d%% %S+; hmmer near" .. i .. " %- %S+$",
        row[8])
      assert.equal("answered", row[9])
    end
    assert.is_false(system.exists(shared.folder .. "/out.work"))
  end)

  with_tools("tells more as JSON, and the same whatever the batches", function ()
    assert.equal(0, (annotate(shared, "--jsonl")))
    local whole = world.read(shared.folder .. "/out")
    local first = objects_of(shared.folder .. "/out")[1]
    assert.equal(shared.items[1].id, first.id)
    assert.equal(4, first.level)
    assert.equal("near1", first.support[1].neighbour)
    assert.is_true(first.support[1].identity > 75)
    assert.equal(json.null, first.support[#first.support].identity)
    assert.equal(0, (annotate(shared, "--jsonl", "--batch", "2")))
    assert.equal(whole, world.read(shared.folder .. "/out"))
  end)

  for _, method in ipairs { "vote", "top", "m1", "m2", "m4", "m5", "b0" } do
    with_tools("works with " .. method, function ()
      local code, output = annotate(shared, "--method", method, "--batch", "4")
      assert.equal(0, code, output)
      local rows = rows_of(shared.folder .. "/out")
      assert.equal(8, #rows)
      for i, item in ipairs(shared.items) do
        assert.is_truthy(string.find(item.ec, rows[i + 1][3], 1, true))
      end
    end)
  end

  with_tools("prints the rows where the result is `-`", function ()
    local words = words_of(shared)
    words[9] = "-"
    table.move({ "--work", shared.folder .. "/w" }, 1, 2, #words + 1, words)
    local code, output = system.run(words)
    assert.equal(0, code, output)
    assert.equal(10, select(2, string.gsub(output, "\n", "")))
    assert.matches("\nid\tlength\tec\t", output)
    assert.is_false(system.exists(shared.folder .. "/w"))
  end)

  with_tools("opens an index, and a folder with train.fasta", function ()
    assert.equal(0, (annotate(shared)))
    local expected = world.read(shared.folder .. "/out")
    for _, place in ipairs { shared.folder .. "/index", shared.folder .. "/" } do
      local words = words_of(shared, "--force")
      words[5] = place
      local code, output = system.run(words)
      assert.equal(0, code, output)
      assert.equal(expected, world.read(shared.folder .. "/out"))
    end
  end)
end)

describe("annotate, with odd sequences", function ()
  local w = world.new(2)

  with_tools("keeps their ids, counts what it changed, leaves nobody out", function ()
    local near = w.items[1].sequence
    local long = string.rep("x", 300)
    world.fasta(w.queries, {
      { id = "sp|P00001|A_B some words", sequence = near },
      { id = 'quo"te\\', sequence = string.lower(near) .. "*" },
      { id = long, sequence = string.sub(near, 1, 50) .. "*" .. string.sub(near, 52) },
      { id = "empty", sequence = "" },
      { id = "one", sequence = "M" },
      { id = "\xFFid", sequence = string.rep("X", 60) },
      { id = "genome", sequence = string.rep("MKV", 33334) },
      { id = "sp|P00001|A_B", sequence = near },
    })
    local code, output = annotate(w, "--batch", "2")
    assert.equal(0, code, output)
    assert.equal("training: 44 enzymes of DIR/train.tsv\n"
      .. "7 sequences: answered 3, empty 1, no_neighbour 2, too_long 1\n"
      .. "1 record that repeats an earlier one was passed over\n"
      .. "2 sequences had lower-case letters, gaps or inner stops (searched as X)\n", output)
    local rows = rows_of(w.folder .. "/out")
    local ids, stops = {}, {}
    for i = 2, #rows do ids[i - 1], stops[i - 1] = rows[i][1], rows[i][9] end
    assert.same({ "sp|P00001|A_B", 'quo"te\\', long, "empty", "one" }, { table.unpack(ids, 1, 5) })
    assert.same({ "answered", "answered", "answered", "empty", "no_neighbour", "no_neighbour",
      "too_long" }, stops)
    assert.equal(0, (annotate(w, "--jsonl")))
    assert.equal("\u{FFFD}id", objects_of(w.folder .. "/out")[6].id)
  end)

  with_tools("asks whether genes are meant", function ()
    world.fasta(w.folder .. "/genes", { { id = "g", sequence = string.rep("ACGTN", 9) },
      { id = "p", sequence = "ACG" } })
    local words = words_of(w, "--force")
    words[3] = w.folder .. "/genes"
    local code, output = system.run(words)
    assert.equal(0, code, output)
    assert.matches("\n1 sequence holds no letter but A, C, G, T, U and N: is it a gene%?",
      output)
  end)

  with_tools("searches with other tools as well", function ()
    local other = world.missing { "diamond", "mmseqs" }
    if other then return pending(other .. " is not installed") end
    local code, output = annotate(w, "--tool", "blast=diamond", "--tool", "hmmer=mmseqs")
    assert.equal(0, code, output)
    assert.matches("\n7 sequences: answered 3, empty 1, no_neighbour 2, too_long 1\n", output)
  end)
end)

describe("annotate, by vectors,", function ()
  local matrices = dofile("tests/lua/vectors.lua")
  local w = world.new(5)

  -- Row n of a list of ids points along the axis that axis_of(id) names.
  local function write_matrix(name, ids, axis_of)
    local rows = {}
    for n, id in ipairs(ids) do
      rows[n] = {}
      for axis = 1, 6 do rows[n][axis] = axis == axis_of(id) and 1 or 0.1 end
    end
    system.write(w.folder .. "/" .. name .. ".txt", table.concat(ids, "\n") .. "\n")
    return matrices.write(w.folder .. "/" .. name .. ".npy", rows)
  end

  local places, items, training = {}, {}, {}
  for i, item in ipairs(w.items) do places[item.id], items[i] = i, item.id end
  for n, enzyme in ipairs(w.training) do training[n] = enzyme.id end
  local targets = write_matrix("training", training, function (id)
    return tonumber(string.match(id, "^near(%d+)$")) or 6
  end)

  local function by_vectors(ids, ...)
    local queries = write_matrix("queries", ids, function (id) return places[id] end)
    return annotate(w, "--channels", "esm_knn", "--vectors", queries, "--train-vectors", targets,
      "--method", "vote", "--set", "channels=esm_knn", "--neighbours", "2", "--jsonl", ...)
  end

  with_tools("finds the nearest, whatever the batches", function ()
    local code, output = by_vectors(items)
    assert.equal(0, code, output)
    local whole = world.read(w.folder .. "/out")
    for i, row in ipairs(objects_of(w.folder .. "/out")) do
      assert.equal(w.items[i].id, row.id)
      assert.same({ "esm_knn", "near" .. i, "cosine" }, { row.support[1].channel,
        row.support[1].neighbour, row.support[1].kind })
    end
    code, output = by_vectors(items, "--batch", "2")
    assert.equal(0, code, output)
    assert.equal(whole, world.read(w.folder .. "/out"))
  end)

  with_tools("leaves out those without a vector, and refuses another order", function ()
    local code, output = by_vectors({ items[2], items[4] }, "--batch", "2")
    assert.equal(0, code, output)
    local channels = {}
    for i, row in ipairs(objects_of(w.folder .. "/out")) do channels[i] = row.channels end
    assert.same({ 0, 1, 0, 1, 0 }, channels)
    code, output = by_vectors { items[4], items[2] }
    assert.equal(2, code)
    assert.equal("ecrb: DIR/queries.txt:1: `" .. items[4] .. "` stands behind", string.match(output,
      "ecrb: .* stands behind"))
  end)
end)

describe("annotate, from a pipe,", function ()
  local w = world.new(3)

  local function through(words, input)
    local line = input .. " | exec \"$@\""
    return system.run { "bash", "-c", line, "bash", table.unpack(words) }
  end

  with_tools("gives what it gives from a file", function ()
    assert.equal(0, (annotate(w)))
    local expected = world.read(w.folder .. "/out")
    for _, input in ipairs { "cat ", "gzip -c " } do
      local words = words_of(w, "--force")
      words[3] = "-"
      local code, output = through(words, input .. w.queries)
      assert.equal(0, code, output)
      assert.equal(expected, world.read(w.folder .. "/out"))
      assert.is_false(system.exists(w.folder .. "/out.work"))
      words[3] = "/dev/stdin"
      assert.equal(0, (through(words, input .. w.queries)))
      assert.equal(expected, world.read(w.folder .. "/out"))
    end
  end)

  with_tools("prints the result unless it is given a name", function ()
    local code, output = system.run { "bash", "-c", 'cd "$1" && cat "$2" | ecrb annotate - '
      .. '--train "$3" --index "$1/index" --channels blast --quiet 2>said', "bash", w.folder,
      w.queries, w.fasta }
    assert.equal(0, code, output)
    assert.matches("^id\tlength\t", output)
    assert.equal(4, select(2, string.gsub(output, "\n", "")))
    assert.is_false(system.exists(w.folder .. "/stdin.ec.tsv.work"))
  end)

  with_tools("leaves nothing where it is refused", function ()
    local words = words_of(w, "--force")
    words[3] = "-"
    local code, output = through(words, "echo MKV")
    assert.equal(2, code)
    assert.matches("text before the first header", output)
    assert.is_false(system.exists(w.folder .. "/out.work"))
  end)
end)

describe("annotate, killed,", function ()
  -- A tool that hangs at its n-th search, and what the command was then.
  local function hanging(w, n)
    local log = w.folder .. "/log"
    system.remove(log)
    local words = world.fake(w, "blastp", string.format(
      'case $1 in -version) ;; *) echo run >>%s; [ "$(wc -l <%s)" = %d ] && sleep 600 ;; esac\n'
      .. 'exec %s "$@"', log, log, n, world.path_of "blastp"))
    local more = words_of(w, "--batch", "2", "--channels", "blast")
    return table.move(more, 1, #more, #words + 1, words), function ()
      return system.exists(log) and select(2, string.gsub(world.read(log), "run", "")) or 0
    end
  end

  with_tools("goes on with the batch that was under way", function ()
    local w = world.new(6)
    local words, runs = hanging(w, 3)
    local rows = w.folder .. "/out.work/000001.rows"
    do
      local _ <close> = system.start(words)
      assert.is_true(world.wait_for(function () return runs() == 3 end))
      assert.is_true(world.wait_for(function ()
        return system.exists(w.folder .. "/out.work/000002.rows")
      end))
    end
    assert.is_false(system.exists(w.folder .. "/out"))
    local before = world.read(rows)
    local code, output = system.run(words)
    assert.equal(0, code, output)
    assert.equal(4, runs())
    local whole = world.read(w.folder .. "/out")
    assert.is_truthy(string.find(whole, before, 1, true))
    assert.equal(0, (annotate(w, "--channels", "blast", "--batch", "2")))
    assert.equal(whole, world.read(w.folder .. "/out"))
  end)

  with_tools("says that it was interrupted while it searched", function ()
    local w = world.new(4)
    local words, runs = hanging(w, 1)
    local said = w.folder .. "/said"
    local line = 'log=$1 said=$2; shift 2; "$@" 2>"$said" & pid=$!\n'
      .. 'until [ "$(wc -l <"$log")" = 1 ]; do sleep 0.05; done 2>/dev/null\n'
      .. 'kill -INT $pid; wait $pid; echo "exit $?"'
    local code, output = system.run { "bash", "-c", line, "bash", w.folder .. "/log", said,
      table.unpack(words) }
    assert.equal(0, code)
    assert.equal("exit 130\n", output)
    assert.equal(1, runs())
    assert.matches("interrupted\nnothing is lost: the same command goes on from here",
      world.read(said))
    code, output = system.run(words)
    assert.equal(0, code, output)
  end)

  with_tools("pays for no reply twice", function ()
    local w = world.new(5)
    local server = faults.start("on POST *\nwait 300\nstatus 200\n"
      .. 'chat "ANSWER: UNSURE\\nCONFIDENCE: 0.5"\n')
    local words = words_of(w, "--method", "m1", "--model", "m", "--base-url",
      server:url "annotate", "--concurrency", "1", "--channels", "blast")
    local environment = { "env", "OPENAI_API_KEY=none" }
    table.move(words, 1, #words, #environment + 1, environment)
    local journal = w.folder .. "/out.work/000001/run/calls.jsonl"
    local function answered()
      return system.exists(journal) and select(2, string.gsub(world.read(journal), "\n", "")) or 0
    end
    do
      local _ <close> = system.start(environment)
      assert.is_true(world.wait_for(function () return answered() >= 2 end))
    end
    local kept = answered()
    local code, output = system.run(environment)
    local all = #server:requests "annotate"
    server:stop()
    assert.equal(0, code, output)
    assert.is_true(kept >= 2 and kept < 5)
    assert.is_true(all == 5 or all == 6, "only the one in flight is sent again")
    assert.matches("5 sequences: abstained 5\n$", output)
  end)

  with_tools("spends no more in all its sessions and batches than it may", function ()
    local w = world.new(5)
    local server = faults.start('on POST *\nstatus 200\nchat "ANSWER: UNSURE"\nagain\n')
    local function sent_with(limit)
      local words = words_of(w, "--method", "m1", "--model", "m", "--base-url",
        server:url "limited", "--channels", "blast", "--batch", "2", "--max-calls", limit)
      local environment = { "env", "OPENAI_API_KEY=none" }
      local code = system.run(table.move(words, 1, #words, #environment + 1, environment))
      return { code, #server:requests "limited" }
    end
    local found = { sent_with "3", sent_with "3", sent_with "4", sent_with "5" }
    server:stop()
    assert.same({ { 3, 3 }, { 3, 3 }, { 3, 4 }, { 0, 5 } }, found)
  end)

  with_tools("asks for failed calls again, and only for these", function ()
    local w = world.new(4)
    local server = faults.start("on POST *\nanswer 2\nstatus 200\n"
      .. 'chat "ANSWER: UNSURE"\nanswer 3\nstatus 400\nbody "no"\nanswer\nstatus 200\n'
      .. 'chat "ANSWER: UNSURE"\n')
    local words = words_of(w, "--method", "m1", "--model", "m", "--base-url",
      server:url "failing", "--concurrency", "1", "--channels", "blast", "--batch", "2")
    local environment = { "env", "OPENAI_API_KEY=none" }
    table.move(words, 1, #words, #environment + 1, environment)
    local found = {}
    for i = 1, 3 do
      local code, output = system.run(environment)
      found[i] = { code, #server:requests "failing",
        string.match(output, "sequences: (.-)\n"), string.match(output, "%d+ failed calls?") }
    end
    server:stop()
    assert.same({ { 1, 4, "abstained 2, failed 2", "2 failed calls" },
      { 1, 6, "abstained 3, failed 1", "1 failed call" },
      { 0, 7, "abstained 4" } }, found)
    assert.is_false(system.exists(w.folder .. "/out.work"))
    assert.equal(5, #rows_of(w.folder .. "/out"))
    local code, output = system.run(environment)
    assert.equal(2, code)
    assert.matches("/out: is there already; choose another name with %-%-out", output)
  end)

  with_tools("is not taken up with other settings", function ()
    local w = world.new(6)
    local words, runs = hanging(w, 2)
    do
      local _ <close> = system.start(words)
      assert.is_true(world.wait_for(function () return runs() == 2 end))
    end
    local code, output = annotate(w, "--batch", "2", "--channels", "blast", "--method", "vote")
    assert.equal(2, code)
    assert.matches("DIR/out.work: holds unfinished work with other settings %(method.+: recorded "
      .. ".+, now .+%); undo the change, remove the folder, or name another one with %-%-work\n",
      output)
    assert.equal(0, (annotate(w, "--batch", "2", "--channels", "blast")))
  end)
end)

describe("annotate refuses", function ()
  local w = world.new(2)

  -- What it prints about a file of queries with this text.
  local function with_queries(text, ...)
    system.write(w.folder .. "/x.fa", text)
    local words = words_of(w, ...)
    words[3] = w.folder .. "/x.fa"
    local code, output = system.run(words)
    assert.equal(2, code, output)
    assert.is_false(system.exists(w.folder .. "/out"))
    return world.plain(w, output)
  end

  for text, expected in pairs {
    [""] = "ecrb: DIR/x.fa: no sequence\n",
    [">a\nMK\n>a\nML\n"] = "ecrb: DIR/x.fa:3: `a` stands on line 1 already, with another "
      .. "sequence; give each sequence an id of its own\n",
    [">a\nMK@\n"] = "ecrb: DIR/x.fa:2: character 3 (byte 0x40) is no residue; remove it\n",
    ["MKV\n"] = "ecrb: DIR/x.fa:1: text before the first header; a FASTA record begins with "
      .. "`>id`\n",
    [">a\27[2J\nMK\n"] = "ecrb: DIR/x.fa:1: character 2 of the id (byte 0x1B) is a control "
      .. "character; remove it\n",
    ["\31\139\8\0\0\0\0\0\0\3broken"] = "ecrb: DIR/x.fa:",
  } do
    it("queries like " .. string.format("%q", text), function ()
      local output = with_queries(text)
      assert.equal(expected, string.sub(output, 1, #expected))
    end)
  end

  local function message(changes, ...)
    local words = words_of(w, ...)
    for at, word in pairs(changes) do words[at] = word end
    local code, output = system.run(words)
    assert.equal(2, code, output)
    return world.plain(w, output)
  end

  it("what is not there", function ()
    assert.equal("ecrb: DIR/none: cannot be read: No such file or directory\n",
      message { [3] = w.folder .. "/none" })
    assert.equal("ecrb: DIR: is a folder; give a FASTA file\n", message { [3] = w.folder })
    assert.equal("ecrb: DIR/none: there is no such file or folder\n",
      message { [5] = w.folder .. "/none" })
    assert.equal("ecrb: DIR/BENCH: is no index of a training set and holds no train.fasta\n",
      message { [5] = w.bench })
    assert.equal("ecrb: DIR/proteins.fasta: there is no table DIR/proteins.tsv beside it; name "
      .. "the one that tells the EC numbers (columns `id` and `ec`) with --ecs\n",
      message { [5] = w.queries })
    assert.equal("ecrb: --train: name the training set, a FASTA file whose table of EC numbers "
      .. "stands beside it as .tsv; the bundled benchmark has no training sequences\n",
      world.plain(w, select(2, world.ecrb("annotate", w.queries))))
  end)

  it("a training set without ids in common, and a table of something else", function ()
    assert.equal("ecrb: DIR/proteins.fasta: none of its ids stands in DIR/train.tsv; the first "
      .. "word of a header is the id\n", message({ [5] = w.queries, [7] = w.folder .. "/i2" },
        "--ecs", w.table))
    system.write(w.folder .. "/wrong.tsv", "a\tb\nx\ty\n")
    assert.matches("^ecrb: DIR/wrong.tsv:1: needs the columns `id` and `ec`",
      message({ [7] = w.folder .. "/i3" }, "--ecs", w.folder .. "/wrong.tsv"))
    assert.is_false(system.exists(w.folder .. "/i2"))
  end)

  it("methods that it does not know or that want labels", function ()
    assert.equal("ecrb: there is no method `safer`; did you mean `safe`?\n",
      message({}, "--method", "safer"))
    assert.matches("the method oracle is granted labels, and there are none here\n$",
      message({}, "--method", "oracle"))
  end)

  with_tools("an index of another training set, and to replace a result", function ()
    local other = world.new(3)
    assert.equal(0, (annotate(other)))
    assert.matches("/index: is the index of another training set; name another folder, or remove "
      .. "it\n$", message { [7] = other.folder .. "/index" })
    assert.equal(0, (annotate(w)))
    assert.equal("ecrb: DIR/out: is there already; choose another name with --out, or --force to "
      .. "replace it\n", message {})
  end)

  it("places where it cannot write, or where another works", function ()
    assert.equal("ecrb: DIR/train.tsv: Not a directory\n",
      message({ [9] = w.folder .. "/new" }, "--work", w.table .. "/x"))
    assert.equal("ecrb: DIR/train.tsv: Not a directory\n",
      message { [7] = w.table .. "/index", [9] = w.folder .. "/new" })
    system.mkdir(w.folder .. "/busy")
    local lock <close> = system.lock(w.folder .. "/busy/.lock")
    assert.is_truthy(lock)
    assert.equal("ecrb: DIR/busy: another ecrb works there; wait for it, or name another folder "
      .. "with --work\n", message({ [9] = w.folder .. "/new" }, "--work", w.folder .. "/busy"))
  end)
end)
