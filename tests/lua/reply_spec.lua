-- What counts as a reply, and the cause where it does not.
local json = require "ecrb.json"
local reply = require "ecrb.reply"

local NOW = 1700000000

local function completion(change)
  local body = {
    id = "c1", object = "chat.completion", model = "m-2024",
    system_fingerprint = "fp",
    choices = { { index = 0, finish_reason = "stop",
                  message = { role = "assistant", content = "B" } } },
    usage = { prompt_tokens = 10, completion_tokens = 2, total_tokens = 12 },
  }
  if change then change(body, body.choices[1], body.choices[1].message) end
  return json.encode(body)
end

local function read(body, want, status, headers)
  return reply.read({ ending = "done", status = status or 200, body = body,
                      headers = headers or "" }, want or { model = "m" }, NOW)
end

local function read_change(change, want)
  return read(completion(change), want)
end

local function causes(cases, run)
  for _, case in ipairs(cases) do
    it(case[1], function()
      local outcome = run(case)
      if case.cause then
        assert.is_false(outcome.ok)
        assert.equal(case.cause, outcome.cause)
        if case.class then assert.equal(case.class, outcome.class) end
      else
        assert.equal(nil, outcome.message)
        assert.is_true(outcome.ok)
        if case.text then assert.equal(case.text, outcome.text) end
      end
    end)
  end
end

describe("a reply of very many values", function()
  local function list(piece, times)
    return '{"choices":[' .. string.rep(piece .. ",", times) .. piece .. "]}"
  end

  it("is refused unread", function()
    for _, body in ipairs { list("[]", 600000), list('{"a":1,"b":2}', 200000),
                            list("1", 600000), "data: " .. list("1", 600000) .. "\n\n",
                            string.rep(":\n", 1000001) } do
      local outcome = read(body)
      assert.equal("too_many_values", outcome.cause)
      assert.equal("item", outcome.class)
      assert.truthy(string.find(outcome.message, "more than %d+ %l+$"))
    end
  end)

  it("is not one of much text, nor one of many tokens", function()
    local text = string.rep("a,[{\\\"\n", 200000)
    assert.equal(text, read_change(function(_, _, message) message.content = text end).text)
    local chunk = json.encode { choices = { { index = 0, delta = { content = "ab" } } } }
    local stream = string.rep("data: " .. chunk .. "\n\n", 20000)
    local last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    local outcome = read(stream .. last .. "data: [DONE]\n\n")
    assert.equal(string.rep("ab", 20000), outcome.text)
  end)
end)

describe("a good reply", function()
  it("is read whole", function()
    local outcome = read(completion())
    assert.same({ ok = true, text = "B", finish = "stop", model = "m-2024",
                  fingerprint = "fp", flags = {},
                  usage = { prompt = 10, completion = 2 } }, outcome)
  end)

  it("may stand between blank lines and behind a byte order mark", function()
    local outcome = read("\n\n \r\n" .. completion() .. "\n\n")
    assert.is_true(outcome.ok)
    outcome = read("\u{feff}" .. completion())
    assert.is_true(outcome.ok)
    assert.is_true(outcome.flags.bom)
  end)

  it("has usage that is unknown rather than zero", function()
    assert.is_nil(read_change(function(b) b.usage = nil end).usage)
    assert.is_nil(read_change(function(b) b.usage = json.null end).usage)
    local outcome = read_change(function(b)
      b.usage = { prompt_tokens = 5, completion_tokens = -1, cost = 0.25,
                  completion_tokens_details = { reasoning_tokens = 3 },
                  prompt_cache_hit_tokens = 4 }
    end)
    assert.same({ prompt = 5, reasoning = 3, cached = 4, cost = 0.25 },
                outcome.usage)
    assert.is_true(outcome.flags.bad_usage)
  end)
end)

describe("a count of tokens", function()
  local function usage_of(prompt, answer, want)
    local outcome = read_change(function(body)
      body.usage = { prompt_tokens = prompt, completion_tokens = answer }
    end, want)
    assert.is_true(outcome.ok)
    return outcome
  end

  for _, value in ipairs { -1, -1e300, 0.5, 2.5, 1e8, 1e18, 1e300, "12", "1e3",
                           true, { 1 } } do
    it("is never " .. json.encode(value), function()
      local outcome = usage_of(value, 2)
      assert.same({ completion = 2 }, outcome.usage)
      assert.is_true(outcome.flags.bad_usage)
      outcome = usage_of(12, value)
      assert.same({ prompt = 12 }, outcome.usage)
      assert.is_true(outcome.flags.bad_usage)
    end)
  end

  it("is not infinite", function()
    local body = string.gsub(completion(), '("prompt_tokens":)10', "%11e999")
    local outcome = read(body)
    assert.same({ completion = 2 }, outcome.usage)
    assert.is_true(outcome.flags.bad_usage)
  end)

  it("is not too small for what it counts", function()
    assert.same({ completion = 2 }, usage_of(0, 2).usage)
    assert.same({ prompt = 12 }, usage_of(12, 0).usage)
    local outcome = read_change(function(body, _, message)
      message.content = string.rep("x", 400)
      body.usage = { prompt_tokens = 12, completion_tokens = 3 }
    end)
    assert.same({ prompt = 12 }, outcome.usage)
    assert.is_true(outcome.flags.bad_usage)
  end)

  it("is not too large for what it counts", function()
    assert.is_nil(usage_of(100500, 2, { bytes = 500 }).flags.bad_usage)
    assert.same({ completion = 2 }, usage_of(100501, 2, { bytes = 500 }).usage)
    assert.is_nil(usage_of(9999999, 999999).flags.bad_usage)
  end)
end)

describe("content", function()
  it("in parts is joined in order, thinking apart", function()
    local outcome = read_change(function(_, _, message)
      message.content = {
        { type = "thinking", thinking = { { type = "text", text = "hm" },
                                          { type = "text", text = "m" } } },
        { type = "text", text = "1.2" }, { type = "reference", ids = { 1 } },
        { type = "text", text = ".3.4" } }
    end)
    assert.equal("1.2.3.4", outcome.text)
    assert.equal("hmm", outcome.reasoning)
    assert.equal("reference", outcome.flags.unknown_part)
  end)

  for _, name in ipairs { "reasoning_content", "reasoning",
                          "reasoning_details" } do
    it("keeps " .. name .. " apart", function()
      local outcome = read_change(function(_, _, message)
        message[name] = name == "reasoning_details"
          and { { type = "reasoning.text", text = "why" } } or "why"
      end)
      assert.equal("why", outcome.reasoning)
      assert.equal("B", outcome.text)
    end)
  end

  local tagged = {
    { "<think>A..</think>B", "B", "A.." },
    { "A..</think>B", "B", "A.." },
    { "<think>A</think>x</think>B", "B", "A</think>x" },
    { "<thinking>A</thinking>B", "B", "A" },
    { "\u{25c1}think\u{25b7}A\u{25c1}/think\u{25b7}B", "B", "A" },
    { "<|channel|>analysis<|message|>A<|channel|>final<|message|>B", "B",
      "A" },
    { "a < b", "a < b", nil },
  }
  for _, case in ipairs(tagged) do
    it("`" .. case[1] .. "`", function()
      local outcome = read_change(function(_, _, m) m.content = case[1] end)
      assert.equal(case[2], outcome.text)
      assert.equal(case[3], outcome.reasoning)
    end)
  end

  causes({
    { "an unclosed tag is no answer", content = "<think>A", cause =
      "no_answer", class = "item" },
    { "a tag that reopens is no answer", content = "<think>A</think><think>B",
      cause = "no_answer" },
    { "a quoted tag counts as a tag", content = 'use "<think>" here',
      cause = "no_answer" },
    { "only thinking", content = "<think>A</think>  ", cause =
      "empty_answer" },
    { "spaces", content = "    ", cause = "empty_answer" },
    { "null", content = json.null, cause = "empty_answer" },
    { "an empty list", content = json.array(), cause = "empty_answer" },
    { "a number", content = 7, cause = "empty_answer" },
  }, function(case)
    return read_change(function(_, _, message)
      message.content = case.content
    end)
  end)

  it("only in the reasoning field is flagged", function()
    local outcome = read_change(function(_, _, message)
      message.content, message.reasoning_content = json.null, "1.2.3.4"
    end)
    assert.equal("empty_answer", outcome.cause)
    assert.is_true(outcome.flags.only_reasoning)
    assert.equal("1.2.3.4", outcome.reasoning)
  end)

  it("with broken UTF-8 is mended and flagged", function()
    local outcome = read((string.gsub(completion(), '"B"', '"B\xff!"')))
    assert.equal("B\u{fffd}!", outcome.text)
    assert.is_true(outcome.flags.bad_utf8)
  end)
end)

describe("finish reasons", function()
  causes({
    { "stop" }, { "eos" }, { "end_turn" },
    { "length", cause = "truncated", class = "item" },
    { "model_length", cause = "truncated" },
    { "content_filter", cause = "refused", class = "item" },
    { "sensitive", cause = "refused" },
    { "insufficient_system_resource", cause = "interrupted",
      class = "retry" },
    { "network_error", cause = "interrupted" },
    { "error", cause = "interrupted" }, { "abort", cause = "interrupted" },
    { "tool_calls", cause = "tool_call" },
    { "model_context_window_exceeded", cause = "context_overflow" },
    { "because", cause = "unknown_finish", class = "item" },
  }, function(case)
    return read_change(function(_, c) c.finish_reason = case[1] end)
  end)

  it("null is not complete", function()
    local outcome = read_change(function(_, c)
      c.finish_reason = json.null
    end)
    assert.equal("unfinished", outcome.cause)
    assert.equal("retry", outcome.class)
  end)
end)

describe("truncation has four shapes", function()
  causes({
    { "empty and length", content = "", finish = "length", cause =
      "budget_exhausted" },
    { "text and length", content = "B", finish = "length", cause =
      "truncated" },
    { "reasoning is the cap", content = json.null, finish = "stop",
      reasoning = 400, cause = "budget_exhausted" },
    { "empty and stop", content = "", finish = "stop", cause =
      "empty_answer" },
    { "unclosed thinking and length", content = "<think>A", finish = "length",
      cause = "budget_exhausted" },
  }, function(case)
    return read_change(function(body, choice, message)
      choice.finish_reason, message.content = case.finish, case.content
      body.usage = { completion_tokens_details = {
        reasoning_tokens = case.reasoning or 1 } }
    end, { cap = 400 })
  end)
end)

describe("refusals", function()
  it("have a field of their own", function()
    local outcome = read_change(function(_, _, message)
      message.content, message.refusal = json.null, "I cannot"
    end)
    assert.equal("refused", outcome.cause)
  end)

  it("a filter outage is only flagged", function()
    local outcome = read_change(function(_, choice)
      choice.content_filter_results = { error = { code = "x" } }
    end)
    assert.is_true(outcome.ok)
    assert.is_true(outcome.flags.filter_outage)
  end)
end)

describe("choices", function()
  causes({
    { "null", choices = json.null, cause = "no_choice", class = "retry" },
    { "empty", choices = json.array(), cause = "no_choice" },
    { "absent", cause = "no_choice" },
    { "without a message", choices = { { finish_reason = "stop" } },
      cause = "no_choice" },
    { "of another type", choices = "x", cause = "no_choice" },
  }, function(case)
    return read_change(function(body) body.choices = case.choices end)
  end)
end)

describe("the model's name", function()
  local function echo(name, want)
    return read_change(function(body) body.model = name end, want)
  end

  it("may be exact, dated or absent", function()
    for _, name in ipairs { "m", "m-2025-04-14" } do
      assert.is_nil(echo(name, { model = "m" }).flags.other_model)
    end
    assert.is_nil(echo(nil, { model = "m" }).flags.other_model)
  end)

  it("is flagged where it differs, and refused in strict mode", function()
    assert.equal("n", echo("n", { model = "m" }).flags.other_model)
    assert.equal("mm", echo("mm", { model = "m" }).flags.other_model)
    assert.is_nil(echo("n", { model = "m", accepts = { "n" } })
                  .flags.other_model)
    local outcome = echo("n", { model = "m", strict = true })
    assert.equal("wrong_model", outcome.cause)
    assert.equal("endpoint", outcome.class)
  end)
end)

describe("a prompt that was cut", function()
  it("shows in usage", function()
    local outcome = read_change(function(body)
      body.usage.prompt_tokens = 4096
    end, { bytes = 100000 })
    assert.equal("prompt_truncated", outcome.cause)
    assert.is_true(read(completion(), { bytes = 80 }).ok)
  end)
end)

describe("a choice constraint", function()
  it("is checked", function()
    assert.is_true(read(completion(), { choices = { "A", "B" } }).ok)
    assert.equal("constraint_not_applied",
                 read(completion(), { choices = { "A" } }).cause)
  end)

  it("may come wrapped", function()
    local outcome = read_change(function(_, _, message)
      message.content = '{"choice":"A"}'
    end, { choices = { "A" }, unwrap = true })
    assert.equal("A", outcome.text)
  end)
end)

describe("bodies that are no reply", function()
  local deep = string.rep("[", 10000) .. string.rep("]", 10000)
  causes({
    { "nothing", body = "", cause = "bad_response", class = "retry" },
    { "blanks", body = " \n\n", cause = "bad_response" },
    { "a page", body = "<!DOCTYPE html><title>Oops</title>", cause =
      "bad_response" },
    { "a text", body = '"x"', cause = "bad_response" },
    { "cut", body = string.sub(completion(), 1, -5), cause =
      "bad_response" },
    { "trailing garbage", body = completion() .. "x", cause =
      "bad_response" },
    { "NaN", body = (string.gsub(completion(), ":10", ":NaN")), cause =
      "bad_response" },
    { "deep nesting", body = deep, cause = "bad_response" },
    { "a key twice", body = (string.gsub(completion(), '"content":"B"',
      '"content":"A","content":"B"')), cause = "bad_response" },
    { "a key twice, spaced", body = (string.gsub(completion(),
      '"content":"B"', '"content" : "A",\n"content" : "B"')), cause =
      "bad_response" },
    { "a key twice, escaped", body = (string.gsub(completion(),
      '"content":"B"', '"content":"A","c\\u006fntent":"B"')), cause =
      "bad_response" },
    { "a value that looks like a key", body = (string.gsub(completion(),
      '"B"', '":\\"x\\": {"')), text = ':"x": {' },
    { "the same key in two objects", body = (string.gsub(completion(),
      '"B"', '"B","a":{"k":1},"b":{"k":1}')), text = "B" },
  }, function(case) return read(case.body) end)

  it("tells a page by its title", function()
    local outcome = read("<html><title>Bad\ngateway</title>", nil, 502)
    assert.equal("server_error", outcome.cause)
    assert.equal("HTTP 502: Bad gateway", outcome.message)
  end)

  it("a lone surrogate is replaced and flagged", function()
    local outcome = read((string.gsub(completion(), '"B"',
      '"\\ud83d\\ude00\\\\ud800\\ud800!\\udc00"')))
    assert.equal("\u{1f600}\\ud800\u{fffd}!\u{fffd}", outcome.text)
    assert.is_true(outcome.flags.lone_surrogate)
  end)

  it("a raw line break in a string is flagged", function()
    local outcome = read((string.gsub(completion(), '"B"', '"B\nC"')))
    assert.equal("B\nC", outcome.text)
    assert.is_true(outcome.flags.raw_control)
    outcome = read((string.gsub(completion(), ",", ",\n")))
    assert.is_nil(outcome.flags.raw_control)
  end)
end)

describe("failures", function()
  local function failure(code, message, more)
    local inner = { message = message or "no", code = code }
    for key, value in pairs(more or {}) do inner[key] = value end
    return json.encode { error = inner }
  end

  causes({
    { "400", status = 400, body = failure(json.null), cause = "bad_request",
      class = "item" },
    { "400 cap name", status = 400, body = failure("unsupported_parameter",
      "use max_completion_tokens", { param = "max_tokens" }),
      cause = "unsupported_parameter", class = "run" },
    { "401", status = 401, body = failure("x"), cause = "bad_key",
      class = "endpoint" },
    { "402", status = 402, body = failure(402, "no credit"), cause = "money",
      class = "endpoint" },
    { "402 with a hint", status = 402, body = failure(402), headers =
      "Retry-After: 2", cause = "money", class = "retry" },
    { "403 moderation", status = 403, body = failure(403,
      "requires moderation"), cause = "refused", class = "item" },
    { "404", status = 404, body = failure("model_not_found"), cause =
      "no_model", class = "endpoint" },
    { "408", status = 408, body = "", cause = "try_later", class = "retry" },
    { "413", status = 413, body = "", cause = "request_too_large", class =
      "item" },
    { "422 detail", status = 422, body =
      '{"detail":[{"msg":"field required"}]}', cause = "bad_request" },
    { "429", status = 429, body = failure("x"), cause = "rate_limited",
      class = "retry" },
    { "429 no money", status = 429, body = failure("insufficient_quota"),
      cause = "money", class = "endpoint" },
    { "429 GLM 1113", status = 429, body = failure("1113"), cause = "money" },
    { "429 GLM 1302", status = 429, body = failure("1302"), cause =
      "rate_limited" },
    { "429 GLM 1308", status = 429, body = failure("1308"), cause = "quota",
      class = "endpoint" },
    { "429 Google, a day", status = 429, body = json.encode { { error = {
      code = 429, message = "You exceeded your current quota", status =
      "RESOURCE_EXHAUSTED", details = { { violations = { { quotaId =
      "GenerateRequestsPerDayPerProject" } } } } } } }, cause = "quota" },
    { "429 Google, a minute", status = 429, body = json.encode { { error = {
      code = 429, message = "You exceeded your current quota", details =
      { { violations = { { quotaId = "RequestsPerMinute" } } } } } } },
      cause = "rate_limited" },
    { "429 slow down", status = 429, body = failure("slow_down"), cause =
      "overloaded", class = "retry" },
    { "500", status = 500, body = "", cause = "server_error", class =
      "retry" },
    { "529", status = 529, body = failure("overloaded_error"), cause =
      "overloaded" },
    { "520 page", status = 520, body = "<html>", cause = "server_error" },
    { "Cloudflare's JSON under 200", status = 200, body =
      '{"cloudflare_error":true,"status":520}', cause = "server_error" },
    { "a redirect", status = 307, body = "", cause = "redirect", class =
      "endpoint" },
    { "200 with an error", status = 200, body = failure(503), cause =
      "overloaded" },
    { "200 with a worded error", status = 200, body = '{"error":"boom"}',
      cause = "bad_response" },
    { "200 with an error in the choice", status = 200, body = completion(
      function(_, choice) choice.error = { code = 502, message = "up" } end),
      cause = "server_error" },
    { "200 with a null error", status = 200, body = completion(
      function(body) body.error = json.null end) },
    { "a body code beats the status", status = 500, body = failure(400,
      "the request exceeds the available context size"), cause =
      "context_overflow", class = "item" },
    { "context, OpenAI", status = 400, body = failure(
      "context_length_exceeded"), cause = "context_overflow" },
    { "context, vLLM", status = 400, body = json.encode { object = "error",
      message = "This model's maximum context length is 4096 tokens",
      code = 400 }, cause = "context_overflow" },
    { "context, llama.cpp", status = 400, body = failure(400, "too big",
      { type = "exceed_context_size_error", n_ctx = 4096 }), cause =
      "context_overflow" },
    { "a filter, Azure", status = 400, body = failure("content_filter"),
      cause = "refused" },
    { "ordered to retry", status = 400, body = failure("x"), headers =
      "x-should-retry: true", cause = "bad_request", class = "retry" },
    { "ordered not to", status = 503, body = failure("x"), headers =
      "x-should-retry: false", cause = "overloaded", class = "retry" },
  }, function(case)
    return read(case.body, nil, case.status, case.headers)
  end)

  it("carry the server's wait", function()
    local outcome = read(failure("x"), nil, 429, "Retry-After: 7")
    assert.equal(7, outcome.wait)
  end)

  it("quote the server in printable words, bounded", function()
    local outcome = read(failure("x", "a\27[31m" .. string.rep("b", 5000)),
                         nil, 400)
    assert.is_nil(string.find(outcome.message, "\27", 1, true))
    assert.is_true(#outcome.message < 400)
  end)
end)

describe("transport endings", function()
  causes({
    { "dns", cause = "dns", class = "retry" },
    { "connect", cause = "connect", class = "retry" },
    { "tls", detail = "SSL certificate problem: self-signed certificate",
      cause = "tls", class = "endpoint" },
    { "tls", detail = "OpenSSL SSL_connect: Connection reset by peer",
      cause = "handshake", class = "retry" },
    { "reset", cause = "reset" }, { "cut", cause = "cut" },
    { "first_byte", cause = "timeout" }, { "idle", cause = "timeout" },
    { "total", cause = "timeout" },
    { "too_large", cause = "too_large", class = "item" },
    { "other", cause = "transport" },
  }, function(case)
    return reply.read({ ending = case[1], detail = case.detail, status = 200,
                        body = completion() }, {}, NOW)
  end)
end)

describe("any bytes", function()
  local seeds = {
    completion(), completion(function(_, choice, message)
      message.content = { { type = "text", text = "a\u{1f600}" } }
      choice.content_filter_results = { error = { code = "x" } }
      message.tool_calls = { { ["function"] = { name = "f",
                                                arguments = "{}" } } }
    end),
    'data: {"choices":[{"index":0,"delta":{"content":"a"},'
      .. '"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    '[{"error":{"code":429,"message":"try again in 5s","details":['
      .. '{"retryDelay":"3s","violations":[{"quotaId":"PerDay"}]}],'
      .. '"metadata":{"headers":{"X-RateLimit-Reset":"1"}}}}]',
    "<html><title>x</title>",
  }
  local state = 1
  local function random(n)
    state = (state * 6364136223846793005 + 1442695040888963407)
      & 0x7fffffffffffffff
    return (state >> 16) % n + 1
  end

  local function mutated(body)
    for _ = 1, random(4) do
      local at = random(#body)
      local kind = random(4)
      local piece = kind == 1 and string.char(random(256) - 1)
        or kind == 2 and "" or kind == 3 and string.sub(body, at, at + 20)
        or ({ "null", "{", "}", "[]", '"', ":", "1e999", "-1" })[random(8)]
      body = string.sub(body, 1, at - 1) .. piece
        .. string.sub(body, at + random(3) - 1)
      if body == "" then body = "x" end
    end
    return body
  end

  it("come to an outcome", function()
    local want = { model = "m", cap = 5, bytes = 5000, tools = true,
                   choices = { "B" }, unwrap = true }
    local statuses = { 200, 200, 200, 400, 429, 503, 307 }
    for round = 1, 6000 do
      local body = mutated(seeds[random(#seeds)])
      local outcome = read(body, round % 2 == 0 and want or { model = "m" },
                           statuses[random(#statuses)], body)
      assert.is_boolean(outcome.ok)
      assert.is_true(outcome.ok or outcome.cause ~= nil
                     and outcome.class ~= nil and outcome.message ~= nil)
    end
  end)
end)
