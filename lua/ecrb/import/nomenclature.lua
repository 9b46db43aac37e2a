-- What is known of EC numbers: which are live, how nodes are called, and what
-- became of old numbers. Whatever the file, it is told to a sink:
--
--     live(ec, name or nil, line)    an entry in force
--     inner(ec, name, line)          the name of a node of level 1 to 3
--     gone(ec, {ec...}, line)        transferred to these, or deleted

local cells = require "ecrb.import.cells"
local ec = require "core.ec"
local expasy = require "ecrb.import.expasy"
local explorenz = require "ecrb.import.explorenz"
local fail = require "ecrb.fail"
local import = require "core.import"
local system = require "core.system"

local nomenclature = {}

local function number_of(path, line, text)
  return (ec.parse(text))
    or cells.refuse(path, line, "`%s` is no EC number", string.sub(text, 1, 80))
end

local function list(path, sink)
  for line, text in import.lines(path) do
    if string.find(text, "%S") then sink.live(number_of(path, line, text), nil, line) end
  end
end

local function named(sink, path, line, text, name)
  local number = number_of(path, line, text)
  if name == "" or name == "-" then name = nil end
  if ec.level(number) == 4 then
    sink.live(number, name, line)
  elseif name then
    sink.inner(number, name, line)
  end
end

local function plain(path, sink)
  for line, number, name in import.table(path, { "ec", "name" }) do
    named(sink, path, line, number, name)
  end
end

local function parts_of(text)
  local parts = {}
  for part in string.gmatch(text .. "; ", "(.-); ") do parts[#parts + 1] = part end
  return parts
end

-- CARE's text2EC.csv: a row tells the names along the path, joined by `; `. Rows
-- that lack a level do not say which one, so they name the leaf alone.
local function care(path, sink)
  local columns = { "EC number", "Text", "Text Incomplete" }
  for line, number, text, incomplete in import.table(path, columns, ",") do
    number = number_of(path, line, number)
    local parts = parts_of(text)
    for level = 1, #parts == 4 and 3 or 0 do
      named(sink, path, line, ec.prefix(number, level), parts[level])
    end
    named(sink, path, line, number, incomplete == "False" and parts[#parts] or "-")
  end
end

local function by_columns(path)
  local there = {}
  for _, name in ipairs(import.columns(path)) do there[name] = true end
  if there["ec"] and there["name"] then return plain end
  if there["Text Incomplete"] and there["EC number"] then return care end
  local kind = explorenz.kind(there)
  if kind then
    return function (file, sink) explorenz.table(file, sink, kind) end
  end
  fail("%s:1: is no EC list, no table with the columns `ec` and `name`, none of "
    .. "CARE's text2EC.csv, Expasy's enzyme.dat or enzclass.txt, ExplorEnz's dump or "
    .. "tables", path)
end

local beginnings = {
  { "^<%?xml", explorenz.dump }, { "^<mysqldump", explorenz.dump },
  { "^CC%f[^%u]", expasy.entries }, { "^ID   ", expasy.entries },
  { "^%-%-%-%-", expasy.classes },
}

-- Its first line decides, so the file is read twice.
local function reader_of(path)
  if system.kind(path) == "other" then
    fail("%s: is no plain file, and is read more than once; write what it holds into a file "
      .. "first", path)
  end
  for _, text in import.lines(path) do
    if string.find(text, "%S") then
      for _, beginning in ipairs(beginnings) do
        if string.find(text, beginning[1]) then return beginning[2] end
      end
      return ec.parse(text) and list or by_columns(path)
    end
  end
  fail("%s: is empty", path)
end

-- Reads a file of any known kind into a sink.
function nomenclature.read(path, sink)
  reader_of(path)(path, sink)
end

return nomenclature
