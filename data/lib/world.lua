-- The enzymes that take part: every record of the two genus files with a
-- complete number that stands. The bifunctional ones get theirs from
-- bifunctional.tsv. A subset, the pool, may become test items.

local ec = require "ec"
local files = require "files"
local genus = require "genus"

local world = { source = "Escherichia", other = "Enterococcus" }

local SHORTEST, LONGEST = 101, 1023 -- the lengths that CARE keeps

-- Words of a product that say that its number is a guess, or not all that
-- the enzyme does, or earned only together with other chains.
local DOUBT = { "putative", "predicted", "probable", "possible", "conserved",
  "homolog", "cryptic", "multifunctional", "subunit", "component", " chain",
  "alpha-chain", "beta-chain" }

local function read(folder, numbers)
  local records = {}
  for _, name in ipairs({ world.source, world.other }) do
    for _, record in ipairs(genus(folder .. "/" .. name)) do
      record.genus, record.ec = name, { numbers.current(record.ec) }
      records[#records + 1] = record
    end
  end
  return records
end

local function by_gene(records)
  local found = {}
  for _, record in ipairs(records) do
    if record.genus == world.source then found[record.gene] = record end
  end
  return function (row)
    return found[row.gene] or error("no gene " .. row.gene, 0)
  end
end

local function mark_bifunctional(gene, path, numbers)
  for _, row in ipairs(files.rows(path)) do
    local leaves = {}
    for number in string.gmatch(row.ec, "[^;]+") do
      if numbers.current(number) ~= number then
        error(path .. ":" .. row.line .. ": " .. number .. " is no leaf", 0)
      end
      leaves[#leaves + 1] = number
    end
    table.sort(leaves, ec.before)
    gene(row).ec = leaves
  end
end

local function mark_unfit(gene, path)
  for _, row in ipairs(files.rows(path)) do gene(row).unfit = true end
end

-- {id = enzyme} and the list, of those with a number.
local function labelled(records)
  local enzymes, by_id = {}, {}
  for _, record in ipairs(records) do
    if #record.ec > 0 then
      if by_id[record.id] then error(record.id .. " stands twice", 0) end
      enzymes[#enzymes + 1], by_id[record.id] = record, record
    end
  end
  return enzymes, by_id
end

local function established(enzyme)
  local product = string.lower(enzyme.product)
  for _, word in ipairs(DOUBT) do
    if string.find(product, word, 1, true) then return false end
  end
  return true
end

local function fit(enzyme, twins)
  return enzyme.genus == world.source and not enzyme.unfit
    and twins[enzyme.sequence] == 1
    and #enzyme.sequence >= SHORTEST and #enzyme.sequence <= LONGEST
    and (#enzyme.ec > 1 or established(enzyme))
end

local function pool_of(enzymes)
  local pool, twins = {}, {}
  for _, enzyme in ipairs(enzymes) do
    twins[enzyme.sequence] = (twins[enzyme.sequence] or 0) + 1
  end
  for _, enzyme in ipairs(enzymes) do
    if fit(enzyme, twins) then pool[#pool + 1] = enzyme end
  end
  return pool
end

-- {enzymes = list, by_id = map, pool = list}; `tables` is the folder of the
-- tables of facts, `numbers` the nomenclature.
function world.read(folder, tables, numbers)
  local records = read(folder, numbers)
  local gene = by_gene(records)
  mark_bifunctional(gene, tables .. "/bifunctional.tsv", numbers)
  mark_unfit(gene, tables .. "/unfit.tsv")
  local enzymes, by_id = labelled(records)
  return { enzymes = enzymes, by_id = by_id, pool = pool_of(enzymes) }
end

return world
