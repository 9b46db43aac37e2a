-- One endpoint: everything that calls to it have in common. It admits calls as
-- the window, the rate limits, the breaker and the server's own wait hints
-- allow, sends one attempt, reads the reply and learns from it. Whether to try
-- again is the client's business (client.lua).
local address = require "ecrb.wire.address"
local causes = require "ecrb.wire.causes"
local breaker = require "ecrb.wire.breaker"
local pace = require "ecrb.wire.pace"
local pieces = require "ecrb.wire.pieces"
local reply = require "ecrb.reply"
local sched = require "core.sched"
local system = require "core.system"
local window = require "ecrb.wire.window"

local endpoint = {}
endpoint.__index = endpoint

local SLICE = 1 -- a longer sleep is cut, so that a pause is seen soon
local HELD_AFTER = 2 -- refusals with a hint in a row hold the endpoint

-- So much of a failed body is kept; of a whole page less.
local KEPT_BODY, KEPT_PAGE = 65536, 2048

local function bounded(body, ok)
  if ok then return body end
  local most = string.find(body, "^%s*<") and KEPT_PAGE or KEPT_BODY
  return string.sub(body, 1, most)
end

local function slot_of(self)
  return setmetatable({}, { __close = function()
    self.breaker:release()
    self.gate:leave()
  end })
end

-- A response without the key, wherever a server echoes it: models, fingerprints
-- and request ids are recorded, too.
local function redacted(redact, response)
  response.body = redact(response.body)
  response.headers = redact(response.headers)
  response.detail = redact(response.detail)
  return response
end

-- What sends to an endpoint: a function of a body, or of nil and a path for a
-- GET. It holds the headers, which hold the key: nothing that can be listed or
-- printed may hold them.
function endpoint.fetcher(spec)
  local headers = { "Content-Type: application/json" }
  for name, value in pairs(spec.headers or {}) do
    headers[#headers + 1] = name .. ": " .. value
  end
  spec.secret.add_to(headers)
  local url = address.join(spec.base_url, "/chat/completions")
  return function(body, path)
    return redacted(spec.secret.redact, sched.fetch {
      url = path and address.join(spec.base_url, path) or url,
      headers = headers, body = body, proxy = spec.proxy,
      method = body and "POST" or "GET" })
  end
end

-- What a response amounts to, with `raw`, so much of its body as is kept; `redact`
-- takes the key out of texts. A reply that spells the key out in pieces is none,
-- and is not kept.
function endpoint.read(redact, response, want)
  local outcome = reply.read(response, want, system.now())
  outcome.raw = bounded(response.body or "", outcome.ok)
  if pieces.hold_key(redact, outcome, outcome.raw) then
    outcome = reply.failure("bad_response",
                            "the reply spells out the key: it is not kept")
    outcome.raw, response.body = "", ""
  end
  if outcome.message then outcome.message = redact(outcome.message) end
  return outcome
end

-- `spec`: base_url, secret, proxy, headers, limits of one endpoint; `policy`
-- as client.lua completes it; `index` is its place among the model's.
function endpoint.new(spec, policy, index)
  local limits = spec.limits or {}
  local most = math.min(policy.concurrency,
                        limits.concurrency or math.huge)
  local self = setmetatable({
    index = index, host = address.host(spec.base_url), policy = policy,
    fetch = endpoint.fetcher(spec), redact = spec.secret.redact,
    window = window.new(most), gate = sched.gate(most),
    breaker = breaker.new(), held_until = 0, hinted = 0,
    requests = pace.new(limits.requests_per_minute),
    tokens = pace.new(limits.tokens_per_minute),
    answered = 0, alike = {}, paused = nil,
  }, endpoint)
  self.slot = slot_of(self)
  return self
end

-- {====================================================================
-- Admission
-- =====================================================================

-- Seconds during which no call may be sent. As long as all goes well, nobody
-- looks at the clock.
function endpoint:delay()
  if self.held_until == 0 and not self.breaker:is_open() then return 0 end
  local now = system.monotonic()
  return math.max(self.held_until - now, self.breaker:wait(now), 0)
end

-- Sleeps; false where the endpoint was given up meanwhile.
function endpoint:sleep(seconds)
  local now = system.monotonic()
  local wake = now + seconds
  while now < wake and not self.paused do
    sched.sleep(math.min(wake - now, SLICE))
    now = system.monotonic()
  end
  return not self.paused
end

function endpoint:paced(tokens)
  if not (self.requests or self.tokens) then return true end
  local now, wait = system.monotonic(), 0
  if self.requests then wait = self.requests:reserve(1, now) end
  if self.tokens then
    wait = math.max(wait, self.tokens:reserve(tokens, now))
  end
  return wait == 0 or self:sleep(wait)
end

-- Takes a place inside; false where the endpoint was given up meanwhile, or
-- must be waited for while `client` knows of a better one. No place is held
-- while waiting.
function endpoint:enter(client)
  while not self.paused do
    local wait = self:delay()
    if wait > 0 then
      if client:elsewhere(self) then return false end
      self:sleep(wait)
    else
      self.gate:enter()
      if not self.paused and self:delay() <= 0 then
        self.breaker:claim()
        return true
      end
      self.gate:leave()
    end
  end
  return false
end

-- }====================================================================

-- {====================================================================
-- Learning
-- =====================================================================

-- No call is sent any more. `reason` is for people.
function endpoint:pause(reason)
  self.paused = self.paused or reason
end

-- The same because of a call, which thereby is not lost but still to be made.
function endpoint:give_up(outcome, reason)
  self:pause(reason)
  outcome.class = outcome.class == "run" and "run" or "endpoint"
  outcome.message = self.host .. ": " .. reason
end

local function reason_of(outcome)
  local remedy = causes[outcome.cause].remedy
  return outcome.message .. (remedy and "; " .. remedy or "")
end

-- A server that names a time is obeyed: a short one holds the endpoint once
-- it is clear that everybody is meant, one that is too long gives it up.
function endpoint:heed(outcome, now)
  local wait = outcome.wait
  if wait > self.policy.longest_wait then
    return self:give_up(outcome, string.format(
      "%s; the server asks for %.0f s", reason_of(outcome), wait))
  end
  if outcome.class == "endpoint" and outcome.cause == "quota" then
    outcome.class = "retry"
  end
  self.hinted = self.hinted + 1
  if self.hinted >= HELD_AFTER then
    self.held_until = math.max(self.held_until, now + wait)
  end
end

-- The first calls failing alike for a cause that will not pass.
function endpoint:count_alike(outcome)
  local count = (self.alike[outcome.cause] or 0) + 1
  self.alike[outcome.cause] = count
  if self.answered > 0 or count < self.policy.first_failures then return end
  self:give_up(outcome, reason_of(outcome))
end

function endpoint:count_outage(outcome, now)
  self.breaker:failed(now)
  if self.breaker:open_for(now) > self.policy.longest_outage then
    self:give_up(outcome, outcome.message .. "; it fails every call")
  end
end

function endpoint:learn_success(inside)
  self.answered = self.answered + 1
  self.hinted = 0
  self.breaker:succeeded()
  self.window:succeeded(inside)
end

function endpoint:learn_failure(outcome, ticket, now)
  local meaning = causes[outcome.cause]
  if meaning.shrink then self.window:shrink(ticket) end
  if meaning.stall then self.window:stall() end
  if meaning.breaker then self:count_outage(outcome, now) end
  if outcome.wait then self:heed(outcome, now) end
  if meaning.lasting then self:count_alike(outcome) end
  local over = outcome.class == "endpoint" or outcome.class == "run"
  if over and not self.paused then
    self:give_up(outcome, reason_of(outcome))
  end
end

function endpoint:learn(outcome, ticket, inside)
  local limit = self.window.limit
  if outcome.ok or outcome.finish then self:learn_success(inside) end
  if not outcome.ok then
    self:learn_failure(outcome, ticket, system.monotonic())
  end
  if self.window.limit ~= limit then self.gate:width(self.window.limit) end
end

-- }====================================================================

function endpoint:settle_tokens(reserved, outcome)
  local used = outcome.usage
  if self.tokens and used and used.prompt and used.completion then
    self.tokens:settle(reserved, used.prompt + used.completion)
  end
end

local function exchange(self, body)
  local slot <close> = self.slot -- luacheck: ignore 211
  local inside = self.gate:state()
  return self.fetch(body), inside
end

-- One attempt: the outcome and the response; nil where nothing was sent,
-- because the endpoint was given up or another is better. `tokens` is what the
-- call may cost at most.
function endpoint:attempt(body, want, tokens, client)
  if not self:paced(tokens) or not self:enter(client) then return nil end
  local ticket = self.window:ticket()
  local response, inside = exchange(self, body)
  local outcome = endpoint.read(self.redact, response, want)
  outcome.status = response.status
  self:learn(outcome, ticket, inside)
  self:settle_tokens(tokens, outcome)
  return outcome, response
end

-- The share of the window that is taken or waited for.
function endpoint:load()
  local inside, waiting = self.gate:state()
  return (inside + waiting) / self.window.limit
end

-- Whether a call could go at once, but for the window.
function endpoint:is_free()
  return not self.paused and self:delay() <= 0
end

function endpoint:state()
  local inside, waiting = self.gate:state()
  local delay = self:delay()
  return { host = self.host, inside = inside, waiting = waiting,
           limit = self.window.limit, answered = self.answered,
           holding = delay > 0 and delay or nil, paused = self.paused,
           open = self.breaker:is_open() or nil }
end

return endpoint
