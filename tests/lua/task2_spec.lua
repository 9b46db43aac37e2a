-- CARE's task 2: a benchmark of reactions out of CARE's files, the method over
-- it, and what may not be mixed with proteins.

local benchmark = require "ecrb.benchmark"
local json = require "ecrb.json"
local played = dofile "tests/support/played.lua"
local reading = require "ecrb.reading"
local system = require "core.system"

local scratch = system.getenv("TMP")
local real = system.getenv("ECRB_SHARED") .. "/data/care"

-- {====================================================================
-- A release of CARE's shape with two reactions
-- =====================================================================

local function release(rows)
  local folder = system.temporary(scratch)
  system.mkdir(folder .. "/processed_data")
  system.mkdir(folder .. "/splits/task2")
  system.write(folder .. "/processed_data/EC_list.txt", "1.1.1.1\n1.1.1.2\n3.1.1.3\n")
  system.write(folder .. "/processed_data/text2EC.csv",
    'EC number,Text,Text Incomplete\n1.1.1.1,"oxidoreductase; of alcohols",False\n')
  system.write(folder .. "/splits/task2/easy_reaction_test.csv",
    "Reaction,EC number,Reaction Text\n" .. rows)
  return folder
end

local rows = 'CO>>C=O,1.1.1.1,"methanol = methanal, a gas"\nC.O>>CO,3.1.1.3,\n'

local function import(folder)
  return system.run { "ecrb", "bench", "import", "care-task2", folder, "--split", "easy",
    "-o", folder .. "/BENCH", "--visible", "0" }
end

local function imported(text)
  local folder = release(text)
  local code, said = import(folder)
  assert.equal(0, code, said)
  return folder .. "/BENCH", said
end

-- }====================================================================

describe("bench import care-task2", function ()
  it("makes a benchmark of reactions", function ()
    local folder, said = imported(rows)
    local bench = benchmark.open(folder).core
    assert.equal("reactions", bench:kind())
    local item = bench:item(1)
    assert.equal("easy-001", item.id)
    assert.equal("CO>>C=O", item.reaction)
    assert.equal("methanol = methanal, a gas", item.equation)
    assert.equal("oxidoreductase; of alcohols", item.text)
    assert.is_nil(item.sequence)
    assert.is_nil(bench:item(2).equation)
    assert.same({ "3.1.1.3" }, bench:reveal(2))
    assert.matches("1 reaction without words %(first: .*:3%)", said)
    assert.matches("told the class in words", said)
  end)

  it("hands a method name, reaction, equation and text, nothing else", function ()
    local reaction = benchmark.open((imported(rows))).core:enzyme(1)
    assert.equal("CO>>C=O", reaction.reaction)
    assert.matches("^Q", reaction.name)
    assert.has_error(function () return reaction.sequence end,
      "an enzyme has no `sequence`; it has name, reaction, equation and text")
    assert.has_error(function () return reaction.id end)
  end)

  it("refuses by line what is no reaction", function ()
    for text, message in pairs {
      ["CO,1.1.1.1,x\n"] = ":2: the reaction is no SMILES",
      [",1.1.1.1,x\n"] = ":2: the reaction is empty",
      ["CO>>C=O,1.1.1.-,x\n"] = ":2: the label 1.1.1.- is incomplete",
      ["CO>>C=O,,x\n"] = ":2: `` is no list of EC numbers",
    } do
      local code, said = import(release(text))
      assert.equal(2, code)
      assert.is_truthy(string.find(said, message, 1, true), said)
    end
  end)

  if not system.exists(real) then
    pending("CARE's files are not under $ECRB_SHARED")
    return
  end

  it("reads all of CARE's test reactions", function ()
    local folder = scratch .. "/task2"
    assert.equal(0, (system.run { "ecrb", "bench", "import", "care-task2", real, "-o",
      folder, "--no-candidates" }))
    local names, counts = benchmark.splits(benchmark.open(folder))
    assert.same({ "easy", "medium", "hard" }, names)
    assert.same({ easy = 393, medium = 393, hard = 460 }, counts)
  end)
end)

-- {====================================================================
-- Reading a ranking
-- =====================================================================

-- reply, ECs in order ("UNSURE"), or false for unreadable
local replies = {
  { "ANSWER: 1.1.1.1, 1.1.1.2", "1.1.1.1 1.1.1.2" },
  { "Not 9.9.9.9.\nANSWER: 1.1.1.1, EC 1.1.1.2, 1.1.1.1", "1.1.1.1 1.1.1.2" },
  { "ANSWER: 2.7.1.1\nNo.\nANSWER: 3.1.1.3; 1.1.1.1", "3.1.1.3 1.1.1.1" },
  { "1.1.1.1,1.1.1.2,3.1.1.3", "1.1.1.1 1.1.1.2 3.1.1.3" },
  { "1. 1.1.1.1\n2. EC 1.1.1.2\n", "1.1.1.1 1.1.1.2" },
  { "ANSWER:\n1. 1.1.1.1\n2. 1.1.1.2", "1.1.1.1 1.1.1.2" },
  { "**ANSWER:** `1.1.1.1`, `1.1.1.-`", "1.1.1.1 1.1.1.-" },
  { "<think>4.1.1.1</think>1.1.1.1", "1.1.1.1" },
  { "It is 1.1.1.1.", "1.1.1.1" },
  { "It is 1.1.1.1 or 1.1.1.2.", false },
  { "1.1.1.1, 1.1.1.2 as a guess", false },
  { "ANSWER: UNSURE", "UNSURE" },
  { "no idea", false },
  { "", false },
  { "<think>ANSWER: 1.1.1.1", false },
  { "version 1.1.1.1 of 2024", false },
}

describe("a ranking is read out of", function ()
  for _, case in ipairs(replies) do
    it(string.format("%q", case[1]), function ()
      local list = reading.ranking(case[1])
      local got = list and (list.unsure and "UNSURE" or "")
      for i, number in ipairs(list or {}) do
        got = got .. (i > 1 and " " or "") .. number.ec
      end
      assert.equal(case[2], got or false)
    end)
  end

  it("a long reply in little time", function ()
    assert.is_nil((reading.ranking(string.rep("1.1.", 250000))))
    assert.equal(1, #reading.ranking(string.rep("ANSWER: ", 125000) .. "1.1.1.1"))
  end)
end)

-- }====================================================================

describe("T2", function ()
  local bench = imported(rows)

  local function play(reply, given, item)
    return played { method = "t2", bench = bench, item = item or "easy/1", book = "closed",
      given = given, reply = function () return reply end }
  end

  it("commits the first EC number and keeps the rest in order", function ()
    local line, prompts = play("ANSWER: 1.1.1.2, 3.1.1.3, 1.1.1.1", { k = "2" })
    assert.same({ "1.-.-.-", "1.1.-.-", "1.1.1.-", "1.1.1.2" }, line.path)
    assert.same({ "3.1.1.3" }, line.others)
    assert.equal("answered", line.outcome)
    assert.matches("Give the 2 most likely", prompts[1])
  end)

  it("shows words, SMILES and text as it is told to", function ()
    local function prompt(given, item)
      local _, prompts = play("ANSWER: 1.1.1.1", given, item)
      return prompts[1]
    end
    assert.matches("In words: methanol = methanal, a gas", prompt {})
    assert.not_matches("SMILES", prompt {})
    assert.not_matches("oxidoreductase", prompt {})
    assert.matches("Associated text: oxidoreductase; of alcohols", prompt { text = "true" })
    assert.not_matches("In words", prompt { shown = "smiles" })
    assert.matches("SMILES: CO>>C=O", prompt { shown = "both" })
    assert.matches("SMILES: C.O>>CO", prompt({}, "easy/2"))
  end)

  it("abstains, or is unreadable, by name", function ()
    assert.equal("abstained", (play("ANSWER: UNSURE")).outcome)
    local line = play("one of 1.1.1.1 and 1.1.1.2")
    assert.equal("unreadable", line.outcome)
    assert.equal(json.null, line.others)
  end)

  it("is not asked about proteins, and no other method about reactions", function ()
    local code, said = system.run { "ecrb", "t2", "--runs", scratch .. "/none" }
    assert.equal(2, code)
    assert.matches("t2 is for reactions, the benchmark ecoli is of proteins", said)
    code, said = system.run { "ecrb", "m1", "--bench", bench, "--runs", scratch .. "/none" }
    assert.equal(2, code)
    assert.matches("m1 is for proteins, the benchmark BENCH is of reactions", said)
  end)

  it("runs from end to end, and exports for CARE's evaluation", function ()
    local runs = scratch .. "/t2runs"
    assert.equal(0, (system.run { "ecrb", "t2", "--bench", bench, "--runs", runs, "--quiet" }))
    local run = runs .. "/" .. system.list(runs)[1]
    assert.equal(0, (system.run { "ecrb", "show", run, "easy/1" }))
    local path = scratch .. "/t2.csv"
    assert.equal(0, (system.run { "ecrb", "care", "export", run, "-o", path, "--like",
      string.gsub(bench, "BENCH$", "splits/task2/easy_reaction_test.csv") .. "" }))
    local file <close> = assert(io.open(path, "rb"))
    assert.equal("Reaction,EC number,Reaction Text,0\n"
      .. 'CO>>C=O,1.1.1.1,"methanol = methanal, a gas",\nC.O>>CO,3.1.1.3,,\n', file:read("a"))
  end)
end)
