-- A file being written, in which no failure is missed: every write and the end
-- are checked, and the message names the file.

local writer = {}

local Writer = {}
Writer.__index = Writer

local function check(self, good, reason)
  if not good then error(self.path .. ": cannot be written: " .. tostring(reason), 0) end
end

function writer.open(path)
  local self = setmetatable({ path = path }, Writer)
  local file, reason = io.open(path, "wb")
  if not file then error("cannot be written: " .. reason, 0) end
  self.file = file
  return self
end

function Writer:write(...)
  check(self, self.file:write(...))
end

-- Finishes the file. One that leaves its scope unfinished is only let go.
function Writer:finish()
  local file = self.file
  self.file = nil
  local good, reason = file:close()
  check(self, good, reason)
end

function Writer:__close()
  if self.file then self.file:close() end
end

return writer
