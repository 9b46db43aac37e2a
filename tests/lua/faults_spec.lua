-- The client against a server whose answers are wrong to the byte: real
-- sockets, the real loop, short clocks. Each case is a path of one faultd.
local faults = dofile "tests/support/faults.lua"
local json = require "ecrb.json"
local pack = require "core.pack"
local secret_key = "sk-canary-5f1c"
local secret_escaped = string.gsub(secret_key, ".", function(byte)
  return string.format("\\u%04x", string.byte(byte))
end)

-- {====================================================================
-- The script
-- =====================================================================

local rules = {}

-- A case of the script: the answers to POSTs below its path.
local function case(name, ...)
  rules[#rules + 1] = "on POST /" .. name .. "/*"
  for _, line in ipairs { ... } do rules[#rules + 1] = line end
  return name
end

-- A text of the script that stands for these bytes.
local function quoted(bytes)
  return '"' .. string.gsub(bytes, '[%c\\"\128-\255]', function(c)
    return string.format("\\x%02x", string.byte(c))
  end) .. '"'
end

-- The lines of one whole answer.
local function answer(status, body, ...)
  local lines = { "answer", "status " .. status }
  for _, header in ipairs { ... } do
    lines[#lines + 1] = "header " .. header
  end
  lines[#lines + 1] = "body " .. quoted(body)
  return table.concat(lines, "\n")
end

local GOOD = 'answer\nstatus 200\nchat "B"'

local function completion(message, finish, more)
  local value = { model = "m", choices = { { index = 0, message = message,
    finish_reason = finish == nil and "stop" or finish } } }
  for key, field in pairs(more or {}) do value[key] = field end
  return json.encode(value)
end

local function failure(code, message, more)
  local inner = { message = message or "no", code = code }
  for key, value in pairs(more or {}) do inner[key] = value end
  return json.encode { error = inner }
end

-- Each is read once: name, body, and what it comes to.
local bodies = {}

local function body_case(name, body, expected)
  expected.name = name
  bodies[#bodies + 1] = expected
  case(name, answer(200, body))
end

case("plain-ok", GOOD)
case("blank-lines-then-json", "answer\nstatus 200\nend",
     'repeat 10 60 "\\n"', "send " .. quoted(completion({ content = "B" })
     .. "\n"), "close")
case("blank-lines-forever", "answer\nstatus 200\nend",
     'repeat forever 50 "\\n"')
case("blank-only-200", answer(200, "  \n\n "))
case("retry-after-seconds", answer(429, failure("x"), "Retry-After: 1"), GOOD)
case("not-limited", GOOD)
case("retry-after-ms-wins", answer(429, failure("x"), "retry-after-ms: 300",
     "Retry-After: 30"), GOOD)
case("quota-not-rate", answer(429, failure("insufficient_quota")))
case("glm-1113", answer(429, failure("1113")))
case("glm-1302", answer(429, failure("1302")), GOOD)
case("http-402", "answer 10", 'status 200', 'chat "B"',
     answer(402, failure(402, "Insufficient Balance")))
case("bad-key-401", answer(401, failure("invalid_api_key",
     "Incorrect API key provided: " .. secret_key),
     "X-Request-Id: " .. secret_key))
case("bad-key-escaped", answer(401, '{"error":{"code":"invalid_api_key",'
     .. '"message":"Bad key ' .. secret_escaped .. ' in '
     .. pack.base64("Authorization: Bearer " .. secret_key) .. '"}}',
     "X-Request-Id: " .. string.gsub(secret_key, "-", "%%2d")))
case("key-in-pieces", 'answer\nstatus 200\nheader Content-Type: text/event-stream',
     'body ' .. quoted(string.gsub(secret_key, ".", function(byte)
       return 'data: {"choices":[{"index":0,"delta":{"content":"' .. byte
         .. '"}}]}\n\n'
     end) .. 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
       .. '\n\ndata: [DONE]\n\n'))
case("keys-of-others", answer(200, completion { content = "sk-other-93ab "
     .. secret_key }))
case("cap-name-400", answer(400, failure("unsupported_parameter",
     "Use max_completion_tokens", { param = "max_tokens" })))
case("context-openai", answer(400, failure("context_length_exceeded")))
case("context-vllm", answer(400, json.encode { object = "error", code = 400,
     message = "maximum context length is 4096 tokens" }))
case("context-llamacpp", answer(500, failure(400, "too large",
     { type = "exceed_context_size_error", n_ctx = 4096 })))
case("overloaded", answer(529, failure("overloaded_error")),
     answer(520, "<html><title>Web server error</title>"
       .. string.rep("x", 9000)), GOOD)
case("page-only", answer(520, "<html><title>Web server error</title>"
     .. string.rep("x", 9000)))
case("reset-mid-body", "answer\nstatus 200\nlength 5000\nend",
     "fill 2000 " .. quoted(completion { content = "B" }), "reset", GOOD)
case("closed-early", "answer\nclose", GOOD)
case("short-length", "answer\nstatus 200\nlength 5000\nend",
     "send " .. quoted(completion { content = "B" }), "close", GOOD)
rules[#rules + 1] = 'on POST /hang/* "\\"seed\\":7,"\nanswer\nhang'
rules[#rules + 1] = 'on POST /hang/* "\\"seed\\":7}"\nanswer\nhang'
case("hang", GOOD)
case("slow-trickle", "answer\nstatus 200\nlength 51200\nend",
     "repeat forever 30 \" \"")
case("slow-think", "answer\nstatus 200\nwait 600", 'chat "B"')
case("huge-body", "answer\nstatus 200\nend", 'fill forever "x"')
case("redirect", answer(307, "", "Location: /elsewhere/chat/completions"))
case("elsewhere", GOOD)
case("constraint-ignored", GOOD)
case("tls", GOOD)
case("not-found", answer(404, failure("model_not_found")))
case("always-503", answer(503, "busy"))

body_case("choices-null", '{"choices":null}', { cause = "no_choice", sent = 3 })
body_case("choices-empty", '{"choices":[]}', { cause = "no_choice", sent = 3 })
body_case("choices-missing", '{"id":"x"}', { cause = "no_choice", sent = 3 })
body_case("message-missing", '{"choices":[{"finish_reason":"stop"}]}',
          { cause = "no_choice", sent = 3 })
body_case("content-null-length", completion({ content = json.null }, "length",
  { usage = { completion_tokens = 400, completion_tokens_details =
      { reasoning_tokens = 400 } } }), { cause = "budget_exhausted" })
body_case("content-parts", completion { content = {
  { type = "thinking", thinking = { { type = "text", text = "hm" } } },
  { type = "text", text = "1.2" }, { type = "text", text = ".3.4" } } },
  { text = "1.2.3.4", reasoning = "hm" })
body_case("think-pair", completion { content = "<think>A..</think>B" },
          { text = "B", reasoning = "A.." })
body_case("think-close-only", completion { content = "A..</think>B" },
          { text = "B", reasoning = "A.." })
body_case("think-unclosed", completion { content = "<think>A.." },
          { cause = "no_answer" })
body_case("reasoning-content", completion { content = "B",
  reasoning_content = "R" }, { text = "B", reasoning = "R" })
body_case("reasoning", completion { content = "B", reasoning = "R" },
          { text = "B", reasoning = "R" })
for finish, cause in pairs {
  stop = false, eos = false, length = "truncated",
  content_filter = "refused", sensitive = "refused",
  insufficient_system_resource = "interrupted", model_length = "truncated",
  whatever = "unknown_finish" } do
  body_case("finish-" .. finish, completion({ content = "B" }, finish),
            { cause = cause or nil, text = "B",
              sent = cause == "interrupted" and 3 or 1 })
end
body_case("finish-null", completion({ content = "B" }, json.null),
          { cause = "unfinished", sent = 3 })
body_case("error-under-200", failure(503), { cause = "overloaded",
          class = "endpoint" })
body_case("bom", "\u{feff}" .. completion { content = "B" }, { text = "B" })
body_case("nan", (string.gsub(completion { content = "B" }, '"m"',
          '"m","logprob":NaN')), { cause = "bad_response", sent = 3 })
body_case("duplicate-content", '{"choices":[{"finish_reason":"stop",'
          .. '"message":{"content":"A","content":"B"}}]}',
          { cause = "bad_response", sent = 3 })
body_case("lone-surrogate", '{"choices":[{"finish_reason":"stop",'
          .. '"message":{"content":"\\ud800B"}}]}',
          { text = "\u{fffd}B", flag = "lone_surrogate" })
body_case("raw-newline", '{"choices":[{"finish_reason":"stop",'
          .. '"message":{"content":"A\nB"}}]}',
          { text = "A\nB", flag = "raw_control" })
body_case("deep-nesting", string.rep("[", 10000), { cause = "bad_response",
          sent = 3 })
body_case("trailing-garbage", completion { content = "B" } .. "}",
          { cause = "bad_response", sent = 3 })
body_case("not-utf8", (string.gsub(completion { content = "B" }, '"B"',
          '"B\xff"')), { text = "B\u{fffd}", flag = "bad_utf8" })

-- {====================================================================
-- Streams
-- =====================================================================

local STREAM_TEXT = "1.2.3.4 \u{1f600} \u{9176}"

local function chunk(delta, finish)
  return json.encode { model = "m", choices = { { index = 0, delta = delta,
    finish_reason = finish or json.null } } }
end

local TORTURE = ": keep-alive\r\n\r\n"
  .. "data: " .. chunk { role = "assistant", content = "1.2" } .. "\r\n\r\n"
  .. "data:" .. chunk { content = ".3.4 \u{1f600}" } .. "\n\n"
  .. ": ping\n\ndata: : again\n\n"
  .. "data: " .. chunk { content = " \u{9176}" } .. "\r\r"
  .. "data: " .. chunk({}, "stop") .. "\n\n"
  .. 'data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":4}}'
  .. "\n\n"

local STREAM = "status 200\nheader Content-Type: text/event-stream\nend"

case("sse-bytes", "answer", STREAM, "pieces 1 0 " .. quoted(TORTURE),
     "close")
case("sse-split", "answer", STREAM, "split $at:10 5 "
     .. quoted(TORTURE), "close")
case("sse-held", "answer", STREAM, "send " .. quoted(TORTURE
     .. "data: [DONE]\n\n"), "hang")
case("sse-held-open", "answer", STREAM, "send " .. quoted(TORTURE), "hang")
case("sse-held-early", "answer", STREAM, "send "
     .. quoted("data: " .. chunk({ content = "1.2" }, "stop") .. "\n\n"),
     "hang")
case("sse-cut-late", "answer\nstatus 200\nlength 9999\nend", "send "
     .. quoted(TORTURE), "close")
case("sse-cut", "answer", STREAM, "send "
     .. quoted("data: " .. chunk { content = "1.2" } .. "\n\n"),
     "reset", "answer", STREAM, "send " .. quoted(TORTURE), "close")
case("sse-done-alone", "answer", STREAM, "send " .. quoted("data: "
     .. chunk { content = "1.2" } .. "\n\ndata: [DONE]\n\n"), "close")
case("sse-error", "answer", STREAM, "send "
     .. quoted('data: {"error":{"code":502,"message":"up"}}\n\n'),
     "close", "answer", STREAM, "send " .. quoted(TORTURE), "close")

-- }====================================================================

-- {====================================================================
-- Bodies that the server compressed, unasked
-- =====================================================================

local function bytes_of(hexadecimal)
  return (string.gsub(hexadecimal, "%x%x", function(pair)
    return string.char(tonumber(pair, 16))
  end))
end

local function packed_case(name, coding, bytes)
  case(name, answer(200, bytes, "Content-Encoding: " .. coding))
end

-- All four are the same reply.
packed_case("packed-gzip", "gzip", bytes_of(
  "1f8b08000000000002030dcac10d80200c05d05dfe99097a740d630cc12a24d01adb5bc3"
  .. "ee727d7981a117771006124ad556d8407b60b0597e1814282acee22b6d9809779366f5fc"
  .. "389bca42737d318ff9034a0afe194c000000"))
packed_case("packed-zstd", "zstd", bytes_of(
  "28b52ffd0468fd0100c2c40e11a0ed51c6a062f69bd5dc02e0a28551958573cc3f8e7dbd"
  .. "e32e0b89eae5163a980fd747b7d1b1b9d46f2adddb2e85bed72c56e6e0ed7ab687db6500"
  .. "68e86841"))
packed_case("packed-deflate", "deflate", pack.deflate(completion { content = "B" }, 9))
packed_case("packed-twice", "deflate, deflate",
            pack.deflate(pack.deflate(completion { content = "B" }, 9), 9))
packed_case("packed-bomb", "deflate", pack.deflate(string.rep(" ", 2e7), 9))
packed_case("packed-unknown", "exotic", "?")
packed_case("packed-broken", "gzip", "this is no gzip")
packed_case("packed-key", "deflate",
            pack.deflate(completion { content = "it is " .. secret_key }, 9))

-- }====================================================================

local server = faults.start(table.concat(rules, "\n") .. "\n")
teardown(function() server:stop() end)

local function call(name, spec)
  local outcomes, session = faults.call(server, name, spec)
  return outcomes[1], server:requests(name), session, outcomes
end

-- Nothing that is kept or shown may hold the key.
local function assert_no_secret(...)
  for _, value in ipairs { ... } do
    local text = type(value) == "string" and value or json.encode(value)
    for _, form in ipairs { secret_key, secret_escaped, "canary",
                            pack.base64("Bearer " .. secret_key) } do
      assert.is_nil(string.find(text, form, 1, true))
    end
  end
end

local function count(outcomes, test)
  local n = 0
  for _, outcome in ipairs(outcomes) do
    if test(outcome) then n = n + 1 end
  end
  return n
end

local function is_ok(outcome) return outcome.ok end

describe("a good reply", function()
  it("plain-ok", function()
    local outcome, requests = call "plain-ok"
    assert.is_true(outcome.ok)
    assert.equal("B", outcome.text)
    assert.equal("m", outcome.model)
    assert.is_number(outcome.usage.prompt)
    assert.equal(outcome.text, json.decode(outcome.raw)
                 .choices[1].message.content)
    assert.equal(1, #requests)
    assert.equal("m", json.decode(requests[1].body).model)
  end)

  it("blank-lines-then-json", function()
    local outcome = call("blank-lines-then-json",
                         { limits = { first_byte = 3, idle = 0.3 } })
    assert.is_true(outcome.ok)
  end)

  it("slow-think", function()
    assert.is_true(call("slow-think", { limits = { first_byte = 3,
      idle = 0.2 } }).ok)
  end)
end)

describe("clocks", function()
  it("blank-lines-forever", function()
    local outcome, requests = call("blank-lines-forever",
      { limits = { first_byte = 0.4 }, policy = { max_retries = 1 } })
    assert.equal("timeout", outcome.cause)
    assert.equal(2, #requests)
    assert.equal("first_byte", outcome.attempts[1].ending)
  end)

  it("slow-trickle", function()
    local outcome = call("slow-trickle", { limits = { total = 0.5 },
      policy = { max_retries = 0 } })
    assert.equal("timeout", outcome.cause)
  end)

  it("hang-no-bytes", function()
    local outcome, requests, _, outcomes = call("hang", { n = 40,
      limits = { first_byte = 0.5 }, policy = { max_retries = 1 } })
    assert.is_true(outcome.ok)
    assert.equal(39, count(outcomes, is_ok))
    assert.equal("timeout", outcomes[7].cause)
    assert.equal(41, #requests)
  end)
end)

describe("waiting", function()
  it("retry-after-seconds, other endpoints go on", function()
    local outcome, requests = call("retry-after-seconds")
    assert.is_true(outcome.ok)
    assert.equal(2, #requests)
    assert.is_true(outcome.attempts[1].waited >= 1)
  end)

  it("retry-after-ms-wins", function()
    local outcome = call "retry-after-ms-wins"
    assert.is_true(outcome.ok)
    assert.near(0.3, outcome.attempts[1].waited, 0.1)
  end)
end)

describe("what will not pass", function()
  it("quota-not-rate", function()
    local outcome, requests, session = call("quota-not-rate", { n = 20,
      policy = { concurrency = 2 } })
    assert.equal("money", outcome.cause)
    assert.equal("endpoint", outcome.class)
    assert.is_true(#requests <= 2)
    assert.truthy(session:stopped())
  end)

  it("glm-1113-vs-1302", function()
    local one, unpaid = call "glm-1113"
    local two, busy = call "glm-1302"
    assert.equal("money", one.cause)
    assert.equal(1, #unpaid)
    assert.is_true(two.ok)
    assert.equal(2, #busy)
  end)

  it("http-402", function()
    local _, requests, _, outcomes = call("http-402", { n = 40,
      policy = { concurrency = 4 } })
    assert.equal(10, count(outcomes, is_ok))
    assert.equal(30, count(outcomes, function(outcome)
      return outcome.class == "endpoint"
    end))
    assert.is_true(#requests <= 14)
  end)

  local function with_key(name, spec)
    local system = require "core.system"
    local real = system.getenv
    local keys = { CANARY = secret_key, OTHER = "sk-other-93ab" }
    system.getenv = function(variable) return keys[variable] or real(variable) end
    spec.entry = spec.entry or { key_variable = "CANARY" }
    local outcome, requests, session = call(name, spec)
    system.getenv = real
    assert.is_string(requests[1].headers.authorization)
    assert_no_secret(outcome.message, outcome.raw, outcome.attempts,
                     session:stopped() or "", session:state())
    return outcome, requests, session
  end

  for _, name in ipairs { "bad-key-401", "bad-key-escaped" } do
    it(name, function()
      local outcome, requests, session = with_key(name,
        { n = 20, policy = { concurrency = 3 } })
      assert.equal("bad_key", outcome.cause)
      assert.is_true(#requests <= 3)
      assert.truthy(string.find(outcome.raw, "[key]", 1, true))
      assert.truthy(string.find(session:stopped(), "check the key", 1, true))
    end)
  end

  it("packed-key", function()
    assert.equal("it is [key]", with_key("packed-key", {}).text)
  end)

  it("keys-of-others", function()
    local url = server:url "keys-of-others"
    for _, first in ipairs { "CANARY", "OTHER" } do
      local second = first == "CANARY" and "OTHER" or "CANARY"
      local outcome = with_key("keys-of-others", { entry = { endpoints = {
        { base_url = url, key_variable = first },
        { base_url = url, key_variable = second } } } })
      assert.equal("[key] [key]", outcome.text)
      assert.truthy(string.find(outcome.raw, '"[key] [key]"', 1, true))
    end
  end)

  it("key-in-pieces", function()
    local outcome, requests = with_key("key-in-pieces", {})
    assert.equal("bad_response", outcome.cause)
    assert.equal("", outcome.raw)
    assert.equal(3, #requests)
  end)

  it("cap-name-400", function()
    local outcome, requests, session = call("cap-name-400", { n = 20,
      request = { max_tokens = 5 }, policy = { concurrency = 2 } })
    assert.equal("unsupported_parameter", outcome.cause)
    assert.equal("run", outcome.class)
    assert.is_true(#requests <= 2)
    assert.truthy(string.find(session:stopped(), "max_tokens", 1, true))
  end)

  it("not-found", function()
    local outcome, requests = call("not-found")
    assert.equal("no_model", outcome.cause)
    assert.equal(1, #requests)
  end)

  for _, name in ipairs { "context-openai", "context-vllm",
                          "context-llamacpp" } do
    it(name, function()
      local outcome, requests, session = call(name, { n = 2 })
      assert.equal("context_overflow", outcome.cause)
      assert.equal("item", outcome.class)
      assert.equal(2, #requests)
      assert.is_nil(session:stopped())
    end)
  end

  it("redirect", function()
    local outcome, requests = call "redirect"
    assert.equal("redirect", outcome.cause)
    assert.truthy(string.find(outcome.message,
      "HTTP 307: to /elsewhere/chat/completions; redirects", 1, true))
    assert.equal(1, #requests)
    assert.equal(0, #server:requests "elsewhere")
  end)

  it("tls to a server that speaks none, or with an unknown certificate",
    function()
      local outcome = call("tls", { entry = {
        base_url = "https://127.0.0.1:" .. server.port .. "/tls" },
        policy = { max_retries = 0 } })
      assert.is_false(outcome.ok)
      assert.equal(0, #server:requests "tls")
    end)

  it("dns", function()
    local outcome, _, session = call("dns", { n = 10, entry = {
      base_url = "http://no-such-host.invalid/v1" },
      policy = { concurrency = 1 } })
    assert.equal("endpoint", outcome.class)
    assert.truthy(string.find(session:stopped(), "host name", 1, true))
  end)

  it("connect", function()
    local outcome, _, session = call("connect", { n = 10, entry = {
      base_url = "http://127.0.0.1:1/v1" }, policy = { concurrency = 1 } })
    assert.equal("endpoint", outcome.class)
    assert.equal(0, outcome.sent)
    assert.truthy(string.find(session:stopped(), "the port", 1, true))
  end)
end)

describe("what may pass", function()
  it("overloaded-529-and-520-html", function()
    local outcome, requests = call "overloaded"
    assert.is_true(outcome.ok)
    assert.equal(3, #requests)
    assert.equal("HTTP 520: Web server error", outcome.attempts[2].message)
  end)

  it("keeps little of a page", function()
    local outcome = call("page-only", { policy = { max_retries = 0 } })
    assert.equal("server_error", outcome.cause)
    assert.equal(2048, #outcome.raw)
  end)

  for name, ending in pairs { ["reset-mid-body"] = "cut",
                              ["closed-early"] = "reset",
                              ["short-length"] = "cut" } do
    it(name, function()
      local outcome, requests = call(name)
      assert.is_true(outcome.ok)
      assert.equal(2, #requests)
      assert.equal(ending, outcome.attempts[1].ending)
    end)
  end

  it("blank-only-200", function()
    local outcome, requests = call "blank-only-200"
    assert.equal("bad_response", outcome.cause)
    assert.equal(3, #requests)
  end)

  it("always-503 ends by itself", function()
    local outcome, requests, session = call("always-503", { n = 3,
      policy = { longest_outage = 2 } })
    assert.equal("endpoint", outcome.class)
    assert.is_true(#requests <= 18)
    assert.truthy(session:stopped())
  end)

  it("huge-body", function()
    local outcome, requests = call("huge-body",
                                   { limits = { body = 1e6 } })
    assert.equal("too_large", outcome.cause)
    assert.equal("item", outcome.class)
    assert.equal("the body of the reply came to more than 1000000 bytes; "
      .. "`clocks = { body = BYTES }` in the model's entry in models.lua sets "
      .. "another limit", outcome.message)
    assert.equal(1, #requests)
    assert.is_true(#outcome.raw <= 65536)
  end)
end)

describe("bodies under 200", function()
  for _, expected in ipairs(bodies) do
    it(expected.name, function()
      local outcome, requests = call(expected.name, { request = {
        max_tokens = 400 } })
      assert.equal(expected.cause, outcome.cause)
      assert.equal(not expected.cause, outcome.ok)
      if expected.class then
        assert.equal(expected.class, outcome.class)
      else
        assert.equal(expected.sent or 1, #requests)
      end
      if not expected.cause then
        assert.equal(expected.text, outcome.text)
        assert.equal(expected.reasoning, outcome.reasoning)
      end
      if expected.flag then assert.is_true(outcome.flags[expected.flag]) end
    end)
  end

  it("constraint-ignored", function()
    local outcome, requests = call("constraint-ignored", {
      entry = { dialect = "vllm" }, request = { choices = { "X", "Y" } } })
    assert.equal("constraint_not_applied", outcome.cause)
    assert.equal(1, #requests)
    assert.same({ choice = { "X", "Y" } },
                json.decode(requests[1].body).structured_outputs)
  end)
end)

describe("bodies that come compressed", function()
  for _, name in ipairs { "packed-gzip", "packed-zstd", "packed-deflate", "packed-twice" } do
    it(name, function()
      local outcome, requests = call(name)
      assert.equal("B", outcome.text)
      assert.is_table(json.decode(outcome.raw))
      assert.is_nil(requests[1].headers["accept-encoding"])
    end)
  end

  it("are bounded by what they come to", function()
    local outcome, requests = call("packed-bomb", { limits = { body = 1e6 } })
    assert.equal("too_large", outcome.cause)
    assert.equal(1, #requests)
    assert.is_true(#outcome.raw <= 65536)
  end)

  it("in another way, or wrongly, say so", function()
    for name, says in pairs { ["packed-unknown"] = "content encoding type",
                              ["packed-broken"] = "content unencoding" } do
      local outcome = call(name, { policy = { max_retries = 0 } })
      assert.equal("transport", outcome.cause)
      assert.truthy(string.find(outcome.message, says, 1, true), outcome.message)
    end
  end)
end)

describe("streams", function()
  local streaming = { stream = true }

  it("sse-torture, byte by byte", function()
    local outcome = call("sse-bytes", { entry = streaming })
    assert.equal(STREAM_TEXT, outcome.text)
    assert.same({ prompt = 5, completion = 4 }, outcome.usage)
  end)

  it("sse-torture, split anywhere", function()
    for at = 1, #TORTURE - 1, 37 do
      local outcome = call("sse-split", { entry = { stream = true,
        base_url = server:url "sse-split" .. "?at=" .. at } })
      assert.equal(STREAM_TEXT, outcome.text)
    end
  end)

  it("sse-socket-held", function()
    for _, name in ipairs { "sse-held", "sse-held-open" } do
      local outcome = call(name, { entry = streaming,
        limits = { idle = 60 }, policy = { max_retries = 0 } })
      assert.equal(STREAM_TEXT, outcome.text)
      assert.equal("done", outcome.attempts[1].ending)
    end
  end)

  it("held or cut where the clock is short", function()
    for _, name in ipairs { "sse-held", "sse-held-open", "sse-cut-late" } do
      local outcome = call(name, { entry = streaming,
        limits = { idle = 0.1 }, policy = { max_retries = 0 } })
      assert.equal(STREAM_TEXT, outcome.text)
    end
  end)

  it("held without usage may go on, and is waited for", function()
    local outcome = call("sse-held-early", { entry = streaming,
      limits = { idle = 0.3 }, policy = { max_retries = 0 } })
    assert.equal("timeout", outcome.cause)
  end)

  it("cut before its end, is repeated", function()
    local outcome, requests = call("sse-cut", { entry = streaming })
    assert.equal(STREAM_TEXT, outcome.text)
    assert.equal(2, #requests)
  end)

  it("with [DONE] but no finish reason, is no answer", function()
    local outcome, requests = call("sse-done-alone", { entry = streaming })
    assert.equal("unfinished", outcome.cause)
    assert.equal(3, #requests)
  end)

  it("with an error inside, is repeated", function()
    local outcome = call("sse-error", { entry = streaming })
    assert.equal(STREAM_TEXT, outcome.text)
    assert.equal("server_error", outcome.attempts[1].cause)
  end)
end)
