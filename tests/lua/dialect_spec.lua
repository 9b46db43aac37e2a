-- From a request to a body, for every dialect; refusals.
local dialect = require "ecrb.dialect"
local json = require "ecrb.json"

local MESSAGES = { { role = "system", content = "S" },
                   { role = "user", content = "Q" } }

local function model(name, more)
  local made = { name = "t", id = "m", rules = assert(dialect.get(name)) }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

local function build(name, request, more)
  request.messages = request.messages or MESSAGES
  return dialect.build(model(name, more), request)
end

-- The fields beside model and messages, as canonical JSON.
local function fields(name, request, more)
  local body = assert(build(name, request, more))
  body.model, body.messages = nil, nil
  return json.encode(body)
end

describe("a body", function()
  it("is the request in OpenAI's words", function()
    local body = assert(build("compatible", {
      temperature = 0, top_p = 0.5, max_tokens = 10, seed = 7,
      stop = "\n" }))
    assert.equal('{"max_tokens":10,"messages":[{"content":"S","role":'
      .. '"system"},{"content":"Q","role":"user"}],"model":"m","seed":7,'
      .. '"stop":["\\n"],"temperature":0,"top_p":0.5}', json.encode(body))
  end)

  it("holds nothing that was not asked for", function()
    assert.equal("{}", fields("compatible", {}))
  end)

  it("keeps only role and content of a message", function()
    local body = assert(build("glm", { messages = {
      { role = "user", content = "Q", name = "x" } } }))
    assert.same({ { role = "user", content = "Q" } }, body.messages)
  end)

  it("has the system text folded where there is no such role", function()
    local made = model("compatible")
    made.rules.system = "fold"
    local body = assert(dialect.build(made, { messages = MESSAGES }))
    assert.same({ { role = "user", content = "S\n\nQ" } }, body.messages)
  end)
end)

describe("fields", function()
  local cases = {
    { "openai", { max_tokens = 5 }, '{"max_completion_tokens":5}' },
    { "openai_chat", { temperature = 0 }, '{"temperature":0}' },
    { "mistral", { seed = 3 }, '{"random_seed":3}' },
    { "deepseek", { seed = 3 }, "{}" },
    { "groq", { max_tokens = 5 }, '{"max_completion_tokens":5}' },
    { "openrouter", {}, '{"provider":{"require_parameters":true}}' },
    { "qwen", {}, '{"stream":true,"stream_options":{"include_usage":true}}',
      { stream = true } },
    { "glm", {}, '{"stream":true}', { stream = true } },
    { "openai", { thinking = "high" }, '{"reasoning_effort":"high"}' },
    { "openai", { thinking = false }, '{"reasoning_effort":"none"}' },
    { "deepseek", { thinking = true }, '{"thinking":{"type":"enabled"}}' },
    { "deepseek", { thinking = "high" },
      '{"reasoning_effort":"high","thinking":{"type":"enabled"}}' },
    { "qwen", { thinking = 100 },
      '{"enable_thinking":true,"thinking_budget":100}' },
    { "gemini", { thinking = 100 }, '{"extra_body":{"google":'
      .. '{"thinking_config":{"thinking_budget":100}}}}' },
    { "glm", { thinking = "off" }, '{"thinking":{"type":"disabled"}}' },
    { "openrouter", { thinking = 64 }, '{"provider":{"require_parameters":'
      .. 'true},"reasoning":{"max_tokens":64}}' },
    { "vllm", { thinking = false },
      '{"chat_template_kwargs":{"enable_thinking":false}}' },
    { "compatible", { json = true },
      '{"response_format":{"type":"json_object"}}' },
    { "vllm", { choices = { "A", "B" } },
      '{"structured_outputs":{"choice":["A","B"]}}' },
    { "sglang", { choices = { "1.1", "B" } }, '{"regex":"(1\\\\.1|B)"}' },
    { "llamacpp", { choices = { 'a"', "B" } },
      '{"grammar":"root ::= \\"a\\\\\\"\\"|\\"B\\""}' },
    { "llamacpp", { json = { type = "object" } }, '{"response_format":'
      .. '{"schema":{"type":"object"},"type":"json_schema"}}' },
    { "mistral", { json = { type = "object" } }, '{"response_format":'
      .. '{"json_schema":{"name":"answer","schema":{"type":"object"},'
      .. '"strict":true},"type":"json_schema"}}' },
    { "lmstudio", { choices = { "A" } }, '{"response_format":'
      .. '{"json_schema":{"name":"answer","schema":{"additionalProperties":'
      .. 'false,"properties":{"choice":{"enum":["A"],"type":"string"}},'
      .. '"required":["choice"],"type":"object"},"strict":true},'
      .. '"type":"json_schema"}}' },
    { "vllm", { thinking = true }, '{"chat_template_kwargs":{"a":1,'
      .. '"enable_thinking":true},"top_k":20}',
      { extra = { top_k = 20, chat_template_kwargs = { a = 1 } } } },
    { "openai", { temperature = 0 }, "{}",
      { omit = { temperature = true } } },
  }
  for i, case in ipairs(cases) do
    it(i .. ": " .. case[1] .. " " .. json.encode(case[2]), function()
      assert.equal(case[3], fields(case[1], case[2], case[4]))
    end)
  end
end)

describe("refusals", function()
  local cases = {
    { "openai", { temperature = 0 }, "only their default" },
    { "openai", { stop = { "x" } }, "no stop texts" },
    { "glm", { temperature = 1.5 }, "from 0 to 1" },
    { "glm", { thinking = 100 }, "it offers: on, off" },
    { "compatible", { thinking = true }, "it offers: nothing" },
    { "compatible", { choices = { "A" } }, "no choice constraint" },
    { "compatible", { json = { type = "object" } }, "no JSON schema" },
    { "lmstudio", { json = true }, "no JSON mode" },
    { "deepseek", { json = true }, "the word json" },
    { "compatible", { stop = { "a", "b", "c", "d", "e" } }, "at most 4" },
    { "compatible", { max_tokens = 0 }, "above 0" },
    { "compatible", { max_tokens = 1.5 }, "above 0" },
    { "compatible", { temperature = "hot" }, "must be a number" },
    { "compatible", { temprature = 0 }, "did you mean `temperature`" },
    { "compatible", { messages = {} }, "needs messages" },
    { "compatible", { messages = { { role = "tool", content = "" } } },
      "needs a role" },
    { "compatible", { messages = { { role = "system", content = "" } } },
      "a user message" },
    { "compatible", { temperature = 0 }, "`temperature`",
      { extra = { temperature = 1 } } },
    { "openrouter", {}, "`provider.require_parameters`",
      { extra = { provider = { require_parameters = false } } } },
    { "vllm", { json = true, choices = { "A" } }, "exclude each other" },
  }
  for i, case in ipairs(cases) do
    it(i .. ": " .. case[1] .. " " .. json.encode(case[2]), function()
      local body, why = build(case[1], case[2], case[4])
      assert.is_nil(body)
      assert.truthy(string.find(why, case[3], 1, true), why)
      assert.truthy(string.find(why, "model t", 1, true))
    end)
  end
end)

describe("dialects", function()
  for _, name in ipairs(dialect.names) do
    it(name .. " has what a body needs", function()
      local rules = assert(dialect.get(name))
      assert.is_string(rules.cap)
      assert.is_string(rules.auth.header)
      assert.truthy(build(name, { max_tokens = 1, seed = 1 }))
    end)
  end

  it("are named when unknown", function()
    local rules, why = dialect.get("vllms")
    assert.is_nil(rules)
    assert.equal("no dialect is called `vllms`; did you mean `vllm`?", why)
  end)

  it("can be changed by an entry", function()
    local rules = assert(dialect.get("vllm", { thinking = {
      on = { chat_template_kwargs = { thinking = true } } } }))
    local body = dialect.build({ name = "t", id = "m", rules = rules },
      { messages = MESSAGES, thinking = true })
    assert.same({ thinking = true }, body.chat_template_kwargs)
  end)

  it("tell what has no effect", function()
    local notes = table.concat(dialect.notes(model("deepseek")), "\n")
    assert.truthy(string.find(notes, "temperature is sent but has no", 1,
                              true))
    assert.truthy(string.find(notes, "no seed is sent", 1, true))
  end)
end)
