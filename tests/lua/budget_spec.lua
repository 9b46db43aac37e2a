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
    assert.equal("the next call may pass --max-tokens 450", refused(b))
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
    assert.equal("the next call may pass --max-cost 0.0004", refused(b))
  end)

  it("refuses a limit on money where nothing has a price", function ()
    local ok, why = pcall(budget.new, { cost = 5 },
      { name = "toy", kind = "endpoint" })
    assert.is_false(ok)
    assert.matches("model toy has no prices", why, 1, true)
    budget.new({ cost = 5 }, { name = "reader", kind = "reader" })
  end)

  it("counts every sending of a call that is sent again", function ()
    local b = budget.new({ calls = 2 }, model)
    b:reserve(body)
    assert.is_true(b:again())
    local ok, why = b:again()
    assert.is_false(ok)
    assert.equal("the next call may pass --max-calls 2", why)
  end)
end)
