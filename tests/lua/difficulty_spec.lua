local bench = require "core.bench"
local difficulty = require "core.difficulty"

describe("core.difficulty", function ()
  local function scale()
    return difficulty.over(bench.tree { "1.1.1.1", "1.1.1.2", "1.2.1.1", "2.1.1.1" })
  end

  it("measures a leaf by the tree and by who carries it", function ()
    local s = scale()
    s:add("1.1.1.1", 3)
    s:add("1.1.1.2")
    s:add("1.1.1.-", 9)
    s:add("9.9.9.9", 9)
    local common, rare = s:axes("1.1.1.1"), s:axes("1.1.1.2", 0.4)
    assert.same({ tail = 0, branch = 1, distractors = common.distractors, d = common.d }, common)
    assert.near(2 / 6 / 3, common.distractors, 1e-15)
    assert.near((1 + 2 / 18) / 3, common.d, 1e-15)
    assert.near(1 - math.log(2) / math.log(4), rare.tail, 1e-15)
    assert.near((0.4 + rare.tail + 1 + 2 / 18) / 4, rare.d, 1e-15)
    assert.equal(0.4, rare.split)
  end)

  it("holds every leaf to be rare where nobody carries any", function ()
    assert.equal(1, scale():axes("2.1.1.1").tail)
  end)

  it("refuses what is no leaf of its tree", function ()
    assert.error_matches(function () scale():axes "1.1.1.-" end, "is no leaf of the tree")
    assert.error_matches(function () scale():axes "9.9.9.9" end, "is no leaf of the tree")
  end)

  it("says which element of a list is wrong", function ()
    assert.error_matches(function () bench.tree { "1.1.1.1", "x" } end,
      "leaf 2: 'x' is not an EC number")
    assert.error_matches(function () bench.tree { {} } end, "leaf 1: a table is not an EC number")
    assert.error_matches(function () difficulty.bins { 0.5, "x" } end, "d 2 is no number")
  end)

  it("bins items by rank, the first bins one larger, ties in order", function ()
    assert.same({ 5, 1, 1, 2, 2, 4, 3 },
      difficulty.bins { 0.9, 0.1, 0.2, 0.3, 0.4, 0.6, 0.5 })
    assert.same({ 1, 2, 3, 4, 5 }, difficulty.bins { 0.5, 0.5, 0.5, 0.5, 0.5 })
    assert.same({}, difficulty.bins {})
    assert.error_matches(function () difficulty.bins { 0 / 0 } end, "no number")
  end)

  it("knows the bins of homology and what the evidence leaves open", function ()
    local bins = {}
    for i, percent in ipairs { 0, 29.9, 30, 40, 50, 69.9, 70, 100 } do
      bins[i] = difficulty.homology_bin(percent)
    end
    assert.same({ "<30", "<30", "30-40", "40-50", "50-70", "50-70", ">=70", ">=70" }, bins)
    assert.equal(0.5, difficulty.evidence(100, 0))
    assert.equal(0, difficulty.evidence(100, 1))
  end)
end)
