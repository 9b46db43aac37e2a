-- The retry authority and the flow of one endpoint, in simulated time.
local simulated = dofile "tests/support/simulated.lua"
local json = require "ecrb.json"

local function ok_body(text)
  return json.encode { model = "m", choices = { { finish_reason = "stop",
    message = { role = "assistant", content = text or "B" } } } }
end

local function good(delay)
  return { ending = "done", status = 200, body = ok_body(), headers = "",
           delay = delay or 0.1 }
end

local function bad(status, code, headers)
  return { ending = "done", status = status, headers = headers or "",
           delay = 0.1,
           body = json.encode { error = { message = "no", code = code } } }
end

local function lost(ending)
  return { ending = ending, status = 0, body = "", headers = "", delay = 0.1,
           detail = ending }
end

local PLAIN = { add_to = function() end, redact = function(t) return t end }

local function spec(host, more)
  local made = { base_url = "http://" .. host .. "/v1", secret = PLAIN }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

-- A world with this server, and a client on it.
local function setup(server, policy, specs)
  local world = simulated.world(server)
  local client = require "ecrb.client"
  return world, client.new(specs or { spec "a" }, policy)
end

-- Sends one call and runs the world out; the outcome.
local function one(server, policy, specs)
  local world, client = setup(server, policy, specs)
  local outcome
  world:spawn(function() outcome = client:send("{}", { key = "k" }) end)
  world:run()
  return outcome, world, client
end

-- Sends n calls at once; the outcomes.
local function many(n, server, policy, specs)
  local world, client = setup(server, policy, specs)
  local outcomes = {}
  for i = 1, n do
    world:spawn(function()
      outcomes[i] = client:send("{}", { key = "k" .. i })
    end)
  end
  world:run()
  return outcomes, world, client
end

-- A server that goes through a list of responses and stays at the last.
local function script(list)
  local at = 0
  return function()
    at = math.min(at + 1, #list)
    return list[at]
  end
end

describe("one call", function()
  it("that is answered is sent once", function()
    local outcome, world = one(script { good() })
    assert.is_true(outcome.ok)
    assert.equal(1, #world.sent)
    assert.equal(ok_body(), outcome.raw)
    assert.equal(200, outcome.attempts[1].status)
  end)

  it("is repeated after what may pass", function()
    local outcome, world = one(script { bad(503), lost "reset", good() })
    assert.is_true(outcome.ok)
    assert.equal(3, #world.sent)
    assert.equal("overloaded", outcome.attempts[1].cause)
    assert.equal("reset", outcome.attempts[2].ending)
  end)

  local permanent = {
    { 400, "x", "bad_request", "item" },
    { 400, "context_length_exceeded", "context_overflow", "item" },
    { 413, "x", "request_too_large", "item" },
    { 401, "x", "bad_key", "endpoint" }, { 402, "x", "money", "endpoint" },
    { 404, "x", "no_model", "endpoint" },
    { 429, "insufficient_quota", "money", "endpoint" },
    { 400, "unsupported_parameter", "unsupported_parameter", "run" },
  }
  for _, case in ipairs(permanent) do
    it(case[1] .. " " .. case[2] .. " costs one request", function()
      local outcome, world = one(script { bad(case[1], case[2]) })
      assert.equal(case[3], outcome.cause)
      assert.equal(case[4], outcome.class)
      assert.equal(1, #world.sent)
    end)
  end

  it("is sent once where the server says not to try again", function()
    local outcome, world = one(script {
      bad(500, "x", "x-should-retry: false") })
    assert.equal("retry", outcome.class)
    assert.equal(1, #world.sent)
  end)

  it("has six attempts against a wire that times out", function()
    local outcome, world = one(script { lost "total" })
    assert.equal("timeout", outcome.cause)
    assert.equal("retry", outcome.class)
    assert.equal(6, #world.sent)
    assert.equal(6, #outcome.attempts)
  end)

  it("has three attempts against bad bodies", function()
    local response = good()
    response.body = "  "
    local outcome, world = one(script { response })
    assert.equal("bad_response", outcome.cause)
    assert.equal(3, #world.sent)
  end)

  it("has as few as the user says", function()
    local _, world = one(script { lost "total" }, { max_retries = 0 })
    assert.equal(1, #world.sent)
  end)

  it("waits as the seed says, within the caps", function()
    local function times(seed)
      local _, world = one(script { lost "total" }, { seed = seed })
      local list = {}
      for i, request in ipairs(world.sent) do list[i] = request.time end
      return list
    end
    local first = times(1)
    assert.same(first, times(1))
    assert.not_same(first, times(2))
    for i = 2, #first do
      assert.is_true(first[i] - first[i - 1] <= 0.1 + 2 ^ (i - 2))
    end
  end)

  it("is told by a failed body that is bounded", function()
    local page = bad(502)
    page.body = "<html>" .. string.rep("x", 100000)
    local outcome = one(script { page }, { max_retries = 0 })
    assert.equal(2048, #outcome.raw)
  end)

  it("holds no secret in what it reports", function()
    local key = { add_to = function() end, redact = function(t)
      return (string.gsub(t, "sk%-1", "[key]"))
    end }
    local response = bad(400)
    response.body = json.encode { error = { message = "bad sk-1" } }
    local outcome = one(script { response }, {},
                        { spec("a", { secret = key }) })
    assert.is_nil(string.find(json.encode { outcome.message, outcome.raw,
      outcome.attempts }, "sk-1", 1, true))
  end)

  it("is not sent again where the budget says no", function()
    local told
    local outcome, world = one(script { bad(503), good() }, {
      admit = function(_, failed)
        told = failed.cause
        return nil, "enough"
      end })
    assert.equal("overloaded", told)
    assert.equal("budget", outcome.cause)
    assert.equal("run", outcome.class)
    assert.equal(1, #world.sent)
  end)

  it("tells attempts that came to the endpoint from those that did not",
    function()
      local outcome = one(script { lost "connect", lost "dns", bad(503),
                                   good() })
      assert.is_true(outcome.ok)
      assert.same({ 2, 2 }, { outcome.sent, outcome.missed })
      assert.is_true(outcome.attempts[1].unreached)
      assert.is_nil(outcome.attempts[3].unreached)
    end)

  it("costs nothing where no attempt came to the endpoint", function()
    local outcome = one(script { lost "connect" })
    assert.equal("endpoint", outcome.class)
    assert.same({ 0, 3 }, { outcome.sent, outcome.missed })
    assert.is_true(outcome.unreached)
  end)
end)

describe("a wait hint", function()
  it("is a lower bound", function()
    local _, world = one(script { bad(429, "x", "Retry-After: 2"), good() })
    local waited = world.sent[2].time - world.sent[1].time
    assert.is_true(waited >= 2.1 and waited < 2.5)
  end)

  it("in milliseconds wins", function()
    local _, world = one(script {
      bad(429, "x", "Retry-After: 30\r\nretry-after-ms: 300"), good() })
    local waited = world.sent[2].time - world.sent[1].time
    assert.is_true(waited >= 0.4 and waited < 0.6)
  end)

  it("that is too long gives the endpoint up", function()
    local outcome, world, client = one(script {
      bad(429, "x", "Retry-After: 9999") })
    assert.equal("endpoint", outcome.class)
    assert.equal(1, #world.sent)
    assert.truthy(string.find(client:stopped(), "9999", 1, true))
  end)

  it("makes a short quota a wait", function()
    local outcome = one(script { bad(429, "1308", "Retry-After: 60"),
                                 good() })
    assert.is_true(outcome.ok)
  end)

  it("leaves other endpoints alone", function()
    local server = function(request)
      if string.find(request.url, "//a/", 1, true) then
        return bad(429, "x", "Retry-After: 60")
      end
      return good()
    end
    local outcomes, world = many(20, server, { concurrency = 4 },
                                 { spec "a", spec "b" })
    local by_b = 0
    for _, outcome in ipairs(outcomes) do
      assert.is_true(outcome.ok)
      by_b = by_b + outcome.attempts[#outcome.attempts].endpoint - 1
    end
    assert.equal(20, by_b)
    assert.is_true(world.time < 1065)
  end)

  it("does not freeze the window", function()
    local answered = 0
    local server = function()
      answered = answered + 1
      if answered <= 30 then return bad(429, "x", "Retry-After: 30") end
      return good()
    end
    local outcomes, _, client = many(64, server, { concurrency = 16 })
    for _, outcome in ipairs(outcomes) do assert.is_true(outcome.ok) end
    assert.is_true(client:state().limit < 16)
  end)
end)

describe("the window", function()
  it("never holds more than it says", function()
    local inside, most = 0, 0
    local world, client
    world, client = setup(function()
      inside = inside + 1
      most = math.max(most, inside)
      return good(1)
    end, { concurrency = 5 })
    for i = 1, 20 do
      world:spawn(function()
        client:send("{}", { key = "k" .. i })
        inside = inside - 1
      end)
    end
    world:run()
    assert.equal(5, most)
    assert.equal(1004, world.time)
  end)

  it("slides: one slow reply does not hold the others", function()
    local first = true
    local _, world = many(40, function()
      local slow = first
      first = false
      return good(slow and 10 or 0.1)
    end, { concurrency = 4 })
    assert.is_true(world.time <= 1010.1)
  end)

  it("is halved once per episode and grows back when it is used", function()
    local window = require("ecrb.wire.window").new(16)
    local old = window:ticket()
    window:shrink(old)
    window:shrink(old)
    assert.equal(8, window.limit)
    for _ = 1, 8 do window:succeeded(3) end
    assert.equal(8, window.limit)
    for _ = 1, 8 do window:succeeded(8) end
    assert.equal(9, window.limit)
    for _ = 1, 5 do window:shrink(window:ticket()) end
    assert.equal(1, window.limit)
  end)

  it("holds no place while a call waits to be repeated", function()
    local failed = false
    local outcomes, world = many(2, function()
      if not failed then
        failed = true
        return bad(500, "x", "Retry-After: 50")
      end
      return good()
    end, { concurrency = 1 })
    assert.is_true(outcomes[1].ok and outcomes[2].ok)
    assert.is_true(world.sent[2].time < 1001)
  end)
end)

describe("an endpoint that is given up", function()
  it("gets no more than the calls in flight", function()
    local outcomes, world = many(100, script { bad(401) },
                                 { concurrency = 8 })
    assert.equal(8, #world.sent)
    for _, outcome in ipairs(outcomes) do
      assert.equal("endpoint", outcome.class)
    end
  end)

  it("keeps what it gave before", function()
    local answered = 0
    local outcomes, world = many(30, function()
      answered = answered + 1
      return answered <= 10 and good() or bad(402, "x")
    end, { concurrency = 4 })
    local kept = 0
    for _, outcome in ipairs(outcomes) do
      if outcome.ok then kept = kept + 1 end
    end
    assert.equal(10, kept)
    assert.is_true(#world.sent <= 14)
  end)

  it("hands its calls to the others", function()
    local server = function(request)
      return string.find(request.url, "//a/", 1, true) and bad(402) or good()
    end
    local outcomes = many(20, server, { concurrency = 4 },
                          { spec "a", spec "b" })
    for _, outcome in ipairs(outcomes) do assert.is_true(outcome.ok) end
  end)

  for _, ending in ipairs { "dns", "connect" } do
    it("for " .. ending .. " from the first call on, in seconds", function()
      local outcomes, world, client = many(50, script { lost(ending) },
                                           { concurrency = 1 })
      assert.is_true(world.time < 1010)
      assert.is_true(#world.sent <= 3)
      assert.truthy(client:stopped())
      assert.equal("endpoint", outcomes[50].class)
    end)
  end

  it("for a request that is wrong everywhere", function()
    local _, world, client = many(50, script { bad(400) },
                                  { concurrency = 1 })
    assert.equal(3, #world.sent)
    assert.truthy(client:stopped())
  end)

  it("but not for a wrong request among good ones", function()
    local answered = 0
    local outcomes, _, client = many(20, function()
      answered = answered + 1
      return answered == 1 and good() or bad(400)
    end, { concurrency = 1 })
    assert.equal("bad_request", outcomes[20].cause)
    assert.equal("item", outcomes[20].class)
    assert.is_nil(client:stopped())
  end)

  it("when it fails every call, without losing any", function()
    local outcomes, world, client = many(20, script { bad(500) },
                                         { concurrency = 4 })
    for _, outcome in ipairs(outcomes) do
      assert.equal("endpoint", outcome.class)
    end
    assert.truthy(string.find(client:stopped(), "fails every call", 1, true))
    assert.is_true(#world.sent < 40)
  end)

  it("not when it comes back in time", function()
    local outcomes = many(20, function(_, now)
      if now < 1020 and now > 1001 then return lost "connect" end
      return good(0.5)
    end, { concurrency = 4 })
    for _, outcome in ipairs(outcomes) do assert.is_true(outcome.ok) end
  end)
end)

describe("too many requests", function()
  it("cost no item while others get through", function()
    local last = 0
    local outcomes = many(64, function(_, now)
      if now - last < 0.5 then return bad(429, "x", "Retry-After: 1") end
      last = now
      return good(0.01)
    end, { concurrency = 64 })
    for _, outcome in ipairs(outcomes) do assert.is_true(outcome.ok) end
  end)

  it("end after six attempts where nobody gets through", function()
    local outcome, world = one(script { bad(429) })
    assert.equal("rate_limited", outcome.cause)
    assert.equal(6, #world.sent)
  end)
end)

describe("rate limits", function()
  it("space the requests out", function()
    local _, world = many(61, script { good(0) }, { concurrency = 64 },
      { spec("a", { limits = { requests_per_minute = 60 } }) })
    assert.is_true(world.time >= 1058 and world.time <= 1061)
  end)

  it("count tokens, and settle them", function()
    local pace = require("ecrb.wire.pace").new(600)
    assert.equal(0, pace:reserve(100, 0))
    assert.equal(9, pace:reserve(100, 0))
    pace:settle(100, 0)
    assert.equal(9, pace:reserve(10, 0))
    assert.equal(0, pace:reserve(10, 100))
  end)

  it("of concurrency bound the user's", function()
    local _, client = setup(script { good() }, { concurrency = 64 },
      { spec("a", { limits = { concurrency = 3 } }) })
    assert.equal(3, client:state().limit)
  end)
end)

describe("the state", function()
  it("says why it waits", function()
    local world, client = setup(script { bad(429, "x", "Retry-After: 90") },
                                { concurrency = 4 })
    for i = 1, 4 do
      world:spawn(function() client:send("{}", { key = "k" .. i }) end)
    end
    world:run(1010)
    assert.truthy(string.find(client:state().reason, "asks to wait", 1,
                              true))
  end)
end)
