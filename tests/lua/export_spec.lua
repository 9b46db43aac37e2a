-- Records for other programs: what the three formats hold for runs with many
-- calls, with none, with failures, without labels.

local formats = dofile "tests/support/formats.lua"
local json = require "ecrb.json"
local system = require "core.system"

local scratch = system.getenv("TMP")

local function slurp(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

local function run_of(name, ...)
  local runs = scratch .. "/" .. name
  local code, said = system.run { "ecrb", name, "--split", "price", "--limit", "4", "--runs", runs,
    "--quiet", ... }
  assert.is_true(code <= 1, said)
  return runs .. "/" .. system.list(runs)[1]
end

-- The export as text, and its lines as values.
local function exported(run, format, ...)
  local path = scratch .. "/" .. format
  local code, said = system.run { "ecrb", "export", run, "--format", format, "-o", path, ... }
  assert.equal(0, code, said)
  local lines = {}
  for line in string.gmatch(slurp(path), "[^\n]+") do lines[#lines + 1] = json.decode(line) end
  return lines, slurp(path)
end

describe("ecrb export --format jsonl", function ()
  local run = run_of("m1", "--open")

  it("has a line an item, in the order of the benchmark", function ()
    local lines = exported(run, "jsonl")
    assert.equal(4, #lines)
    for i, line in ipairs(lines) do
      assert.equal("price/" .. i, line.name)
      assert.equal(line.path[#line.path] or json.null, line.answer)
      assert.equal(line.answer == line.labels[1] and 1 or 0, line.score.l4)
      assert.is_nil(line.calls)
    end
  end)

  it("has prompts and replies on request", function ()
    local line = exported(run, "jsonl", "--calls")[1]
    assert.equal(line.turns, #line.calls)
    local call = line.calls[1]
    assert.equal("m1/level", call.step)
    assert.equal("system", call.messages[1].role)
    assert.equal("choice", call.reads[1].what)
    assert.equal("stop", call.finish)
  end)

  it("writes empty lists as lists", function ()
    local _, text = exported(run_of("vote"), "jsonl")
    assert.matches('"notes":%[%]', text)
    assert.not_matches("{}", text)
  end)

  it("goes to standard output without a file", function ()
    local code, said = system.run { "ecrb", "export", run }
    assert.equal(0, code)
    assert.equal(select(2, exported(run, "jsonl")), said)
  end)

  it("refuses an unfinished run unless it is told", function ()
    local folder = scratch .. "/cut"
    system.mkdir(folder)
    for _, name in ipairs { "run.json", "calls.jsonl", "items.jsonl" } do
      system.write(folder .. "/" .. name, slurp(run .. "/" .. name))
    end
    system.write(folder .. "/items.jsonl", string.match(slurp(run .. "/items.jsonl"), "^[^\n]*\n"))
    local code, said = system.run { "ecrb", "export", folder, "-o", scratch .. "/none" }
    assert.equal(2, code)
    assert.matches("3 of 4 items have no record yet", said)
    assert.is_false(system.exists(scratch .. "/none"))
    assert.equal(1, #exported(folder, "jsonl", "--partial"))
    local _, text = exported(folder, "inspect", "--partial")
    local log = json.decode(text)
    assert.equal("cancelled", log.status)
    assert.equal(4, log.results.total_samples)
    assert.equal(1, log.results.completed_samples)
  end)
end)

describe("an export", function ()
  for _, name in ipairs { "b0", "m1", "m2", "m4", "vote" } do
    it("of " .. name .. " holds what readers of the format ask for", function ()
      local run = run_of(name, "--open")
      for _, line in ipairs(exported(run, "lm-eval")) do
        assert.is_nil(formats.fault("lm-eval", line))
      end
      local _, text = exported(run, "inspect")
      assert.is_nil(formats.fault("inspect", json.decode(text)))
    end)
  end

  it("that lacks a field is told by its place", function ()
    local line = exported(run_of("m1", "--open"), "lm-eval")[1]
    line.arguments.gen_args_0.arg_0 = nil
    assert.equal("lm-eval.arguments.gen_args_0.arg_0 is a nil, not a string",
      formats.fault("lm-eval", line))
  end)
end)

describe("ecrb export --format lm-eval", function ()
  it("logs a request a call and one answer an item", function ()
    local lines = exported(run_of("m1", "--open"), "lm-eval")
    for i, line in ipairs(lines) do
      assert.equal(i - 1, line.doc_id)
      assert.equal("price/" .. i, line.doc.name)
      assert.is_string(line.target)
      assert.same({ "hf", "l1", "l2", "l3", "l4" }, line.metrics)
      for _, name in ipairs(line.metrics) do assert.is_number(line[name]) end
      assert.equal(1, #line.filtered_resps)
      local messages = json.decode(line.arguments.gen_args_0.arg_0)
      assert.equal("user", messages[2].role)
      assert.is_number(line.arguments.gen_args_0.arg_1.temperature)
      assert.is_nil(line.arguments.gen_args_0.arg_1.messages)
      assert.is_string(line.resps[1][1])
      assert.is_nil(line.arguments["gen_args_" .. #line.resps])
      assert.equal(64, #line.doc_hash)
    end
  end)

  it("has an empty request where no model was asked: readers look at the first", function ()
    local line = exported(run_of("vote"), "lm-eval")[1]
    assert.same({ { "" } }, line.resps)
    assert.equal("", line.arguments.gen_args_0.arg_0)
  end)

  it("hashes a document as the harness does, by Python's JSON with an indent", function ()
    local line = exported(run_of("vote"), "lm-eval")[1]
    local text = string.format('{\n  "item": "%s",\n  "name": "price/1",\n  "sequence": "%s",\n'
      .. '  "shown": "%s",\n  "split": "price"\n}', line.doc.item, line.doc.sequence,
      line.doc.shown)
    assert.equal(require "core.text".sha256(text), line.doc_hash)
  end)
end)

describe("ecrb export --format inspect", function ()
  local run = run_of("m1", "--open")
  local _, text = exported(run, "inspect")
  local log = json.decode(text)

  it("has Inspect's header, in Inspect's order", function ()
    local order, at = {}, 1
    for name in string.gmatch(text, '\n"(%l+)":') do order[#order + 1] = name end
    assert.same({ "eval", "plan", "results", "stats", "samples" }, order)
    assert.equal(at, string.find(text, '{"version":2,"status":"success"', 1, true))
    for _, field in ipairs { "created", "task", "model", "dataset", "config" } do
      assert.is_not_nil(log.eval[field], field)
    end
    assert.matches("^%d+%-%d%d%-%d%dT%d%d:%d%d:%d%d%+00:00$", log.eval.created)
    assert.equal("m1", log.plan.steps[1].solver)
    assert.equal(4, #log.samples)
  end)

  it("has for each sample what Inspect must have", function ()
    for _, sample in ipairs(log.samples) do
      assert.is_string(sample.id)
      assert.equal(1, sample.epoch)
      assert.is_string(sample.input[1].content)
      assert.is_string(sample.target[1])
      assert.equal("assistant", sample.messages[#sample.messages].role)
      assert.equal(sample.output.completion, sample.messages[#sample.messages].content)
      assert.equal("stop", sample.output.choices[1].stop_reason)
      assert.is_number(sample.scores.l4.value)
      local usage = sample.model_usage.reader
      assert.equal(usage.total_tokens, usage.input_tokens + usage.output_tokens)
    end
  end)

  it("gives every message an id of its own", function ()
    for _, sample in ipairs(log.samples) do
      local met = {}
      for _, message in ipairs(sample.messages) do
        assert.is_string(message.content)
        assert.is_nil(met[message.id])
        met[message.id] = true
      end
      assert.equal(sample.input[1].id, sample.messages[1].id)
    end
  end)

  it("has means that are those of the samples", function ()
    local sum = 0
    for _, sample in ipairs(log.samples) do sum = sum + sample.scores.l2.value end
    for _, score in ipairs(log.results.scores) do
      if score.name == "l2" then assert.equal(sum / 4, score.metrics.mean.value) end
    end
    assert.equal(5, #log.results.scores)
  end)

  it("has an error where the script failed", function ()
    local script = scratch .. "/bad.lua"
    system.write(script, 'return { id = "bad", title = "Bad", books = { "closed" }, '
      .. 'model = false, run = function () error("no luck") end }')
    local code = system.run { "ecrb", script, "--split", "price", "--limit", "1", "--runs",
      scratch .. "/bad", "--quiet" }
    assert.equal(1, code)
    local folder = scratch .. "/bad/" .. system.list(scratch .. "/bad")[1]
    local failed = json.decode(select(2, exported(folder, "inspect")))
    assert.equal(1, failed.results.total_samples)
    assert.equal(0, failed.results.completed_samples)
    local sample = failed.samples[1]
    assert.matches("no luck", sample.error.message)
    assert.equal("", sample.input)
    assert.equal(0, sample.scores.l4.value)
  end)
end)
