-- CARE's own rule on ranking files: every published row whose ranking file is
-- there, as CARE prints it; then files gone wrong.

local ranking = require "ecrb.care.ranking"
local reports = require "ecrb.import.report"
local rules = require "ecrb.care.rules"
local system = require "core.system"
local vectors = dofile "tests/lua/vectors.lua"

local real = system.getenv("ECRB_SHARED") .. "/data/care/"
local scratch = system.getenv("TMP")

local function printed(file, rule)
  local levels = rules.apply(rule, file, { replicates = 0 }).levels
  local texts = {}
  for level = 4, 1, -1 do
    texts[#texts + 1] = string.format("%.1f", 100 * levels[level][1])
  end
  return table.concat(texts, " ")
end

-- Level 4, 3, 2, 1 as in CARE's Tables 2 and 4; rows that CARE only computes
-- stand here as its evaluation prints them.
local published = {
  ["task1 random 30"] = "0.0 1.2 3.2 19.4",
  ["task1 random 30-50"] = "0.0 0.7 3.6 22.5",
  ["task1 random price"] = "0.0 0.7 4.7 22.3",
  ["task1 random promiscuous"] = "0.2 2.3 4.7 19.9",
  ["task1 BLAST 30"] = "51.4 60.0 62.5 65.7",
  ["task1 BLAST 30-50"] = "81.1 87.9 90.7 92.3",
  ["task1 BLAST price"] = "35.1 70.9 78.4 78.4",
  ["task1 BLAST promiscuous"] = "93.7 94.8 95.2 95.9",
  ["task1 Foldseek 30"] = "54.9 68.3 72.9 80.6",
  ["task1 Foldseek 30-50"] = "79.8 87.1 90.5 95.0",
  ["task1 Foldseek price"] = "41.2 82.4 93.2 96.6",
  ["task1 Foldseek promiscuous"] = "88.0 90.9 92.4 94.4",
  ["task1 ChatGPT 30"] = "0.0 0.0 1.6 28.9",
  ["task1 ChatGPT 30-50"] = "0.0 1.4 3.0 34.8",
  ["task1 ChatGPT price"] = "0.0 9.5 17.6 37.2",
  ["task1 ChatGPT promiscuous"] = "0.2 3.6 5.5 19.6",
  ["task1 Pika 30"] = "20.6 37.7 46.1 61.6",
  ["task1 Pika 30-50"] = "37.7 50.2 60.0 73.8",
  ["task1 Pika price"] = "4.1 50.7 64.9 82.4",
  ["task1 Pika promiscuous"] = "16.4 37.2 47.3 61.8",
  ["task2 random easy"] = "0.0 1.0 4.6 22.9",
  ["task2 random medium"] = "0.0 0.5 4.1 17.0",
  ["task2 random hard"] = "0.0 0.9 1.5 18.3",
  ["task2 ChatGPT easy"] = "4.8 22.6 43.5 71.0",
  ["task2 ChatGPT medium"] = "3.8 24.2 46.1 71.2",
  ["task2 ChatGPT hard"] = "3.7 26.3 31.7 57.0",
  ["task2 ChatGPT_text easy"] = "13.7 56.7 81.4 98.5",
  ["task2 ChatGPT_text medium"] = "14.0 57.3 80.4 97.7",
  ["task2 ChatGPT_text hard"] = "15.7 71.5 78.7 96.1",
}

local function path_of(row)
  local task, method, split = string.match(row, "(%S+) (%S+) (%S+)")
  return string.format("%s%s_baselines/results_summary/%s/%s_%s_test_results_df.csv",
    real, task, method, split, task == "task1" and "protein" or "reaction")
end

describe("CARE's published rows", function ()
  if not system.exists(real) then
    pending("CARE's files are not under $ECRB_SHARED")
    return
  end

  for row, expected in pairs(published) do
    it("has " .. row, function ()
      local file = ranking.read(path_of(row), reports.new())
      assert.equal(expected, printed(file, rules.first(1)))
    end)
  end

  it("has random over promiscuous with as many predictions as labels", function ()
    local file = ranking.read(path_of("task1 random promiscuous"), reports.new())
    assert.equal("0.5 4.1 9.0 41.1", printed(file, rules.oracle))
  end)

  it("has the paper's rule beside CARE's", function ()
    local file = ranking.read(path_of("task1 BLAST promiscuous"), reports.new())
    assert.equal("93.8 96.7 97.1 97.1", printed(file, rules.paper_first))
    assert.equal("98.1 98.6 98.6 98.6", printed(file, rules.paper_any))
    local single = ranking.read(path_of("task1 BLAST 30"), reports.new())
    assert.equal("49.8 59.5 62.0 65.3", printed(single, rules.paper_first))
  end)

  it("finds the separator of each file, silently", function ()
    local report = reports.new()
    local function separator(row)
      return ranking.read(path_of(row), report).separator
    end
    assert.equal("; ", separator("task1 Foldseek price"))
    assert.equal(",", separator("task1 ChatGPT price"))
    assert.equal("; ", separator("task1 Pika price"))
    assert.equal(";", separator("task2 ChatGPT_text medium"))
    assert.same({}, report:text())
  end)
end)

local function written(text)
  local path = scratch .. "/ranking.csv"
  system.write(path, text)
  return path
end

local function read(text, separator)
  local report = reports.new()
  return ranking.read(written(text), report, separator), report:text()
end

local function refused(text)
  local good, message = pcall(ranking.read, written(text), reports.new())
  assert.is_false(good)
  return tostring(type(message) == "table" and message.message or message)
end

describe("a ranking", function ()
  it("begins at the column named 0, wherever that is", function ()
    local file = read("x,0,EC number\na,1.1.1.1,1.1.1.1\n")
    assert.equal(1, file.width)
    assert.equal("100.0 100.0 100.0 100.0", printed(file, rules.first(1)))
  end)

  it("ends before columns with other names, which are told", function ()
    local file, notes = read("EC number,0,1,Text\n1.1.1.1,2.1.1.1,3.1.1.1,1.1.1.1\n")
    assert.equal(2, file.width)
    assert.equal("0.0 0.0 0.0 0.0", printed(file, rules.first(9)))
    assert.equal(1, #notes)
    assert.is_truthy(string.find(notes[1], "`Text` behind the ranking", 1, true))
  end)

  it("takes an empty cell for no prediction and counts it", function ()
    local file = read("EC number,0\n1.1.1.1,\n1.1.1.2,1.1.1\n1.1.1.3,1.1.1.3\n")
    local result = rules.apply(rules.first(1), file, { replicates = 0 })
    assert.equal(1, result.empty)
    assert.equal(1, result.malformed)
    assert.equal("33.3 33.3 33.3 33.3", printed(file, rules.first(1)))
  end)

  it("cuts cells at one separator, and says so where there are two", function ()
    local text = 'EC number,0\n1.1.1.1,"2.1.1.1,1.1.1.1"\n1.1.1.2,2.1.1.1; 1.1.1.2\n'
    local file, notes = read(text)
    assert.equal("; ", file.separator)
    assert.equal("50.0 50.0 50.0 50.0", printed(file, rules.first(1)))
    assert.is_truthy(string.find(notes[1], "1 cells hold `; `, 1 others `,`", 1, true))
    assert.equal(",", read(text, ",").separator)
  end)

  it("averages over labels and takes the best of the pool", function ()
    local file = read("EC number,0,1\n2.7.1.25;2.7.7.4,2.7.1.25,2.7.7.4\n")
    assert.equal("50.0 50.0 100.0 100.0", printed(file, rules.first(1)))
    assert.equal("100.0 100.0 100.0 100.0", printed(file, rules.first(2)))
    assert.equal("100.0 100.0 100.0 100.0", printed(file, rules.paper_first))
  end)

  it("cuts the pool, not the columns, to the number of labels", function ()
    local file = read("EC number,0,1\n1.1.1.1,2.1.1.1; 1.1.1.1,1.1.1.1\n")
    assert.equal("0.0 0.0 0.0 0.0", printed(file, rules.oracle))
  end)

  it("is refused without gold labels, by line", function ()
    local message = refused("EC number,0\n1.1.1.1,1.1.1.1\n ,1.1.1.1\n")
    assert.is_truthy(string.find(message, ":3: column `EC number` is empty", 1, true))
    message = refused("EC number,0\n1.1.1.-,1.1.1.1\n")
    assert.is_truthy(string.find(message, ":2: column `EC number`: `1.1.1.-`", 1, true))
    message = refused("Entry,0\na,1.1.1.1\n")
    assert.is_truthy(string.find(message, ":1: no column `EC number`", 1, true))
  end)

  it("is refused without a column 0", function ()
    local message = refused("EC number,1\n1.1.1.1,1.1.1.1\n")
    assert.is_truthy(string.find(message, ":1: no column `0`", 1, true))
  end)
end)

local function slurp(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

-- Runs `ecrb care ...`: exit code and everything it said.
local function ecrb(...)
  return system.run({ "ecrb", "care", ... })
end

local function file(name, text)
  system.write(scratch .. "/" .. name, text)
  return scratch .. "/" .. name
end

describe("ecrb care retrieve", function ()
  local split = file("easy_reaction_test.csv", "Reaction,EC number,Reaction Text\n"
    .. 'A>>B,1.1.1.1,"a = b, or so"\nC>>D,3.1.1.3,c = d\n')
  local list = file("EC_list.txt", "1.1.1.1\n2.1.1.1\n3.1.1.3\n")
  local queries = vectors.write(scratch .. "/q.npy", { { 1, 0.1 }, { 0, 1 } })
  local centres = vectors.write(scratch .. "/c.npy", { { 0, 2 }, { 1, 1 }, { 1, 0 } })

  local function retrieve(...)
    local path = scratch .. "/out.csv"
    local code, said = ecrb("retrieve", "--queries", queries, "--query-ids", split,
      "--centres", centres, "--centre-ids", list, "-o", path, ...)
    return code == 0 and slurp(path), said
  end

  it("ranks the EC numbers behind the columns of the split", function ()
    assert.equal("Reaction,EC number,Reaction Text,0,1,2\n"
      .. 'A>>B,1.1.1.1,"a = b, or so",3.1.1.3,2.1.1.1,1.1.1.1\n'
      .. "C>>D,3.1.1.3,c = d,1.1.1.1,2.1.1.1,3.1.1.3\n", (retrieve()))
    assert.is_truthy(string.find(retrieve("-k", "1"), "a = b, or so\",3.1.1.3\n", 1, true))
  end)

  it("averages the ranks of the text in, ties by the list", function ()
    -- Reaction ranks of the first query: 3 2 1; of its text: 1 2.5 2.5.
    local text = vectors.write(scratch .. "/t.npy", { { 1, 0 }, { 1, 1 } })
    local against = vectors.write(scratch .. "/tc.npy", { { 1, 0 }, { 0, 1 }, { 0, 1 } })
    local got = retrieve("--text-queries", text, "--text-centres", against)
    assert.is_truthy(string.find(got, '",3.1.1.3,1.1.1.1,2.1.1.1\n', 1, true))
    assert.is_truthy(string.find(got, "c = d,1.1.1.1,2.1.1.1,3.1.1.3\n", 1, true))
  end)

  it("says which vectors have no direction", function ()
    vectors.write(scratch .. "/q.npy", { { 0, 0 }, { 0, 1 } })
    local got, said = retrieve()
    assert.is_truthy(string.find(got, '",1.1.1.1,2.1.1.1,3.1.1.3\n', 1, true))
    assert.is_truthy(string.find(said, "1 query is all zeros: its cosine is 0", 1, true))
    vectors.write(scratch .. "/q.npy", { { 1, 0.1 }, { 0, 1 } })
  end)

  it("refuses vectors that are not those of the rows", function ()
    vectors.write(scratch .. "/q.npy", { { 1, 0.1 } })
    local got, said = retrieve()
    assert.is_false(got)
    assert.is_truthy(string.find(said, "q.npy: has 1 row,", 1, true))
  end)
end)

describe("ecrb care export", function ()
  local runs = scratch .. "/runs"
  local code = system.run { "ecrb", "vote", "--split", "price,30", "--limit", "3",
    "--runs", runs, "--quiet" }
  assert.equal(0, code)
  local run = runs .. "/" .. system.list(runs)[1]

  it("writes a ranking a split, which scores as the run does", function ()
    local folder = scratch .. "/rankings"
    assert.equal(0, (ecrb("export", run, "-o", folder)))
    assert.same({ "30_protein_test_results_df.csv", "price_protein_test_results_df.csv" },
      system.list(folder))
    local exported = ranking.read(folder .. "/price_protein_test_results_df.csv", reports.new())
    assert.equal(3, #exported.rows)
    assert.equal(1, exported.width)
    local got = rules.apply(rules.paper_first, exported, { replicates = 0 })
    local scored = require "ecrb.care.answers".of(run, {})
    local right = 0
    for _, row in ipairs(scored.price.rows) do
      right = right + (row.predictions[1] == row.labels[1] and 1 or 0)
    end
    assert.equal(right / 3, got.levels[4][1])
  end)

  it("is not needed: a run can be scored where it stands", function ()
    local code1, said = ecrb("score", run, "--csv", "--replicates", "0")
    assert.equal(0, code1)
    local _, of_file = ecrb("score", scratch .. "/rankings/30_protein_test_results_df.csv",
      "--csv", "--replicates", "0")
    local figures = string.match(of_file, "\nrankings/30(,[^\n]*)")
    assert.is_truthy(string.find(said, "/30" .. figures, 1, true))
  end)

  it("takes the columns and the order of CARE's split file", function ()
    local rows = { "Entry,Extra,EC number" }
    local items = require "ecrb.care.answers".of(run, {}).price.rows
    for i = #items, 1, -1 do
      rows[#rows + 1] = items[i].item.id .. ",x," .. table.concat(items[i].labels, ";")
    end
    local split = file("price.csv", table.concat(rows, "\n") .. "\n")
    local path = scratch .. "/like.csv"
    assert.equal(0, (ecrb("export", run, "--split", "price", "--like", split, "-o", path)))
    local head = "Entry,Extra,EC number,0\n" .. items[3].item.id
    assert.equal(head, string.sub(slurp(path), 1, #head))
    assert.equal(0, (ecrb("score", path, "--against", split)))
  end)

  it("refuses what would leave rows out", function ()
    local path = scratch .. "/none.csv"
    local code1, said = ecrb("export", run, "-o", path)
    assert.equal(2, code1)
    assert.is_truthy(string.find(said, "has 2 splits", 1, true))
    local split = file("short.csv", "Entry,EC number\nnobody,1.1.1.1\n")
    local code2, why = ecrb("export", run, "--split", "price", "--like", split, "-o", path)
    assert.equal(2, code2)
    assert.is_truthy(string.find(why, "short.csv:2: the run has no answer to `nobody`", 1, true))
    assert.is_false(system.exists(path))
  end)
end)
