-- regular(path, mode) -> a file opened for reading, or in another mode of io.open, or
-- nil and why not, with the path.
-- What is no file on a disk is refused before it is opened: a named pipe would be
-- waited for without end, and /dev/zero has none.

local system = require "core.system"

local called = { folder = "is a folder, not a file",
                 other = "is a pipe or a device, not a file on a disk; copy it into one" }

return function (path, mode)
  local problem = called[system.kind(path)]
  if problem then return nil, path .. ": " .. problem end
  return io.open(path, mode or "rb")
end
