-- Writes a ranking in CARE's format: leading columns, then the predictions in
-- columns `0`, `1`, and so on, best first.

local out = require "ecrb.out"
local system = require "core.system"
local tables = require "ecrb.tables"

-- `rows`: the leading cells and the predictions of a row in one list; the
-- ranking is `width` columns wide. Without a path it goes to standard output.
return function (path, leading, width, rows)
  local columns = { table.unpack(leading) }
  for i = 1, width do columns[#leading + i] = tostring(i - 1) end
  local text = tables.write("csv", { columns = columns, rows = rows })
  if path then system.write(path, text) else out.write(text) end
end
