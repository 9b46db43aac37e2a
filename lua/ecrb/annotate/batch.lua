-- One batch, from its searches to its rows. Its folder holds what a killed
-- session had found and what it had paid for; the rows come into being whole,
-- and then the folder goes, unless calls failed: they can be made again.

local benchmark = require "ecrb.benchmark"
local contents = require "ecrb.contents"
local drive = require "ecrb.drive"
local json = require "ecrb.json"
local rows = require "ecrb.annotate.rows"
local setting = require "ecrb.setting"
local system = require "core.system"
local world = require "ecrb.annotate.world"
local writer = require "ecrb.writer"

local batch = {}

function batch.folder(task, number)
  return string.format("%s/%06d", task.work, number)
end

function batch.rows(task, number)
  return batch.folder(task, number) .. ".rows"
end

local function counts_of(task, number)
  return assert(json.decode(assert(contents(batch.folder(task, number) .. ".counts"))))
end
batch.counts = counts_of

-- Whether a batch has its rows and no call of it is to be made again.
function batch.is_done(task, number)
  if not system.exists(batch.rows(task, number)) then return false end
  return not counts_of(task, number).failed or not system.exists(batch.folder(task, number))
end

-- Counts what a finished batch has spent.
function batch.carry(task, number)
  local path = batch.folder(task, number) .. ".spent"
  if not system.exists(path) then return end
  task.shared.budget:carry(assert(json.decode(assert(contents(path)))))
end

-- The open run of the method over the batch's benchmark. Calls that failed before
-- are made again.
local function open_run(task, bench, place)
  task.shared.benchmark, task.shared.items = bench, benchmark.select(bench, {})
  return setting.open(task.args, task.shared, task.setting, { out = place .. "/run",
    paged = task.args.page, retry = { failed = true } })
end

-- Runs the method; returns how it ended, and why.
local function annotate(task, opened, tick)
  local ok, how, reason = pcall(drive.run, task.shared.loop, { opened },
    task.args.concurrency, tick)
  if not ok then
    opened:close("failed")
    error(how, 0)
  end
  return how, reason
end

-- Rows to a file beside; counts of how they end.
local function write_rows(task, one, bench, opened, path)
  local file <close> = writer.open(path)
  local seen, position = { bench = bench, index = task.index }, 0
  local counts = {}
  for _, query in ipairs(one.queries) do
    local record
    if query.sequence then
      position = position + 1
      record = assert(json.decode(opened.records:find(query.item)))
    end
    local row = rows.of(seen, query, record, position)
    counts[row.stop] = (counts[row.stop] or 0) + 1
    file:write(task.format.line(row), "\n")
  end
  file:finish()
  return counts
end

local function settle(task, one, bench, opened)
  local place = batch.folder(task, one.number)
  if opened then opened.records:read_again() end
  local counts = write_rows(task, one, bench, opened, place .. "/rows")
  if opened then
    system.write(place .. ".spent", json.encode(opened:spent()))
    opened:close("done")
  end
  system.write(place .. ".counts", json.encode(counts))
  system.rename(place .. "/rows", batch.rows(task, one.number))
  if not task.args.keep and not counts.failed then system.remove(place) end
end

-- Whether there is anything to search.
local function holds_any(one)
  for _, query in ipairs(one.queries) do
    if query.sequence then return true end
  end
  return false
end

-- Annotates a batch whose searches are done. `tick(run)` is called now and then.
-- Returns "done", or how and why the session ends before the batch does.
function batch.annotate(task, one, tick)
  local place = batch.folder(task, one.number)
  if not holds_any(one) then
    settle(task, one)
    return "done"
  end
  local bench = benchmark.open(world.make(task, one, place))
  local opened = open_run(task, bench, place)
  local how, reason = annotate(task, opened, function () tick(opened) end)
  if how == "done" then
    settle(task, one, bench, opened)
  else
    opened:close(how)
  end
  return how, reason
end

return batch
