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

describe("the suite's tables", function ()
  local benchmark = require "ecrb.benchmark"
  local paper = require "ecrb.paper"
  local synthetic = dofile "tests/support/synthetic.lua"
  local system = require "core.system"
  local bundled, scratch

  setup(function ()
    scratch = system.temporary(os.getenv "TMP" or "/tmp")
    bundled = benchmark.open("ecoli")
  end)

  teardown(function () system.remove(scratch) end)

  local function made(name, settings, options)
    options = options or {}
    options.calls = false
    return synthetic.runs(scratch .. "/" .. name, bundled, settings, options)
  end

  -- Notes are folded, so any blank stands for any other.
  local function holds(text, words)
    local flat = string.gsub(text, "%s+", " ")
    assert.truthy(string.find(flat, words, 1, true), words .. "\nis not in\n" .. text)
  end

  it("are Table 1 and Table 2 against the vote of the data's README", function ()
    local text = paper.suite(made("two", { "m2", "b0-closed" }), {})
    holds(text, "Table 1. model reader (a program, no LLM), benchmark ecoli")
    assert.truthy(string.find(text, "\nB0·closed +181 .-\nM2·active +181 "))
    holds(text, "Table 2. L4 against the neighbour vote")
    assert.truthy(string.find(text,
      "\nneighbour vote +0.483 %S+ +0.845 %S+ +0.000 %S+"), text)
    holds(text, " M2·active - vote ")
  end)

  it("average over models that have the same items", function ()
    local folders = made("a", { "m2" }, { model = "alpha" })
    folders[2] = made("b", { "m2" }, { model = "beta", seed = 2 })[1]
    local text = paper.suite(folders, {})
    holds(text, "Table 1. models alpha, beta, benchmark ecoli")
    holds(text, "L4 alpha")
    holds(text, "L4 mean")
    holds(text, "Rows of settings are means over the 2 models.")
  end)

  it("take an unfinished run for what it is", function ()
    local folders = made("part", { "m2" }, { items = 20, total = 181 })
    folders[2] = made("none", { "m3-open" }, { items = 0, total = 181 })[1]
    local text = paper.suite(folders, { partial = true })
    holds(text, "UNFINISHED: 161 of 181 items of")
    holds(text, "m3-open: no item is finished yet.")
    holds(paper.suite({ folders[2] }, { partial = true }),
      "no item is finished yet")
  end)
end)
