-- The task behind the running coroutine: which item of which run it works on,
-- which chain it is, and what it has done so far. Scripts never see it.

local core_sched = require "core.sched"

local task = {}

-- Coroutine to task; an ended coroutine takes its entry along.
local running = setmetatable({}, { __mode = "k" })

-- What a task did: calls made, channels read, notes, spans read, tokens used.
local function with_history(context)
  context.calls, context.channels, context.notes, context.spans = {}, {}, {}, {}
  context.cached = {} -- keys of the calls that the journal answered
  context.usage = { calls = 0, prompt = 0, completion = 0, reasoning = 0, unknown = 0 }
  return context
end

-- A task for an item. `run` is the run (ecrb.run), `index` the item's position.
function task.new(run, index)
  local enzyme = run.bench:enzyme(index)
  local context = { run = run, index = index, enzyme = enzyme, item = run.bench:item(index),
                    sample = "", asked = 0, chains = 0, offered = {}, known = {}, reserved = {},
                    root = nil, calls = nil, channels = nil, notes = nil, spans = nil,
                    cached = nil, usage = nil } -- room for what follows
  context.root = context
  return with_history(context)
end

-- Runs f(...) as the task's own code in the current coroutine.
function task.enter(context, f, ...)
  running[coroutine.running()] = context
  return f(...)
end

-- The task of the running coroutine.
function task.current()
  return running[coroutine.running()]
    or error("this function is for methods at work: no enzyme is being annotated here", 3)
end

-- A chain of a task: asks count from one again, under a name of their own, which
-- no other chain of the task has, so that none is answered with another's reply;
-- what it does is recorded with its parent's.
local function chain(parent)
  local child = setmetatable({}, { __index = parent })
  parent.chains = parent.chains + 1
  child.sample = (parent.sample == "" and "" or parent.sample .. ".") .. parent.chains
  child.asked, child.chains = 0, 0
  return with_history(child)
end

local function append(list, more)
  for _, value in ipairs(more) do list[#list + 1] = value end
end

-- Adds what a chain did to its parent, in the order of the chains and not of
-- the clock, so that a record does not depend on which reply came first.
local function absorb(parent, child)
  append(parent.calls, child.calls)
  for key in pairs(child.cached) do parent.cached[key] = true end
  append(parent.channels, child.channels)
  append(parent.notes, child.notes)
  append(parent.spans, child.spans)
  for name, count in pairs(child.usage) do parent.usage[name] = parent.usage[name] + count end
end

-- Runs f(1..k) as chains at once. Returns {ok=, value=} in order.
function task.sample(k, f)
  local parent, children = task.current(), {}
  for i = 1, k do children[i] = chain(parent) end
  local results = core_sched.sample(k, function (i)
    return task.enter(children[i], f, i)
  end)
  for i = 1, k do absorb(parent, children[i]) end
  return results
end

return task
