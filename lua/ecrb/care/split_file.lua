-- A table with all its columns: {names, rows = {{line, cells}...}}.

local import = require "core.import"

return function (path)
  local names
  local step, reader, _, closing = import.table(path, function (list)
    names = list
    return list
  end, ",")
  local _ <close> = closing
  local rows = {}
  local function add(line, ...)
    rows[#rows + 1] = line and { line = line, cells = { ... } }
    return line
  end
  repeat until not add(step(reader))
  return { names = names, rows = rows }
end
