-- fail(format, ...) refuses what the user asked for or handed in: the command
-- line prints the message after `ecrb: ` and ends with exit code 2. The format is
-- one of ecrb.counted, `%d {row|rows}`.

local counted = require "ecrb.counted"

return function (format, ...)
  error(counted(format, ...), 0)
end
