-- The session's log: the lines that were entered, and what came of them, in a
-- file that later sessions append to.

local fail = require "ecrb.fail"
local regular = require "ecrb.regular"

local log = {}

local Log = {}
Log.__index = Log

function log.open(path)
  local file, problem = regular(path, "a")
  if not file then fail("%s", problem) end
  file:setvbuf("line")
  return setmetatable({ file = file, entered = {}, entries = {} }, Log)
end

function Log:line(text)
  self.entered[#self.entered + 1] = text
  self:add(">", text)
end

-- A line that stands for one that a person must be there for (:edit).
function Log:did(text)
  self.entered[#self.entered + 1] = text
end

function Log:add(what, text)
  local entry = os.date("!%Y-%m-%dT%H:%M:%SZ") .. "  " .. what .. "  " .. text
  self.entries[#self.entries + 1] = entry
  self.file:write(string.gsub(entry, "\n", "\\n"), "\n")
end

-- The entered lines that can be done again: not those about the session itself.
function Log:lines()
  local kept = {}
  for _, line in ipairs(self.entered) do
    if not string.find(line, "^:%s*replay") and not string.find(line, "^:%s*script")
        and not string.find(line, "^:%s*quit") and not string.find(line, "^:%s*edit") then
      kept[#kept + 1] = line
    end
  end
  return kept
end

function Log:text()
  return table.concat(self.entries, "\n") .. "\n"
end

function Log:close()
  self.file:close()
end

return log
