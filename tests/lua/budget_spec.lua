-- What a run may spend: reserved before it is sent, settled when it is known.

local budget = require "ecrb.budget"

local model = { prices = { prompt = 1, completion = 2 }, max_tokens = 100 }
local body = string.rep("x", 200) -- at most 100 tokens

local function refused(b)
  local ok, err = pcall(b.reserve, b, body)
  return not ok and err.message
end

describe("a budget", function ()
  it("without limits lets everything through and counts it", function ()
    local b = budget.new({}, model)
    local need = b:reserve(body)
    b:settle(need, { usage = { prompt = 50, completion = 10 } })
    assert.same({ calls = 1, tokens = 60, cost = 70 / 1e6 }, b.spent)
  end)

  it("holds the most that calls in flight can cost", function ()
    local b = budget.new({ tokens = 450 }, model)
    b:reserve(body)
    b:reserve(body)
    assert.equal("the limit of 450 tokens is reached", refused(b))
  end)

  it("gives back what was not used", function ()
    local b = budget.new({ tokens = 450 }, model)
    b:settle(b:reserve(body), { usage = { prompt = 20, completion = 10 } })
    b:reserve(body)
    assert.is_false(refused(b))
  end)

  it("counts unknown usage as the most", function ()
    local b = budget.new({}, model)
    b:settle(b:reserve(body), {})
    assert.equal(200, b.spent.tokens)
  end)

  it("stops before the money is gone", function ()
    local b = budget.new({ cost = 0.0004 }, model)
    b:reserve(body)
    assert.matches("the limit of 0.0004 cost is reached", refused(b))
  end)

  it("counts every sending of a call that is sent again", function ()
    local b = budget.new({ calls = 2 }, model)
    b:reserve(body)
    assert.is_true(b:again())
    local ok, why = b:again()
    assert.is_false(ok)
    assert.equal("the limit of 2 calls is reached", why)
  end)
end)
