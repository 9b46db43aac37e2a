-- What the targets in Lua share.

local system = require "core.system"

local input = {}

local folder = os.getenv("TMP") or "/tmp"

-- The bytes as a file of that name, the same path each time.
function input.file(bytes, name)
  local path = folder .. "/" .. name
  local file <close> = assert(io.open(path, "wb"))
  file:write(bytes)
  return path
end

-- A folder of that name, made if need be.
function input.folder(name)
  system.mkdir(folder .. "/" .. name)
  return folder .. "/" .. name
end

-- How a message begins that Lua itself put the place of an error into.
input.place = "^%S-lua/ecrb/[%w_/]+%.lua:%d+:"

-- A refusal says what is wrong with the input. A sentence that begins with a
-- place in ecrb's own code is none: something was not foreseen.
local function unforeseen(err)
  local said = type(err) == "table" and err.message or err
  if type(said) ~= "string" or string.find(said, input.place) then
    return debug.traceback(tostring(said), 2)
  end
end

-- Calls f, which may return or refuse: what it returned, or nothing.
function input.refusable(f, ...)
  local trace
  local function handler(err)
    trace = unforeseen(err)
    return err
  end
  local results = table.pack(xpcall(f, handler, ...))
  if trace then error(trace, 0) end
  if results[1] then return table.unpack(results, 2, results.n) end
end

-- The first byte as a choice among n, from 1, and the rest.
function input.choice(bytes, n)
  return (string.byte(bytes, 1) or 0) % n + 1, string.sub(bytes, 2)
end

return input
