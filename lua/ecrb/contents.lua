-- contents(path) -> the bytes of a file, or nil and why not, with the path: for
-- what is read as a whole, which has a largest size.

local regular = require "ecrb.regular"

local LARGEST = 256 << 20

return function (path)
  local file <close>, reason = regular(path)
  if not file then return nil, reason end
  if (file:seek("end") or 0) > LARGEST then
    return nil, string.format("%s: has more than %d MiB; is it the file that was meant?", path,
      LARGEST >> 20)
  end
  file:seek("set")
  local bytes, problem = file:read("a")
  if not bytes then return nil, path .. ": " .. problem end
  return bytes
end
