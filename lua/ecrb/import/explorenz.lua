-- ExplorEnz: its database dump in XML, or its tables `entry`, `hist` and `class`
-- as tab- or comma-separated files. `entry` names what is live, `hist` tells
-- what was transferred or deleted, `class` has the headings.

local cells = require "ecrb.import.cells"
local ec = require "core.ec"
local import = require "core.import"
local nodes = require "ecrb.import.nodes"

local explorenz = {}

local function number_of(path, line, text)
  local number = ec.parse(text or "")
  if number then return number end
  cells.refuse(path, line, "ec_num: `%s` is no EC number", string.sub(text or "", 1, 80))
end

local tables = {}

function tables.entry(sink, path, line, row)
  local number = number_of(path, line, row.ec_num)
  local name = nodes.plain(row.accepted_name or "")
  if ec.level(number) == 4 and name ~= "" then sink.live(number, name, line) end
end

-- The successors of a transferred number: what the note or the history names
-- behind "now" or "transferred to".
local function successors(number, row)
  local note, history = row.note or "", row.history or ""
  local told = string.match(note, "[Nn]ow(.*)")
    or string.match(history, "transferred.- to (.*)") or note
  local list = {}
  for _, other in ipairs(nodes.numbers_in(told)) do
    if other ~= number then list[#list + 1] = other end
  end
  return list
end

function tables.hist(sink, path, line, row)
  local number = number_of(path, line, row.ec_num)
  if ec.level(number) < 4 then return end
  if row.action == "transferred" then
    sink.gone(number, successors(number, row), line)
  elseif row.action == "deleted" then
    sink.gone(number, {}, line)
  end
end

tables["class"] = function (sink, path, line, row)
  local parts = {}
  for _, column in ipairs { "class", "subclass", "subsubclass" } do
    local part = row[column]
    if part and part ~= "" and part ~= "0" and part ~= "NULL" then parts[#parts + 1] = part end
  end
  local node = ec.parse(table.concat(parts, "."))
  if not node then cells.refuse(path, line, "class: no EC number in the row") end
  local name = nodes.plain(row.heading or "")
  if name ~= "" then sink.inner(node, name, line) end
end

local columns = {
  entry = { "ec_num", "accepted_name" },
  hist = { "ec_num", "action", "note?", "history?" },
  class = { "class", "subclass", "subsubclass", "heading" },
}

-- The name of the table whose columns these are (name to true), or nil.
function explorenz.kind(there)
  for _, kind in ipairs { "hist", "entry", "class" } do
    local all = true
    for _, column in ipairs(columns[kind]) do
      all = all and (string.sub(column, -1) == "?" or there[column])
    end
    if all then return kind end
  end
end

function explorenz.table(path, sink, kind)
  local names = columns[kind]
  for line, a, b, c, d in import.table(path, names) do
    local row = {}
    for i, value in pairs { a, b, c, d } do row[string.gsub(names[i], "%?$", "")] = value end
    tables[kind](sink, path, line, row)
  end
end

local function fields_of(text)
  local row = {}
  for name, value in string.gmatch(text, '<field name="([%w_]+)"[^>]*>(.-)</field>') do
    row[name] = nodes.unescaped(value)
  end
  return row
end

-- Hands over the whole rows in `text`; returns what is left.
local function take_rows(text, take)
  local from = 1
  while true do
    local first, last, inner = string.find(text, "<row>(.-)</row>", from)
    if not first then return string.sub(text, from) end
    take(fields_of(inner))
    from = last + 1
  end
end

local ROW_MOST = 4 << 20

-- The dump: rows of fields inside <table_data name="...">.
function explorenz.dump(path, sink)
  local kind, kept, began = nil, {}, 1
  for line, text in import.lines(path) do
    local opened = string.match(text, '<table_data name="([%w_]+)"')
    if opened then kind, kept, began = tables[opened], {}, line end
    if kind then
      kept[#kept + 1] = text
      if line - began > ROW_MOST then cells.refuse(path, began, "a row without an end") end
      if string.find(text, "</row>", 1, true) then
        kept = { take_rows(table.concat(kept, "\n"), function (row)
          kind(sink, path, began, row)
        end) }
        began = line
      end
    end
  end
end

return explorenz
