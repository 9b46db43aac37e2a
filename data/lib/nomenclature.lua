-- The EC numbers that stand, and what became of the others: NCBI's list
-- (package ncbi-data, of January 2017) corrected by superseded.tsv.

local ec = require "ec"
local files = require "files"

-- A number's successor; false where it has none, or several.
local function replacements(ncbi, superseded)
  local successor = {}
  for _, line in ipairs(files.lines(ncbi .. "/ecnum_deleted.txt")) do
    successor[line] = false
  end
  for _, line in ipairs(files.lines(ncbi .. "/ecnum_replaced.txt")) do
    local cells = files.cells(line)
    successor[cells[1]] = #cells == 2 and cells[2]
  end
  for _, row in ipairs(files.rows(superseded)) do
    successor[row.ec] = row.successor ~= "-" and row.successor
  end
  return successor
end

-- Follows transfers to the number that stands today, or nil.
local function follow(successor, number)
  while successor[number] do number = successor[number] end
  return successor[number] == nil and number or nil
end

local function leaf_names(ncbi, superseded, successor)
  local names = {}
  for _, line in ipairs(files.lines(ncbi .. "/ecnum_specific.txt")) do
    local number, name = table.unpack(files.cells(line))
    if successor[number] == nil and ec.parts(number) then
      names[number] = name
    end
  end
  for _, row in ipairs(files.rows(superseded)) do
    local number = row.successor
    if number ~= "-" and successor[number] == nil and not names[number] then
      names[number] = row.name
    end
  end
  return names
end

-- {names = {leaf = name}, current = function (number) -> number or nil}
return function(ncbi, superseded)
  local successor = replacements(ncbi, superseded)
  local names = leaf_names(ncbi, superseded, successor)
  return {
    names = names,
    current = function(number)
      local stands = ec.parts(number) and follow(successor, number)
      return stands and names[stands] and stands or nil
    end,
  }
end
