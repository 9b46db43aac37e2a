-- Where the leaves of the EC tree and their names come from.

local cells = require "ecrb.import.cells"
local ec = require "core.ec"
local import = require "core.import"

local tree = {}

-- One EC number a line.
function tree.list(builder, report, path)
  local n = 0
  for line, text in import.lines(path) do
    if string.find(text, "%S") then
      local number = ec.parse(text)
      if not number then
        cells.refuse(path, line, "`%s` is no EC number", string.sub(text, 1, 80))
      end
      if cells.accept(path, line, builder:leaf(number)) then
        n = n + 1
      else
        report:count("EC numbers that stand twice in the list", path, line)
      end
    end
  end
  return n
end

local function name_node(builder, path, line, number, name)
  if not ec.parse(number) then
    cells.refuse(path, line, "`%s` is no EC number", string.sub(number, 1, 80))
  end
  if name ~= "" and name ~= "-" then
    cells.accept(path, line, builder:name(number, name))
  end
end

local function plain_names(builder, path)
  for line, number, name in import.table(path, { "ec", "name" }) do
    name_node(builder, path, line, number, name)
  end
end

local function parts_of(text)
  local parts = {}
  for part in string.gmatch(text .. "; ", "(.-); ") do parts[#parts + 1] = part end
  return parts
end

-- CARE's text2EC.csv: a row tells the names along the path, joined by `; `. Rows
-- that lack a level do not say which one, so they name the leaf alone.
local function care_names(builder, path)
  local columns = { "EC number", "Text", "Text Incomplete" }
  for line, number, text, incomplete in import.table(path, columns, ",") do
    local parts = parts_of(text)
    for level = 1, #parts == 4 and 3 or 0 do
      name_node(builder, path, line, ec.prefix(number, level), parts[level])
    end
    if incomplete == "False" then
      name_node(builder, path, line, number, parts[#parts])
    end
  end
end

-- A table with the columns `ec` and `name`, or CARE's text2EC.csv.
function tree.names(builder, path)
  local there = {}
  for _, name in ipairs(import.columns(path)) do there[name] = true end
  if there["Text Incomplete"] then
    care_names(builder, path)
  else
    plain_names(builder, path)
  end
end

return tree
