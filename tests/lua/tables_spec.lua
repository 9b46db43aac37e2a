local tables = require "ecrb.tables"

local scores = {
  title = "Scores <all> 100%",
  columns = { "", "30", "price" },
  rows = {
    { "n", 432, 12345 },
    { "L1", { 0.912, 0.884, 0.938 }, { 1.0, 0.976, 1.0 } },
    { "depth", { 3.614, 3.5, 3.7, digits = 2 }, { false } },
    { "a_b|c", false, { 0.25 }, rule = true },
  },
  notes = { "a note" },
}

local function lines(...)
  return table.concat({ ... }, "\n") .. "\n"
end

describe("a table", function ()
  it("is aligned text", function ()
    assert.equal(lines(
      "Scores <all> 100%",
      "       30               price",
      "----------------------------------------",
      "n        432            12,345",
      "L1     0.912 .884-.938   1.000 .976-1.00",
      "depth   3.61 3.50-3.70       -",
      "----------------------------------------",
      "a_b|c      -             0.250",
      "a note"), tables.write("text", scores))
  end)

  it("shows signs and the best of a column where a form can", function ()
    local gains = { columns = { "", "gain" },
      rows = { { "a", { 0.1, -0.02, 0.22, signed = true, best = true } },
               { "b", { -0.1, -0.22, -0.02, signed = true } } } }
    assert.equal(lines("   gain", "---------------------",
      "a  +0.100 -.020,.220", "b  -0.100 -.220,-.020"),
      tables.write("text", gains))
    assert.truthy(string.find(tables.write("markdown", gains),
      "| **+0.100** (-0.020 to 0.220) |", 1, true))
    assert.truthy(string.find(tables.write("tex", gains),
      " & \\textbf{+0.100} \\\\[-2pt]\n & {\\scriptsize $-$.020,.220} \\\\[2pt]", 1, true))
  end)

  it("folds its notes to the page", function ()
    assert.equal(lines("k", "-", "x", "some", "words", "here"),
      tables.write("text", { columns = { "k" }, rows = { { "x" } },
        notes = { "some words here" } }, 5))
  end)

  it("comes in parts where the page is narrow", function ()
    local text = tables.write("text",
      { columns = { "k", "one", "two" }, rows = { { "x", 1, 2 } } }, 8)
    assert.equal(lines("k  one", "------", "x    1", "", "k  two", "------",
      "x    2"), text)
  end)

  it("is Markdown", function ()
    assert.equal(lines(
      "**Scores \\<all> 100%**", "",
      "|  | 30 | price |",
      "| --- | ---: | ---: |",
      "| n | 432 | 12,345 |",
      "| L1 | 0.912 (0.884–0.938) | 1.000 (0.976–1.000) |",
      "| depth | 3.61 (3.50–3.70) | - |",
      "| a\\_b\\|c | - | 0.250 |",
      "", "a note"), tables.write("markdown", scores))
  end)

  it("is LaTeX", function ()
    assert.equal(lines(
      "% needs \\usepackage{booktabs}", "% Scores <all> 100%", "% a note",
      "\\begin{tabular}{lrr}", "\\toprule",
      " & 30 & price \\\\", "\\midrule",
      "n & 432 & 12,345 \\\\",
      "L1 & 0.912 & 1.000 \\\\[-2pt]",
      " & {\\scriptsize .884--.938} & {\\scriptsize .976--1.00} \\\\[2pt]",
      "depth & 3.61 & - \\\\[-2pt]", " & {\\scriptsize 3.50--3.70} &  \\\\[2pt]",
      "\\midrule",
      "a\\_b\\textbar{}c & - & 0.250 \\\\",
      "\\bottomrule", "\\end{tabular}"), tables.write("tex", scores))
  end)

  it("is LaTeX whose rows begin no option of the line above", function ()
    local text = tables.write("tex", { columns = { "*", "n" }, rows = { { "[x]", 1 },
      { "*y", -2 } } })
    assert.truthy(string.find(text, "\n{[}x] & 1 ", 1, true))
    assert.truthy(string.find(text, "\n{*}y & -2 ", 1, true))
  end)

  it("is CSV with every digit", function ()
    local text = tables.write("csv", { columns = { "a,b", "L4" },
      rows = { { 'say "x"', { 1 / 3, 0.25, 0.5 } }, { "y", 2 } } })
    assert.equal(lines('"a,b",L4,L4_low,L4_high',
      '"say ""x""",0.3333333333,0.25,0.5', "y,2,,"), text)
  end)
end)
