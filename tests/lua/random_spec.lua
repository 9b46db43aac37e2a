local random = require "core.random"

describe("core.random", function ()
  it("is SplitMix64, scaled by multiplication", function ()
    -- The generator's first output for seed 0 is 0xe220a8397b1dcdaf.
    assert.equal((0xe220a839 * 1000 >> 32) + 1, random.stream(0):below(1000))
  end)

  it("gives the same numbers for the same seed, 1 to n", function ()
    local a, b, seen = random.stream(7), random.stream(7), {}
    for _ = 1, 200 do
      local number = a:below(3)
      assert.equal(number, b:below(3))
      seen[number] = true
    end
    assert.same({ true, true, true }, seen)
  end)

  it("refuses an empty range", function ()
    assert.has_error(function () random.stream(1):below(0) end)
  end)
end)
