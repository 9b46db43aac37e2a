-- Plain files, tab-separated tables with a header line, and commands. A file
-- that cannot be read or written, or a command that fails, raises.

local files = {}

function files.lines(path)
  local file, reason = io.open(path, "r")
  if not file then error(reason, 0) end
  local list = {}
  for line in file:lines() do list[#list + 1] = line end
  file:close()
  return list
end

function files.write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

-- The cells of a line; a last empty cell counts.
function files.cells(line)
  local cells = {}
  for cell in string.gmatch(line .. "\t", "([^\t]*)\t") do
    cells[#cells + 1] = cell
  end
  return cells
end

-- The rows of a table as {column = cell, line = number}, in the order of the
-- file, and its columns.
function files.rows(path)
  local lines, rows = files.lines(path), {}
  local columns = files.cells(lines[1] or "")
  for number = 2, #lines do
    local cells, row = files.cells(lines[number]), { line = number }
    if #cells ~= #columns then
      error(string.format("%s:%d: %d cells where the header names %d columns",
        path, number, #cells, #columns), 0)
    end
    for i, column in ipairs(columns) do row[column] = cells[i] end
    rows[#rows + 1] = row
  end
  return rows, columns
end

-- Writes rows of {column = cell} under a header line; nil becomes `-`.
function files.write_rows(path, columns, rows)
  local lines = { table.concat(columns, "\t") }
  for _, row in ipairs(rows) do
    local cells = {}
    for i, column in ipairs(columns) do
      local cell = row[column]
      cells[i] = cell == nil and "-" or tostring(cell)
    end
    lines[#lines + 1] = table.concat(cells, "\t")
  end
  files.write(path, table.concat(lines, "\n") .. "\n")
end

function files.quoted(argument)
  return "'" .. string.gsub(argument, "'", "'\\''") .. "'"
end

-- Runs a command given as a list and returns what it prints.
function files.run(arguments)
  local words = {}
  for i, argument in ipairs(arguments) do words[i] = files.quoted(argument) end
  local command = table.concat(words, " ")
  local pipe = assert(io.popen(command, "r"))
  local text = pipe:read("a")
  if not pipe:close() then error("this command failed: " .. command, 0) end
  return text
end

function files.sha256(path)
  return string.match(files.run({ "sha256sum", path }), "^%x+")
end

return files
