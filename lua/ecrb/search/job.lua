-- A batch of queries searched with one tool: its commands one after the other,
-- each a process of its own, while something else may go on. The result is a
-- file that comes into being whole: where it stands already nothing is searched.

local contents = require "ecrb.contents"
local relabel = require "ecrb.search.relabel"
local system = require "core.system"
local text = require "core.text"
local writer = require "ecrb.writer"

local job = {}

local Job = {}
Job.__index = Job

local function write_queries(path, records)
  local file <close> = writer.open(path)
  for i, record in ipairs(records) do
    file:write(">q", i, "\n", string.gsub(record.sequence, "%A", "X"), "\n")
  end
  file:finish()
end

-- spec = {out = the result's path, records = {{id =, sequence =}...}, index =,
-- names = of the targets, by number, tool =, version =, limits =}.
function job.new(spec)
  local self = setmetatable({ spec = spec, at = 0 }, Job)
  self.ended = system.exists(spec.out)
  if self.ended then return self end
  local folder = spec.out .. ".work"
  system.remove(folder)
  system.mkdir(folder)
  self.files = { folder = folder, queries = folder .. "/queries.fasta",
    hits = folder .. "/hits", targets = spec.index:targets(),
    database = spec.index:database(spec.tool, spec.version) }
  write_queries(self.files.queries, spec.records)
  self.commands = spec.tool.search(self.files, spec.limits)
  return self
end

-- The end of what the command wrote, as `: text`.
local function said(path)
  local whole = contents(path) or ""
  whole = string.match(string.sub(whole, -500), "^%s*(.-)%s*$")
  return whole == "" and "" or ": " .. text.printable(whole)
end

local function complain(self, code)
  local how = "exit code " .. code
  if code > 128 then
    how = string.format("ended by signal %d%s", code - 128,
      code == 137 and ": did memory run out?" or "")
  end
  error(string.format("%s failed (%s)%s", self.commands[self.at][1], how,
    said(self.files.folder .. "/said")), 0)
end

-- The result, out of what the last command left.
local function settle(self)
  local spec, ids = self.spec, {}
  for i, record in ipairs(spec.records) do ids[i] = record.id end
  local beside = self.files.folder .. "/named"
  relabel.file(spec.tool.format, self.files.hits, beside, ids, spec.names)
  system.rename(beside, spec.out)
  system.remove(self.files.folder)
  self.ended = true
end

local function start_next(self)
  self.at = self.at + 1
  local argv = self.commands[self.at]
  if not argv then return settle(self) end
  local path = self.files.folder .. "/said"
  self.process = system.start(argv, { output = path, errors = path })
end

-- Goes on as far as it can within so many seconds (0); true at the end.
function Job:advance(seconds)
  if self.ended then return true end
  if not self.process then start_next(self) end
  local code = not self.ended and self.process:wait(seconds or 0)
  if code and code ~= 0 then complain(self, code) end
  if code then start_next(self) end
  return self.ended
end

-- Waits for the end; calls tick() now and then.
function Job:finish(tick)
  while not self:advance(0.25) do tick() end
end

function Job:close()
  if self.process then self.process:stop() end
end
Job.__close = Job.close

return job
