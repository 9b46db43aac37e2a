-- A table in LaTeX, as a tabular for the package booktabs. Intervals stand small
-- under their values and heads in lines, which keeps a table narrow.

local cell = require "ecrb.tables.cell"

-- `|` prints as a dash in LaTeX's oldest encoding; `[` and `*` at the beginning of
-- a row would be taken for options of the line above.
local escapes = { ["\\"] = "\\textbackslash{}", ["~"] = "\\textasciitilde{}",
                  ["^"] = "\\textasciicircum{}", ["<"] = "\\textless{}",
                  [">"] = "\\textgreater{}", ["|"] = "\\textbar{}",
                  ["["] = "{[}", ["*"] = "{*}" }

local function escaped(text)
  return (string.gsub(text, "[\\~^<>|%[*&%%$#_{}]", function (char)
    return escapes[char] or "\\" .. char
  end))
end

-- A minus is longer than a hyphen.
local function with_minus(text)
  return (string.gsub(text, "%f[%-]%-([%d.])", "$-$%1"))
end

local function value_of(content)
  local value = escaped(cell.value(content))
  if type(content) == "table" then value = with_minus(value) end
  return cell.is_best(content) and "\\textbf{" .. value .. "}" or value
end

local function range_of(content)
  if not cell.has_range(content) then return "" end
  local range = cell.range(content, "--")
  return "{\\scriptsize " .. (content.signed and with_minus(range) or range) .. "}"
end

local function line_of(cells)
  return table.concat(cells, " & ") .. " \\\\"
end

local function comments(description)
  local out = { "% needs \\usepackage{booktabs}" }
  for _, line in ipairs { description.title or "",
                          table.unpack(description.notes or {}) } do
    out[#out + 1] = "% " .. string.gsub(line, "\n", "\n%% ")
  end
  return out
end

local HEAD = 9 -- characters of a line of a head, more where a word is longer

-- A head in lines, so that it is no wider than what stands below it.
local function head_of(title, kind)
  local lines = {}
  for word in string.gmatch(escaped(title), "%S+") do
    local longer = lines[1] and lines[#lines] .. " " .. word
    if longer and #longer <= HEAD then
      lines[#lines] = longer
    else
      lines[#lines + 1] = word
    end
  end
  if #lines < 2 then return lines[1] or "" end
  return "\\begin{tabular}[b]{@{}" .. kind .. "@{}}" .. table.concat(lines, "\\\\")
    .. "\\end{tabular}"
end

-- A row, and under it a line of intervals where it has any.
local function add_row(add, row, columns)
  local values, ranges, any = {}, {}, false
  for c = 1, columns do
    values[c], ranges[c] = value_of(row[c]), range_of(row[c])
    any = any or ranges[c] ~= ""
  end
  add(line_of(values) .. (any and "[-2pt]" or ""))
  if any then add(line_of(ranges) .. "[2pt]") end
end

return function (description)
  local heads, kinds = {}, {}
  for c, title in ipairs(description.columns) do
    kinds[c] = cell.numeric(description, c) and "r" or "l"
    heads[c] = head_of(title, kinds[c])
  end
  local out = comments(description)
  local function add(line) out[#out + 1] = line end
  add("\\begin{tabular}{" .. table.concat(kinds) .. "}")
  add("\\toprule")
  add(line_of(heads))
  add("\\midrule")
  for i, row in ipairs(description.rows) do
    if row.rule and i > 1 then add("\\midrule") end
    add_row(add, row, #heads)
  end
  add("\\bottomrule")
  add("\\end{tabular}")
  return table.concat(out, "\n") .. "\n"
end
