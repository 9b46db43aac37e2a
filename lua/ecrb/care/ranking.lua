-- CARE's ranking files: any leading columns, one named `EC number` with the
-- gold labels, then the predictions, best first, in columns named `0`, `1`,
-- `2` and so on. A cell may itself hold a list: `a; b` (the ECs of a
-- neighbour) or `a,b` (the answer of a language model).

local ec = require "core.ec"
local fail = require "ecrb.fail"
local import = require "core.import"

local ranking = {}

-- What the header says: the ranked columns, those that stand after them, and
-- the column that names a row, the protein or the reaction.
local function layout_of(path, names)
  local layout, first = { ranked = {}, after = {}, id = "Entry?" }, nil
  for i, name in ipairs(names) do
    if not first and name == "0" then first = i end
    if first and name == tostring(i - first) and #layout.after == 0 then
      layout.ranked[#layout.ranked + 1] = name
    elseif first then
      layout.after[#layout.after + 1] = "`" .. name .. "`"
    elseif name == "Entry" or name == "Reaction" then
      layout.id = name
    end
  end
  if not first then
    fail("%s:1: no column `0`; a ranking begins at the column of that name, "
      .. "and there are `%s`", path, table.concat(names, "`, `"))
  end
  return layout
end

-- The parts of a text between a separator, as they stand.
function ranking.cut(text, separator)
  local parts, from = {}, 1
  local at, to = string.find(text, separator, from, true)
  while at do
    parts[#parts + 1] = string.sub(text, from, at - 1)
    from = to + 1
    at, to = string.find(text, separator, from, true)
  end
  parts[#parts + 1] = string.sub(text, from)
  return parts
end

local function labels_of(self, line, text)
  if not text or string.find(text, "^%s*$") then
    fail("%s:%d: column `EC number` is empty; a row without gold labels cannot "
      .. "be scored", self.path, line)
  end
  local labels = {}
  for i, part in ipairs(ranking.cut(text, ";")) do
    labels[i] = string.match(part, "^%s*(.-)%s*$")
    if ec.parse(labels[i]) ~= labels[i] or ec.level(labels[i]) < 4 then
      fail("%s:%d: column `EC number`: `%s` is no complete EC number; a gold "
        .. "label is", self.path, line, string.sub(labels[i], 1, 40))
    end
  end
  return labels
end

-- {==================================================================
-- What separates the ECs of one cell
-- ===================================================================

local separators = { "; ", ",", ";" }

local function separator_in(cell)
  for _, separator in ipairs(separators) do
    if string.find(cell, separator, 1, true) then return separator end
  end
end

-- The separators in the order above that cells hold, and in how many.
local function separators_found(rows)
  local found, cells = {}, {}
  for _, row in ipairs(rows) do
    for _, cell in ipairs(row.cells) do
      local separator = separator_in(cell)
      if separator then cells[separator] = (cells[separator] or 0) + 1 end
    end
  end
  for _, separator in ipairs(separators) do
    if cells[separator] then found[#found + 1] = separator end
  end
  return found, cells
end

-- One separator serves a whole file, as in CARE's evaluation.
local function file_separator(self, report)
  local found, cells = separators_found(self.rows)
  if #found > 1 then
    report:say("%s: %d cells hold `%s`, %d others `%s`; lists are cut at `%s` "
      .. "(--separator chooses)", self.path, cells[found[1]], found[1],
      cells[found[2]], found[2], found[1])
  end
  return found[1] or separators[1]
end
-- }==================================================================

local function add_row(self, line, labels, id, ...)
  if not line then return false end
  self.rows[#self.rows + 1] = { line = line, id = id, cells = { ... },
    labels = labels_of(self, line, labels) }
  return true
end

local function read_rows(self)
  local layout
  local function wanted(names)
    layout = layout_of(self.path, names)
    return table.move(layout.ranked, 1, #layout.ranked, 3,
      { "EC number", layout.id })
  end
  local step, reader, _, closing = import.table(self.path, wanted, ",")
  local _ <close> = closing
  repeat until not add_row(self, step(reader))
  return layout
end

-- Reads a ranking: {path, width, separator, rows = {{line, id, labels, cells}
-- ...}}. Odd things that do no harm go to the report.
function ranking.read(path, report, separator)
  local self = { path = path, rows = {} }
  local layout = read_rows(self)
  self.width = #layout.ranked
  if #layout.after > 0 then
    report:say("%s: %s behind the ranking is not read; CARE's evaluation would "
      .. "take it for predictions", path, table.concat(layout.after, ", "))
  end
  self.separator = separator or file_separator(self, report)
  return self
end

-- The predicted texts of a row's first k columns.
function ranking.pool(self, row, k)
  local pool = {}
  for i = 1, math.min(k, #row.cells) do
    for _, part in ipairs(ranking.cut(row.cells[i], self.separator)) do
      pool[#pool + 1] = part
    end
  end
  return pool
end

return ranking
