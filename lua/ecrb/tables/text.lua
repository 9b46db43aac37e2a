-- A table as aligned text. Values line up on the right, their intervals behind
-- them; a table that is wider than the page is told in parts.

local core_text = require "core.text"
local cell = require "ecrb.tables.cell"
local folded = require "ecrb.folded"

local function pad(text, width, right)
  local blanks = string.rep(" ", width - core_text.width(text))
  return right and blanks .. text or text .. blanks
end

-- A column with its cells in two parts, the value and the interval.
local function layout(description, number)
  local column = { title = description.columns[number],
    numeric = cell.numeric(description, number),
    values = {}, ranges = {}, value_width = 0, range_width = 0 }
  for i, row in ipairs(description.rows) do
    local content = row[number]
    local value = cell.value(content)
    local range = cell.has_range(content) and " " .. cell.range(content) or ""
    column.values[i], column.ranges[i] = value, range
    column.value_width = math.max(column.value_width, core_text.width(value))
    column.range_width = math.max(column.range_width, #range)
  end
  column.right = column.numeric and column.range_width == 0
  column.width = math.max(column.value_width + column.range_width,
    core_text.width(column.title))
  return column
end

local function cell_text(column, i)
  local value = pad(column.values[i], column.value_width, column.numeric)
  return pad(value .. column.ranges[i], column.width, column.right)
end

local function line_of(cells)
  return (string.gsub(table.concat(cells, "  "), " +$", ""))
end

local function add_part(out, description, columns)
  local heads, width = {}, -2
  for c, column in ipairs(columns) do
    heads[c] = pad(column.title, column.width, column.right)
    width = width + column.width + 2
  end
  local rule = string.rep("-", width)
  out[#out + 1] = line_of(heads)
  out[#out + 1] = rule
  for i, row in ipairs(description.rows) do
    local cells = {}
    for c, column in ipairs(columns) do cells[c] = cell_text(column, i) end
    if row.rule and i > 1 then out[#out + 1] = rule end
    out[#out + 1] = line_of(cells)
  end
end

-- The columns in parts that fit the page, each begun by the key columns.
local function parts_of(columns, key, page)
  local parts, width, part = {}, 0, nil
  for c = key + 1, #columns do
    if not part or width + columns[c].width > page then
      part = table.move(columns, 1, key, 1, {})
      parts[#parts + 1] = part
      width = 0
      for k = 1, key do width = width + columns[k].width + 2 end
    end
    part[#part + 1] = columns[c]
    width = width + columns[c].width + 2
  end
  return part and parts or { columns }
end

return function (description, page)
  page = page or 100
  local columns, out = {}, { description.title and folded(description.title, page) }
  for c = 1, #description.columns do columns[c] = layout(description, c) end
  local parts = parts_of(columns, description.key or 1, page)
  for p, part in ipairs(parts) do
    if p > 1 then out[#out + 1] = "" end
    add_part(out, description, part)
  end
  for _, note in ipairs(description.notes or {}) do
    out[#out + 1] = folded(note, page)
  end
  return table.concat(out, "\n") .. "\n"
end
