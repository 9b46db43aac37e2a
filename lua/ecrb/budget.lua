-- What a run may spend in all: calls, tokens, money. A call is reserved before
-- it is sent, at the most that it can cost, and settled when its usage is known,
-- so that many calls in flight cannot pass a limit together.

local fail = require "ecrb.fail"

local budget = {}

local Budget = {}
Budget.__index = Budget

-- A limit on cost that nothing can be counted against would never be reached.
local function check_prices(limits, model)
  if limits.cost and not model.prices and model.kind == "endpoint" then
    fail("--max-cost: model %s has no prices; put `prices` into its entry in "
      .. "models.lua, or limit --max-tokens", model.name)
  end
end

-- `limits` may hold calls, tokens, cost; `model` gives prices per million
-- tokens {prompt=, completion=} and the largest answer.
function budget.new(limits, model)
  check_prices(limits, model)
  return setmetatable({ limits = limits, prices = model.prices, largest = model.max_tokens or 4096,
                        spent = { calls = 0, tokens = 0, cost = 0 },
                        held = { calls = 0, tokens = 0, cost = 0 } }, Budget)
end

function Budget:cost(prompt, completion)
  local prices = self.prices
  if not prices then return 0 end
  return (prompt * (prices.prompt or 0) + completion * (prices.completion or 0)) / 1e6
end

-- At least one token in two bytes: an upper bound for a prompt's tokens that
-- holds for text; sequences come near it.
local function most(self, body)
  local prompt = #body // 2
  return { calls = 1, tokens = prompt + self.largest, cost = self:cost(prompt, self.largest) }
end

local function reached(name, limit)
  return string.format("the next call may pass --max-%s %s", name, limit)
end

-- Counts one more sending of a call that is sent again. Returns whether it may
-- be sent, and why not.
function Budget:again()
  local limit = self.limits.calls
  if limit and self.spent.calls + self.held.calls + 1 > limit then
    return false, reached("calls", limit)
  end
  self.spent.calls = self.spent.calls + 1
  return true
end

-- Holds the most that a call can cost; raises `budget` where it does not fit.
function Budget:reserve(body)
  local need = most(self, body)
  for name, limit in pairs(self.limits) do
    if self.spent[name] + self.held[name] + need[name] > limit then
      error({ code = "budget", class = "run", message = reached(name, limit) }, 0)
    end
  end
  for name, amount in pairs(need) do self.held[name] = self.held[name] + amount end
  return need
end

local nothing = { calls = 0, tokens = 0, cost = 0 }

-- Replaces what was held by what was used; unknown usage stays at what was held.
function Budget:settle(need, outcome)
  local usage = outcome.usage
  local used = outcome.unsent and nothing or need
  if usage and usage.prompt and usage.completion then
    used = { calls = 1, tokens = usage.prompt + usage.completion,
             cost = self:cost(usage.prompt, usage.completion) }
  end
  for name, amount in pairs(need) do
    self.held[name] = self.held[name] - amount
    self.spent[name] = self.spent[name] + used[name]
  end
end

return budget
