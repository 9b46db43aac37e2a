-- out(text, ...) writes to standard output and knows when it could not. Whoever
-- reads a pipe may leave it early: that ends the command, quietly.

local BROKEN_PIPE = 32

local function check(good, why, number)
  if good then return end
  error({ code = number == BROKEN_PIPE and "unread" or "output",
          message = "standard output: " .. why }, 0)
end

local out = {}

function out.write(...)
  check(io.stdout:write(...))
end

function out.flush()
  check(io.stdout:flush())
end

return out
