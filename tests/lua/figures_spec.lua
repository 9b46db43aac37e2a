-- The figures of a report: their data, their scripts, and that gnuplot makes of
-- them what it should.

local benchmark = require "ecrb.benchmark"
local board = require "ecrb.report.board"
local core_text = require "core.text"
local figures = require "ecrb.report.figures"
local svg = require "ecrb.report.svg"
local synthetic = dofile "tests/support/synthetic.lua"
local system = require "core.system"

local hostile = "`touch owned`'; system(\"touch owned\") #<script>$(x)"

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

describe("figures", function ()
  local scratch, bundled

  setup(function ()
    scratch = system.temporary(os.getenv "TMP" or "/tmp")
    bundled = benchmark.open("ecoli")
  end)

  teardown(function () system.remove(scratch) end)

  local function board_of(name, settings, models)
    local folders = {}
    for seed, model in ipairs(models) do
      local runs = synthetic.runs(scratch .. "/" .. name .. "/" .. seed, bundled,
        settings, { model = model, seed = seed, calls = 0 })
      table.move(runs, 1, #runs, #folders + 1, folders)
    end
    return board.open(folders, {})
  end

  local function names_of(list)
    local names = {}
    for i, figure in ipairs(list) do names[i] = figure.name end
    return names
  end

  it("keep the paper's numbers", function ()
    assert.same({ "figure-03-levels", "figure-04-ceiling",
      "figure-05-abstention", "figure-06-search", "figure-07-reliability",
      "figure-08-coverage", "figure-09-classes", "figure-10-losses" },
      names_of(figures.of(board_of("nine", synthetic.nine, { "alpha" }))))
    assert.same({ "figure-03-levels", "figure-04-ceiling", "figure-09-classes",
      "figure-10-losses" },
      names_of(figures.of(board_of("one", { "b0-open" }, { "alpha" }))))
  end)

  it("lose in the waterfall what the ledger says", function ()
    local runs = board_of("one", { "b0-open" }, { "alpha" })
    local figure = require "ecrb.report.figure.losses"(runs)[1]
    local lost, last = 0, nil
    for _, row in ipairs(figure.blocks[1].rows) do
      if row[3] < -1 then lost, last = lost + row[5], row end
    end
    assert.equal(181, lost)
    assert.is_true(math.abs(last[2] - runs:figures(runs.arms[1]).l4[1]) < 1e-9)
  end)

  it("show the calls of channels that hold something, and of how many items", function ()
    local figure = require "ecrb.report.figure.search"(board_of("m2", { "m2" },
      { "alpha" }))
    local labels, title = {}, nil
    for i, row in ipairs(figure.blocks[2].rows) do labels[i] = row[2] end
    for _, value in ipairs(figure.values) do
      title = value[1] == "calls_title" and value[2] or title
    end
    assert.same({ "blast", "hmmer" }, labels)
    assert.equal("Calls of each channel by M2 (n = 181)", title)
  end)

  it("take for the best open book one that has all items of a split", function ()
    local folders = synthetic.runs(scratch .. "/all", bundled, { "b0-open" },
      { model = "alpha", seed = 1, calls = 0 })
    local few = scratch .. "/few"
    dofile "tests/made_run.lua"(few, { split = "price", limit = 2,
      settings = { model = { name = "alpha", identity = "alpha", kind = "endpoint" } } })
    folders[#folders + 1] = few
    local runs = board.open(folders, {})
    local best = require "ecrb.report.figure.ceiling"(runs).blocks[1].rows[3]
    assert.equal(runs:levels(runs.models[1].arms["b0-open"], "split", "price").l4[1], best[2])
    local labels = {}
    for _, row in ipairs(require "ecrb.report.figure.levels"(runs).blocks[1].rows) do
      labels[#labels + 1] = row[2]
    end
    assert.truthy(string.find(table.concat(labels, ";"), ", n = 2", 1, true))
  end)

  it("have an interval in every cell of the heat map", function ()
    local runs = board_of("cells", { "b0-open" }, { "alpha" })
    local figure = require "ecrb.report.figure.classes"(runs)
    for _, row in ipairs(figure.blocks[1].rows) do
      assert.is_true(row[6] <= row[3] and row[3] <= row[7] and row[6] < row[7])
    end
  end)

  local function drawn(name, models)
    local list = figures.of(board_of(name, synthetic.nine, models))
    local folder = scratch .. "/" .. name .. "-drawn"
    local complaint = figures.draw(list, folder)()
    return list, folder, complaint
  end

  it("are drawn as SVG, PDF and PNG", function ()
    local list, folder, complaint = drawn("draw", { "alpha", "beta" })
    assert.is_nil(complaint)
    for _, figure in ipairs(list) do
      assert.is_true(figure.drawn, figure.name)
      assert.truthy(string.find(read(figure.path .. ".svg"), "</svg>", 1, true))
      assert.equal("%PDF", string.sub(read(figure.path .. ".pdf"), 1, 4))
      assert.equal("\137PNG", string.sub(read(figure.path .. ".png"), 1, 4))
    end
    assert.is_false(system.exists(folder .. "/gnuplot.log"))
  end)

  -- The level texts of a drawing, each with the least box that its letters take.
  local function boxes_of(drawing)
    local boxes = {}
    for x, y, size, anchor, words in string.gmatch(drawing, 'translate%(([%d.]+),([%d.]+)%)"'
      .. ' [^>]-font%-size="([%d.]+)"%s+text%-anchor="(%a+)">%s*<text>%s*([^<]-)%s*</text>') do
      local width = 0.45 * size * core_text.width(words)
      local left = x - (anchor == "end" and width or anchor == "middle" and width / 2 or 0)
      if words ~= "" then
        boxes[#boxes + 1] = { words = words, left = left, right = left + width,
                              top = y - 0.65 * size, bottom = tonumber(y) }
      end
    end
    return boxes
  end

  local function overlap(a, b)
    return a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom
  end

  local function check_texts(figure)
    local drawing = read(figure.path .. ".svg")
    local boxes, width = boxes_of(drawing), tonumber(string.match(drawing, 'viewBox="0 0 (%d+)'))
    assert.is_true(#boxes > 5, figure.name)
    for i, box in ipairs(boxes) do
      assert.is_true(box.left >= 0 and box.right <= width, figure.name .. ": " .. box.words)
      for k = 1, i - 1 do
        assert.is_false(overlap(box, boxes[k]),
          string.format("%s: %s over %s", figure.name, box.words, boxes[k].words))
      end
    end
  end

  it("have no text over another, and none cut off", function ()
    local several = { "alpha", "beta", string.rep("long-name-", 4), "delta", "epsilon" }
    for _, models in ipairs { { "alpha" }, several } do
      for _, figure in ipairs((drawn("texts" .. #models, models))) do check_texts(figure) end
    end
  end)

  it("take names for text, whatever they are", function ()
    local list, folder, complaint = drawn("hostile", { hostile, "beta" })
    assert.is_nil(complaint)
    assert.is_false(system.exists(folder .. "/owned"))
    for _, figure in ipairs(list) do
      local drawing = svg.inline(read(figure.path .. ".svg"), "f1-", "t")
      assert.is_nil(string.find(drawing, "<script", 1, true), figure.name)
    end
  end)

  it("stand in a page without their header, under ids of their own", function ()
    local drawing = svg.inline("<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 100 9\">\n"
      .. "<title>Gnuplot</title>\n<desc>x</desc><g id=\"a\"><use "
      .. "xlink:href='#gp'/></g></svg>", "f7-", "50% &lt;")
    assert.equal("<svg role=\"img\" width=\"135\" \n viewBox=\"0 0 100 9\">\n"
      .. "<title>50% &lt;</title>\n"
      .. "<g id=\"f7-a\"><use xlink:href='#f7-gp'/></g></svg>", drawing)
  end)
end)

describe("published figures", function ()
  local published = require "ecrb.report.published"

  local function of(name, price)
    return published.of { benchmark = { name = name }, counts = { ["30"] = 432,
      ["30-50"] = 560, price = price, promiscuous = 209 } }
  end

  it("stand beside runs on all of CARE and nothing else", function ()
    assert.equal("PoinnCARE", of("CARE", 148)[1].name)
    assert.equal(0.349, of("CARE", 148)[1].price)
    assert.is_nil(of("CARE", 148)[1].promiscuous)
    assert.same({}, of("CARE", 147))
    assert.same({}, of("ecoli", 148))
  end)
end)
