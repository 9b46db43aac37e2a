-- Figures, ledger and comparisons over records made by hand.

local ledger = require "ecrb.report.ledger"
local metrics = require "ecrb.report.metrics"
local paired = require "ecrb.report.paired"

local function near(expected, actual)
  assert.is_true(math.abs(expected - actual) < 1e-9,
    string.format("%.17g is not %.17g", actual, expected))
end

-- A record whose path is right down to level `right` of `depth` committed.
local function record(key, depth, right, more)
  local path = {}
  for level = 1, depth do
    local parts = { "1", "1", "1", "1" }
    for l = level + 1, 4 do parts[l] = "-" end
    path[level] = table.concat(parts, ".")
  end
  local made = {
    key = key, name = "30/" .. key, split = "30", path = path,
    outcome = depth == 4 and "answered" or "abstained", channels = {},
    turns = 1, usage = { calls = 1, prompt = 10, completion = 2, reasoning = 0 },
    score = { l1 = right >= 1, l2 = right >= 2, l3 = right >= 3,
              l4 = right >= 4, node = right >= depth, valid = true,
              depth = depth, common = math.min(depth, right),
              predicted = depth, gold = 4, hp = depth > 0
                and math.min(depth, right) / depth or 0,
              hr = math.min(depth, right) / 4, hf = 0.5, classes = 1 },
  }
  for name, value in pairs(more or {}) do made[name] = value end
  return made
end

describe("the figures", function ()
  local rows = {
    record("a", 4, 4, { confidence = 0.9, channels = { "blast", "hmmer" } }),
    record("b", 4, 2, { confidence = 0.8, channels = { "blast" } }),
    record("c", 2, 2, { confidence = 0.1 }),
    record("d", 0, 0),
  }

  it("are what the protocol says", function ()
    local found = metrics.of(rows)
    assert.equal(4, found.n)
    near(0.75, found.l1[1])
    near(0.75, found.l2[1])
    near(0.25, found.l3[1])
    near(0.25, found.l4[1])
    near(0.5, found.reach[1])
    near(0.5, found.full_ec_precision[1])
    near(2.5, found.depth[1])
    near(0.75, found.retrievals[1])
    near(2 * 8 / (10 + 16), found.hf_micro[1])
    near((0.1 + 0.8 + 0.1) / 3, found.ece[1])
    near((0 + 1 / 2 + 2 / 3 + 3 / 4) / 4, found.aurc[1])
    assert.equal(1, found.classes)
    assert.equal(3, found.confidences)
    assert.same({ blast = 2, hmmer = 1 }, found.calls)
    assert.equal(2, found.causes.answered)
    assert.equal(2, found.causes.abstained)
    assert.equal(40, found.tokens.prompt)
  end)

  it("count the committed node for ECE where that is asked", function ()
    near((0.1 + 0.8 + 0.9) / 3, metrics.of(rows, { ece_target = "node" }).ece[1])
  end)

  it("take Wilson's interval where all or none are right", function ()
    local found = metrics.of { record("a", 4, 4), record("b", 4, 4) }
    assert.is_true(found.l4.wilson)
    assert.is_true(found.l4[2] < 0.5)
    near(1, found.l4[3])
    assert.is_nil(metrics.of(rows).l4.wilson)
  end)

  it("leave out what nobody reports", function ()
    local found = metrics.of { record("a", 4, 4) }
    assert.is_nil(found.ece)
    assert.is_nil(found.consensus)
    assert.equal(0, found.confidences)
  end)

  it("refuse scores that contradict themselves", function ()
    local odd = record("a", 2, 2)
    odd.score.l4 = true
    assert.has_error(function () metrics.of { odd } end, "the scores "
      .. "contradict themselves: reach L4 x full-EC precision is not L4; this "
      .. "is a bug in the scorer, or the records were edited")
  end)
end)

describe("the ledger", function ()
  local function lost(made, superseded)
    return (next(ledger.of({ made }, superseded or {}, {}).lost))
  end

  it("gives every lost item the cause that came first", function ()
    assert.is_nil(lost(record("a", 4, 4)))
    assert.equal("wrong1", lost(record("a", 4, 0)))
    assert.equal("wrong4", lost(record("a", 4, 3)))
    assert.equal("wrong2", lost(record("a", 3, 1)))
    assert.equal("abstained1", lost(record("a", 0, 0)))
    assert.equal("abstained3", lost(record("a", 2, 2)))
    assert.equal("failed", lost(record("a", 2, 2, { outcome = "failed" })))
    assert.equal("wrong2", lost(record("a", 2, 1, { outcome = "failed" })))
    assert.equal("unreadable", lost(record("a", 0, 0,
      { outcome = "unreadable" })))
  end)

  it("knows three kinds of EC numbers that do not exist", function ()
    local function invalid(leaf)
      return record("a", 4, 3, { outcome = "invalid",
        path = { "1.-.-.-", "1.1.-.-", "1.1.1.-", leaf } })
    end
    assert.equal("nonexistent", lost(invalid "1.1.1.999"))
    assert.equal("superseded", lost(invalid "1.1.1.999",
      { ["1.1.1.999"] = true }))
    assert.equal("malformed", lost(invalid "1.1.1.B9"))
    assert.equal("nonexistent", lost(invalid "1.1.1.n9"))
  end)

  it("conditions each level on the one above", function ()
    local found = ledger.of({ record("a", 4, 4), record("b", 4, 2),
      record("c", 4, 1) }, {}, {})
    near(2 / 3, found.given[2][1])
    near(1 / 2, found.given[3][1])
    near(1, found.given[4][1])
    assert.same({ [2] = 3, [3] = 2, [4] = 1 }, found.above)
    assert.equal(1, found.kept)
  end)

  it("gives each loss as a share with an interval", function ()
    local found = ledger.of({ record("a", 4, 4), record("b", 4, 2), record("c", 4, 2),
      record("d", 0, 0) }, {}, {})
    near(1 / 2, found.share.wrong3[1])
    near(1 / 4, found.share.kept[1])
    local sum = 0
    for _, share in pairs(found.share) do sum = sum + share[1] end
    near(1, sum)
    assert.is_true(found.share.wrong3[2] < 1 / 2 and 1 / 2 < found.share.wrong3[3])
  end)

  it("refuses a cause that it does not know", function ()
    assert.has_error(function () lost(record("a", 0, 0, { outcome = "lunch" })) end,
      "the scores contradict themselves: an item was lost to `lunch`, which is no cause; "
        .. "this is a bug in the scorer, or the records were edited")
  end)
end)

describe("several seeds of a setting", function ()
  local seeds = require "ecrb.report.seeds"
  local core_random = require "core.random"

  local function run(folder, settings)
    local made = { method = { id = "m1", sha256 = "x" }, book = "open" }
    for name, value in pairs(settings or {}) do made[name] = value end
    return { folder = folder, settings = made }
  end

  it("are refused where they are not of one setting, or one run twice", function ()
    seeds.check { run("A", { seed = 1 }), run("B", { seed = 2 }) }
    assert.has_error(function () seeds.check { run "A", run("B", { book = "closed" }) } end,
      "A and B are not runs of one setting: they differ in `book`; what commas "
        .. "join differs in the seed alone")
    assert.has_error(function () seeds.check { run "A", run "./A/" } end,
      "./A/ stands twice in one arm: its scores would count as two runs")
  end)

  -- Scores of runs that differ by `spread` on average: what is right depends on
  -- the item, the run and chance.
  local function drawn(stream, runs, items, spread)
    local columns, ease = {}, {}
    local function unit() return stream:below(1000000) / 1000000 end
    for i = 1, items do ease[i] = unit() end
    for r = 1, runs do
      local shift = -6
      for _ = 1, 12 do shift = shift + unit() end
      shift = shift * spread
      columns[r] = {}
      for i = 1, items do
        columns[r][i] = unit() < math.max(0, math.min(1, 0.2 + 0.6 * ease[i] + shift)) and 1 or 0
      end
    end
    return columns
  end

  -- How often the interval of `runs` seeds against a sure 1/2 holds the truth.
  local function covered(runs, spread)
    local stream, hits, trials = core_random.stream(1), 0, 200
    for _ = 1, trials do
      local columns, items, arm = drawn(stream, runs, 100, spread), {}, {}
      for i = 1, 100 do
        items[i] = { { score = { l4 = 0.5 } } }
        for r = 1, runs do
          arm[r] = r + 1
          items[i][r + 1] = { score = { l4 = columns[r][i] } }
        end
      end
      local d = paired.difference(items, { 1 }, arm, "l4", { replicates = 200, seed = 1 })
      if d.low <= 0 and 0 <= d.high then hits = hits + 1 end
    end
    return hits / trials
  end

  -- Runs differ by a normal shift of that standard deviation. Few that scatter much
  -- more than items do are hardly more than their number: two hold 92% where they
  -- should hold 95, and few that do not scatter at all hold more than that.
  it("hold the truth about as often as they say", function ()
    for _, case in ipairs { { 2, 0, 0.95, 1 }, { 2, 0.06, 0.92, 1 }, { 2, 0.2, 0.88, 0.98 },
                            { 4, 0, 0.93, 1 }, { 4, 0.03, 0.93, 1 }, { 4, 0.12, 0.91, 0.985 } } do
      local share = covered(case[1], case[2])
      assert.is_true(share >= case[3] and share <= case[4],
        case[1] .. " runs, " .. case[2] .. ": " .. share)
    end
  end)
end)

describe("a comparison", function ()
  local function run(name, rights, more)
    local made = { folder = name, manifest = { versions = { ecrb = "1" } },
                   settings = { bench = { name = "toy", sha256 = "x" } } }
    for i, right in ipairs(rights) do
      made[i] = record("item" .. i, 4, right)
    end
    for key, value in pairs(more or {}) do made[key] = value end
    return made
  end
  local how = { replicates = 500, seed = 1, margin = 0.1 }

  it("pairs items and counts those that only one has right", function ()
    local items = paired.items { run("A", { 4, 4, 0, 0 }),
                                 run("B", { 4, 4, 4, 0 }) }
    local d = paired.difference(items, { 1 }, { 2 }, "l4", how)
    near(0.25, d.mean)
    near(0.5, d.a)
    near(0.75, d.b)
    assert.equal(0, d.only_a)
    assert.equal(1, d.only_b)
    near(1, d.mcnemar)
    local flips = paired.flips(items, { 1 }, { 2 })
    assert.equal(1, #flips)
    assert.equal("item3", flips[1].a.key)
  end)

  it("widens with the variance between seeds", function ()
    local runs = { run("A1", { 4, 0, 4, 0 }), run("A2", { 4, 4, 4, 4 }),
                   run("B", { 4, 4, 0, 0 }) }
    local items = paired.items(runs)
    local d = paired.difference(items, { 1, 2 }, { 3 }, "l4", how)
    near(-0.25, d.mean)
    -- The means' variance is 1/8, of which the rest (4 * 4 / 16 / 3) has 1/24.
    near(math.sqrt((1 / 8 - 1 / 24) / 2), d.runs_error)
    assert.is_true(d.error > d.items_error and d.df > 1 and d.df < 4)
    assert.is_nil(d.mcnemar)
  end)

  it("adds nothing where seeds scatter no more than items do", function ()
    local runs = { run("A1", { 4, 0, 4, 0 }), run("A2", { 0, 4, 0, 4 }),
                   run("B", { 4, 4, 0, 0 }) }
    local items = paired.items(runs)
    local d = paired.difference(items, { 1, 2 }, { 3 }, "l4", how)
    assert.equal(0, d.runs_error)
    assert.is_nil(d.df)
  end)

  it("refuses unlike item sets unless told otherwise", function ()
    local a, b = run("A", { 4, 4 }), run("B", { 4 })
    assert.has_error(function () paired.items { a, b } end, "A has 2 items, "
      .. "only 1 of them is in every run: --common compares those")
    assert.equal(1, #paired.items({ a, b }, true))
  end)

  it("refuses another benchmark and, unless told, another version", function ()
    local a = run("A", { 4 })
    local other = run("B", { 4 },
      { settings = { bench = { name = "care", sha256 = "y" } } })
    assert.has_error(function () paired.items({ a, other }, true) end,
      "A and B were run on different benchmarks (toy, care): their items "
      .. "cannot be paired")
    local newer = run("B", { 4 }, { manifest = { versions = { ecrb = "2" } } })
    assert.has_error(function () paired.items { a, newer } end, "A was made "
      .. "by ecrb 1, B by 2: --common compares them all the same")
    assert.equal(1, #paired.items({ a, newer }, true))
  end)

  it("adjusts a family of tests", function ()
    local family = { { p = 0.01 }, { p = 0.04 } }
    paired.adjust(family)
    near(0.02, family[1].holm)
    near(0.04, family[2].holm)
  end)
end)
