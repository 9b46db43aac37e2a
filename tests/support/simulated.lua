-- A scheduler in simulated time, for tests of what waits: minutes pass at once
-- and every schedule can be read. It stands in for core.sched and the clocks
-- of core.system; a server is a function from a request and the time to a
-- response with `delay`, the seconds that it takes.
local simulated = {}

-- {====================================================================
-- Tasks and time
-- =====================================================================

local World = {}
World.__index = World

function World:at(time, task, value)
  self.count = self.count + 1
  table.insert(self.events, { time = time, order = self.count, task = task,
                              value = value })
end

local function earlier(a, b)
  if a.time ~= b.time then return a.time < b.time end
  return a.order < b.order
end

function World:next()
  table.sort(self.events, earlier)
  return table.remove(self.events, 1)
end

-- Starts a task at the present time.
function World:spawn(f)
  self:at(self.time, coroutine.create(f))
end

-- Runs until nothing is left to happen, or `limit` seconds passed.
function World:run(limit)
  local event = self:next()
  while event and event.time <= (limit or math.huge) do
    self.time = event.time
    local ok, why = coroutine.resume(event.task, event.value)
    if not ok then error(debug.traceback(event.task, why), 0) end
    event = self:next()
  end
end

-- }====================================================================

-- {====================================================================
-- What stands in for core.sched
-- =====================================================================

local Gate = {}
Gate.__index = Gate

function Gate:enter()
  if self.inside < self.most then
    self.inside = self.inside + 1
  else
    table.insert(self.queue, (coroutine.running()))
    coroutine.yield()
  end
end

function Gate:admit()
  while self.queue[1] and self.inside < self.most do
    self.inside = self.inside + 1
    self.world:at(self.world.time, table.remove(self.queue, 1))
  end
end

function Gate:leave()
  self.inside = self.inside - 1
  self:admit()
end

function Gate:width(most)
  self.most = most
  self:admit()
end

function Gate:state()
  return self.inside, #self.queue
end

local function sched_of(world, server)
  local sched = {}

  function sched.sleep(seconds)
    world:at(world.time + seconds, (coroutine.running()))
    coroutine.yield()
  end

  function sched.fetch(request)
    world.sent[#world.sent + 1] = { time = world.time, url = request.url,
                                    body = request.body }
    local response = server(request, world.time)
    for _, field in ipairs { "body", "headers", "detail" } do
      response[field] = response[field] or ""
    end
    world:at(world.time + (response.delay or 0), (coroutine.running()),
             response)
    return coroutine.yield()
  end

  function sched.sample(k, f)
    local parent, results, left = coroutine.running(), {}, k
    for i = 1, k do
      world:spawn(function()
        local ok, value = pcall(f, i)
        results[i], left = { ok = ok, value = value }, left - 1
        if left == 0 then world:at(world.time, parent) end
      end)
    end
    if k > 0 then coroutine.yield() end
    return results
  end

  function sched.loop()
    return { run = function(_, spec)
      for f in spec.next do
        world:spawn(function() spec.done(pcall(f)) end)
      end
      world:run()
      return "done"
    end }
  end

  function sched.gate(most)
    return setmetatable({ world = world, most = most, inside = 0,
                          queue = {} }, Gate)
  end

  return sched
end

-- }====================================================================

-- A world with `time`, `sent` (every request with its time), `spawn` and
-- `run`; modules that are required from now on find it.
function simulated.world(server)
  local world = setmetatable({ time = 1000, events = {}, count = 0,
                               sent = {} }, World)
  local system = setmetatable({
    now = function() return 1700000000 + world.time end,
    monotonic = function() return world.time end,
  }, { __index = require "core.system" })
  package.loaded["core.sched"] = sched_of(world, server)
  package.loaded["core.system"] = system
  for name in pairs(package.loaded) do
    if string.find(name, "^ecrb%.") then package.loaded[name] = nil end
  end
  return world
end

return simulated
