-- The EC numbers that stand, and what became of the others: NCBI's list
-- (package ncbi-data, of January 2017) corrected by superseded.tsv.

local ec = require "ec"
local files = require "files"

-- {number or node = {status=, successors = {number...}}}. A number that
-- superseded.tsv knows no single successor of was split, or none fits.
local function read_fates(ncbi, superseded)
  local fates = {}
  for _, line in ipairs(files.lines(ncbi .. "/ecnum_deleted.txt")) do
    fates[line] = { status = "deleted", successors = {} }
  end
  for _, line in ipairs(files.lines(ncbi .. "/ecnum_replaced.txt")) do
    local cells = files.cells(line)
    fates[cells[1]] = { status = "transferred",
      successors = table.move(cells, 2, #cells, 1, {}) }
  end
  for _, row in ipairs(superseded) do
    fates[row.ec] = { status = "transferred",
      successors = row.successor ~= "-" and { row.successor } or {} }
  end
  return fates
end

-- What became of a number, by its own entry or by that of its sub-subclass.
local function fate_of(fates, number)
  return fates[number] or fates[ec.prefix(number, 3)]
end

-- {leaf = name} of all that the sources name, whether it stands or not.
local function listed_names(ncbi, superseded)
  local names = {}
  for _, row in ipairs(superseded) do
    if row.successor ~= "-" then names[row.successor] = row.name end
  end
  for _, line in ipairs(files.lines(ncbi .. "/ecnum_specific.txt")) do
    local number, name = table.unpack(files.cells(line))
    if ec.parts(number) then names[number] = name end
  end
  return names
end

local function standing(names, fates)
  local kept = {}
  for number, name in pairs(names) do
    if not fate_of(fates, number) then kept[number] = name end
  end
  return kept
end

-- The numbers that stand among what a number became, over all steps.
local function heirs(fates, names, number)
  local met, list, queue = { [number] = true }, {}, { number }
  for _, each in ipairs(queue) do
    for _, successor in ipairs(fate_of(fates, each).successors) do
      if names[successor] and not met[successor] then
        list[#list + 1] = successor
      elseif not met[successor] and fate_of(fates, successor) then
        queue[#queue + 1] = successor
      end
      met[successor] = true
    end
  end
  table.sort(list, ec.before)
  return list
end

-- All complete numbers that no longer stand, {ec=, status=, now = {leaf...}}
-- each, in EC order; `now` is empty where the sources name no number of today.
local function gone_of(fates, listed, names)
  local numbers, rows = {}, {}
  for number in pairs(fates) do
    if ec.parts(number) then numbers[#numbers + 1] = number end
  end
  for number in pairs(listed) do
    if not fates[number] and not names[number] then numbers[#numbers + 1] = number end
  end
  table.sort(numbers, ec.before)
  for i, number in ipairs(numbers) do
    rows[i] = { ec = number, status = fate_of(fates, number).status,
      now = heirs(fates, names, number) }
  end
  return rows
end

-- {names = {leaf = name}, gone = {{ec=, status=, now=}...}, current =
-- function (number) -> leaf or nil}: `current` follows transfers to the one
-- number that stands today.
return function (ncbi, path)
  local superseded = files.rows(path)
  local fates = read_fates(ncbi, superseded)
  local listed = listed_names(ncbi, superseded)
  local names = standing(listed, fates)
  local function current(number)
    while fates[number] do
      local successors = fates[number].successors
      number = #successors == 1 and successors[1] or nil
    end
    return number and names[number] and number
  end
  return { names = names, gone = gone_of(fates, listed, names), current = current }
end
