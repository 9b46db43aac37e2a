-- Drives runs over one event loop: the items of the first, then of the next,
-- with no pause between them, so that slow replies of one run are waited for
-- while the next begins.

local drive = {}

-- Hands out tasks run by run; remembers which run a task belongs to.
local function feeder(runs)
  local at = 1
  return function ()
    while runs[at] do
      local fn, context, limits = runs[at]:next()
      if fn then return fn, context, limits end
      at = at + 1
    end
  end
end

-- Runs everything. `width` is how many items are under way at most; `tick` is
-- called now and then for the status line. Returns "done", "interrupted", or
-- "paused" or "refused" and the reason.
function drive.run(loop, runs, width, tick)
  local ended = loop:run {
    next = feeder(runs),
    done = function (ok, value, context) context.run:done(ok, value, context) end,
    width = width, tick = tick,
  }
  if ended == "interrupted" then return ended end
  for _, run in ipairs(runs) do
    if run.paused then return run.paused_how, run.paused end
  end
  return "done"
end

return drive
