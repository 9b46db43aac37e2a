-- Values as a person wants to see them: lists of like tables as a table, other
-- tables as `name = value` lines, texts as they are but harmless to a terminal.

local core_text = require "core.text"
local tables = require "ecrb.tables"

local show = {}

local function sorted(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys, function (a, b) return tostring(a) < tostring(b) end)
  return keys
end

local function scalar(value)
  if type(value) == "string" then return core_text.printable(value) end
  if math.type(value) == "float" then return string.format("%.6g", value) end
  return tostring(value)
end

local function is_flat_list(value)
  for _, entry in ipairs(value) do
    if type(entry) == "table" then return false end
  end
  return #value > 0
end

local function cell(value)
  if value == nil then return "" end
  if type(value) ~= "table" then return scalar(value) end
  if is_flat_list(value) then
    local parts = {}
    for i, entry in ipairs(value) do parts[i] = scalar(entry) end
    return table.concat(parts, ";")
  end
  return next(value) == nil and "{}" or "{...}"
end

local function is_record_list(value)
  for _, entry in ipairs(value) do
    if type(entry) ~= "table" or #entry > 0 then return false end
  end
  return #value > 0
end

local function record_table(list)
  local seen, rows = {}, {}
  for _, entry in ipairs(list) do
    for name in pairs(entry) do seen[name] = true end
  end
  local columns = sorted(seen)
  for i, entry in ipairs(list) do
    rows[i] = {}
    for c, name in ipairs(columns) do rows[i][c] = cell(entry[name]) end
  end
  for c, name in ipairs(columns) do columns[c] = tostring(name) end
  return tables.write("text", { columns = columns, rows = rows })
end

local function field_lines(value)
  local lines = {}
  for i, name in ipairs(sorted(value)) do
    lines[i] = tostring(name) .. " = " .. cell(value[name])
  end
  return table.concat(lines, "\n") .. "\n"
end

-- One value as text that ends in a line end.
function show.value(value)
  if type(value) ~= "table" then return scalar(value) .. "\n" end
  if next(value) == nil then return "{}\n" end
  if is_record_list(value) then return record_table(value) end
  if is_flat_list(value) then
    local lines = {}
    for i, entry in ipairs(value) do lines[i] = scalar(entry) end
    return table.concat(lines, "\n") .. "\n"
  end
  return field_lines(value)
end

return show
