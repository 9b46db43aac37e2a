-- lines(path, ...) -> the lines of a file, as io.lines has them; the file closes with
-- the loop. What is no file on a disk is refused.

local fail = require "ecrb.fail"
local regular = require "ecrb.regular"

return function (path, ...)
  local file, problem = regular(path)
  if not file then fail("%s", problem) end
  return file:lines(...), nil, nil, file
end
