-- Everything that the tables and figures of a report read: the arms, the models
-- in them, the references without a model, and figures that are taken once and
-- kept.

local arms = require "ecrb.report.arms"
local metrics = require "ecrb.report.metrics"
local retrieval = require "ecrb.report.retrieval"
local scored = require "ecrb.report.scored"
local statistics = require "core.statistics"
local summary = require "ecrb.report.summary"

local board = {}

local Board = {}
Board.__index = Board

-- The models in the order of the command line, each with its arms by key.
local function models_of(list)
  local by_position = table.move(list, 1, #list, 1, {})
  table.sort(by_position, function (a, b) return a.position < b.position end)
  local models, by_name = {}, {}
  for _, arm in ipairs(by_position) do
    local model = by_name[arm.model]
    if not model and not arm.control then
      model = { name = arm.model, arms = {} }
      by_name[arm.model] = model
      models[#models + 1] = model
    end
    if model then model.arms[arm.key] = arm end
  end
  return models
end

-- All items that any arm has a record of, in the order of the benchmark.
local function all_items(list)
  local first, seen = list[1].run, {}
  local rows = { folder = first.folder, benchmark = first.benchmark,
                 bench = first.bench, settings = first.settings }
  for _, arm in ipairs(list) do
    for _, record in ipairs(arm.run) do
      if not seen[record.key] then
        seen[record.key] = true
        rows[#rows + 1] = record
      end
    end
  end
  table.sort(rows, function (a, b) return a.index < b.index end)
  return rows
end

local function splits_of(items)
  local names, counts = {}, {}
  for _, item in ipairs(items) do
    if not counts[item.split] then names[#names + 1] = item.split end
    counts[item.split] = (counts[item.split] or 0) + 1
  end
  return names, counts
end

-- The runs of folders, and those in which no item is finished.
local function open_runs(folders, options)
  local runs, empty = {}, {}
  options.opened = options.opened or {}
  for _, folder in ipairs(folders) do
    local run = scored.open(folder, options)
    table.insert(#run > 0 and runs or empty, run)
  end
  return runs, empty
end

-- Opens the runs of a report. Options are those of records.open and metrics.of.
-- Fields: arms, models, empty (runs without a record), items, splits (names),
-- counts (items of a split), benchmark, bench, how. Nil where no run has a record.
function board.open(folders, options)
  local self = setmetatable({ options = options, kept = {} }, Board)
  local runs
  runs, self.empty = open_runs(folders, options)
  if not runs[1] then return nil end
  self.arms = arms.of(runs)
  self.models = models_of(self.arms)
  self.items = all_items(self.arms)
  self.splits, self.counts = splits_of(self.items)
  self.benchmark, self.bench = self.items.benchmark, self.items.bench
  self.how = metrics.settings(options)
  self.drawn = { replicates = self.how.replicates, seed = self.how.seed }
  return self
end

-- What `make` gives, made once for each way to name it.
local function keep(self, name, owner, make)
  local shelf = self.kept[owner] or {}
  self.kept[owner] = shelf
  if shelf[name] == nil then shelf[name] = make() or false end
  return shelf[name]
end

-- The references without a model (ecrb.report.retrieval).
function Board:references()
  return keep(self, "references", self, function ()
    return retrieval.of(self.items)
  end)
end

function Board:reference(key)
  for _, reference in ipairs(self:references()) do
    if reference.key == key then return reference end
  end
end

-- The rows of an arm or a reference by group: {[name] = rows}, and the names
-- in their order.
function Board:groups(arm, by)
  return keep(self, "groups " .. by, arm, function ()
    local found = { names = {} }
    for _, group in ipairs(scored.groups(arm.run, by)) do
      if group.name ~= "all" then
        found.names[#found.names + 1] = group.name
        found[group.name] = group.rows
      end
    end
    return found
  end)
end

-- The rows of a group; all of them without a grouping. Nil where it is empty.
function Board:rows(arm, by, name)
  if not by then return arm.run end
  return self:groups(arm, by)[name]
end

-- Every figure of the protocol for an arm, over a split or all.
function Board:figures(arm, split)
  return keep(self, "figures " .. (split or ""), arm, function ()
    local rows = self:rows(arm, split and "split", split)
    return rows and metrics.of(rows, self.how)
  end)
end

-- {n=, l1=, l2=, l3=, l4=} of an arm or reference over a group: cheaper than
-- all figures. False where the group is empty.
function Board:levels(arm, by, name)
  return keep(self, "levels " .. (by or "") .. " " .. (name or ""), arm,
    function ()
      local rows = self:rows(arm, by, name)
      return rows and metrics.levels(rows, self.drawn)
    end)
end

local function by_key(rows)
  local map = {}
  for _, record in ipairs(rows) do map[record.key] = record end
  return map
end

local function number_of(value)
  return value == true and 1 or value or 0
end

-- For each arm of a list the column of a score, over the items that they all
-- have; nil unless these are all the items of each.
local function columns_of(self, list, by, name, score)
  local maps, columns = {}, {}
  for a, arm in ipairs(list) do
    local rows = self:rows(arm, by, name)
    if not rows or #rows ~= #self:rows(list[1], by, name) then return nil end
    maps[a], columns[a] = by_key(rows), {}
  end
  for i, record in ipairs(self:rows(list[1], by, name)) do
    for a in ipairs(list) do
      local other = maps[a][record.key]
      if not other then return nil end
      columns[a][i] = number_of(other.score[score])
    end
  end
  return columns
end

local function averaged(columns)
  local mean = {}
  for i = 1, #columns[1] do
    local sum = 0
    for _, column in ipairs(columns) do sum = sum + column[i] end
    mean[i] = sum / #columns
  end
  return mean
end

-- The mean of a score over arms that have the same items, with an interval over
-- the items; nil where they have not.
function Board:mean(list, score, by, name)
  local columns = list[1] and columns_of(self, list, by, name, score)
  return columns and statistics.means({ averaged(columns) }, self.drawn)[1]
end

-- What the arms of `list` have on average more than another arm in a score,
-- paired by item: an estimate, nil where the items differ.
function Board:gain(list, other, score, by, name)
  local all = table.move(list, 1, #list, 1, {})
  all[#all + 1] = other
  local columns = list[1] and columns_of(self, all, by, name, score)
  if not columns then return nil end
  local against = table.remove(columns)
  local d = statistics.compare(averaged(columns), against, self.drawn)
  return { d.mean, d.low, d.high, signed = true }
end

-- The arms of one key, model by model; those of controls come alone.
function Board:of_key(key)
  local list = {}
  for _, model in ipairs(self.models) do
    if model.arms[key] then list[#list + 1] = model.arms[key] end
  end
  return list
end

-- The keys of the arms in the order of the tables: {key=, label=, arms=,
-- control=, is_paper=, book=}, an entry a setting.
function Board:settings()
  return keep(self, "settings", self, function ()
    local list, seen = {}, {}
    for _, arm in ipairs(self.arms) do
      local key = arm.control and arm or arm.key
      if not seen[key] then
        seen[key] = { key = arm.key, label = arm.label, book = arm.book,
                      control = arm.control, is_paper = arm.is_paper,
                      arms = {} }
        list[#list + 1] = seen[key]
      end
      table.insert(seen[key].arms, arm)
    end
    return list
  end)
end

-- The answerers of the arms for a title: `models a, b and c`.
function Board:who()
  local names = {}
  for i, model in ipairs(self.models) do names[i] = model.name end
  if #names == 0 then return "no model" end
  return (#names > 1 and "models " or "model ") .. table.concat(names, ", ")
end

local function pending_note(run)
  if run.pending == 0 then return nil end
  return string.format("UNFINISHED: %d of %d items of %s are pending and in no "
    .. "figure.", run.pending, run.manifest.items_total, run.folder)
end

-- The notes of a table: its own, then how the figures were made and which runs
-- are unfinished.
function Board:notes(...)
  local notes, seen = {}, {}
  local function add(note)
    if note and not seen[note] then notes[#notes + 1] = note end
    seen[note or ""] = true
  end
  for i = 1, select("#", ...) do add((select(i, ...))) end
  for _, arm in ipairs(self.arms) do
    for _, note in ipairs(summary.notes(arm.run, self.how)) do add(note) end
  end
  for _, arm in ipairs(self.arms) do add(pending_note(arm.run)) end
  for _, run in ipairs(self.empty) do
    add(run.folder .. ": no item is finished yet.")
  end
  return notes
end

-- The benchmark for a title.
function Board:where()
  return "benchmark " .. self.benchmark.name
end

return board
