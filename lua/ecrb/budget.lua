-- What a run may spend in all: calls, tokens, money. A call is reserved before
-- it is sent, at the most that it can cost, and settled when its usage is known,
-- so that many calls in flight cannot pass a limit together. A call that would
-- fit if it were not for what others may still use waits until they are settled;
-- one that does not even fit beside what is spent ends the run's work.

local fail = require "ecrb.fail"
local sched = require "core.sched"

local budget = {}

local Budget = {}
Budget.__index = Budget

local names = { "calls", "tokens", "cost" }

-- An answer whose length nobody bounds is taken to have at most so many tokens.
local LARGEST = 4096

-- A limit on cost that nothing can be counted against would never be reached.
local function check_prices(limits, model)
  if limits.cost and not model.prices and model.kind == "endpoint" then
    fail("--max-cost: model %s has no prices; put `prices` into its entry in "
      .. "models.lua, or limit --max-tokens", model.name)
  end
end

local function nothing()
  return { calls = 0, tokens = 0, cost = 0 }
end

local function add(sum, amount, sign)
  sum.calls = sum.calls + sign * amount.calls
  sum.tokens = sum.tokens + sign * amount.tokens
  sum.cost = sum.cost + sign * amount.cost
end

-- `limits` may hold calls, tokens, cost; `model` gives prices per million
-- tokens {prompt=, completion=} and the largest answer.
function budget.new(limits, model)
  check_prices(limits, model)
  return setmetatable({ limits = limits, is_limited = next(limits) ~= nil,
                        prices = model.prices, largest = model.max_tokens or LARGEST,
                        spent = nothing(), held = nothing(), before = nothing(),
                        turn = sched.gate(1), news = sched.gate(0) }, Budget)
end

-- Whether there is anything to stop for.
function Budget:limited()
  return self.is_limited
end

-- Counts what earlier sessions spent.
function Budget:carry(amount)
  add(self.spent, amount, 1)
  add(self.before, amount, 1)
end

function Budget:cost(prompt, completion)
  local prices = self.prices
  if not prices then return 0 end
  return (prompt * (prices.prompt or 0) + completion * (prices.completion or 0)) / 1e6
end

-- At least one token in two bytes: an upper bound for a prompt's tokens that
-- holds for text; sequences come near it. `cap` is what bounds the answer.
local function most(self, body, cap)
  local prompt, answer = #body // 2, cap or self.largest
  return { calls = 1, tokens = prompt + answer, cost = self:cost(prompt, answer),
           held = false, used = nil }
end

-- {==================================================================
-- Reserving
-- ===================================================================

local function exceeds(self, name, amount)
  return self.limits[name] and amount > self.limits[name]
end

-- The limit that a call would pass although nothing else were in flight.
local function passed(self, need)
  for _, name in ipairs(names) do
    if exceeds(self, name, self.spent[name] + need[name]) then return name end
  end
end

local function fits(self, need)
  for _, name in ipairs(names) do
    if exceeds(self, name, self.spent[name] + self.held[name] + need[name]) then return false end
  end
  return true
end

local function number(value)
  return string.format(math.type(value) == "integer" and "%d" or "%.6g", value)
end

local function left(self, name)
  return math.max(0, self.limits[name] - self.spent[name])
end

local function reached(self, name, need)
  return string.format("--max-%s %s: %s spent, %s left, and the next call may take %s", name,
    number(self.limits[name]), number(self.spent[name]), number(left(self, name)),
    number(need[name]))
end

-- One waits for news of the others, the rest for their turn, so that a settled
-- call wakes one task and not all.
local function wait_for_room(self, need)
  if passed(self, need) then return end
  self.turn:enter()
  while not passed(self, need) and not fits(self, need) do
    self.news:enter()
    self.news:leave()
  end
  self.turn:leave()
end

local function tell(self)
  self.news:width(1)
  self.news:width(0)
end

-- True where `need` is held; false and why where a limit is reached.
local function hold(self, need)
  if not self.is_limited then
    need.held = true
    return true
  end
  local _, waiting = self.turn:state()
  if waiting > 0 or not fits(self, need) then wait_for_room(self, need) end
  local name = passed(self, need)
  if name then
    self.full = true
    return false, reached(self, name, need)
  end
  add(self.held, need, 1)
  need.held = true
  return true
end

-- Holds the most that a call can cost: `cap` is the largest answer in tokens,
-- where one was asked for. Waits while only calls in flight stand in the way.
-- Returns the reservation, or nil and which limit is reached.
function Budget:reserve(body, cap)
  local need = most(self, body, cap)
  local ok, why = hold(self, need)
  if not ok then return nil, why end
  return need
end
-- }==================================================================

-- {==================================================================
-- Settling
-- ===================================================================

-- Nobody bills a refusal; a reply that was lost on its way may be billed, and
-- is counted at the most.
local function used_by(self, need, outcome)
  local usage = outcome.usage
  if outcome.unsent or outcome.unreached then return nothing() end
  if usage and usage.prompt and usage.completion then
    self.largest = math.max(self.largest, usage.completion)
    return { calls = 1, tokens = usage.prompt + usage.completion,
             cost = self:cost(usage.prompt, usage.completion) }
  end
  if (outcome.status or 0) >= 400 then return { calls = 1, tokens = 0, cost = 0 } end
  return { calls = 1, tokens = need.tokens, cost = need.cost }
end

-- Replaces what was held by what one sending used; the reservation's `used`
-- sums up its sendings.
function Budget:settle(need, outcome)
  if not need.held then return end
  local used = used_by(self, need, outcome)
  need.held = false
  add(self.spent, used, 1)
  if need.used then add(need.used, used, 1) else need.used = used end
  if not self.is_limited then return end
  add(self.held, need, -1)
  tell(self)
end

-- Settles a sending that failed with `outcome` and holds as much again for the
-- next one. Returns whether it may be sent, and why not.
function Budget:again(need, outcome)
  self:settle(need, outcome)
  return hold(self, need)
end
-- }==================================================================

-- Why calls wait, for the status line; nil where none does.
function Budget:waiting()
  local inside = self.turn:state()
  return inside > 0 and "calls wait for what others leave of the limit" or nil
end

-- What was spent of each limit, as a sentence; nil without limits.
function Budget:told()
  local parts = {}
  for _, name in ipairs(names) do
    if self.limits[name] then
      parts[#parts + 1] = string.format("%s of --max-%s %s (%s left)", number(self.spent[name]),
        name, number(self.limits[name]), number(left(self, name)))
    end
  end
  return parts[1] and "spent in all: " .. table.concat(parts, ", ") or nil
end

return budget
