-- From a tool's table over numbered queries and targets (q12, t345) to the same
-- table over ids. Ids hold no blanks, so the fields stay where they are.

local lines_of = require "ecrb.lines"
local writer = require "ecrb.writer"

local relabel = {}

local function refuse(path, line)
  error(string.format("%s: `%s` is no row of a search with numbered ids: the tool "
    .. "wrote something else than its table", path, string.sub(line, 1, 200)), 0)
end

-- query TAB target TAB ...
local function tabular(line, queries, targets)
  local q, t, rest = string.match(line, "^q(%d+)\tt(%d+)(\t.*)$")
  if not q then return nil end
  return queries[tonumber(q)] .. "\t" .. targets[tonumber(t)] .. rest
end

-- target, accession, length, query, ... between runs of blanks
local function hmmer(line, queries, targets)
  if string.sub(line, 1, 1) == "#" then return line end
  local t, between, q, rest = string.match(line, "^t(%d+)( +%S+ +%d+ +)q(%d+)( .*)$")
  if not t then return nil end
  return targets[tonumber(t)] .. between .. queries[tonumber(q)] .. rest
end

local formats = { tabular = tabular, hmmer = hmmer }

-- Comments of HMMER's that say nothing about hits but name paths and the date.
local function is_trailer(line)
  return string.find(line, "^# %a") ~= nil and not string.find(line, "^# target name")
    or line == "#"
end

-- Writes the rows of `from` into `to` with ids: lists, by number.
function relabel.file(format, from, to, queries, targets)
  local named = formats[format]
  local file <close> = writer.open(to)
  for line in lines_of(from) do
    if not is_trailer(line) then
      file:write(named(line, queries, targets) or refuse(from, line), "\n")
    end
  end
  file:finish()
end

return relabel
