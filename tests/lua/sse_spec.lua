-- Streams: the parser at any split, and what a stream amounts to.
local json = require "ecrb.json"
local reply = require "ecrb.reply"
local sse = require "ecrb.wire.sse"

local function events_of(pieces)
  local events = {}
  local parser = sse.parser(function(data) events[#events + 1] = data end)
  for _, piece in ipairs(pieces) do parser:feed(piece) end
  parser:finish()
  return events
end

describe("the parser", function()
  local TORTURE = "\u{feff}: a comment\r\n\r\ndata: one\n\ndata:two\r\rid: 7\r\n"
    .. "event: x\r\ndata: a\r\ndata: \u{1f600}b\r\n\r\n\n\ndata\n\n"
    .. ": ping\n\ndata:  three\n\nretry: 5\ndata: last"
  local EVENTS = { "one", "two", "a\n\u{1f600}b", "", " three", "last" }

  it("reads whole text", function()
    assert.same(EVENTS, events_of { TORTURE })
  end)

  it("reads the same split at any byte", function()
    for at = 1, #TORTURE - 1 do
      assert.same(EVENTS, events_of { string.sub(TORTURE, 1, at),
                                      string.sub(TORTURE, at + 1) })
    end
  end)

  it("reads the same byte by byte", function()
    local bytes = {}
    for i = 1, #TORTURE do bytes[i] = string.sub(TORTURE, i, i) end
    assert.same(EVENTS, events_of(bytes))
  end)
end)

local function chunk(delta, finish, more)
  local made = { model = "m", choices = { { index = 0, delta = delta,
                 finish_reason = finish or json.null } } }
  for key, value in pairs(more or {}) do made[key] = value end
  return "data: " .. json.encode(made) .. "\n\n"
end

local function read(body, want, ending)
  return reply.read({ ending = ending or "done", status = 200, body = body,
                      headers = "" }, want or {}, 0)
end

local USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":3,'
  .. '"completion_tokens":2}}\n\n'
local DONE = "data: [DONE]\n\n"

describe("a stream", function()
  it("is joined byte for byte", function()
    local body = ": keep-alive\n\n" .. chunk({ role = "assistant",
      content = "" }) .. chunk { reasoning_content = "hm" }
      .. chunk { reasoning_content = "m" } .. chunk { content = "1.2" }
      .. "data: : OPENROUTER PROCESSING\n\ndata: \n\n"
      .. chunk { content = ".3\u{1f600}" } .. chunk({}, "stop")
      .. USAGE .. DONE
    local outcome = read(body)
    assert.is_true(outcome.ok)
    assert.equal("1.2.3\u{1f600}", outcome.text)
    assert.equal("hmm", outcome.reasoning)
    assert.same({ prompt = 3, completion = 2 }, outcome.usage)
    assert.equal("m", outcome.model)
    assert.is_true(outcome.flags.streamed)
  end)

  it("needs no [DONE] where it has a finish reason", function()
    assert.is_true(read(chunk { content = "B" } .. chunk({}, "stop")).ok)
  end)

  it("with [DONE] alone is not finished", function()
    local outcome = read(chunk { content = "B" } .. DONE)
    assert.equal("unfinished", outcome.cause)
    assert.equal("retry", outcome.class)
  end)

  it("with parts is joined in order", function()
    local outcome = read(chunk { content = { { type = "thinking",
      thinking = { { type = "text", text = "h" } } } } }
      .. chunk { content = { { type = "thinking",
      thinking = { { type = "text", text = "m" } } } } }
      .. chunk({ content = "B" }, "stop"))
    assert.equal("B", outcome.text)
    assert.equal("hm", outcome.reasoning)
  end)

  it("with a tool call is joined", function()
    local function piece(name, arguments)
      return chunk { tool_calls = { { index = 0, ["function"] = {
        name = name, arguments = arguments } } } }
    end
    local outcome = read(piece("blast", "") .. piece(nil, '{"item":')
      .. piece(nil, '1}') .. chunk({}, "tool_calls"), { tools = true })
    assert.is_true(outcome.ok)
    assert.same({ name = "blast", arguments = { item = 1 } }, outcome.call)
  end)

  it("ignores other choices", function()
    local other = json.encode { choices = { { index = 1, delta = {
      content = "X" }, finish_reason = "stop" } } }
    local outcome = read(chunk { content = "A" } .. "data: " .. other
                         .. "\n\n" .. chunk({ content = "B" }, "stop"))
    assert.equal("AB", outcome.text)
  end)

  local failures = {
    { "an error object", chunk { content = "B" }
      .. 'data: {"error":{"message":"up","code":502}}\n\n', "server_error" },
    { "an error in the choice", 'data: {"choices":[{"index":0,"delta":{},'
      .. '"error":{"code":529,"message":"x"}}]}\n\n' .. DONE, "overloaded" },
    { "broken JSON", "data: {\n\n" .. DONE, "bad_response" },
    { "a key twice", 'data: {"choices":[],"choices":[]}\n\n', "bad_response" },
    { "comments only", ": a\n\n: b\n\n", "no_choice" },
    { "[DONE] only", DONE, "no_choice" },
    { "a refusal", chunk({ refusal = "no" }, "stop"), "refused" },
    { "a cut at the limit", chunk({ content = "B" }, "length"), "truncated" },
  }
  for _, case in ipairs(failures) do
    it("with " .. case[1], function()
      assert.equal(case[3], read(case[2]).cause)
    end)
  end

  it("that is whole counts though the connection is held", function()
    local body = chunk({ content = "B" }, "stop") .. DONE
    assert.is_true(read(body, nil, "idle").ok)
    assert.equal("timeout", read(chunk({ content = "B" }, "stop"), nil,
                                 "idle").cause)
    assert.is_true(read(body, nil, "cut").ok)
  end)

  it("is read the same from any prefix without harm", function()
    local body = chunk { content = "1" } .. chunk({ content = "2" }, "stop")
      .. DONE
    for at = 1, #body - #DONE - 1 do
      local outcome = read(string.sub(body, 1, at))
      assert.is_true(not outcome.ok or outcome.text == "12")
    end
  end)
end)
