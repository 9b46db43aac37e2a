-- One channel searched for many queries, batch by batch, with a progress line.

local job = require "ecrb.search.job"
local status = require "ecrb.status"
local system = require "core.system"

local channel = {}

local function describe(title)
  return function (state, elapsed)
    return string.format("%s: %d/%d queries  ETA %s", title, state.done, state.total,
      status.eta(state, elapsed))
  end
end

local function count(batches)
  local n = 0
  for _, records in ipairs(batches) do n = n + #records end
  return n
end

-- Where the result of the n-th batch stands.
function channel.file(folder, n)
  return string.format("%s/%06d", folder, n)
end

-- Searches batches = {{record...}...} of spec = {entry =, index =, limits =,
-- folder = where finished batches stand, quiet =}. Returns the paths of the
-- results, in order.
function channel.search(spec, batches)
  local files, state = {}, { done = 0, kept = 0, total = count(batches) }
  local entry = spec.entry
  local line = status.new(function () return state end,
    describe(string.format("%s (%s %s)", entry.channel, entry.tool.name, entry.version)))
  local function tick()
    if not spec.quiet then line:tick() end
  end
  system.mkdir(spec.folder)
  for i, records in ipairs(batches) do
    files[i] = channel.file(spec.folder, i)
    local one <close> = job.new { out = files[i], records = records, index = spec.index,
      names = spec.index.ids, tool = entry.tool, version = entry.version, limits = spec.limits }
    if one.ended then state.kept = state.kept + #records end
    one:finish(tick)
    state.done = state.done + #records
    tick()
  end
  line:clear()
  return files, state
end

return channel
