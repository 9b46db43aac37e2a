-- Servers beside a test: each in a folder of its own, ended when it is stopped
-- or when this process ends, whichever comes first.
local system = require "core.system"

local servers = {}

local Server = {}
Server.__index = Server

function servers.read(path)
  local file = io.open(path)
  if not file then return "" end
  local content = file:read("a")
  file:close()
  return content
end

local function await(self, pattern)
  local deadline = system.monotonic() + 20
  while true do
    local said = servers.read(self.dir .. "/output")
    local found = string.match(said, pattern)
    if found then return found end
    assert(system.monotonic() < deadline, "does not start: " .. said)
    system.run { "sleep", "0.02" }
  end
end

-- A folder for a server's files.
function servers.folder()
  return system.temporary(system.getenv("TMP") or "/tmp")
end

-- Runs a shell command in `dir`, which it owns from now on, and waits until its
-- output matches `pattern`, whose capture becomes `said`.
function servers.start(dir, command, pattern)
  local pipe = assert(io.popen(string.format("cd '%s' && { %s >output 2>&1 & "
    .. "child=$!; cat >/dev/null; kill $child; wait; }", dir, command), "w"))
  local self = setmetatable({ dir = dir, pipe = pipe }, Server)
  self.said = await(self, pattern)
  return self
end

function Server:stop()
  self.pipe:close()
  system.remove(self.dir)
end

return servers
