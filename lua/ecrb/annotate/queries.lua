-- Queries from standard input or a pipe: they come once and are read twice, so
-- they are copied into a file first.

local fail = require "ecrb.fail"
local system = require "core.system"
local writer = require "ecrb.writer"

local queries = {}

function queries.come_once(path)
  return path == "-" or system.kind(path) == "other"
end

local function source_of(path)
  if path == "-" then return io.stdin end
  local file, reason = io.open(path, "rb")
  if not file then fail("%s", reason) end
  return file
end

-- Copies them to a path, which it returns.
function queries.copy(from, path)
  local source <close> = source_of(from)
  writer.whole(path, function (file)
    for block in source:lines(1 << 16) do file:write(block) end
  end)
  return path
end

return queries
