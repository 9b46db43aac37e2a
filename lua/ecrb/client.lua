-- The one retry authority: sends a call to the endpoints of a model until it
-- has an outcome that stands. Written as straight code inside a scheduler
-- task. Budgets: so many attempts for what the wire and the server do, fewer
-- for good statuses with bad bodies. Between attempts full jitter (a uniform
-- share of base * 2^n, capped), drawn from (run seed, call key, attempt), so
-- that a schedule can be repeated; a server's hint is a lower bound.
local causes = require "ecrb.wire.causes"
local endpoint = require "ecrb.endpoint"
local reply = require "ecrb.reply"
local text = require "core.text"

local client = {}
client.__index = client

local DEFAULTS = {
  seed = 1,
  concurrency = 16,
  max_retries = 5, -- after what the wire and the server do
  max_body_retries = 2, -- after a good status with a bad body
  base = 1, cap = 60, -- seconds of back-off
  longest_wait = 300, -- a longer hint gives the endpoint up
  longest_outage = 300, -- so does failing every call for so long
  first_failures = 3, -- alike, before anything succeeded
  forgiven = 24, -- refusals that do not count, because others got through
  -- Asked before a call is sent again, with the call's reservation and the
  -- outcome of the sending before.
  admit = function() return true end,
  replay = false,
}

-- The policy with what it leaves out.
function client.policy(given)
  local policy = {}
  for name, value in pairs(DEFAULTS) do policy[name] = value end
  for name, value in pairs(given or {}) do
    if DEFAULTS[name] == nil then
      error("client: the policy has no field `" .. name .. "`", 0)
    end
    policy[name] = value
  end
  return policy
end

-- `specs`: a list as endpoint.new wants them.
function client.new(specs, policy)
  policy = client.policy(policy)
  local self = setmetatable({ policy = policy, endpoints = {} }, client)
  self.retries = {
    wire = policy.max_retries,
    body = math.min(policy.max_retries, policy.max_body_retries) }
  for i, spec in ipairs(specs) do
    self.endpoints[i] = endpoint.new(spec, policy, i)
  end
  return self
end

local LAST = 1e6 -- more than any load

-- The least loaded endpoint that is not given up and not in `without`; one
-- that must wait comes last. nil where none is left.
function client:choose(without)
  local only = #self.endpoints == 1 and self.endpoints[1]
  if only then return not (only.paused or without) and only or nil end
  local best, least
  for _, candidate in ipairs(self.endpoints) do
    if not candidate.paused and not (without and without[candidate]) then
      local load = candidate:load() + (candidate:is_free() and 0 or LAST)
      if not least or load < least then best, least = candidate, load end
    end
  end
  return best
end

-- Whether an endpoint other than this could take a call now.
function client:elsewhere(target)
  for _, each in ipairs(self.endpoints) do
    if each ~= target and each:is_free() then return true end
  end
  return false
end

-- Why no call can be sent any more, or nil while one can.
function client:stopped()
  local reasons = {}
  for i, each in ipairs(self.endpoints) do
    if not each.paused then return nil end
    reasons[i] = each.host .. ": " .. each.paused
  end
  return table.concat(reasons, "; ")
end

-- {====================================================================
-- Waiting
-- =====================================================================

-- A number in [0, 1) out of the run, the call and the attempt.
local function draw(policy, call, number)
  local digest = text.sha256(table.concat(
    { policy.seed, call.key or "", number }, "\0"))
  return tonumber(string.sub(digest, 1, 13), 16) / 2.0 ^ 52
end

local function back_off(policy, call, number, hint)
  local share = draw(policy, call, number)
  if hint then return hint + share * math.min(1, hint / 10 + 0.05) end
  return share * math.min(policy.cap, policy.base * 2.0 ^ (number - 1))
end

-- }====================================================================

-- {====================================================================
-- One call
-- =====================================================================

-- What the record keeps of an attempt; of a good one there is little to say.
local function note_of(outcome, response, target)
  local note = { endpoint = target.index, ending = response.ending,
                 status = response.status, first_byte = response.first_byte,
                 total = response.total }
  if not outcome.ok then
    note.cause, note.message, note.wait = outcome.cause, outcome.message, outcome.wait
    note.headers, note.unreached = outcome.headers, outcome.unreached
  end
  return note
end

-- Whether the attempt counts: a refusal for being too fast does not while the
-- endpoint lets others through.
local function counts(call, outcome, target)
  local meaning = causes[outcome.cause]
  if not meaning.shrink or call.answered == target.answered then
    return true
  end
  call.forgiven = call.forgiven + 1
  return call.forgiven > target.policy.forgiven
end

local function spent(self, call, outcome, target)
  local budget = causes[outcome.cause].budget or "wire"
  if counts(call, outcome, target) then
    call[budget] = call[budget] + 1
  end
  return call[budget] > self.retries[budget]
end

-- A call that ran out of attempts at an endpoint that fails everybody says
-- nothing about its item: the endpoint is given up instead.
local function blame(outcome, target)
  if causes[outcome.cause].breaker and target.breaker:is_open() then
    target:give_up(outcome, outcome.message .. "; it fails every call")
  end
end

-- Every endpoint has failed this call: time to wait, then any will do.
local function wait_for(self, call, outcome, target)
  local wait = back_off(self.policy, call, call.number, outcome.wait)
  call.attempts[call.number].waited = wait
  call.failed_at = nil
  target:sleep(wait)
end

-- True where the call is to be sent again.
local function again(self, call, outcome, target)
  if outcome.class == "item" then return false end
  if outcome.class ~= "retry" then return self:choose() ~= nil end
  if outcome.last then return false end
  if spent(self, call, outcome, target) then
    blame(outcome, target)
    return outcome.class == "endpoint" and self:choose() ~= nil
  end
  call.failed_at = call.failed_at or {}
  call.failed_at[target] = true
  call.next = self:choose(call.failed_at)
  if not call.next then wait_for(self, call, outcome, target) end
  return true
end

-- Whether the call may be sent; the first time that is for the asker to say.
local function admitted(self, call)
  if not call.failed then return true end
  local ok, why = self.policy.admit(call.reservation, call.failed)
  call.failed = nil
  return ok, why
end

local function note_failure(call, outcome)
  call.failed = outcome
  outcome.unreached = causes[outcome.cause].unreached
  if outcome.unreached then call.unreached = call.unreached + 1 end
end

local function attempt(self, call, body, target)
  local ok, why = admitted(self, call)
  if not ok then return reply.failure("budget", why), true end
  call.answered = target.answered
  local outcome, response = target:attempt(body, call.want, call.tokens, self)
  if not outcome then return nil end
  call.number = call.number + 1
  if not outcome.ok then note_failure(call, outcome) end
  call.attempts[call.number] = note_of(outcome, response, target)
  return outcome, outcome.ok or not again(self, call, outcome, target)
end

-- `wire` and `body` count what was spent of each budget, `unreached` the
-- attempts that did not come to the endpoint; `failed` is the last outcome
-- while the budget has not been asked about the next attempt.
local function new_call(body, context)
  return { key = context.key, want = context.want or {},
           tokens = context.tokens or #body // 4, number = 0, attempts = {},
           wire = 0, body = 0, forgiven = 0, unreached = 0,
           reservation = context.reservation }
end

-- The outcome where every endpoint was given up: as to what it cost, that of
-- the last attempt, if there was one that the budget does not know.
local function given_up(self, call)
  local outcome, last = reply.failure("paused", self:stopped()), call.failed
  outcome.unreached = not last or last.unreached
  outcome.status = last and last.status
  outcome.usage = last and last.usage
  return outcome
end

-- Sends a body; the outcome that stands, with `attempts`, `raw` and `status`,
-- `sent` and `missed` (how many attempts came to an endpoint, and how many did
-- not), and `unsent` where nothing was tried at all.
-- Its class tells what it means: `item` or `retry` (out of attempts), the call
-- is lost; `endpoint` or `run`, nothing can be sent any more and the call is
-- still to be made. `context`: key, want, tokens, reservation (of a budget).
function client:send(body, context)
  local call = new_call(body, context)
  local outcome, final
  local target = self:choose()
  while target and not final do
    local result, done = attempt(self, call, body, target)
    outcome, final = result or outcome, done
    if not final then
      target, call.next = call.next or self:choose(), nil
    end
  end
  if not final then outcome = given_up(self, call) end
  outcome.attempts = call.attempts
  outcome.sent, outcome.missed = call.number - call.unreached, call.unreached
  outcome.unsent = call.number == 0 or nil
  return outcome
end

-- }====================================================================

local function reason_of(state)
  if state.paused then return state.host .. ": " .. state.paused end
  if state.open then return state.host .. " fails every call" end
  if state.holding then
    return string.format("%s asks to wait %.0f s", state.host, state.holding)
  end
  return nil
end

-- For the status line: sums, a list with each endpoint's own, and the reason
-- why something waits.
function client:state()
  local sum = { inside = 0, waiting = 0, limit = 0, endpoints = {},
                paused = self:stopped() }
  for i, each in ipairs(self.endpoints) do
    local state = each:state()
    sum.endpoints[i] = state
    sum.inside = sum.inside + state.inside
    sum.waiting = sum.waiting + state.waiting
    sum.limit = sum.limit + state.limit
    sum.reason = sum.reason or reason_of(state)
  end
  return sum
end

return client
