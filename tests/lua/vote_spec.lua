local vote = require "core.vote"
local path = require "core.ec".path

describe("core.vote.prefix", function ()
  it("accepts the deepest prefix that most chains hold", function ()
    local won = vote.prefix({ path "1.1.1.1", path "1.1.1.2", path "1.1.1.1" },
      0.5)
    assert.same(path "1.1.1.1", won.path)
    assert.same({ 1, 1, 1, 2 / 3 }, won.share)
    assert.equal(2 / 3, won.winning_share)
    assert.is_false(won.tied)
  end)

  it("counts chains that stopped", function ()
    local won = vote.prefix({ path "1.1.1.1", path "1.1", {} }, 0.5)
    assert.same({ "1.-.-.-", "1.1.-.-" }, won.path)
    assert.equal(2 / 3, won.winning_share)
  end)

  it("stops at a tie and below tau", function ()
    local tied = vote.prefix { path "1.1.1.1", path "1.1.2.1" }
    assert.same({ "1.-.-.-", "1.1.-.-" }, tied.path)
    assert.is_true(tied.tied)
    assert.same({}, vote.prefix({ path "1", path "2", path "3" }, 0.5).path)
    assert.same({}, vote.prefix({}, 0.5).path)
  end)

  it("names the vote that is none", function ()
    assert.has_error(function () vote.prefix { {}, { "x" } } end,
      "vote 2: 'x' is not an EC number")
    assert.has_error(function () vote.prefix { 3 } end,
      "vote 1 is no list of up to four EC numbers")
    assert.has_error(function () vote.prefix { { 1, 2, 3, 4, 5 } } end)
    local many = {}
    for i = 1, 5000 do many[i] = {} end
    assert.has_error(function () vote.prefix(many) end,
      "bad argument #1 to 'prefix' (more than 4096 votes)")
  end)
end)

describe("core.vote.neighbours", function ()
  it("sums weights; the first met wins a tie", function ()
    assert.same({ "1.1.1.2", 2, 3 }, { vote.neighbours {
      { ec = "1.1.1.1" }, { ec = "1.1.1.2" }, { ec = "1.1.1.2" } } })
    assert.same({ "1.1.1.1", 1, 2 }, { vote.neighbours {
      { ec = "1.1.1.1" }, { ec = "1.1.1.2" } } })
    assert.same({ "1.1.1.2", 3.5, 4.5 }, { vote.neighbours {
      { ec = "1.1.1.1", weight = 1 }, { ec = "1.1.1.2", weight = 3.5 },
      { ec = "1.1.1.-", weight = 9 } } })
  end)

  it("is nil without a complete EC number", function ()
    assert.is_nil(vote.neighbours {})
    assert.is_nil(vote.neighbours { { ec = "1.1.1" } })
  end)

  it("refuses weights that are none", function ()
    for _, weight in ipairs { -1, 1 / 0, 0 / 0 } do
      assert.has_error(function ()
        vote.neighbours { { ec = "1.1.1.1", weight = weight } }
      end, "bad argument #1 to 'neighbours' (a weight is negative, infinite or "
        .. "no number)")
    end
    assert.has_error(function ()
      vote.neighbours { { ec = "1.1.1.1", weight = "2" } }
    end, "vote 1: the weight is no number")
    assert.has_error(function () vote.neighbours { { weight = 1 } } end,
      "vote 1: a nil is not an EC number")
  end)
end)
