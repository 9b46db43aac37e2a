-- The client against servers that are not ours: the npm package aimock, an
-- OpenAI-compatible endpoint with chaos modes, and nginx in front of it for
-- TLS, gateway pages and idle time-outs. Skipped where node, npm or nginx is
-- missing, or the package cannot be fetched.
local faults = dofile "tests/support/faults.lua"
local servers = dofile "tests/support/servers.lua"
local json = require "ecrb.json"
local sched = require "core.sched"
local system = require "core.system"

local PACKAGE = "@copilotkit/aimock@1.43.0"
local HOME = system.self .. "/.build/peers"
local CLI = HOME .. "/node_modules/@copilotkit/aimock/dist/cli.js"

local function can_run(program)
  return (system.run { "sh", "-c", "command -v " .. program }) == 0
end

local function has_aimock()
  if not can_run "node" then return false, "node is missing" end
  if system.exists(CLI) then return true end
  if not can_run "npm" then return false, "npm is missing" end
  system.mkdir(HOME)
  local code = system.run { "timeout", "60", "npm", "install", "--silent",
    "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", HOME, PACKAGE }
  return code == 0 and system.exists(CLI), "npm cannot fetch " .. PACKAGE
end

-- {====================================================================
-- aimock
-- =====================================================================

local function fixture(question, response, more)
  local match = { userMessage = question }
  for key, value in pairs(more or {}) do match[key] = value end
  return { match = match, response = response }
end

local function refused(status, message)
  return { status = status, error = { message = message, type = "x" } }
end

local FIXTURES = { fixtures = {
  fixture("ping", { content = "pong" }),
  fixture("flaky", refused(503, "down"), { sequenceIndex = 0 }),
  fixture("flaky", { content = "up" }),
  fixture("limited", refused(429, "slow"), { sequenceIndex = 0 }),
  fixture("limited", { content = "now" }),
  fixture("long", { content = "1.2", finishReason = "length" }),
  fixture("odd", { content = "1.2",
                   finishReason = "insufficient_system_resource" }),
  fixture("other", { content = "x", model = "somebody-else" }),
  fixture("think", { content = "1.2.3.4", reasoning = "because" }),
  { match = { userMessage = "cut" }, truncateAfterChunks = 1,
    response = { content = string.rep("never whole ", 20) } },
} }

local function start_aimock()
  local dir = servers.folder()
  system.write(dir .. "/fixtures", json.encode(FIXTURES))
  return servers.start(dir, string.format("node '%s' -p 0 -h 127.0.0.1 "
    .. "-f fixtures --strict --log-level info", CLI),
    "listening on http://127.0.0.1:(%d+)")
end

local here, why = has_aimock()
local aimock = here and start_aimock()
teardown(function()
  if aimock then aimock:stop() end
end)

local function base(path, port)
  return string.format("http://127.0.0.1:%s%s", port or aimock.said, path)
end

-- Calls a peer with one question; outcomes as faults.call gives them.
local function call(question, spec)
  spec = spec or {}
  local entry = { base_url = spec.url or base "/v1" }
  for key, value in pairs(spec.entry or {}) do entry[key] = value end
  spec.entry = entry
  spec.request = { messages = { { role = "user", content = question } } }
  local outcomes, session = faults.call(nil, nil, spec)
  return outcomes[1], outcomes, session
end

-- One plain exchange, outside of the client.
local function exchange(method, path, body)
  local response
  local given = false
  sched.loop({}):run { width = 1, done = function() end, next = function()
    if given then return nil end
    given = true
    return function()
      response = sched.fetch { url = base(path), method = method, body = body,
                               headers = { "Content-Type: application/json" } }
    end
  end }
  return response
end

-- A test that needs aimock.
local function test(name, f)
  it(name, function()
    if not here then pending(why) end
    f()
  end)
end

describe("aimock", function()
  test("answers", function()
    local outcome = call "ping"
    assert.equal("pong", outcome.text)
    assert.equal("m", outcome.model)
    assert.is_number(outcome.usage.completion)
  end)

  test("answers at the paths of Azure and Ark", function()
    assert.equal("pong", call("ping", { entry = { dialect = "azure" }, url =
      base "/openai/deployments/D?api-version=2024-10-21" }).text)
    assert.equal("pong", call("ping", { url = base "/api/v3" }).text)
  end)

  test("recovers from a failure and from a limit", function()
    local outcome = call "flaky"
    assert.equal("up", outcome.text)
    assert.equal(2, #outcome.attempts)
    outcome = call "limited"
    assert.equal("now", outcome.text)
    assert.is_true(outcome.attempts[1].waited >= 1)
  end)

  test("says why it finished, and under which name", function()
    assert.equal("truncated", call("long").cause)
    assert.equal("interrupted", call("odd").cause)
    assert.equal("somebody-else", call("other").flags.other_model)
  end)

  test("keeps reasoning apart", function()
    local outcome = call("think", { entry = { model = "deepseek-reasoner" } })
    assert.equal("1.2.3.4", outcome.text)
    assert.equal("because", outcome.reasoning)
  end)

  test("streams", function()
    local outcome = call("ping", { entry = { stream = true } })
    assert.equal("pong", outcome.text)
    assert.is_true(outcome.flags.streamed)
  end)

  test("cuts a stream", function()
    local outcome = call("cut", { entry = { stream = true },
                                  policy = { max_retries = 1 } })
    assert.is_false(outcome.ok)
    assert.equal("retry", outcome.class)
    assert.equal(2, #outcome.attempts)
  end)

  test("in chaos loses no call", function()
    exchange("POST", "/__aimock/chaos", json.encode {
      disconnectRate = 0.1, malformedRate = 0.1, rateLimitRate = 0.1,
      dropRate = 0.1 })
    local _, outcomes = call("ping", { n = 60, policy = {
      max_retries = 30, max_body_retries = 30, concurrency = 16,
      longest_outage = 60 } })
    exchange("DELETE", "/__aimock/chaos")
    assert.equal(60, #outcomes)
    for _, outcome in ipairs(outcomes) do
      assert.equal("pong", outcome.text)
    end
  end)
end)

-- }====================================================================

-- {====================================================================
-- nginx
-- =====================================================================

local CONFIG = [[
daemon off; master_process off; pid nginx.pid; error_log stderr notice;
events { worker_connections 64; }
http {
  access_log access.log;
  client_body_temp_path body; proxy_temp_path proxy;
  fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  server {
    listen 127.0.0.1:PLAIN;
    location /dead/ { proxy_pass http://127.0.0.1:1/; }
    location /slow/ { proxy_read_timeout 1s;
                      proxy_pass http://127.0.0.1:UPSTREAM/hang/; }
    location /good/ { proxy_pass http://127.0.0.1:UPSTREAM/good/; }
  }
  server {
    listen 127.0.0.1:SECURE ssl;
    ssl_certificate cert.pem; ssl_certificate_key key.pem;
    location / { proxy_pass http://127.0.0.1:UPSTREAM/good/; }
  }
}
]]

-- A port that was free a moment ago.
local function free_port()
  local probe = faults.start "on POST /*\nanswer\nhang\n"
  probe:stop()
  return probe.port
end

local function certificate(dir)
  return system.run { "openssl", "req", "-x509", "-newkey", "rsa:2048",
    "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
    "subjectAltName=IP:127.0.0.1", "-keyout", dir .. "/key.pem", "-out",
    dir .. "/cert.pem" }
end

local upstream, nginx, ports

local function start_nginx()
  upstream = faults.start("on POST /good/*\nanswer\nstatus 200\nchat \"B\"\n"
                          .. "on POST /hang/*\nanswer\nhang\n")
  ports = { PLAIN = free_port(), SECURE = free_port(),
            UPSTREAM = upstream.port }
  local dir = servers.folder()
  assert(certificate(dir) == 0, "openssl makes no certificate")
  system.write(dir .. "/conf", (string.gsub(CONFIG, "%u%u%u+", ports)))
  nginx = servers.start(dir, "nginx -p . -c conf -e stderr", "(OS: Linux)")
end

local has_nginx = can_run "nginx" and can_run "openssl"

describe("nginx", function()
  setup(function()
    if has_nginx then start_nginx() end
  end)
  teardown(function()
    if has_nginx then
      nginx:stop()
      upstream:stop()
    end
  end)

  local function gateway(name, f)
    it(name, function()
      if not has_nginx then pending "nginx or openssl is missing" end
      f()
    end)
  end

  gateway("passes calls on", function()
    local outcome = call("x", { url = base("/good", ports.PLAIN) })
    assert.equal("B", outcome.text)
  end)

  gateway("has pages for a dead and for a slow upstream", function()
    local dead = call("x", { url = base("/dead", ports.PLAIN),
                             policy = { max_retries = 1 } })
    assert.equal("server_error", dead.cause)
    assert.equal("HTTP 502: 502 Bad Gateway", dead.message)
    assert.equal(2, #dead.attempts)
    local slow = call("x", { url = base("/slow", ports.PLAIN),
                             policy = { max_retries = 0 } })
    assert.equal("HTTP 504: 504 Gateway Time-out", slow.message)
  end)

  gateway("with a certificate of its own making gets no request", function()
    local before = #upstream:requests "good"
    local outcome, _, session = call("x", { n = 5,
      url = "https://127.0.0.1:" .. ports.SECURE,
      policy = { concurrency = 1 } })
    assert.equal("tls", outcome.cause)
    assert.equal("endpoint", outcome.class)
    assert.truthy(string.find(session:stopped(), "certificate", 1, true))
    assert.equal(before, #upstream:requests "good")
  end)
end)

-- }====================================================================
