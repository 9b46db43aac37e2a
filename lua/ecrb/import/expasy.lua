-- Expasy's enzyme.dat and enzclass.txt. An entry is live, transferred or
-- deleted; the last two are told by sentences in its description.

local cells = require "ecrb.import.cells"
local ec = require "core.ec"
local import = require "core.import"
local nodes = require "ecrb.import.nodes"

local expasy = {}

local function number_of(path, line, text)
  local number = ec.parse(text)
  if number and ec.level(number) == 4 then return number end
  cells.refuse(path, line, "ID: `%s` is no complete EC number", string.sub(text, 1, 80))
end

local function without_stop(text)
  return (string.gsub(text, "%.$", ""))
end

local function close(sink, path, entry)
  if not entry.number then return end
  local text = table.concat(entry.description, " ")
  if text == "" then
    cells.refuse(path, entry.line, "the entry %s has no DE line", entry.number)
  end
  if string.find(text, "^Transferred entry") then
    sink.gone(entry.number, nodes.numbers_in(text), entry.line)
  elseif string.find(text, "^Deleted entry") then
    sink.gone(entry.number, {}, entry.line)
  else
    sink.live(entry.number, without_stop(text), entry.line)
  end
end

-- enzyme.dat: lines of a two-letter code, entries that end in `//`.
function expasy.entries(path, sink)
  local entry = { description = {} }
  for line, text in import.lines(path) do
    local code, rest = string.match(text, "^(%u%u)   (.-)%s*$")
    if code == "ID" then
      if entry.number then
        cells.refuse(path, line, "ID: the entry of line %d has no end (`//`)", entry.line)
      end
      entry.number, entry.line = number_of(path, line, rest), line
    elseif code == "DE" then
      table.insert(entry.description, rest)
    elseif string.sub(text, 1, 2) == "//" then
      close(sink, path, entry)
      entry = { description = {} }
    end
  end
  if entry.number then
    cells.refuse(path, entry.line, "the file ends inside the entry %s; fetch it again",
      entry.number)
  end
end

-- enzclass.txt: `1. 2. -.-    Name.`
function expasy.classes(path, sink)
  for line, text in import.lines(path) do
    local number, name = string.match(text, "^([%d%.%s-]+%.%s?%-)%s+(.-)%s*$")
    if number then
      local node = ec.parse((string.gsub(number, "%s", "")))
      if not node then cells.refuse(path, line, "`%s` is no EC number", number) end
      sink.inner(node, without_stop(name), line)
    end
  end
end

return expasy
