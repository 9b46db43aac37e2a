-- A table in Markdown.

local cell = require "ecrb.tables.cell"

local function escaped(text)
  return (string.gsub(text, "[|\\`*_<]", "\\%0"))
end

local function written(content)
  local value = escaped(cell.value(content))
  if cell.is_best(content) then value = "**" .. value .. "**" end
  if not cell.has_range(content) then return value end
  return value .. " " .. cell.full_range(content, "–")
end

local function line_of(cells)
  return "| " .. table.concat(cells, " | ") .. " |"
end

return function (description)
  local heads, rules, out = {}, {}, {}
  for c, title in ipairs(description.columns) do
    heads[c] = escaped(title)
    rules[c] = cell.numeric(description, c) and "---:" or "---"
  end
  if description.title then
    local title = string.gsub(description.title, "\n%s*", ", ")
    out = { "**" .. escaped(title) .. "**", "" }
  end
  out[#out + 1] = line_of(heads)
  out[#out + 1] = line_of(rules)
  for _, row in ipairs(description.rows) do
    local cells = {}
    for c = 1, #heads do cells[c] = written(row[c]) end
    out[#out + 1] = line_of(cells)
  end
  for _, note in ipairs(description.notes or {}) do
    out[#out + 1] = "\n" .. note
  end
  return table.concat(out, "\n") .. "\n"
end
