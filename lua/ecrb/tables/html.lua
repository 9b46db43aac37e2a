-- A table in HTML, without its notes. Every text is escaped.

local cell = require "ecrb.tables.cell"
local escaped = require "ecrb.html"

local function written(content)
  local value = escaped(cell.value(content))
  if cell.is_best(content) then value = "<b>" .. value .. "</b>" end
  if not cell.has_range(content) then return value end
  return value .. " <small>" .. cell.full_range(content, "–") .. "</small>"
end

local function attributes(description, column)
  return cell.numeric(description, column) and ' class="number"' or ""
end

local function add_head(out, description)
  out[#out + 1] = "<thead><tr>"
  for c, title in ipairs(description.columns) do
    out[#out + 1] = string.format('<th scope="col"%s>%s</th>',
      attributes(description, c), escaped(title))
  end
  out[#out + 1] = "</tr></thead>"
end

local function add_row(out, description, row)
  out[#out + 1] = row.rule and '<tr class="rule">' or "<tr>"
  for c = 1, #description.columns do
    local form = c <= (description.key or 1) and '<th scope="row"%s>%s</th>'
      or "<td%s>%s</td>"
    out[#out + 1] = string.format(form, attributes(description, c),
      written(row[c]))
  end
  out[#out + 1] = "</tr>\n"
end

return function (description)
  local out = { "<table>" }
  add_head(out, description)
  out[#out + 1] = "<tbody>\n"
  for _, row in ipairs(description.rows) do add_row(out, description, row) end
  out[#out + 1] = "</tbody></table>\n"
  return table.concat(out)
end
