-- The runs of a report under the paper's names.

local arms = require "ecrb.report.arms"

local function run(method, book, more)
  local settings = { method = { id = method }, book = book, seed = 1,
                     split = "all", bench = { name = "toy", sha256 = "x" },
                     model = { name = "m", kind = "endpoint" } }
  for name, value in pairs(more or {}) do settings[name] = value end
  return { folder = "runs/" .. method .. "-" .. book, settings = settings }
end

local function labels(list)
  local words = {}
  for i, arm in ipairs(list) do words[i] = arm.label end
  return words
end

describe("arms", function ()
  it("bear the paper's names in the order of Table 1", function ()
    local list = arms.of { run("m1", "open"), run("m2", "open"),
                           run("m4", "open"), run("b0", "closed"),
                           run("m5", "open"), run("m1", "closed") }
    assert.same({ "B0·closed", "M1·closed", "M2·active", "cascade·open",
                  "M4·open", "m5·open" }, labels(list))
    assert.equal("cascade-open", list[4].key)
  end)

  it("know M4 over another base as a setting of its own", function ()
    local over = { method = { id = "m4", base = { id = "m3" } } }
    assert.same({ "m4 over m3·open" }, labels(arms.of { run("m4", "open", over) }))
  end)

  it("never call a program or an oracle a language model", function ()
    local function model(more)
      return arms.of({ run("oracle", "open", more) })[1].model
    end
    assert.equal("reader (a program, no LLM)",
      model { model = { name = "reader", kind = "reader" } })
    assert.equal("no model", model { model = { name = "none", kind = "none" } })
    assert.equal("ORACLE (reads the labels)",
      model { oracle = true, model = { name = "none", kind = "none" } })
  end)

  it("tell runs of one setting apart by what differs", function ()
    local list = arms.of { run("b0", "open"), run("b0", "open", { seed = 2 }),
                           run("b0", "open", { split = "price" }) }
    assert.same({ "B0·open", "B0·open, seed 2", "B0·open, split price" },
      labels(list))
  end)

  it("are of one benchmark", function ()
    local other = { bench = { name = "care", sha256 = "y" } }
    assert.has_error(function ()
      arms.of { run("b0", "open"), run("m3", "open", other) }
    end, "runs/m3-open was run on benchmark care, runs/b0-open on another one "
      .. "(toy): a report is on one benchmark")
  end)
end)
