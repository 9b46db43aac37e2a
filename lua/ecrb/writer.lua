-- A file being written, in which no failure is missed: every write and the end
-- are checked, and the message names the file.

local system = require "core.system"

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

-- What is no file, a pipe or a terminal, is written to as it is: nothing may take
-- its place.
local function pour(path, fill)
  local file <close> = writer.open(path)
  local filled = fill(file)
  file:finish()
  return filled
end

-- A file that comes into being whole: fill(file) writes it beside its place
-- (`beside`, PATH.new), which it then takes at once. A failure leaves what stood
-- there and nothing beside. Returns what `fill` returned.
function writer.whole(path, fill, beside)
  if system.kind(path) == "other" then return pour(path, fill) end
  beside = beside or path .. ".new"
  local file <close> = writer.open(beside)
  local good, result = pcall(function ()
    local filled = fill(file)
    file:finish()
    system.rename(beside, path)
    return filled
  end)
  if good then return result end
  system.remove(beside)
  error(result, 0)
end

return writer
