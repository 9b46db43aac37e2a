local action = require "ecrb.bench.predictions"
local out = require "ecrb.out"
local predictions = require "ecrb.import.predictions"
local release = dofile("tests/lua/care_release.lua")
local scored = require "ecrb.report.scored"
local system = require "core.system"

-- What a file says, as `id: ec ec@confidence`.
local function told(format, text, options)
  local found = predictions.read(format, release.write("predictions", text), options or {})
  local lines = {}
  for i, id in ipairs(found) do
    local parts = { id .. ":" }
    for _, answer in ipairs(found[id]) do
      parts[#parts + 1] = answer.ec
        .. (answer.confidence and string.format("@%g", answer.confidence) or "")
    end
    lines[i] = table.concat(parts, " ")
  end
  return lines
end

local function refused(format, text, options)
  local good, problem = pcall(told, format, text, options)
  assert.is_false(good)
  local message = type(problem) == "table" and problem.message or problem
  return (string.gsub(message, "^.*/predictions", "FILE"))
end

describe("predictions", function ()
  it("of CLEAN are ragged, and their numbers are declared", function ()
    local text = "q1,EC:3.6.1.9/8.1,EC:3.1.3.4/8.2\nq2 a protein,EC:1.1.1.1/7.1020\n"
    assert.same({ "q1: 3.6.1.9 3.1.3.4", "q2: 1.1.1.1" },
      told("clean", text, { confidence = "distance" }))
    assert.same({ "q1: 3.1.3.4@0.9 3.6.1.9@0.5" }, told("clean",
      "q1,EC:3.6.1.9/0.5,EC:3.1.3.4/0.9\n", { confidence = "probability" }))
    assert.equal("FILE: CLEAN writes distances or probabilities behind the slash; say which "
      .. "with --confidence distance or --confidence probability", refused("clean", text))
    assert.equal("FILE:1: probability (is it a distance?) `8.1` is no number from 0 to 1",
      refused("clean", text, { confidence = "probability" }))
    assert.equal("FILE:1: `3.6.1.9` is not EC:NUMBER/VALUE",
      refused("clean", "q,3.6.1.9\n", { confidence = "distance" }))
    assert.equal("FILE:1: is not id,EC:NUMBER/VALUE",
      refused("clean", "q\n", { confidence = "distance" }))
  end)

  it("of ProteInfer name ancestors and labels of other kinds", function ()
    local head = "sequence_name\tpredicted_label\tconfidence\tdescription\n"
    assert.same({ "q1: 2.7.1.2@0.9 1.1.-.-@0.6", "q2:" }, told("proteinfer", head
      .. "q1\tEC:1.-.-.-\t0.8\tx\nq1\tEC:1.1.-.-\t0.6\tx\nq1\tEC:2.7.1.2\t0.9\tx\n"
      .. "q1\tEC:2.7.-.-\t0.99\tx\nq1\tPfam:PF1\t1.0\tx\nq2\tGO:1\t0.7\tx\n"))
    assert.equal("FILE:2: confidence `high` is no number from 0 to 1",
      refused("proteinfer", head .. "q1\tEC:1.1.1.1\thigh\tx\n"))
  end)

  it("of DeepEC and ECPred may say that there is nothing", function ()
    assert.same({ "q1: 1.1.1.1 2.7.1.2", "q2:" }, told("deepec",
      "Query ID\tPredicted EC number\nq1\tEC:1.1.1.1\nq1\tEC:2.7.1.2\nq2\tNone\n"))
    local head = "Protein ID\tEC Number\tConfidence Score(max 1.0)\n"
    assert.same({ "q1:", "q2: 5.-.-.-@0.7", "q3:" }, told("ecpred", head
      .. "q1\tno Prediction\t\nq2\t5.-.-.-\t0.7\nq3\tnon Enzyme\t0.9\n"))
    assert.equal("FILE:2: `kinase` is no EC number", refused("ecpred", head .. "q\tkinase\t1\n"))
  end)

  it("of anything stand in a table", function ()
    assert.same({ "q1: 2.7.1.2@0.9 1.1.1.1@0.2", "q2:" }, told("table",
      "id,ec,confidence\nq1,1.1.1.1,0.2\nq1,EC 2.7.1.2,0.9\nq2,,\n"))
    assert.same({ "q1: 1.1.1.1 2.7.-.-" }, told("table", "id\tec\nq1\t1.1.1.1;2.7\n"))
    assert.equal("FILE:2: `x` is no list of EC numbers", refused("table", "id,ec\nq,x\n"))
  end)
end)

describe("a run out of predictions", function ()
  local folder = release.small()
  release.import(folder)
  local text = {}
  local write = out.write
  out.write = function (...) text[#text + 1] = table.concat({ ... }) end
  local args = { file = release.write("answers", "id,ec,confidence\n"
    .. "P1,1.10.3.2,0.9\nP4,1.1.1.2;1.1.1.1,0.8\nP2,1.1.1.77,0.4\nX,1.1.1.1,1\n"),
    from = "table", bench = folder .. "/BENCH", out = folder .. "/RUN" }
  local good, problem = pcall(action.run, args)
  out.write = write
  if not good then error(problem, 0) end

  it("counts every item", function ()
    assert.equal("4 proteins in the file, 3 of them items, 1 no items of this benchmark\n"
      .. "4 items: 2 answered, 1 abstained (1 not in the file), 1 invalid\n"
      .. "not in the file: P3\n",
      table.concat(text))
  end)

  it("is scored like any other", function ()
    local run = scored.open(folder .. "/RUN", {})
    local got = {}
    for i, record in ipairs(run) do
      got[i] = string.format("%s %s %s %d %g", record.key, record.outcome, record.score.l4,
        record.score.depth, record.score.set.f1)
    end
    assert.same({ "P1 answered true 4 1", "P2 invalid false 4 0", "P3 abstained false 0 0",
      "P4 answered true 4 1" }, got)
    assert.equal(0.9, run[1].confidence)
    assert.equal("the predictor's file lacks it", run[3].message)
  end)

  it("is not written over", function ()
    local again, why = pcall(action.run, args)
    assert.is_false(again)
    assert.is_truthy(string.find(why, "/RUN: is there already; name a new folder", 1, true))
    assert.is_true(system.exists(folder .. "/RUN/items.jsonl"))
  end)
end)
