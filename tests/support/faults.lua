-- Starts faultd with a script and talks to it through the model client, in the
-- real loop over real sockets.
local json = require "ecrb.json"
local model = require "ecrb.model"
local sched = require "core.sched"
local system = require "core.system"

local faults = {}

local Server = {}
Server.__index = Server

local function program()
  return (system.getenv("ECRB_TEST_UNITS") or ".build/opt/tests") .. "/faultd"
end

local function read_file(path)
  local file = io.open(path)
  if not file then return "" end
  local content = file:read("a")
  file:close()
  return content
end

-- The server ends when its standard input does: with this process.
function faults.start(script)
  local dir = system.temporary(system.getenv("TMP") or "/tmp")
  system.write(dir .. "/script", script)
  local pipe = assert(io.popen(string.format(
    "exec '%s' --until-eof --script '%s/script' --log '%s/log' >'%s/port'",
    program(), dir, dir, dir), "w"))
  local self = setmetatable({ dir = dir, pipe = pipe }, Server)
  local deadline = system.monotonic() + 10
  while not self.port do
    assert(system.monotonic() < deadline, "faultd does not start")
    system.run { "sleep", "0.01" }
    self.port = string.match(read_file(dir .. "/port"), "^(%d+)\n")
  end
  return self
end

function Server:stop()
  self.pipe:close()
  system.remove(self.dir)
end

function Server:url(case)
  return string.format("http://127.0.0.1:%s/%s", self.port, case)
end

-- The requests of a case, in order.
function Server:requests(case)
  local list = {}
  for line in string.gmatch(read_file(self.dir .. "/log"), "[^\n]+") do
    local entry = assert(json.decode(line))
    if string.find(entry.path, "/" .. case .. "/", 1, true) == 1 then
      list[#list + 1] = entry
    end
  end
  return list
end

-- {====================================================================
-- Calls
-- =====================================================================

local function entry_of(server, case, given)
  local entry = { base_url = server:url(case), model = "m",
                  key_optional = true }
  for name, value in pairs(given or {}) do entry[name] = value end
  return entry
end

local MESSAGES = { { role = "user", content = "Which enzyme is this?" } }

local function policy_of(given)
  local policy = { base = 0.02, cap = 0.05, concurrency = 8 }
  for name, value in pairs(given or {}) do policy[name] = value end
  return policy
end

-- Runs one task for each number to n; `send(i)` gives the outcome.
local function run_all(loop, n, width, send)
  local started, outcomes = 0, {}
  local how = loop:run {
    width = width,
    next = function()
      if started == n then return nil end
      started = started + 1
      local i = started
      return function() outcomes[i] = send(i) end
    end,
    done = function(ok, result)
      if not ok then error(result.message or result, 0) end
    end,
  }
  assert(how == "done", how)
  return outcomes
end

-- Makes `n` calls to a case and gives their outcomes. `spec`: n, limits (of
-- the transport), policy, entry, width, request.
function faults.call(server, case, spec)
  spec = spec or {}
  local loop = sched.loop(spec.limits or {})
  local policy = policy_of(spec.policy)
  local asked = assert(model.new("t", entry_of(server, case, spec.entry)))
  local session = asked:open(loop, policy)
  local outcomes = run_all(loop, spec.n or 1, spec.width or 64, function(i)
    local request = { messages = MESSAGES, seed = i }
    for name, value in pairs(spec.request or {}) do request[name] = value end
    return session:send(json.encode(assert(asked:body(request))),
                        { key = "k" .. i, choices = request.choices })
  end)
  return outcomes, session
end

-- }====================================================================

return faults
