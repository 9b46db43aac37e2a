-- Whether a ranking's rows are those of the split that it claims to answer.
-- CARE's evaluation joins nothing: a row that is missing or out of place
-- changes its figures silently.

local fail = require "ecrb.fail"
local import = require "core.import"

local against = {}

local function wanted(names)
  for _, name in ipairs(names) do
    if name == "Reaction" then return { "EC number", name } end
  end
  return { "EC number", "Entry" }
end

local function check_row(file, row, path, line, id, labels)
  if not row then
    fail("%s: has %d {row|rows}; row %d of %s, `%s`, is missing", file.path,
      #file.rows, #file.rows + 1, path, string.sub(id, 1, 40))
  end
  if row.id and row.id ~= id then
    fail("%s:%d: is `%s` where %s:%d has `%s`", file.path, row.line,
      string.sub(row.id, 1, 40), path, line, string.sub(id, 1, 40))
  end
  if table.concat(row.labels, ";") ~= labels then
    fail("%s:%d: the gold labels `%s` are `%s` in %s:%d", file.path, row.line,
      table.concat(row.labels, ";"), labels, path, line)
  end
end

-- Refuses a ranking whose rows differ from the split's in number, order, id or
-- labels.
function against.check(file, path)
  local n = 0
  for line, labels, id in import.table(path, wanted, ",") do
    n = n + 1
    check_row(file, file.rows[n], path, line, id, labels)
  end
  if #file.rows > n then
    fail("%s:%d: %s ends after %d {row|rows}", file.path, file.rows[n + 1].line, path, n)
  end
end

return against
