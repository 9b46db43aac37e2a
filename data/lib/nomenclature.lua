-- The EC numbers that stand, and what became of the others: NCBI's list
-- (package ncbi-data, of January 2017) corrected by superseded.tsv.

local ec = require "ec"
local files = require "files"

-- {number or node = successor}; false where there is none, or several.
local function successors(ncbi, superseded)
  local successor = {}
  for _, line in ipairs(files.lines(ncbi .. "/ecnum_deleted.txt")) do
    successor[line] = false
  end
  for _, line in ipairs(files.lines(ncbi .. "/ecnum_replaced.txt")) do
    local cells = files.cells(line)
    successor[cells[1]] = #cells == 2 and cells[2]
  end
  for _, row in ipairs(superseded) do
    successor[row.ec] = row.successor ~= "-" and row.successor
  end
  return successor
end

local function stands(successor, number)
  return successor[number] == nil and successor[ec.prefix(number, 3)] == nil
end

local function leaf_names(ncbi, superseded, successor)
  local names = {}
  for _, row in ipairs(superseded) do
    if row.successor ~= "-" then names[row.successor] = row.name end
  end
  for _, line in ipairs(files.lines(ncbi .. "/ecnum_specific.txt")) do
    local number, name = table.unpack(files.cells(line))
    if ec.parts(number) then names[number] = name end
  end
  for number in pairs(names) do
    if not stands(successor, number) then names[number] = nil end
  end
  return names
end

-- {names = {leaf = name}, current = function (number) -> leaf or nil}:
-- `current` follows transfers to the number that stands today.
return function (ncbi, path)
  local superseded = files.rows(path)
  local successor = successors(ncbi, superseded)
  local names = leaf_names(ncbi, superseded, successor)
  local function current(number)
    while successor[number] do number = successor[number] end
    return names[number] and number or nil
  end
  return { names = names, current = current }
end
