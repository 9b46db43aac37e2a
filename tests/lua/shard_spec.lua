-- Who gets which item, and what is left of the limits.

local benchmark = require "ecrb.benchmark"
local sessions = require "ecrb.merge.sessions"
local shard = require "ecrb.shard"

-- The numbers of items that fall to each of n shards.
local function sizes(number_of, ids, of)
  local counts = {}
  for i = 1, of do counts[i] = 0 end
  for _, id in ipairs(ids) do
    local number = number_of(shard.place(id))
    counts[number] = counts[number] + 1
  end
  return counts
end

local function made_ids(n)
  local ids, places = {}, {}
  for i = 1, n do
    ids[i] = "item" .. i
    places[i] = shard.place(ids[i])
  end
  return ids, places
end

describe("a shard", function ()
  it("is read as I/N", function ()
    assert.same({ index = 3, of = 8 }, shard.read "3/8")
    for _, word in ipairs { "0/8", "9/8", "3", "3/", "/8", "-1/8", "1.5/8", "3/8x", "1/0",
        "99999999999999999999/99999999999999999999" } do
      local one, message = shard.read(word)
      assert.is_nil(one)
      assert.is_truthy(string.find(message, "`" .. word .. "` is no shard", 1, true))
    end
  end)

  it("is within one item of every other", function ()
    for _, n in ipairs { 1, 7, 8, 9, 1349, 5000 } do
      for _, of in ipairs { 1, 2, 3, 7, 8, 64 } do
        if of <= n then
          local ids, places = made_ids(n)
          local counts = sizes(shard.cut(places, of), ids, of)
          assert.is_true(math.max(table.unpack(counts)) - math.min(table.unpack(counts)) <= 1)
        end
      end
    end
  end)

  it("does not depend on the order of the items", function ()
    local ids, forth = made_ids(200)
    local back = {}
    for i, place in ipairs(forth) do back[#forth + 1 - i] = place end
    local a, b = shard.cut(forth, 8), shard.cut(back, 8)
    for _, id in ipairs(ids) do assert.equal(a(shard.place(id)), b(shard.place(id))) end
  end)

  it("is the same on every machine", function ()
    assert.equal(0x9f86d081884c7d6, shard.place "test")
  end)

  it("is not cut where there are too few items", function ()
    local _, places = made_ids(3)
    assert.has_error(function () shard.cut(places, 4) end,
      "--shard I/4: 3 items can be cut into 3 shards at most")
  end)

  it("has every chosen item once, whatever the choice", function ()
    local bench = benchmark.open()
    for _, choice in ipairs { {}, { split = "price" }, { limit = 9 }, { sample = 20, seed = 1 } } do
      local chosen, seen = benchmark.select(bench, choice), {}
      for i = 1, 5 do
        for _, index in ipairs((shard.of(bench, chosen, choice, { index = i, of = 5 }))) do
          assert.is_nil(seen[index])
          seen[index] = true
        end
      end
      for _, index in ipairs(chosen) do assert.is_true(seen[index]) end
    end
  end)
end)

describe("the limits of shards", function ()
  local function endpoint(limits)
    return { sources = { { base_url = "http://127.0.0.1/v1", limits = limits } } }
  end

  it("sum to the limits of the command", function ()
    local sums = { max_calls = 0, max_tokens = 0, max_cost = 0 }
    for i = 1, 8 do
      local args = { shard = { index = i, of = 8 }, concurrency = 64, max_calls = 1001,
                     max_tokens = 77, max_cost = 4 }
      shard.divide(args, { sources = {} })
      for name in pairs(sums) do sums[name] = sums[name] + args[name] end
      assert.equal(8, args.concurrency)
    end
    assert.same({ max_calls = 1001, max_tokens = 77, max_cost = 4 }, sums)
  end)

  it("are those of each endpoint, too", function ()
    local model = endpoint { concurrency = 20, requests_per_minute = 60, tokens_per_minute = 1e5 }
    local args = { shard = { index = 8, of = 8 }, concurrency = 64 }
    local left = shard.divide(args, model)
    local limits = { concurrency = 2, requests_per_minute = 7.5, tokens_per_minute = 12500 }
    assert.same(limits, model.sources[1].limits)
    assert.same({ concurrency = 8, endpoints = { limits } }, left)
    assert.equal("concurrency 8, concurrency 2 at endpoint 1, requests per minute 7.5 at "
      .. "endpoint 1, tokens per minute 12500 at endpoint 1", shard.told(left))
  end)

  it("leave one call at a time to every shard", function ()
    local args = { shard = { index = 8, of = 8 }, concurrency = 3 }
    shard.divide(args, { sources = {} })
    assert.equal(1, args.concurrency)
  end)

  it("are whole where there is no shard", function ()
    local args, model = { concurrency = 64 }, endpoint { concurrency = 20 }
    assert.is_nil(shard.divide(args, model))
    assert.equal(64, args.concurrency)
    assert.equal(20, model.sources[1].limits.concurrency)
  end)
end)

describe("the sessions of merged shards", function ()
  local early = { shard = 2, started = "2026-01-01T10:00:00Z" }
  local later = { shard = 1, started = "2026-01-01T11:00:00Z", ended = "2026-01-01T12:00:00Z" }
  local own = { started = "2026-01-02T00:00:00Z", ended = "2026-01-02T01:00:00Z" }

  it("stand in the order of their beginning", function ()
    assert.same({ early, later, own },
      sessions { { sessions = { own } }, { sessions = { later } }, { sessions = { early } } })
  end)

  it("are of a shard's newest state, whichever part is first", function ()
    local ended = { shard = 2, started = early.started, ended = "2026-01-01T10:30:00Z" }
    local again = { shard = 2, started = "2026-01-03T00:00:00Z" }
    for _, parts in ipairs { { { early }, { ended } }, { { ended }, { early } } } do
      assert.same({ ended }, sessions { { sessions = parts[1] }, { sessions = parts[2] } })
    end
    for _, parts in ipairs { { { early, again }, { ended } }, { { ended }, { early, again } } } do
      assert.same({ early, again }, sessions { { sessions = parts[1] }, { sessions = parts[2] } })
    end
  end)
end)
