-- out.write(text, ...) writes to standard output and knows when it could not.
-- Whoever reads a pipe may leave it early: that ends the command, quietly. A
-- terminal gets nothing that it would obey, whatever a file or a folder is called.

local core_text = require "core.text"
local system = require "core.system"

local BROKEN_PIPE = 32

local function check(good, why, number)
  if good then return end
  error({ code = number == BROKEN_PIPE and "unread" or "output",
          message = "standard output: " .. why }, 0)
end

local out = {}

function out.write(...)
  if not system.isatty(1) then return check(io.stdout:write(...)) end
  check(io.stdout:write(core_text.printable(table.concat { ... })))
end

function out.flush()
  check(io.stdout:flush())
end

return out
