-- A batch as a benchmark without labels, in a folder of its own, so that every
-- method works on it as on any other: the batch's sequences, the tree, and of the
-- training set those whom the searches found.

local core_ec = require "core.ec"
local fail = require "ecrb.fail"
local folder = require "ecrb.import.folder"
local import = require "core.import"
local lines_of = require "ecrb.lines"
local search = require "ecrb.annotate.search"
local system = require "core.system"
local vectors = require "ecrb.annotate.vectors"

local world = {}

-- The numbers of the training enzymes in a result.
local function found_in(path, format, found)
  local pattern = format == "hmmer" and "^t(%d+) " or "^%S+\tt(%d+)\t"
  for line in lines_of(path) do
    local number = string.match(line, pattern)
    if number then found[tonumber(number)] = true end
  end
end

-- The channels that were searched, each with the layout of its results.
local function sources_of(task)
  local list = {}
  for i, entry in ipairs(task.plan.channels) do
    list[i] = { channel = entry.channel, format = entry.tool.format, columns = entry.tool.columns }
  end
  if task.vectors then list[#list + 1] = vectors.source end
  return list
end

local function add_neighbours(builder, task, place)
  local found, order = {}, {}
  for _, source in ipairs(sources_of(task)) do
    found_in(search.file(place, source), source.format, found)
  end
  for number in pairs(found) do order[#order + 1] = number end
  table.sort(order)
  for _, number in ipairs(order) do
    assert(builder:train("t" .. number, core_ec.list(task.index.ecs[number])))
  end
end

local function add_evidence(builder, task, place)
  for _, source in ipairs(sources_of(task)) do
    builder:evidence(source.channel, search.file(place, source), { format = source.format,
      columns = source.columns, score = source.score, kind = source.kind,
      evalue = task.plan.limits.evalue, most = task.plan.limits.neighbours })
  end
end

local function fill(task, batch, place, beside)
  local builder <close> = import.builder(1)
  task.leaves:plant(builder)
  for _, one in ipairs(batch.queries) do
    if one.sequence then
      local good, reason = builder:item(one.item, "all", one.sequence, {})
      if not good then fail("%s: %s", one.id, reason) end
    end
  end
  add_neighbours(builder, task, place)
  add_evidence(builder, task, place)
  local written, reason = builder:write(beside)
  if not written then error(reason, 0) end
  local sums = {}
  for _, file in ipairs(written) do sums[file.name] = file.sha256 end
  return { name = "batch-" .. batch.number, seed = 1, sha256 = sums }
end

-- Makes the benchmark of a batch whose searches are done, if it is not there.
-- Returns its folder.
function world.make(task, batch, place)
  local path = place .. "/bench"
  if not system.exists(path) then
    folder.build(path, false, function (beside) return fill(task, batch, place, beside) end)
  end
  return path
end

return world
