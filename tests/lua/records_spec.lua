-- What score, show and compare make of run folders that are not as they should
-- be. The run is made by hand over the bundled benchmark.

local made_run = dofile "tests/made_run.lua"
local records = require "ecrb.report.records"
local report = require "ecrb.report"
local scored = require "ecrb.report.scored"
local story = require "ecrb.report.story"
local system = require "core.system"

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

describe("a run folder", function ()
  local folder, ids

  local function make(choice)
    folder = system.temporary(os.getenv "TMP")
    choice = choice or {}
    choice.split, choice.limit = choice.split or "price", choice.limit or 5
    ids = made_run(folder, choice)
  end

  -- Changes the n-th record by a substitution on its line.
  local function edit(pattern, by)
    local text, count = string.gsub(read(folder .. "/items.jsonl"), pattern, by,
      1)
    assert.equal(1, count)
    system.write(folder .. "/items.jsonl", text)
  end

  local function refused(message, f, ...)
    local good, problem = pcall(f or records.open, ...)
    assert.is_false(good)
    local told = type(problem) == "table" and problem.message or problem
    assert.is_truthy(string.find(told, message, 1, true),
      "`" .. tostring(told) .. "` does not say `" .. message .. "`")
  end

  local function is_refused(message)
    refused(message, records.open, folder, {})
  end

  it("is read in the order of the benchmark", function ()
    make()
    local run = records.open(folder, {})
    assert.equal(5, #run)
    assert.equal(0, run.pending)
    for i, id in ipairs(ids) do assert.equal(id, run[i].key) end
  end)

  it("is scored against the labels", function ()
    make { answer = function (item)
      if item.name == "price/2" then
        return { path = {}, outcome = "abstained", cause = "abstained" }
      end
    end }
    local run = scored.open(folder, {})
    assert.is_true(run[1].score.l4)
    assert.is_false(run[2].score.l4)
    assert.equal(0, run[2].score.depth)
    assert.is_true(run[2].score.valid)
  end)

  it("must be there", function ()
    refused("/nowhere: there is no run here", records.open, "/nowhere", {})
    make()
    system.write(folder .. "/run.json", "{")
    is_refused("/run.json: is no run's manifest")
  end)

  it("must be finished, unless told otherwise", function ()
    make { pending = 3 }
    is_refused("3 of 8 items have no record yet")
    assert.equal(3, records.open(folder, { partial = true }).pending)
    assert.is_truthy(string.find(report.summary({ folder },
      { partial = true }), "UNFINISHED: 3 of 8 items are pending", 1, true))
  end)

  it("may be empty only where unfinished runs are fine", function ()
    make { pending = 3 }
    system.write(folder .. "/items.jsonl", "")
    is_refused("no item is finished yet")
    assert.equal(folder .. ": no item is finished yet\n",
      report.summary({ folder }, { partial = true }))
  end)

  it("must come from the same benchmark", function ()
    make { settings = { bench = { name = "ecoli", sha256 = "other" } } }
    is_refused("was made on another state of benchmark ecoli")
    make { settings = { bench = { name = "gone", sha256 = "other" } } }
    system.write(folder .. "/run.json", (string.gsub(
      read(folder .. "/run.json"), '"bench_folder": "[^"]*"',
      '"bench_folder": "/gone"')))
    is_refused("the benchmark gone of this run cannot be opened")
  end)

  it("holds each item once", function ()
    make()
    local text = read(folder .. "/items.jsonl")
    system.write(folder .. "/items.jsonl", text .. text)
    is_refused("items.jsonl:6: ")
  end)

  it("holds no items of another benchmark", function ()
    make()
    edit('"key":"[^"]*"', '"key":"P99999"')
    is_refused("items.jsonl:1: the benchmark ecoli has no item `P99999`")
  end)

  it("is grouped by a difficulty.tsv with a header", function ()
    local bench = os.getenv "TMP" .. "/headless"
    system.remove(bench)
    assert.equal(0, (system.run { "cp", "-r", system.self .. "/data/ecoli", bench }))
    make { bench = bench }
    local rows = string.gsub(read(bench .. "/difficulty.tsv"), "^[^\n]*\n", "")
    system.write(bench .. "/difficulty.tsv", rows)
    refused("difficulty.tsv:1: no column `item`; there are", function ()
      scored.groups(scored.open(folder, {}), "difficulty")
    end)
  end)

  it("has in each field what the field holds", function ()
    local wrong = {
      ['"turns":2'] = { '"turns":"x"', "`turns` is no number from 0" },
      ['"may_stop":true'] = { '"may_stop":1', "`may_stop` is no `true` or `false`" },
      ['"notes":%[%]'] = { '"notes":[1]', "`notes[1]` is no object" },
      ['"spans":%[%]'] = { '"spans":[null]', "`spans[1]` is no object" },
      ['"calls":%[%]'] = { '"calls":[{}]', "`calls[1]` is no text" },
      ['"prompt":100'] = { '"prompt":"much"', "`usage.prompt` is no number" },
      ['"channels":%["blast"%],'] = { "", "`channels` is no list" },
      ['"turns":2,'] = { '"turns":2,"others":["x"],', "`others[1]` is no EC number" },
      ['"turns":2, ?'] = { '"turns":2,"share":2,', "`share` is no number from 0 to 1" },
    }
    for pattern, made in pairs(wrong) do
      make()
      edit(pattern, made[1])
      is_refused("items.jsonl:1: ")
      is_refused(made[2])
    end
  end)

  it("has a manifest of this format, with words that a terminal may show", function ()
    local wrong = {
      ['"method": {'] = { '"method": {}, "method": {', 'the key "method" stands twice' },
      ['"format": 1'] = { '"format": 99', "its format is `99`, this ecrb reads 1" },
      ['"title": "[^"]*"'] = { '"title": "\\u001b[31m"',
                               "`settings.method.title` is no line of plain text" },
      ['"book": "open"'] = { '"book": "open", "more": 1e999', "json: inf is no number" },
      ['"sessions": %[%]'] = { '"sessions": [5]', "`sessions[1]` is no object" },
      ['"items_total": %d+'] = { '"items_total": 1e308', "`items_total` is no number from 0" },
      ['"book": '] = { '"book": true, "was": ', "`settings.book` is no line of plain text" },
    }
    for pattern, made in pairs(wrong) do
      make()
      local text, count = string.gsub(read(folder .. "/run.json"), pattern, made[1])
      assert.equal(1, count)
      system.write(folder .. "/run.json", text)
      is_refused("/run.json: is no run's manifest (")
      is_refused(made[2])
    end
  end)

  it("holds no records that were edited into nonsense", function ()
    make()
    edit('"confidence":0.9', '"confidence":7')
    is_refused("items.jsonl:1: `confidence` `7")
    make()
    edit('"split":"price"', '"split":"30"')
    is_refused("items.jsonl:1: it is `price/1` of split `30` here, `price/1` "
      .. "of split `price` in the benchmark")
    make()
    edit('"outcome":"answered"', '"outcome":"correct"')
    is_refused("items.jsonl:1: unknown outcome `correct`")
    make()
    edit('"path":%["[^"]*"', '"path":["1.1.1.1"')
    is_refused("items.jsonl:1: `path`: `1.1.1.1` is no EC number of level 1")
    make()
    edit('"path":%[[^]]*%]', '"path":[]')
    is_refused("items.jsonl:1: an answer has four levels, not 0")
    make()
    edit("}\n", "\n")
    is_refused("items.jsonl:1: ")
  end)

  it("says nothing twice", function ()
    make()
    edit('"outcome":', '"outcome":"answered","outcome":')
    is_refused('items.jsonl:1: no record of an item: byte ')
    is_refused('the key "outcome" stands twice in one object')
    make()
    edit('"prompt":', '"prompt":1,"prompt" :')
    is_refused('items.jsonl:1: no record of an item: byte ')
    is_refused('the key "prompt" stands twice in one object')
  end)

  it("holds no field that is none of its kind", function ()
    for _, case in ipairs {
      { '"confidence":0.9', '"confidence":"0.9"', "`confidence` `0.9` is no number from 0 to 1" },
      { '"confidences":%[[^]]*%]', '"confidences":[0.9,7]',
        "no record of an item: `confidences[2]` is no " },
      { '"confidences":%[[^]]*%]', '"confidences":[0.9,"x"]',
        "no record of an item: `confidences[2]` is no " },
      { '"turns":2', '"turns":-1', "no record of an item: `turns` is no " },
      { '"turns":2', '"turns":2,"share":7', "no record of an item: `share` is no " },
      { '"turns":2', '"turns":2,"consensus":"a"', "no record of an item: `consensus` is no " },
      { '"turns":2', '"turns":2,"others":["x"]',
        "no record of an item: `others[1]` is no EC number" },
      { '"turns":2', '"turns":2,"others":"1.1.1.1"', "no record of an item: `others` is no list" },
      { '"path":%["[^"]*"', '"path":[1', "`path`: `1.0` is no EC number of level 1" },
      { '"channels":%[[^]]*%]', '"channels":["lunch"]',
        "`lunch` is no channel of the benchmark" },
      { '"channels":%[[^]]*%]', '"channels":null', "no record of an item: `channels` is no list" },
      { '"prompt":100', '"prompt":"many"', "no record of an item: `usage.prompt` is no " },
      { '"may_stop":true', '"may_stop":null',
        "no record of an item: `may_stop` is no `true` or `false`" },
      { '"outcome":"answered"', '"outcome":"abstained"',
        "whoever committed four levels has not abstained" },
    } do
      make()
      edit(case[1], case[2])
      is_refused("items.jsonl:1: " .. case[3])
    end
  end)

  it("is no record of what does not exist, where it does, nor the other way", function ()
    make()
    edit('"outcome":"answered"', '"outcome":"invalid"')
    refused("price/1: the outcome is `invalid`, but `", scored.open, folder, {})
    make()
    edit('%.%d+"%]', '.9999"]')
    refused(".9999` is no node of the tree", scored.open, folder, {})
  end)

  it("may end in a torn line, which is passed over", function ()
    make { pending = 0 }
    local text = read(folder .. "/items.jsonl")
    system.write(folder .. "/items.jsonl", string.sub(text, 1, -20))
    is_refused("1 of 5 items have no record yet")
  end)

  it("of nothing but abstentions is scored for programs too", function ()
    local json = require "ecrb.json"
    make { answer = function () return { path = {}, outcome = "abstained" } end }
    local options = { losses = true, calibration = true }
    local text = require "ecrb.report.export".json(report.score({ folder }, options))
    local ledger = json.decode(text).runs[1].ledger
    assert.equal(json.null, ledger.given.l2.value)
    assert.equal(0, ledger.given.l2.n)
    assert.equal(1, ledger.share.abstained1.value)
  end)

  it("tells the story of an item that it has", function ()
    make()
    local run = records.open(folder, {})
    assert.equal(ids[2], story.find(run, "price/2").key)
    assert.equal("price/2", story.of(run, story.find(run, ids[2])).item.name)
    refused("has no item `price/99999`", story.find, run, "price/99999")
    refused("the run has no record of item `30/1`", story.find, run, "30/1")
  end)
end)
