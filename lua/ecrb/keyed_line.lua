-- A line of a journal: a JSON object whose first field is its key, in the one
-- spelling by which the C side finds lines (core/journal.c).

local keyed_line = {}

-- How a line with this key begins; other fields follow.
function keyed_line.head(key)
  return '{"key":"' .. key .. '",'
end

-- The key of a line; nil where it does not begin with one.
function keyed_line.key(line)
  return string.match(line, '^{"key":"([^"]*)"')
end

-- The same line under another key.
function keyed_line.under(key, line)
  return keyed_line.head(key) .. string.sub(line, #keyed_line.head(keyed_line.key(line)) + 1)
end

return keyed_line
