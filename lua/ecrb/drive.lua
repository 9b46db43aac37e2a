-- Drives runs over one event loop: the items of the first, then of the next,
-- with no pause between them, so that slow replies of one run are waited for
-- while the next begins.
--
-- What is begun is finished first: the calls of earlier items go before those of
-- later ones, and only a few items more than calls are under way, for the places
-- of those that wait to try again. So an interrupted run has few items half done.
-- The last items are begun together and take turns; otherwise some places would
-- stay empty while the last of them went through call after call.

local drive = {}

local function few_more_than(calls)
  return calls + math.max(4, calls // 8)
end

-- Items of the runs from the `at`th on that were not looked at yet.
local function to_come(runs, at)
  local count = 0
  for i = at, #runs do count = count + runs[i]:to_come() end
  return count
end

-- Hands out tasks run by run. `under_way` tells how many were handed out and have
-- not ended.
local function feeder(runs, concurrency, under_way)
  local at, most = 1, few_more_than(concurrency)
  return function ()
    if under_way() >= most and to_come(runs, at) > concurrency then return false end
    while runs[at] do
      local fn, context, limits = runs[at]:next()
      if fn then return fn, context, limits end
      at = at + 1
    end
  end
end

-- What is in flight may be most of the memory, and garbage comes to as much again
-- before the collector begins. That pace takes the least time; where thousands are
-- in flight the memory is worth the time of beginning much earlier.
local THOUSANDS = 2000

local function set_collector(concurrency)
  if concurrency < THOUSANDS then
    collectgarbage("incremental", 200, 400)
  else
    collectgarbage("incremental", 125, 400)
  end
end

-- What is done now and then while they go on.
local function looking_after(runs, tick)
  return function (now)
    for _, run in ipairs(runs) do run:look_after_files() end
    if tick then tick(now) end
  end
end

-- Runs everything. `concurrency` is how many calls are in flight at most; `tick`
-- is called now and then for the status line. Returns "done", "interrupted", or
-- "paused" or "refused" and the reason.
function drive.run(loop, runs, concurrency, tick)
  local begun, ended = 0, 0
  set_collector(concurrency)
  local next_task = feeder(runs, concurrency, function () return begun - ended end)
  local how = loop:run {
    next = function ()
      local fn, context, limits = next_task()
      if fn then begun = begun + 1 end
      return fn, context, limits
    end,
    done = function (ok, value, context)
      ended = ended + 1
      context.run:done(ok, value, context)
    end,
    width = few_more_than(concurrency) + concurrency, tick = looking_after(runs, tick),
  }
  if how == "interrupted" then return how end
  for _, run in ipairs(runs) do
    if run.paused then return run.paused_how, run.paused end
  end
  return "done"
end

return drive
