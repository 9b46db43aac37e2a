-- A table in LaTeX, as a tabular for the package booktabs.

local cell = require "ecrb.tables.cell"

local escapes = { ["\\"] = "\\textbackslash{}", ["~"] = "\\textasciitilde{}",
                  ["^"] = "\\textasciicircum{}", ["<"] = "\\textless{}",
                  [">"] = "\\textgreater{}" }

local function escaped(text)
  return (string.gsub(text, "[\\~^<>&%%$#_{}]", function (char)
    return escapes[char] or "\\" .. char
  end))
end

local function written(content)
  local value = escaped(cell.value(content))
  if cell.is_best(content) then value = "\\textbf{" .. value .. "}" end
  if not cell.has_range(content) then return value end
  return value .. " {\\scriptsize " .. cell.full_range(content, "--") .. "}"
end

local function line_of(cells)
  return table.concat(cells, " & ") .. " \\\\"
end

local function comments(description)
  local out = {}
  for _, line in ipairs { description.title or "",
                          table.unpack(description.notes or {}) } do
    out[#out + 1] = "% " .. string.gsub(line, "\n", "\n%% ")
  end
  return out
end

return function (description)
  local heads, kinds = {}, {}
  for c, title in ipairs(description.columns) do
    heads[c] = escaped(title)
    kinds[c] = cell.numeric(description, c) and "r" or "l"
  end
  local out = comments(description)
  local function add(line) out[#out + 1] = line end
  add("\\begin{tabular}{" .. table.concat(kinds) .. "}")
  add("\\toprule")
  add(line_of(heads))
  add("\\midrule")
  for i, row in ipairs(description.rows) do
    local cells = {}
    for c = 1, #heads do cells[c] = written(row[c]) end
    if row.rule and i > 1 then add("\\midrule") end
    add(line_of(cells))
  end
  add("\\bottomrule")
  add("\\end{tabular}")
  return table.concat(out, "\n") .. "\n"
end
