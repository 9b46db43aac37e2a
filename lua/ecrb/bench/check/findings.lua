-- What a check finds: a sentence each, with its place. The first ones are kept.

local findings = {}

local SHOWN = 50

local Findings = {}
Findings.__index = Findings

function findings.new()
  return setmetatable({ n = 0 }, Findings)
end

function Findings:add(format, ...)
  self.n = self.n + 1
  if self.n <= SHOWN then self[self.n] = string.format(format, ...) end
end

-- The same, in a line of a file.
function Findings:at(path, line, format, ...)
  self:add("%s:%d: " .. format, path, line, ...)
end

function Findings:text()
  return table.concat(self, "\n  ") .. (self.n > SHOWN and "\n  ..." or "")
end

return findings
