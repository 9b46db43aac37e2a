-- What a run may spend: reserved before it is sent, settled when it is known.

local budget = require "ecrb.budget"
local sched = require "core.sched"

local model = { prices = { prompt = 1, completion = 2 }, max_tokens = 100 }
local body = string.rep("x", 200) -- at most 100 tokens

local function refused(b)
  local need, why = b:reserve(body)
  return not need and why
end

local function usage(prompt, completion)
  return { usage = { prompt = prompt, completion = completion } }
end

-- Runs f(1..n) as tasks, all at once.
local function together(n, f)
  local given = 0
  local how = sched.loop():run {
    width = n,
    next = function ()
      given = given + 1
      local i = given
      if i <= n then return function () return f(i) end end
    end,
    done = function (ok, why) assert(ok, why) end,
  }
  assert.equal("done", how)
end

-- n calls that all want to be sent at once and use so much. Returns how many
-- were sent, the most that was spent and held at any time, how many were in
-- flight together, and what was said of those that waited.
local function calls(b, n, used)
  local sent, most, flying, widest, waited = 0, 0, 0, 0, nil
  together(n, function ()
    local need = b:reserve(body)
    if not need then return end
    sent, flying = sent + 1, flying + 1
    most = math.max(most, b.spent.tokens + b.held.tokens)
    widest = math.max(widest, flying)
    sched.sleep(0.001)
    waited = waited or b:waiting()
    flying = flying - 1
    b:settle(need, used)
  end)
  return sent, most, widest, waited
end

describe("a budget", function ()
  it("without limits lets everything through and counts it", function ()
    local b = budget.new({}, model)
    local need = b:reserve(body)
    b:settle(need, usage(50, 10))
    assert.same({ calls = 1, tokens = 60, cost = 70 / 1e6 }, b.spent)
    assert.same(b.spent, need.used)
    assert.is_nil(b:told())
  end)

  it("waits while only calls in flight stand in the way", function ()
    local b = budget.new({ tokens = 1000 }, model)
    local sent, most, widest, waited = calls(b, 100, usage(15, 5))
    assert.equal("calls wait for what others leave of the limit", waited)
    assert.is_nil(b:waiting())
    assert.equal(41, sent) -- 40 use 800; one more fits beside them, 42 would not
    assert.equal(820, b.spent.tokens)
    assert.equal(1000, most)
    assert.equal(5, widest)
  end)

  it("is never passed, though every call uses all that it may", function ()
    local b = budget.new({ tokens = 1000 }, model)
    local sent, most = calls(b, 100, usage(100, 100))
    assert.equal(5, sent)
    assert.equal(1000, most)
    assert.equal(1000, b.spent.tokens)
  end)

  it("holds as many calls as may be sent, and no more", function ()
    local b = budget.new({ calls = 7 }, model)
    assert.equal(7, (calls(b, 30, usage(1, 1))))
    assert.equal("--max-calls 7: 7 spent, 0 left, and the next call may take 1", refused(b))
  end)

  it("counts what a refused or lost call gives back", function ()
    local b = budget.new({ calls = 2, tokens = 400 }, model)
    b:settle(b:reserve(body), { unreached = true })
    assert.same({ calls = 0, tokens = 0, cost = 0 }, b.spent)
    b:settle(b:reserve(body), { unsent = true })
    assert.same({ calls = 0, tokens = 0, cost = 0 }, b.spent)
    b:settle(b:reserve(body), { status = 429 })
    assert.same({ calls = 1, tokens = 0, cost = 0 }, b.spent)
    b:settle(b:reserve(body), { status = 200 })
    assert.equal(200, b.spent.tokens)
  end)

  it("says what is spent, what is left and what the next call may take", function ()
    local b = budget.new({ tokens = 450, cost = 0.5 }, model)
    b:settle(b:reserve(body), usage(200, 100))
    assert.equal("--max-tokens 450: 300 spent, 150 left, and the next call may take 200",
      refused(b))
    assert.equal("spent in all: 300 of --max-tokens 450 (150 left), "
      .. "0.0004 of --max-cost 0.5 (0.4996 left)", b:told())
  end)

  it("stops before the money is gone", function ()
    local b = budget.new({ cost = 0.0004 }, model)
    b:settle(b:reserve(body), {})
    assert.equal("--max-cost 0.0004: 0.0003 spent, 0.0001 left, and the next call may take 0.0003",
      refused(b))
  end)

  it("takes the cap that was asked for, not the largest answer", function ()
    local b = budget.new({ tokens = 110 }, model)
    assert.is_truthy(b:reserve(body, 10))
    assert.is_nil((budget.new({ tokens = 250 }, model):reserve(body, 200)))
  end)

  it("learns that answers are longer than was thought", function ()
    local b = budget.new({ tokens = 1000 }, model)
    b:settle(b:reserve(body), usage(50, 700))
    assert.equal("--max-tokens 1000: 750 spent, 250 left, and the next call may take 800",
      refused(b))
  end)

  it("goes on from what earlier sessions spent", function ()
    local b = budget.new({ calls = 3 }, model)
    b:carry { calls = 2, tokens = 500, cost = 0.1 }
    b:settle(b:reserve(body), usage(1, 1))
    assert.equal("--max-calls 3: 3 spent, 0 left, and the next call may take 1", refused(b))
    assert.same({ calls = 2, tokens = 500, cost = 0.1 }, b.before)
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
    local need = b:reserve(body)
    assert.is_true(b:again(need, { status = 503 }))
    local ok, why = b:again(need, { status = 503 })
    assert.is_false(ok)
    assert.equal("--max-calls 2: 2 spent, 0 left, and the next call may take 1", why)
    b:settle(need, {})
    assert.same({ calls = 2, tokens = 0, cost = 0 }, b.spent)
    assert.same(b.spent, need.used)
  end)
end)
