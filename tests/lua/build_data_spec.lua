-- The pieces of data/build.lua: names, headers, superseded numbers, the
-- searches, the draft, the difficulty.

package.path = "data/lib/?.lua;" .. package.path

local difficulty = require "difficulty"
local draw = require "draw"
local ec = require "ec"
local files = require "files"
local genus = require "genus"
local nomenclature = require "nomenclature"
local search = require "search"
local seeded = require "seeded"
local sha256 = require "sha256"

local folder = assert(os.getenv("TMP"))

local function written(name, text)
  files.write(folder .. "/" .. name, text)
  return folder .. "/" .. name
end

-- What a call raises; luassert would cut off the file and the line.
local function complaint(call, argument)
  return select(2, pcall(call, argument))
end

local function hex(bytes)
  return (string.gsub(bytes, ".", function (c)
    return string.format("%02x", string.byte(c))
  end))
end

describe("SHA-256", function ()
  it("agrees with the standard's examples", function ()
    assert.equal("ba7816bf8f01cfea414140de5dae2223"
      .. "b00361a396177a9cb410ff61f20015ad", hex(sha256("abc")))
    assert.equal("e3b0c44298fc1c149afbf4c8996fb924"
      .. "27ae41e4649b934ca495991b7852b855", hex(sha256("")))
  end)

  it("agrees with sha256sum around the length of a block", function ()
    for length = 54, 66 do
      local text = string.rep("x", length)
      assert.equal(files.sha256(written("block", text)), hex(sha256(text)))
    end
  end)
end)

describe("a shown name", function ()
  it("is a letter and 40 bits of the hash in base 32", function ()
    assert.equal("QI3KCFUGP", seeded.name("Q", "ADCLY-MONOMER"))
  end)
end)

describe("EC order", function ()
  it("is numeric, preliminary numbers last", function ()
    local list = { "1.1.1.n2", "1.1.1.10", "1.1.1.2", "1.1.2.1", "1.1.1.n1" }
    table.sort(list, ec.before)
    assert.same({ "1.1.1.2", "1.1.1.10", "1.1.1.n1", "1.1.1.n2", "1.1.2.1" },
      list)
  end)

  it("counts what two numbers share", function ()
    assert.equal(3, ec.shared("1.1.1.1", "1.1.1.n1"))
    assert.equal(0, ec.shared("1.1.1.1", "2.1.1.1"))
    assert.equal(2, ec.deepest({ "3.1.1.1", "2.7.1.1" }, { "2.7.7.1" }))
  end)
end)

describe("a genus file", function ()
  it("is read with and without EC number and gene", function ()
    local records = genus(written("genus",
      ">A 1.1.1.1~~~adh~~~alcohol~dehydrogenase\nMK\nLV\n>B ~~~~~~toxin\nM\n"))
    assert.equal(2, #records)
    assert.same({ id = "A", ec = "1.1.1.1", gene = "adh", sequence = "MKLV",
      product = "alcohol~dehydrogenase" }, records[1])
    assert.equal("", records[2].ec)
  end)

  it("names the line of a header of another kind", function ()
    local path = written("genus", ">A 1.1.1.1~~~adh~~~x\nMK\n>B plain\n")
    assert.matches("genus:3: the header is not", complaint(genus, path))
  end)
end)

describe("a table", function ()
  it("refuses a row of another width, by file and line", function ()
    local path = written("t.tsv", "a\tb\n1\t2\n3\n")
    assert.matches("t.tsv:3: 1 cells", complaint(files.rows, path))
  end)
end)

describe("superseded numbers", function ()
  written("ecnum_deleted.txt", "1.1.1.9\n")
  written("ecnum_replaced.txt", "1.1.1.5\t1.1.1.6\n1.1.1.7\t1.1.1.1\t1.1.1.2\n")
  written("ecnum_specific.txt", "1.1.1.1\tone\n1.1.1.2\ttwo\n1.1.1.6\tsix\n"
    .. "3.6.3.1\told\n3.6.3.2\tolder\n")
  local path = written("superseded.tsv", "ec\tsuccessor\tname\tnote\n"
    .. "1.1.1.6\t7.1.1.1\tseven\t-\n3.6.3.1\t7.1.1.1\tseven\t-\n"
    .. "3.6.3.-\t-\t-\t-\n")
  local numbers = nomenclature(folder, path)

  local function becomes(number) return numbers.current(number) end

  it("follow their transfers to the end", function ()
    assert.equal("1.1.1.1", becomes("1.1.1.1"))
    assert.equal("7.1.1.1", becomes("1.1.1.5"))
    assert.equal("7.1.1.1", becomes("3.6.3.1"))
  end)

  it("vanish where they are deleted, split or below a lost node", function ()
    for _, number in ipairs({ "1.1.1.9", "1.1.1.7", "3.6.3.2", "1.1.1", "" }) do
      assert.is_nil(becomes(number))
    end
  end)

  it("are told with what they became, and why none is", function ()
    local told = {}
    for i, row in ipairs(numbers.gone) do
      told[i] = row.ec .. " " .. row.status .. " " .. table.concat(row.now, ";")
    end
    assert.same({ "1.1.1.5 transferred 7.1.1.1", "1.1.1.6 transferred 7.1.1.1",
      "1.1.1.7 transferred 1.1.1.1;1.1.1.2", "1.1.1.9 deleted ",
      "3.6.3.1 transferred 7.1.1.1", "3.6.3.2 transferred " }, told)
  end)

  it("leave a tree of numbers that stand", function ()
    assert.same({ ["1.1.1.1"] = "one", ["1.1.1.2"] = "two",
      ["7.1.1.1"] = "seven" }, numbers.names)
  end)
end)

describe("the draft", function ()
  local function enzyme(id, number)
    return { id = id, ec = { number } }
  end

  -- Two carriers of each of the leaves 1.1.1.1 and 2.2.2.2.
  local function world()
    local w = { enzymes = { enzyme("a", "1.1.1.1"), enzyme("b", "1.1.1.1"),
      enzyme("c", "2.2.2.2"), enzyme("d", "2.2.2.2") }, by_id = {} }
    for _, each in ipairs(w.enzymes) do w.by_id[each.id] = each end
    w.pool = { w.by_id.a, w.by_id.c }
    return w
  end

  local function drawn(find)
    local w = world()
    local orders = {}
    for _, split in ipairs(draw.splits) do orders[split.name] = w.pool end
    local names, result = draw.run(w, orders, find), {}
    for each, split in pairs(names) do result[each.id] = split end
    return result
  end

  it("gives an enzyme whose first hit disagrees to price", function ()
    local picked = drawn(function ()
      return { a = { { neighbour = "d", identity = 40 } },
        c = { { neighbour = "d", identity = 20 } } }
    end)
    assert.same({ a = "price", c = "30" }, picked)
  end)

  it("sends back who breaks the rule once the others left", function ()
    local searches = 0
    local picked = drawn(function ()
      searches = searches + 1
      local first = searches == 1
      return { a = { { neighbour = "b", identity = first and 40 or 60 } },
        c = { { neighbour = "d", identity = 20 } } }
    end)
    assert.same({ c = "30" }, picked)
    assert.equal(3, searches)
  end)
end)

describe("a search", function ()
  local whole = "MKRINALTIAGVDPSGGAGIQADLKTFSALGAYGCSVITALVAQNTRGVQSVYRIEPDF"
    .. "VAAQLDSVFSDVRIDTTKIGMLAETDIVEAVAERLQRYQIQNVVLDTVMLAKSGDPLLS"
  local function enzymes()
    return { { id = "half", sequence = string.sub(whole, 1, 60) },
      { id = "whole", sequence = whole } }
  end

  for _, tool in ipairs({ "blast", "hmmer" }) do
    it("with " .. tool .. " finds the neighbour and not itself", function ()
      local hits = search[tool](folder, enzymes(), enzymes()).whole
      assert.equal(1, #hits)
      assert.equal("half", hits[1].neighbour)
      assert.is_true(hits[1].evalue < 1e-20)
      assert.is_true(math.abs(hits[1].coverage - 100 * 60 / #whole) < 2)
      assert.equal(tool == "blast" and 100 or nil, hits[1].identity)
    end)
  end

  it("keeps ten hits", function ()
    assert.equal(10, #search.cut({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 }))
    assert.same({}, search.cut(nil))
  end)
end)

describe("difficulty", function ()
  it("is the mean of four axes, and knows the evidence beside", function ()
    local item = { id = "a", split = "price", ec = { "1.1.1.1" } }
    local hits = { { identity = 40, ec = { "1.1.1.1" } },
      { identity = 30, ec = { "1.1.1.2" } } }
    local rows = difficulty({ item },
      { "1.1.1.1", "1.1.1.2", "1.1.2.1", "2.1.1.1" },
      { ["1.1.1.1"] = 1, ["2.1.1.1"] = 3 },
      { { name = "blast", hits = { a = hits } } })
    assert.same({ item = "a", h_split = "0.8", h_tail = "0.500000",
      h_branch = "1.000000", h_distr = "0.111111", d = "0.602778", bin = "D1",
      homology = "40.000", homology_bin = "40-50", evidence_d = "0.550000" },
      rows[1])
  end)
end)
