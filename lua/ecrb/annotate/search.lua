-- The searches of one batch, channel after channel. They can go on in the
-- background: whoever has something else to do calls advance() now and then.

local job = require "ecrb.search.job"
local vectors_source = require "ecrb.annotate.vectors".source

local search = {}

local Search = {}
Search.__index = Search

-- Neighbours stand in the results by their number in the index: t17.
local by_number = setmetatable({}, { __index = function (_, n) return "t" .. n end })

local function records_of(queries)
  local records = {}
  for _, one in ipairs(queries) do
    if one.sequence then records[#records + 1] = { id = one.item, sequence = one.sequence } end
  end
  return records
end

-- Of batch = {number =, queries =} by task = {index =, plan =} in a folder.
function search.new(task, batch, folder)
  return setmetatable({ task = task, folder = folder, at = 0, queries = batch.queries,
    records = records_of(batch.queries), number = batch.number }, Search)
end

function search.file(folder, entry)
  return folder .. "/" .. entry.channel
end

local function next_job(self)
  self.at = self.at + 1
  local entry = self.task.plan.channels[self.at]
  if not entry or #self.records == 0 then
    local vectors = self.task.vectors
    if vectors then vectors:find(self.queries, search.file(self.folder, vectors_source)) end
    self.ended, self.job = true, nil
    return
  end
  self.job = job.new { out = search.file(self.folder, entry), records = self.records,
    index = self.task.index, names = by_number, tool = entry.tool, version = entry.version,
    limits = self.task.plan.limits }
end

-- Goes on for so many seconds at most (0); true when all is found.
function Search:advance(seconds)
  if not self.ended and not self.job then next_job(self) end
  while not self.ended and self.job:advance(seconds) do next_job(self) end
  return self.ended or false
end

-- What is going on, for the progress line.
function Search:doing()
  local entry = self.task.plan.channels[self.at]
  return entry and string.format("batch %d: %s", self.number, entry.tool.name) or ""
end

function Search:close()
  if self.job then self.job:close() end
end

return search
