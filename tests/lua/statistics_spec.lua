local statistics = require "core.statistics"

local function near(expected, actual)
  assert.is_true(math.abs(expected - actual) < 1e-12,
    string.format("%.17g is not %.17g", actual, expected))
end

describe("core.statistics", function ()
  it("takes the means of columns with one draw for all", function ()
    local a, b = { true, false, true, true }, { 0, 1, 0, 0 }
    local means = statistics.means({ a, b }, { replicates = 200 })
    near(0.75, means[1][1])
    near(0.25, means[2][1])
    near(1 - means[1][3], means[2][2])
    near(1 - means[1][2], means[2][3])
  end)

  it("gives the same interval for the same seed, another for another", function ()
    local column = {}
    for i = 1, 50 do column[i] = i end
    local function interval(seed)
      return statistics.means({ column }, { seed = seed })[1]
    end
    assert.same(interval(1), interval(1))
    assert.not_same(interval(1), interval(2))
    assert.is_true(interval(1)[2] < 25.5 and 25.5 < interval(1)[3])
  end)

  it("keeps draws for many figures, with the same results", function ()
    local how = { replicates = 50, seed = 3 }
    local kept = { draws = statistics.draws(4, how) }
    local values, classes = { 0.5, 1, 0, 0.25 }, { 1, 2, 1, 2 }
    local right = { true, false, true, false }
    for _, name in ipairs { "ece", "aurc" } do
      assert.same((statistics[name](values, right, how)),
        (statistics[name](values, right, kept)))
    end
    assert.same((statistics.macro(values, classes, how)),
      (statistics.macro(values, classes, kept)))
    assert.same(statistics.means({ values, right }, how),
      statistics.means({ values, right }, kept))
    assert.same(statistics.ratio(right, values, how),
      statistics.ratio(right, values, kept))
    assert.has_error(function () statistics.means({ { 1 } }, kept) end,
      "draws of 4 items, but 1 values")
  end)

  it("takes columns by kind, to the last bit as if by item", function ()
    local of, values, right, classes = statistics.numbers(), {}, {}, {}
    local kinds = { { 1 / 3, true, 1 }, { 0.7, false, 2 }, { false, true, 3 }, { 0.1, false, 1 } }
    local by_kind = { {}, {}, {} }
    for k, kind in ipairs(kinds) do
      for c = 1, 3 do by_kind[c][k] = kind[c] end
    end
    for i = 1, 101 do
      local k = i * i // 3 % 4 + 1
      of:add(k)
      values[i], right[i], classes[i] = kinds[k][1], kinds[k][2], kinds[k][3]
    end
    assert.equal(101, #of)
    assert.equal(101 * 101 // 3 % 4 + 1, of[101])
    assert.is_nil(of[102])
    local drawn = statistics.draws(101, { replicates = 60, seed = 4 })
    for _, plain in ipairs { { replicates = 61, seed = 4 }, { draws = drawn } } do
      local packed = { replicates = plain.replicates, seed = plain.seed, draws = plain.draws,
                       of = of }
      local ratios = { { 1, 2 } }
      assert.same({ statistics.means({ values, right }, plain, ratios) },
        { statistics.means({ by_kind[1], by_kind[2] }, packed, ratios) })
      for _, name in ipairs { "ece", "aurc", "temperature", "ratio" } do
        assert.same({ statistics[name](values, right, plain) },
          { statistics[name](by_kind[1], by_kind[2], packed) })
      end
      assert.same({ statistics.selective(values, right, 0.5, plain) },
        { statistics.selective(by_kind[1], by_kind[2], 0.5, packed) })
      assert.same({ statistics.macro(right, classes, plain) },
        { statistics.macro(by_kind[2], by_kind[3], packed) })
    end
    assert.has_error(function () statistics.means({ { 1 } }, { of = of }) end,
      "an item of kind 4, but 1 values of a column")
  end)

  it("keeps whole numbers in few bytes, counts and sorts them", function ()
    local list, places = statistics.numbers(), statistics.numbers()
    for _, pair in ipairs { { 7, 3 }, { 2, 1 }, { 7, 2 } } do
      list:add(pair[1])
      places:add(pair[2])
    end
    assert.same({ 0, 1, 0, 0, 0, 0, 2, 0 }, list:counts(8))
    list:sort(places)
    assert.same({ 2, 7, 7 }, { list[1], list[2], list[3] })
    assert.error_matches(function () list:add(0) end, "1 to 4294967295")
    assert.error_matches(function () list:counts(6) end, "there are greater numbers")
    assert.error_matches(function () list:sort(statistics.numbers()) end, "a place for each")
  end)

  it("leaves intervals out without replicates", function ()
    assert.same({ { 0.5 } },
      statistics.means({ { 0, 1 } }, { replicates = 0 }))
  end)

  it("divides sums", function ()
    near(0.5, statistics.ratio({ 1, 0, 1 }, { 1, 1, 2 })[1])
    assert.same({ false }, statistics.ratio({ 0 }, { 0 }))
  end)

  it("averages classes with equal weight", function ()
    local macro, present = statistics.macro({ 1, 1, 0, 1 }, { 1, 1, 2, 3 })
    near((1 + 0.5) / 2, macro[1])
    assert.equal(2, present)
  end)

  it("finds the calibration error under either edge", function ()
    local confidence, correct = { 0.9, 0.85 }, { false, true }
    near(0.375, statistics.ece(confidence, correct)[1])
    near(0.525, statistics.ece(confidence, correct, { left_edges = true })[1])
    local _, bins = statistics.ece({ 0.9, false }, { true, true })
    assert.equal(10, #bins)
    assert.equal(1, bins[9].n)
    assert.same({ false }, (statistics.ece({ false }, { true })))
  end)

  it("measures risk against coverage", function ()
    local confidence, correct = { 0.9, 0.8, 0.1 }, { true, true, false }
    near((0 + 0 + 1 / 3) / 3, statistics.aurc(confidence, correct)[1])
    assert.same({ 0, 0, 1 / 3 }, statistics.risk_curve(confidence, correct))
  end)

  it("measures what the most confident have right", function ()
    local confidence, correct = { 0.9, 0.8, 0.1, false }, { true, false, true, true }
    near(1, statistics.selective(confidence, correct, 0.25)[1])
    near(1 / 2, statistics.selective(confidence, correct, 0.5)[1])
    local all = statistics.selective(confidence, correct, 1)
    near(3 / 4, all[1])
    assert.is_true(all[2] < all[1] and all[1] < all[3])
  end)

  it("fits a temperature with an interval", function ()
    local confidence, correct = {}, {}
    for i = 1, 40 do confidence[i], correct[i] = 0.9, i % 4 > 0 end
    local t = statistics.temperature(confidence, correct)
    assert.is_true(math.abs(t[1] - 2) < 1e-6)
    assert.is_true(t[2] < 2 and 2 < t[3])
    assert.same({ 1 }, statistics.temperature({ false }, { true }, { replicates = 0 }))
  end)

  it("takes the mean calibration error of several over one draw", function ()
    local sure, unsure, correct = {}, {}, {}
    for i = 1, 20 do sure[i], unsure[i], correct[i] = 1, 0, i % 2 == 0 end
    local mean = statistics.mean_ece({ sure, unsure }, { correct, correct })
    near(0.5, mean[1])
    -- What one of them errs too much, the other errs too little in every resample.
    near(0.5, mean[2])
    near(0.5, mean[3])
    near(statistics.ece(sure, correct)[2],
      statistics.mean_ece({ sure }, { correct })[2])
  end)

  it("knows Student's t", function ()
    near(0.5, statistics.student(1, 1))
    assert.is_true(math.abs(statistics.critical(0.05, 2) - 4.30265273) < 1e-7)
  end)

  it("compares two columns", function ()
    local a, b = {}, {}
    for i = 1, 100 do a[i], b[i] = i % 2 == 0, i % 4 == 0 end
    local d = statistics.compare(a, b, { margin = 0.5 })
    near(0.25, d.mean)
    assert.is_true(d.low > 0 and d.p < 0.01 and d.equivalent)
    assert.is_nil(statistics.compare(a, b).equivalent)
  end)

  it("tests and adjusts", function ()
    local p = statistics.mcnemar(0, 5)
    near(2 / 32, p)
    assert.same({ 0.03, 0.04, 0.5 }, statistics.holm { 0.01, 0.02, 0.5 })
    local low, high = statistics.wilson(10, 10)
    near(1, high)
    assert.is_true(low > 0.7 and low < 0.73)
    near(0.75, statistics.scaled(0.9, 2))
  end)

  it("refuses what is no column", function ()
    local function refuses(message, f, ...)
      local good, problem = pcall(f, ...)
      assert.is_false(good)
      assert.is_truthy(string.find(tostring(problem), message, 1, true), problem)
    end
    refuses("columns of 2 and 1 values", statistics.means, { { 1, 2 }, { 1 } })
    refuses("no columns", statistics.means, {})
    refuses("value 2 of a column is a string", statistics.means, { { 1, "x" } })
    refuses("a column without values", statistics.ece, {}, {})
    refuses("replicates are 0 to 1000000", statistics.means, { { 1 } },
      { replicates = -1 })
    refuses("hits are 0 to n", statistics.wilson, 3, 2)
    refuses("a p value", statistics.holm, { 2 })
    refuses("a coverage is 0 to 1", statistics.selective, { 1 }, { true }, 2)
    refuses("a list of columns", statistics.mean_ece, {}, {})
    refuses("as many columns", statistics.mean_ece, { { 1 } }, {})
    refuses("columns of 2 and 1 values", statistics.mean_ece, { { 1, 0 }, { 1 } },
      { { true, true }, { true } })
    refuses("degrees of freedom", statistics.student, 1, 0)
    refuses("a comparison needs replicates", statistics.compare, { 1 }, { 1 },
      { replicates = 0 })
  end)
end)
