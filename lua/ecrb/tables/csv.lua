-- A table in CSV (RFC 4180, but with LF), every digit kept. A column that has
-- intervals becomes three: L4, L4_low, L4_high.

local cell = require "ecrb.tables.cell"

local function written(value)
  if not value then return "" end
  if math.type(value) == "float" then return string.format("%.10g", value) end
  local text = tostring(value)
  if not string.find(text, '[",\r\n]') then return text end
  return '"' .. string.gsub(text, '"', '""') .. '"'
end

local function has_ranges(description, c)
  for _, row in ipairs(description.rows) do
    if cell.has_range(row[c]) then return true end
  end
end

local function heads_of(description, wide)
  local heads = {}
  for c, title in ipairs(description.columns) do
    heads[#heads + 1] = written(title)
    if wide[c] then
      heads[#heads + 1] = written(title .. "_low")
      heads[#heads + 1] = written(title .. "_high")
    end
  end
  return heads
end

return function (description)
  local wide = {}
  for c = 1, #description.columns do wide[c] = has_ranges(description, c) end
  local out = { table.concat(heads_of(description, wide), ",") }
  for _, row in ipairs(description.rows) do
    local cells = {}
    for c = 1, #description.columns do
      local content = type(row[c]) == "table" and row[c] or { row[c] }
      for part = 1, wide[c] and 3 or 1 do
        cells[#cells + 1] = written(content[part])
      end
    end
    out[#out + 1] = table.concat(cells, ",")
  end
  return table.concat(out, "\n") .. "\n"
end
