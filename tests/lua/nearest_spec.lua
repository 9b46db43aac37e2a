local nearest = require "core.nearest"
local system = require "core.system"
local vectors = dofile "tests/lua/vectors.lua"

local scratch = system.getenv("TMP") .. "/"

local function written(name, rows, type)
  return nearest.vectors(vectors.write(scratch .. name, rows, type))
end

local function message_of(f, ...)
  local good, err = pcall(f, ...)
  assert.is_false(good)
  return tostring(type(err) == "table" and err.message or err)
end

describe("core.nearest", function ()
  it("opens vectors and tells their shape", function ()
    local rows = written("a.npy", { { 1, 2, 3 }, { 4, 5, 6 } })
    assert.equal(2, #rows)
    assert.equal(3, rows:width())
  end)

  it("hands out the nearest rows, best first, counted from 1", function ()
    local queries = written("q.npy", { { 1, 0 }, { 0, 2 } })
    local references = written("r.npy", { { 0, 1 }, { 3, 0 }, { 1, 1 } })
    local got = {}
    for query, rows, cosines in nearest.search(queries, references, 2) do
      got[query] = { rows, cosines }
    end
    assert.same({ 2, 3 }, got[1][1])
    assert.same({ 1, 3 }, got[2][1])
    assert.equal(1, got[1][2][1])
    assert.is_true(math.abs(got[1][2][2] - math.sqrt(0.5)) < 1e-15)
    assert.equal(2, #got)
  end)

  it("reads float16", function ()
    local rows = written("h.npy", { { 0x3c00, 0 }, { 0, 0x3c00 } }, "<f2")
    local _, nearest_rows = nearest.search(rows, rows, 1)()
    assert.same({ 1 }, nearest_rows)
  end)

  it("reports vectors without a direction", function ()
    local rows = written("z.npy", { { 0, 0 }, { 1, 0 }, { 0, 0 } })
    local search = nearest.search(rows, rows, 1)
    search()
    assert.equal(2, search:report().zero_queries)
    assert.equal(2, search:report().zero_references)
  end)

  it("keeps its files open as long as it needs them", function ()
    local search = nearest.search(written("q.npy", { { 1, 0 } }),
      written("r.npy", { { 1, 0 } }), 1)
    collectgarbage()
    assert.equal(1, (search()))
    assert.is_nil((search()))
  end)

  it("refuses in words what cannot be", function ()
    local two, three = written("2.npy", { { 1, 2 } }), written("3.npy", { { 1, 2, 3 } })
    assert.is_truthy(string.find(message_of(nearest.search, two, three, 1),
      "2.npy: its vectors have 2 numbers", 1, true))
    assert.is_truthy(string.find(message_of(nearest.vectors, scratch .. "none"),
      "none: cannot be read", 1, true))
    assert.has_error(function () nearest.search(two, two, 0) end)
  end)

  it("is closed once and stays so", function ()
    local rows = written("a.npy", { { 1, 2 } })
    local search = nearest.search(rows, rows, 1)
    do local _ <close> = search end
    assert.is_truthy(string.find(message_of(search), "closed", 1, true))
  end)
end)
