-- Starts faultd with a script and talks to it through the model client, in the
-- real loop over real sockets.
local json = require "ecrb.json"
local model = require "ecrb.model"
local sched = require "core.sched"
local servers = dofile "tests/support/servers.lua"
local system = require "core.system"

local faults = {}

local Server = {}
Server.__index = Server

local function program()
  local units = system.getenv("ECRB_TEST_UNITS")
    or system.self .. "/.build/opt/tests"
  return units .. "/faultd"
end

function faults.start(script)
  local dir = servers.folder()
  system.write(dir .. "/script", script)
  local process = servers.start(dir, string.format(
    "'%s' --script script --log log", program()), "^(%d+)\n")
  return setmetatable({ process = process, port = process.said }, Server)
end

function Server:stop()
  self.process:stop()
end

function Server:url(case)
  return string.format("http://127.0.0.1:%s/%s", self.port, case)
end

-- The requests of a case, in order.
function Server:requests(case)
  local list = {}
  for line in string.gmatch(servers.read(self.process.dir .. "/log"), "[^\n]+") do
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
  local entry = { base_url = server and server:url(case), model = "m",
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

-- Makes `n` calls to a case (or, without a server, to the entry's base_url) and
-- gives their outcomes. `spec`: n, limits (of
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
