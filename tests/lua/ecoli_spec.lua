-- The bundled benchmark is what data/README.md says, and the checks that say
-- so fail where it is not.

package.path = "data/lib/?.lua;" .. package.path

local checks = require "checks"
local files = require "files"

local function open()
  return checks.open("data/ecoli", "data")
end

describe("the bundled benchmark", function ()
  local bench = open()
  for _, check in ipairs(checks) do
    it("passes: " .. check.what, function () check.run(bench) end)
  end
end)

local function first(bench, split)
  for _, item in ipairs(bench.items) do
    if item.split == split then return item end
  end
end

local function price_hit(bench)
  return bench.hits[first(bench, "price").item].blast[1]
end

-- What is spoilt, and the check that must see it.
local SPOILT = {
  ["four splits, none too small"] = function (b)
    for _, item in ipairs(b.items) do
      if item.split == "price" then item.split = "30" end
    end
  end,
  ["the counts of bench.json are true"] = function (b)
    table.remove(b.train)
  end,
  ["the checksums of bench.json are true"] = function (b)
    b.manifest = string.gsub(b.manifest, '"sha256".*', "")
  end,
  ["a superseded number is no leaf, and what it became is one"] = function (b)
    b.superseded[1].ec = b.train[1].ec
  end,
  ["the folder stays under 3 MB"] = function (b)
    b.manifest = string.rep(" ", 3000000)
  end,
  ["ids and shown names are unique"] = function (b)
    b.train[1].shown = b.train[2].shown
  end,
  ["only a control subset shows its ids"] = function (b)
    first(b, "30").shown = first(b, "30").item
  end,
  ["labels stand in the order of the items"] = function (b)
    b.labels[1].item = b.labels[2].item
  end,
  ["every label and every training EC is a named leaf"] = function (b)
    b.train[1].ec = "1.1.1.-"
  end,
  ["every inner node has a name"] = function (b)
    b.leaves["2.7.1.-"] = nil
  end,
  ["no item is in the training set"] = function (b)
    b.enzymes[b.items[1].item] = b.train[1]
  end,
  ["no two items share a sequence, and lengths are CARE's"] = function (b)
    b.items[1].sequence = b.items[2].sequence
  end,
  ["every hit is a training enzyme, as train.tsv has it"] = function (b)
    b.evidence[1].ec = "1.1.1.1;1.1.1.2"
  end,
  ["hits are few, significant, ranked, one per neighbour"] = function (b)
    price_hit(b).e = 0.01
  end,
  ["every item keeps the rule of its split"] = function (b)
    local item = first(b, "price")
    b.enzymes[price_hit(b).neighbour].ec = item.leaves[1]
  end,
  ["promiscuous labels are those of bifunctional.tsv"] = function (b)
    first(b, "promiscuous").split = "30"
  end,
  ["the activities of a bifunctional enzyme part by level 3"] = function (b)
    b.bifunctional[1].ec = "1.1.1.1;1.1.1.2"
  end,
  ["difficulty follows from its axes and the evidence"] = function (b)
    b.difficulty[1].bin = b.difficulty[1].bin == "D1" and "D2" or "D1"
  end,
  ["every near-identical neighbour is listed"] = function (b)
    price_hit(b).identity, price_hit(b).coverage = 95, 95
  end,
}

describe("a spoilt benchmark", function ()
  for _, check in ipairs(checks) do
    it("fails: " .. check.what, function ()
      local bench = open()
      SPOILT[check.what](bench)
      assert.has_error(function () check.run(bench) end)
    end)
  end
end)

describe("data/ec_names.tsv", function ()
  it("names each node once, at levels 1 to 3", function ()
    local seen = {}
    for _, row in ipairs(files.rows("data/ec_names.tsv")) do
      assert.is_nil(seen[row.ec])
      assert.matches("^%d+%.[%d-]+%.[%d-]+%.%-$", row.ec)
      assert.is_true(#row.name > 3)
      seen[row.ec] = true
    end
  end)
end)
