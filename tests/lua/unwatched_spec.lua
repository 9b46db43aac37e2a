-- The host's own code within a script's task: its steps are nobody's, its time
-- and its memory are the task's.

local sandbox = require "core.sandbox"
local sched = require "core.sched"

local unwatched = sandbox.unwatched

local function count(n)
  local sum = 0
  for i = 1, n do sum = sum + i end
  return sum
end

describe("unwatched code", function ()
  it("costs no instructions", function ()
    local few = { instructions = 1e4 }
    assert.is_false((sandbox.run(few, count, 1e6)))
    assert.same({ true, 500000500000 }, { sandbox.run(few, unwatched(count), 1e6) })
  end)

  it("gives back what it returns and raises what it raised", function ()
    local three = unwatched(function (...) return select("#", ...), ... end)
    local raised = { code = "budget" }
    local function work()
      local results = table.pack(three(nil, 7))
      local ok, err = pcall(unwatched(error), raised)
      return { results.n, results[1], results[3], ok, rawequal(err, raised) }
    end
    assert.same({ true, { 3, 2, 7, false, true } }, { sandbox.run(nil, work) })
  end)

  for name, inside in pairs { ["an end"] = function () end, ["an error"] = error } do
    it("is followed by watched code after " .. name, function ()
      local _, err = sandbox.run({ instructions = 1e6 }, function ()
        pcall(unwatched(inside))
        while true do end
      end)
      assert.equal("the task ran for more than its 1000000 instructions", err.message)
    end)
  end

  it("ends at the task's seconds", function ()
    local _, err = sandbox.run({ seconds = 0.1 }, function ()
      while true do unwatched(function () while true do local _ = {} end end)() end
    end)
    assert.equal("the task ran for more than its 0.1 seconds", err.message)
  end)

  it("ends at the task's memory", function ()
    local _, err = sandbox.run({ memory = 8e6 }, unwatched(function ()
      local last
      while true do last = { last } end
    end))
    assert.equal("the task needs more than its 8.0 MB of memory", err.message)
  end)

  it("may wait, also inside other unwatched code, and outside of tasks is itself", function ()
    local nested = unwatched(unwatched(function (i)
      sched.sleep(0.001)
      return i
    end))
    local seen = {}
    local todo = { function ()
      return sched.sample(2, nested)
    end }
    sched.loop():run {
      next = function () return table.remove(todo), "tag" end,
      done = function (ok, value) seen[#seen + 1] = { ok, value[1].value, value[2].value } end,
      width = 1,
    }
    assert.same({ { true, 1, 2 } }, seen)
    assert.equal(6, unwatched(count)(3))
  end)
end)
