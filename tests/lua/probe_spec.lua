-- Probes of an endpoint that is a function here: an honest one, and what each
-- kind of dishonesty looks like.
local simulated = dofile "tests/support/simulated.lua"
local json = require "ecrb.json"

-- {====================================================================
-- A model by rules. `lies` changes what it does.
-- =====================================================================

local EC = {
  hexokinase = "2.7.1.1", ["alcohol dehydrogenase"] = "1.1.1.1",
  ["L-lactate dehydrogenase"] = "1.1.1.27", trypsin = "3.4.21.4",
  catalase = "1.11.1.6", ["carbonic anhydrase"] = "4.2.1.1",
  ["triose-phosphate isomerase"] = "5.3.1.1",
  ["fumarate hydratase"] = "4.2.1.2",
  acetylcholinesterase = "3.1.1.7", ["glutamine synthetase"] = "6.3.1.2",
}

local function numbers(last)
  local list = {}
  for i = 1, last do list[i] = i end
  return table.concat(list, " ")
end

local function cut_at_stop(text, stop)
  for _, word in ipairs(stop or {}) do
    local at = string.find(text, word, 1, true)
    if at then text = string.sub(text, 1, at - 1) end
  end
  return text
end

local function constrained(body, text)
  local format = body.response_format
  if body.structured_outputs then
    return body.structured_outputs.choice[1]
  elseif format and format.type == "json_object" then
    return json.encode { word = text }
  elseif format then
    local word = format.json_schema.schema.properties.word
    return json.encode { word = word.enum[1] }
  end
  return text
end

local function answer_to(state, body)
  local question = body.messages[1].content
  local enzyme = string.match(question, "EC number of (.-)%?")
  local last = string.match(question, "numbers from 1 to (%d+)")
  if enzyme then return EC[enzyme] end
  if last then return cut_at_stop(numbers(last), body.stop) end
  local password = string.match(question, "^The password is (%S+)%.\n")
  if password then return password end
  if string.find(question, "Invent", 1, true) then
    state.count = state.count + 1
    local fixed = body.temperature == 0 or body.top_p == 0.01 or body.seed
    local drawn = math.min(state.count, state.freezes or state.count)
    return "Name" .. (fixed and "" or drawn)
  end
  return "hello"
end

local function tokens(body)
  return #body.messages[1].content // 3
end

local function message_of(body, text)
  local thinks = body.chat_template_kwargs
    and body.chat_template_kwargs.enable_thinking
  return { role = "assistant", content = text,
           reasoning_content = thinks and "hm" or json.null }
end

local function completion(state, body, lies)
  local text = constrained(body, answer_to(state, body))
  if lies.forgets and #body.messages[1].content > 5000 then text = "hello" end
  local limited = body.max_tokens and #text > 4 * body.max_tokens
  return {
    model = lies.model or body.model, system_fingerprint = "fp",
    choices = { {
      index = 0, finish_reason = limited and "length" or "stop",
      message = message_of(body, text),
      logprobs = body.logprobs and { content = { { token = "x", logprob = -1 } } }
        or json.null } },
    usage = { completion_tokens = 2, prompt_tokens =
      math.min(lies.tokens and lies.tokens(body) or tokens(body),
               lies.context or 1e9) },
  }
end

local function streamed(value)
  local choice = value.choices[1]
  return "data: " .. json.encode { model = value.model, choices = { {
    index = 0, delta = choice.message,
    finish_reason = choice.finish_reason } } } .. "\n\ndata: [DONE]\n\n"
end

local function server(lies)
  local state = { count = 0, freezes = lies.freezes }
  return function(request)
    local response = { ending = "done", status = 200, delay = 0.1,
                       total = 0.1, headers = "Server: fake" }
    if not request.body then
      response.body = json.encode { data = { { id = "m" } } }
      return response
    end
    local body = json.decode(request.body)
    state.calls = (state.calls or 0) + 1
    if lies.fails and lies.fails(body, state.calls) then
      response.status = 400
      response.body = json.encode { error = { message = "try me" } }
      return response
    end
    for _, field in ipairs(lies.ignores or {}) do body[field] = nil end
    for _, field in ipairs(lies.refuses or {}) do
      if body[field] ~= nil then
        response.status = 400
        response.body = json.encode { error = { param = field,
          code = "unsupported_parameter", message = "no " .. field } }
        return response
      end
    end
    local value = completion(state, body, lies)
    response.body = body.stream and streamed(value) or json.encode(value)
    return response
  end
end

-- }====================================================================

local function probe(lies, before, options)
  local world = simulated.world(server(lies or {}))
  local model = assert(require("ecrb.model").new("t", { model = "m",
    base_url = "http://h/v1", dialect = "vllm", key_optional = true,
    context = 4096 }))
  local record = require("ecrb.probe").run(model, before, options or {})
  return record, world
end

local function states(record)
  local map = {}
  for _, entry in ipairs(record.capabilities) do
    map[entry.name] = entry.state
  end
  return map
end

describe("an honest endpoint", function()
  local record = probe()

  it("is reached and answers under its name", function()
    assert.is_true(record.reach.listed)
    assert.equal("exact", record.echo.kind)
  end)

  it("shows the effect of every field", function()
    for name, state in pairs(states(record)) do
      assert.equal("effective", state, name)
    end
  end)

  it("counts tokens evenly", function()
    for _, unit in ipairs(record.tokenizer) do
      assert.is_number(unit.slope)
    end
  end)

  it("reads a long prompt whole", function()
    assert.is_true(record.context.whole)
    assert.is_true(record.context.found)
  end)

  it("knows its textbook and says the same twice", function()
    assert.equal(10, record.floor.right)
    assert.equal(record.sameness.pairs, record.sameness.alike)
    assert.is_false(record.sameness.replayed)
  end)

  it("alone cannot tell whether it changed", function()
    assert.equal("cannot tell", record.verdict)
  end)

  it("is consistent with itself", function()
    local again = probe(nil, record)
    assert.equal("consistent", again.verdict)
  end)

  it("survives the way to the disk and onto a page", function()
    local read = json.decode(json.pretty(record))
    assert.equal("consistent", probe(nil, read).verdict)
    local page = require("ecrb.probe.page").write(record, record)
    assert.truthy(string.find(page, "10 of 10 textbook enzymes", 1, true))
    assert.truthy(string.find(page, "verdict: cannot tell", 1, true))
  end)

  it("costs about seventy calls, a short probe eighteen", function()
    assert.is_true(record.calls <= 75)
    local short, world = probe(nil, nil, { short = true })
    assert.equal(17, short.calls)
    assert.equal(18, #world.sent)
  end)
end)

describe("an endpoint that", function()
  local honest = probe()

  it("ignores fields is found out", function()
    local found = states(probe { ignores = { "structured_outputs", "stop",
      "seed", "stream", "logprobs", "max_tokens" } })
    for _, name in ipairs { "choices", "stop", "seed", "streaming",
                            "log probabilities", "output cap" } do
      assert.equal("accepted without effect", found[name], name)
    end
  end)

  it("refuses fields says so, and the probe goes on", function()
    local record = probe { refuses = { "stop", "temperature" } }
    local found = states(record)
    assert.equal("refused", found.stop)
    assert.equal("refused", found.temperature)
    assert.equal("effective", found.choices)
    assert.equal(10, record.floor.right)
  end)

  it("fails a call now and then is not said to refuse a field", function()
    for phase = 0, 6 do
      local record = probe { fails = function(_, n)
        return n > 1 and n % 7 == phase
      end }
      for name, state in pairs(states(record)) do
        assert.not_equal("refused", state, name)
      end
      assert.equal(record.floor.right, record.floor.of)
      assert.equal(10, record.floor.of + record.floor.failed)
    end
  end)

  it("fails the floor has none", function()
    local record = probe({ fails = function(body)
      return string.find(body.messages[1].content, "EC number", 1, true)
    end }, honest)
    assert.equal(0, record.floor.of)
    assert.equal(10, record.floor.failed)
    assert.equal("consistent", record.verdict)
    local page = require("ecrb.probe.page").write(record)
    assert.truthy(string.find(page, "0 of 0 textbook enzymes (95% interval 0.00 "
      .. "to 1.00); 10 without an answer", 1, true))
  end)

  it("repeats itself from half-way is not taken for one that heeds a field", function()
    local found = states(probe { freezes = 5,
      ignores = { "temperature", "top_p", "seed" } })
    for _, name in ipairs { "temperature", "top_p", "seed" } do
      assert.equal("accepted without effect", found[name])
    end
  end)

  it("answers under another name is inconsistent", function()
    local record = probe { model = "n" }
    assert.equal("different", record.echo.kind)
    assert.equal("inconsistent", record.verdict)
  end)

  it("counts a little less than expected is no cut", function()
    local record = probe { tokens = function(body)
      local n = #body.messages[#body.messages].content
      return n > 9000 and n // 4 - n // 200 or n // 4
    end }
    assert.is_true(record.context.counted < record.context.expected)
    assert.is_true(record.context.whole)
  end)

  it("does not repeat the word is no cut where tokens are counted", function()
    local record = probe { forgets = true }
    assert.is_false(record.context.found)
    assert.is_true(record.context.whole)
    assert.not_equal("inconsistent", record.verdict)
  end)

  it("cuts prompts is inconsistent", function()
    local record = probe { context = 1000 }
    assert.is_false(record.context.whole)
    assert.equal("inconsistent", record.verdict)
  end)

  it("counts the same whatever it is sent is asked no endless prompt", function()
    for _, count in ipairs { 700, 1 } do
      local record = probe { tokens = function() return count end }
      assert.is_true(record.context.lines < 1000)
      assert.equal(count, record.context.counted)
      assert.is_nil(record.context.whole)
    end
    local down = 9000
    local record = probe { tokens = function() down = down - 100 return down end }
    assert.is_true(record.context.lines < 1000)
  end)

  it("counts tokens in another way has changed", function()
    local record = probe({ tokens = function(body)
      return #body.messages[1].content // 2
    end }, honest)
    assert.equal("changed", record.verdict)
  end)
end)

describe("an endpoint that is not there", function()
  it("is tried three times", function()
    local world = simulated.world(function()
      return { ending = "connect", detail = "refused", status = 0, body = "",
               headers = "" }
    end)
    local model = assert(require("ecrb.model").new("t", { model = "m",
      base_url = "http://h/v1", key_optional = true }))
    local record = require("ecrb.probe").run(model, nil, {})
    assert.is_false(record.reach.reached)
    assert.equal(3, #world.sent)
    assert.equal("cannot tell", record.verdict)
  end)
end)

describe("the tests behind a verdict", function()
  local verdict = require "ecrb.probe.verdict"

  it("Fisher's exact", function()
    assert.near(1, verdict.fisher_p(10, 10, 10, 10), 1e-9)
    assert.near(0.0000108, verdict.fisher_p(10, 10, 0, 10), 1e-6)
    assert.near(0.36985, verdict.fisher_p(3, 10, 6, 10), 1e-4)
  end)

  it("two samples of answers", function()
    local a = { { "x", "x", "x" }, { "y", "y", "y" }, { "z", "z", "z" } }
    local b = { { "p", "p", "p" }, { "q", "q", "q" }, { "r", "r", "r" } }
    local mixed = { { "x", "p", "x" }, { "y", "q", "y" }, { "z", "z", "r" } }
    assert.is_true(verdict.sample_p(a, a) > 0.5)
    assert.is_true(verdict.sample_p(a, b) < 0.01)
    assert.is_true(verdict.sample_p(mixed, mixed) > 0.5)
  end)
end)

describe("records", function()
  it("are found, newest first, and required by age", function()
    local system = require "core.system"
    local record = require "ecrb.probe.record"
    local dir, model = os.tmpname(), { name = "a/b" }
    os.remove(dir)
    assert.is_nil(record.latest(dir, model))
    record.write(record.path(dir, model, 0), { kind = "ecrb probe", time = 0 })
    local now = system.now() // 1
    local newest = record.path(dir, model, now)
    record.write(newest, { kind = "ecrb probe", time = now, verdict = "x" })
    assert.equal(newest, record.latest(dir, model))
    assert.equal("x", record.required(dir, model, 1).verdict)
    local ok, why = pcall(record.required, dir, { name = "c" }, 1)
    assert.is_false(ok)
    assert.truthy(string.find(why, "run `ecrb probe c`", 1, true))
    system.remove(dir)
  end)

  it("that a later probe could not read are refused before its first call", function()
    local record = require "ecrb.probe.record"
    local system = require "core.system"
    local dir = system.temporary("/tmp")
    local cases = {
      [""] = "is no probe record",
      ["{}"] = "`kind` is not one of `ecrb probe`",
      ["{%s,\"time\":\"now\"}"] = "`time` is no number",
      ["{%s,\"echo\":3}"] = "`echo` is no object",
      ["{%s,\"tokenizer\":[{}]}"] = "`tokenizer[1].unit` is no text",
      ["{%s,\"capabilities\":[7]}"] = "`capabilities[1]` is no object",
      ["{%s,\"sameness\":{\"answers\":[[1]]}}"] = "`sameness.answers[1][1]` is no text",
      ["{%s,\"floor\":{\"right\":1,\"of\":1e15}}"] = "`floor.of` is no whole number",
    }
    local whole = [["kind":"ecrb probe","time":1,"verdict":"consistent"]]
    for written, wanted in pairs(cases) do
      system.write(dir .. "/p.json", string.format(written, whole))
      local ok, why = pcall(record.read, dir .. "/p.json")
      assert.is_false(ok, written)
      assert.truthy(string.find(why, wanted, 1, true), why)
    end
    system.remove(dir)
  end)
end)
