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
  local suite = require "ecrb.report.suite"
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
    options.calls = 0
    return synthetic.runs(scratch .. "/" .. name, bundled, settings, options)
  end

  -- Notes are folded, so any blank stands for any other.
  local function holds(text, words)
    local flat = string.gsub(text, "%s+", " ")
    assert.truthy(string.find(flat, words, 1, true), words .. "\nis not in\n" .. text)
  end

  it("are Table 1 and Table 2 against the vote of the data's README", function ()
    local text = suite(made("two", { "m2", "b0-closed" }), {})
    holds(text, "Table 1. All settings, model reader (a program, no LLM), benchmark ecoli")
    assert.truthy(string.find(text, "\nB0·closed +181 .-\nM2·active +181 "))
    holds(text, "Table 2. L4 against the neighbour vote")
    assert.truthy(string.find(text,
      "\nneighbour vote +0.483 %S+ +0.845 %S+ +0.000 %S+"), text)
    holds(text, " M2·active - vote ")
  end)

  it("average over models that have the same items", function ()
    local folders = made("a", { "m2" }, { model = "alpha" })
    folders[2] = made("b", { "m2" }, { model = "beta", seed = 2 })[1]
    local text = suite(folders, {})
    holds(text, "Table 1. All settings, models alpha, beta, benchmark ecoli")
    holds(text, "L4 alpha")
    holds(text, "L4 mean")
    holds(text, "Rows of settings are means over the 2 models.")
  end)

  it("take an unfinished run for what it is", function ()
    local folders = made("part", { "m2" }, { items = 20, total = 181 })
    folders[2] = made("none", { "m3-open" }, { items = 0, total = 181 })[1]
    local text = suite(folders, { partial = true })
    holds(text, "UNFINISHED: 161 of 181 items of")
    holds(text, "m3-open: no item is finished yet.")
    holds(suite({ folders[2] }, { partial = true }),
      "no item is finished yet")
  end)
end)

describe("the tables of a report", function ()
  local benchmark = require "ecrb.benchmark"
  local board = require "ecrb.report.board"
  local paper = require "ecrb.report.paper"
  local synthetic = dofile "tests/support/synthetic.lua"
  local system = require "core.system"
  local tables = require "ecrb.tables"
  local scratch, bundled

  setup(function ()
    scratch = system.temporary(os.getenv "TMP" or "/tmp")
    bundled = benchmark.open("ecoli")
  end)

  teardown(function () system.remove(scratch) end)

  -- The tables of runs, by name, and their names in order.
  local function made(name, settings, models)
    local folders = {}
    for seed, model in ipairs(models) do
      local runs = synthetic.runs(scratch .. "/" .. name .. "/" .. seed, bundled,
        settings, { model = model, seed = seed, calls = 0 })
      table.move(runs, 1, #runs, #folders + 1, folders)
    end
    local names, by_name = {}, {}
    for i, entry in ipairs(paper.tables(board.open(folders, {}))) do
      names[i], by_name[entry.name] = entry.name, entry.table
    end
    return by_name, names
  end

  it("are all of the paper's where the runs support them", function ()
    local _, names = made("nine", synthetic.nine, { "alpha" })
    assert.same({ "table-01-settings", "table-02-vote", "table-05a-items",
      "table-05b-evidence", "table-06b-retrieval", "table-07-settings-alpha",
      "table-09-splits-alpha", "table-13b-difficulty", "table-14a-search",
      "table-14b-agreement", "table-14c-intervals", "table-14d-homology",
      "table-15a-m2", "table-15b-m4", "table-s1-coverage", "table-s2a-losses",
      "table-s2b-levels", "table-s3-classes", "table-s4a-confidence",
      "table-s4b-error", "table-s4c-temperature", "table-s5-reliability" }, names)
  end)

  it("are fewer for fewer runs", function ()
    local found = made("few", { "b0-closed" }, { "alpha" })
    assert.is_nil(found["table-02-vote"])
    assert.is_nil(found["table-14a-search"])
    assert.is_nil(found["table-14d-homology"])
    assert.is_nil(found["table-s4a-confidence"])
    assert.is_nil(found["table-s5-reliability"])
    assert.is_table(found["table-06b-retrieval"])
  end)

  it("count every item once in coverage, losses and channels", function ()
    local found = made("nine", synthetic.nine, { "alpha" })
    for _, name in ipairs { "table-s1-coverage", "table-s2a-losses" } do
      for _, row in ipairs(found[name].rows) do
        local sum = 0
        for c = 4, #row do sum = sum + row[c] end
        assert.equal(row[3], sum)
      end
    end
    local search = found["table-14a-search"].rows[1]
    local calls = 0
    for c = 7, #search do calls = calls + search[c] end
    assert.is_true(math.abs(search[3][1] * search[2] - calls) < 1e-6)
  end)

  it("tell of the data what its README tells", function ()
    local found = made("few", { "b0-closed" }, { "alpha" })
    local splits = {}
    for i, row in ipairs(found["table-05a-items"].rows) do
      splits[i] = table.concat({ row[1], row[2], row[3] }, " ")
    end
    assert.same({ "30 60 0", "30-50 58 0", "price 36 0", "promiscuous 27 27",
                  "all 181 27" }, splits)
    local evidence = found["table-05b-evidence"]
    assert.same({ "30", 60, 33, 36 }, table.move(evidence.rows[1], 1, 4, 1, {}))
    local blast = found["table-06b-retrieval"].rows[1]
    assert.equal("BLAST only", blast[1])
    assert.equal("0.467", string.format("%.3f", blast[8][1]))
  end)

  it("give every estimate an interval and an n", function ()
    local found = made("nine", synthetic.nine, { "alpha" })
    local bare = 0
    for _, description in pairs(found) do
      local heads = table.concat(description.columns, " ") .. " "
        .. tostring(description.rows[1][1])
      assert.truthy(string.find(heads, "%f[%a]n%f[%A]"), description.title)
      for _, row in ipairs(description.rows) do
        for _, cell in ipairs(row) do
          if type(cell) == "table" and cell[1] and not cell[2] and not cell.exact then
            bare = bare + 1
          end
        end
      end
    end
    assert.equal(0, bare)
  end)

  it("tell of confidences under both targets and edges, of vote shares too", function ()
    local found = made("nine", synthetic.nine, { "alpha" })
    local sources = {}
    for _, row in ipairs(found["table-s4b-error"].rows) do
      sources[#sources + 1] = row[2] .. " " .. row[3]
    end
    assert.same({ "M1·closed stated", "M4·closed stated", "M4·closed vote share",
      "M2·active stated", "cascade·open stated", "M4·open stated", "M4·open vote share" },
      sources)
    local per_source = {}
    for _, row in ipairs(found["table-s5-reliability"].rows) do
      local name = row[2] .. " " .. row[3]
      per_source[name] = (per_source[name] or 0) + row[5]
    end
    for r, row in ipairs(found["table-s4a-confidence"].rows) do
      assert.equal(row[5], per_source[sources[r]])
      assert.equal(row[5], found["table-s4b-error"].rows[r][4])
      local t = found["table-s4c-temperature"].rows[r]
      assert.equal(row[5], t[4] + t[6])
    end
  end)

  it("give the L4 of all items at full coverage", function ()
    local found = made("nine", synthetic.nine, { "alpha" })
    local l4 = {}
    for _, row in ipairs(found["table-07-settings-alpha"].rows) do l4[row[1]] = row[6][1] end
    for _, row in ipairs(found["table-s4a-confidence"].rows) do
      assert.is_true(math.abs(row[10][1] - l4[row[2]]) < 1e-9)
    end
  end)

  it("of several models take means over them, paired by item", function ()
    local found = made("two", { "b0-closed", "b0-open", "m2" },
      { "alpha", "beta" })
    local first = found["table-01-settings"]
    assert.same({ "setting", "n", "L4 alpha", "L4 beta", "L4 mean" },
      table.move(first.columns, 1, 5, 1, {}))
    local m2 = first.rows[3]
    assert.is_true(math.abs((m2[3][1] + m2[4][1]) / 2 - m2[5][1]) < 1e-9)
    local ece = m2[11]
    assert.is_true(ece[2] < ece[1] and ece[1] < ece[3])
    local gains = found["table-15a-m2"].rows
    local mean, vote, gain = gains[4], gains[5], gains[6]
    for c = 2, #gain do
      assert.is_true(math.abs(mean[c][1] - vote[c][1] - gain[c][1]) < 1e-9)
    end
  end)

  it("keep files apart whatever the models are called", function ()
    local _, names = made("odd", { "b0-open" }, { "a/b", "a b", "../.." })
    local seen = {}
    for _, name in ipairs(names) do
      assert.is_nil(seen[name])
      assert.is_nil(string.find(name, "/", 1, true))
      seen[name] = true
    end
  end)

  -- All of them in one document, for a model whose name is all that LaTeX reads
  -- as more than text.
  it("are compiled by LaTeX", function ()
    if not os.execute("command -v pdflatex >/dev/null") then
      return pending("pdflatex is not installed")
    end
    local found = made("latex", synthetic.nine, { "[*<m>|&%#$_~^{}\\input{x}" })
    local document = { "\\documentclass{article}", "\\usepackage{booktabs}",
      "\\usepackage[landscape]{geometry}", "\\begin{document}" }
    for _, description in pairs(found) do
      document[#document + 1] = "\\noindent\n" .. tables.write("tex", description)
      document[#document + 1] = "\\newpage"
    end
    document[#document + 1] = "\\end{document}"
    system.write(scratch .. "/all.tex", table.concat(document, "\n"))
    local code, said = system.run { "pdflatex", "-halt-on-error", "-interaction=nonstopmode",
      "-output-directory=" .. scratch, scratch .. "/all.tex" }
    assert.equal(0, code, said)
  end)

  it("are whole in every form", function ()
    local found = made("nine", synthetic.nine, { "<script>|&_%" })
    for _, description in pairs(found) do
      for _, form in ipairs { "text", "markdown", "csv", "tex", "html" } do
        assert.truthy(string.find(tables.write(form, description, 100), "\n"))
      end
      assert.is_nil(string.find(tables.write("html", description), "<script"))
    end
  end)
end)
