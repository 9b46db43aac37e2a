-- What an import has to say: facts, and warnings that are counted by kind with
-- the place of the first one, so that a million odd rows are one line.

local counted = require "ecrb.counted"

local report = {}

local Report = {}
Report.__index = Report

function report.new()
  return setmetatable({ lines = {}, counts = {} }, Report)
end

function Report:say(format, ...)
  self.lines[#self.lines + 1] = counted(format, ...)
end

-- Counts one more of a kind. `what` is a sentence about the kind, with the forms
-- for one and for many (ecrb/counted.lua).
function Report:count(what, path, line)
  local entry = self.counts[what]
  if not entry then
    entry = { n = 0, path = path, line = line, what = what }
    self.counts[what] = entry
    self.lines[#self.lines + 1] = entry
  end
  entry.n = entry.n + 1
end

local function line_of(entry)
  if type(entry) == "string" then return entry end
  return string.format("%s (first: %s:%d)", counted("%d " .. entry.what, entry.n), entry.path,
    entry.line)
end

-- The lines, each said once, in the order in which they came up.
function Report:text()
  local lines = {}
  for i, entry in ipairs(self.lines) do lines[i] = line_of(entry) end
  return lines
end

return report
