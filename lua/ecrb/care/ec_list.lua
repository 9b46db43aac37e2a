-- CARE's EC list: one complete EC number a line, each once.

local ec = require "core.ec"
local fail = require "ecrb.fail"
local import = require "core.import"

-- The EC numbers of the file, in its order.
return function (path)
  local list, seen = {}, {}
  for line, text in import.lines(path) do
    if ec.parse(text) ~= text or ec.level(text) < 4 then
      fail("%s:%d: `%s` is no complete EC number; the list has one a line", path,
        line, string.sub(text, 1, 40))
    end
    if seen[text] then
      fail("%s:%d: %s stands in line %d already", path, line, text, seen[text])
    end
    seen[text] = line
    list[#list + 1] = text
  end
  if #list == 0 then fail("%s: is empty; it must list EC numbers", path) end
  return list
end
