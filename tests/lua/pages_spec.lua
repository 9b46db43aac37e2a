-- All children in pages: what annotation offers instead of ten candidates.

local benchmark = require "ecrb.benchmark"
local brief = require "ecrb.brief"
local ec = require "core.ec"
local pages = require "ecrb.pages"
local played = dofile "tests/support/played.lua"
local reading = require "ecrb.reading"

local bench = benchmark.open("ecoli").core

local function context_of(index, changes)
  local run = { bench = bench, tree = bench:tree(), channels = bench:channels(), hits = 10,
    book = "open", paged = 20 }
  for name, value in pairs(changes or {}) do run[name] = value end
  return { run = run, index = index }
end

-- Every candidate of all pages, and the `more` of each page.
local function all_of(context, node)
  local list, lefts, number = {}, {}, 0
  repeat
    number = number + 1
    local page = pages.of(context, node, number)
    for _, candidate in ipairs(page) do list[#list + 1] = candidate.ec end
    lefts[number] = page.more or 0
  until not page.more
  return list, lefts
end

-- The first item with a hit in a channel, and the best hit's number.
local function with_hit()
  for index = 1, #bench do
    local hit = bench:evidence(index, "blast", 1)[1]
    if hit then return index, hit.ec[1] end
  end
end

describe("pages", function ()
  it("hold every child of a node once", function ()
    local children = bench:tree():children("1.1.1.-")
    local list, lefts = all_of(context_of(1), "1.1.1.-")
    assert.is_true(#children > 100)
    assert.equal(#children, #list)
    assert.equal((#children + 19) // 20, #lefts)
    assert.equal(#children - 20, lefts[1])
    table.sort(list, function (a, b) return ec.compare(a, b) < 0 end)
    assert.same(children, list)
  end)

  it("begin with what the evidence supports, then EC order", function ()
    local index, number = with_hit()
    local node = ec.prefix(number, 3)
    assert.equal(number, pages.of(context_of(index), node, 1)[1].ec)
    assert.equal(bench:tree():children(node)[1],
      pages.of(context_of(index, { book = "closed" }), node, 1)[1].ec)
  end)

  it("are one where all children fit", function ()
    local list, lefts = all_of(context_of(1), "-.-.-.-")
    assert.equal(7, #list)
    assert.same({ 0 }, lefts)
  end)

  it("say in the prompt that there is more", function ()
    local text = brief.candidates(pages.of(context_of(1), "1.1.1.-", 1))
    assert.is_truthy(string.find(text, "\n%- MORE  show other candidates %(%d+ more stand below"))
    assert.is_nil(string.find(brief.candidates(pages.of(context_of(1), "-.-.-.-", 1)), "MORE"))
  end)
end)

-- Turns pages until the way to an EC number is on one.
local function search_for(number)
  return function (_, prompt)
    local block = string.match(prompt, "Candidates:\n(.-)\n\n")
    for node in string.gmatch(block, "%- ([%d.n-]+)") do
      if ec.prefix(number, ec.level(node)) == node then return "ANSWER: " .. node end
    end
    return string.find(block, "- MORE", 1, true) and "ANSWER: MORE" or "ANSWER: UNSURE"
  end
end

describe("a walk", function ()
  for _, method in ipairs { "m1", "m2" } do
    it("of " .. method .. " reaches a leaf on the last page", function ()
      local children = bench:tree():children("1.1.1.-")
      local last = children[#children]
      local line, prompts = played { method = method, item = "price/3", paged = 20,
        reply = search_for(last) }
      assert.equal(last, line.path[4])
      assert.equal("answered", line.outcome)
      assert.is_true(#prompts >= 3 + #children // 20)
    end)
  end

  it("abstains when no page has what it looks for", function ()
    local line = played { method = "m1", item = "price/3", paged = 3,
      reply = search_for "9.9.9.9" }
    assert.same({}, line.path)
    assert.equal("abstained", line.outcome)
  end)

  it("has no pages over a benchmark", function ()
    local _, prompts = played { method = "m1", item = "price/3", reply = search_for "1.1.1.1" }
    for _, prompt in ipairs(prompts) do
      assert.is_nil(string.find(prompt, "MORE", 1, true))
    end
  end)
end)

describe("a choice of MORE", function ()
  local function read(reply, more)
    local choice = reading.choice(reply, { { ec = "1.1.1.1" }, more = more })
    return choice and (choice.ec or choice.more and "more" or choice.unsure and "unsure")
      or "unreadable"
  end

  for reply, expected in pairs {
    ["None fits.\nANSWER: MORE\nCONFIDENCE: 0.3"] = "more",
    ["ANSWER: **more**"] = "more",
    ["ANSWER: 1.1.1.1, more likely than not"] = "1.1.1.1",
    ["ANSWER: UNSURE; more data are needed"] = "unsure",
    ["I would like to see MORE."] = "unreadable",
    ["ANSWER: nothing more"] = "unreadable",
    ["ANSWER: moreover"] = "unreadable",
    ["ANSWER: MORE\nNo: ANSWER: 1.1.1.1"] = "1.1.1.1",
  } do
    it("is read where it is on offer: " .. string.gsub(reply, "\n", " "), function ()
      assert.equal(expected, read(reply, 7))
    end)
  end

  it("is nothing where it is not on offer", function ()
    assert.equal("unreadable", read("ANSWER: MORE", nil))
  end)
end)
