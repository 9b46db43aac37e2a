-- From settings to an exit code: their runs are opened, driven over one event loop,
-- closed, and told.

local counted = require "ecrb.counted"
local drive = require "ecrb.drive"
local ending = require "ecrb.ending"
local out = require "ecrb.out"
local rehearsal = require "ecrb.rehearsal"
local setting = require "ecrb.setting"
local shard = require "ecrb.shard"
local status = require "ecrb.status"
local system = require "core.system"

local execute = {}

execute.exit_codes = { done = 0, refused = 2, paused = 3, interrupted = 130 }

-- {==================================================================
-- Before
-- ===================================================================

local function say_shard(shared)
  io.stderr:write(counted("shard %d of %d: %d of %d {item|items}; its part of the limits: %s\n",
    shared.shard.index, shared.shard.of, #shared.items, shared.shard.items,
    shard.told(shared.limits_left)))
end

-- Files beside the connections: three of each run, and what a manifest, an
-- address or a certificate takes for a moment.
local FILES_OF_RUN, OTHER_FILES = 3, 6

-- No more calls in flight than connections may be had.
local function fit_concurrency(args, model, runs)
  if model.kind ~= "endpoint" then return end
  local most = system.files() - FILES_OF_RUN * runs - OTHER_FILES
  if most >= args.concurrency then return end
  if most < 1 then
    error("this process may open too few files for a run that sends requests: raise the limit "
      .. "(ulimit -n 1024)", 0)
  end
  io.stderr:write(string.format("note: calls in flight at most: %d, because this process may "
    .. "open few files (ulimit -n raises the limit)\n", most))
  args.concurrency = most
end

-- Refuses settings of which nothing can be asked.
local function check_requests(args, shared, settings)
  if args.replay then return end
  for _, one in ipairs(settings) do
    rehearsal.check_request(setting.spec(args, shared, one), shared.items[1])
  end
end

-- }==================================================================

-- {==================================================================
-- The runs
-- ===================================================================

local function open_all(args, shared, settings)
  local runs = {}
  for i, one in ipairs(settings) do runs[i] = setting.open(args, shared, one) end
  return runs
end

local function sum(runs, name)
  local total = 0
  for _, one in ipairs(runs) do total = total + one.counts[name] end
  return total
end

local function state_of(runs, shared)
  return function ()
    local client = runs[1].client:state()
    local spent, before = shared.budget.spent, shared.budget.before
    return { done = sum(runs, "done") + sum(runs, "kept"), kept = sum(runs, "kept"),
             total = #shared.items * #runs, in_flight = client.inside,
             waiting = client.reason or shared.budget:waiting(),
             sent = sum(runs, "sent"), tokens = spent.tokens - before.tokens,
             cost = spent.cost - before.cost }
  end
end

local function close_all(runs, how)
  for _, one in ipairs(runs) do one:close(how) end
end

-- Raises what broke the runs off, a full disk before all. Closing them may fail
-- for the same reason, which is said once.
local function break_off(runs, problem)
  pcall(close_all, runs, "failed")
  local told = type(problem) == "table" and problem or { message = tostring(problem) }
  error({ code = told.code, message = told.message
    .. "\nwhat is finished is kept: once this is mended, the same command goes on from here" }, 0)
end

-- Drives the runs, with a status line. Returns how they ended, and why.
local function drive_all(args, shared, runs)
  local line = status.new(state_of(runs, shared))
  local tick = not args.quiet and function () line:tick() end or nil
  local ok, how, reason = pcall(drive.run, shared.loop, runs, args.concurrency, tick)
  line:clear()
  if not ok then break_off(runs, how) end
  return how, reason
end

-- The same between two probes of the endpoint, where one is required.
local function drive_probed(args, shared, runs)
  if not args.require_probe then return drive_all(args, shared, runs) end
  local guard = require "ecrb.probe.guard"
  local probed = guard.begin(args, shared.model, runs)
  local how, reason = drive_all(args, shared, runs)
  if probed and how == "done" then
    io.stderr:write("the endpoint at the end: ", guard.finish(probed, shared.model, runs), "\n")
  end
  return how, reason
end
-- }==================================================================

-- The table of the runs; where there are no labels, where the records stand.
local function told(shared, folders, summary, how)
  if shared.benchmark.core:labelled() then
    local bench = shared.benchmark
    return summary(folders, { partial = how ~= "done", opened = { [bench.folder] = bench } })
  end
  return "The benchmark has no labels, so nothing is scored; the records stand in\n  "
    .. table.concat(folders, "/items.jsonl\n  ") .. "/items.jsonl\n"
end

-- Prints the table of `summary(folders)`, if there is anything in it.
local function print_table(shared, runs, how, summary)
  if how ~= "done" and not ending.has_records(runs) then return end
  local folders = {}
  for i, one in ipairs(runs) do folders[i] = one.folder end
  out.write(told(shared, folders, summary or require "ecrb.report".summary, how))
end

-- Runs the settings, prints the table of `summary(folders)` and returns the
-- exit code.
function execute.settings(args, settings, summary)
  local shared = setting.shared_over_items(args)
  check_requests(args, shared, settings)
  if args.dry_run then return require "ecrb.dry_run"(args, shared, settings) end
  if shared.shard then say_shard(shared) end
  fit_concurrency(args, shared.model, #settings)
  local runs = open_all(args, shared, settings)
  local how, reason = drive_probed(args, shared, runs)
  shared.loop:close()
  system.tidy() -- what was in flight
  local closed, problem = pcall(close_all, runs, how)
  if not closed then break_off(runs, reason or problem) end
  ending.say(runs, how, reason, shared.budget)
  print_table(shared, runs, how, summary)
  local code = execute.exit_codes[how]
  return code == 0 and sum(runs, "failed") > 0 and 1 or code
end

return execute
