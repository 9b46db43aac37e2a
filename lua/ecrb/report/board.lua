-- Everything that the tables and figures of a report read: the arms, the models
-- in them, the references without a model, and figures that are taken once and
-- kept.

local arms = require "ecrb.report.arms"
local ledger = require "ecrb.report.ledger"
local metrics = require "ecrb.report.metrics"
local retrieval = require "ecrb.report.retrieval"
local scored = require "ecrb.report.scored"
local statistics = require "core.statistics"
local summary = require "ecrb.report.summary"

local board = {}

-- The same method without and with evidence: keys of arms.
board.pairs = { { "b0-closed", "b0-open" }, { "m1-closed", "cascade-open" },
                { "m3-closed", "m3-open" }, { "m4-closed", "m4-open" } }

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
      model = { name = arm.model, word = arm.run.settings.model.name,
                arms = {} }
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
-- Fields: arms, models, empty (runs without a record), items, whole (an arm of
-- all items, to be grouped), splits (names),
-- counts (items of a split), benchmark, bench, how. Nil where no run has a record.
function board.open(folders, options)
  local self = setmetatable({ options = options, kept = {} }, Board)
  local runs
  runs, self.empty = open_runs(folders, options)
  if not runs[1] then return nil end
  self.arms = arms.of(runs)
  self.models = models_of(self.arms)
  self.items = all_items(self.arms)
  self.whole = { run = self.items }
  self.splits, self.counts = splits_of(self.items)
  self.benchmark, self.bench = self.items.benchmark, self.items.bench
  self.superseded = ledger.superseded(self.benchmark)
  self.how = metrics.settings(options)
  self.how.draws = {}
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

-- Where an arm's items were lost (ecrb.report.ledger).
function Board:ledger(arm)
  return keep(self, "ledger", arm, function ()
    return ledger.of(arm.run, self.superseded, self.drawn)
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

-- The mean of columns first..last, item by item.
local function averaged(columns, first, last)
  local mean = {}
  for i = 1, #columns[first] do
    local sum = 0
    for c = first, last do sum = sum + columns[c][i] end
    mean[i] = sum / (last - first + 1)
  end
  return mean
end

-- The mean of a score over arms that have the same items, with an interval over
-- the items; nil where they have not.
function Board:mean(list, score, by, name)
  if #list == 1 and string.find(score, "^l%d$") then
    local levels = self:levels(list[1], by, name)
    return levels and levels[score] or nil
  end
  local columns = list[1] and columns_of(self, list, by, name, score)
  return columns and statistics.means({ averaged(columns, 1, #columns) },
    self.drawn)[1]
end

-- What the arms of a list have on average more than those of another in a
-- score, paired by item: an estimate, nil where the items differ.
function Board:gain(list, others, score, by, name)
  local all = table.move(others, 1, #others, #list + 1,
    table.move(list, 1, #list, 1, {}))
  local columns = list[1] and others[1]
    and columns_of(self, all, by, name, score)
  if not columns then return nil end
  local d = statistics.compare(averaged(columns, 1, #list),
    averaged(columns, #list + 1, #all), self.drawn)
  return { d.mean, d.low, d.high, signed = true }
end

-- The arms by whoever answered: {name=, word=, arms = list} each, the models in their
-- order, then what asked none.
function Board:answerers()
  return keep(self, "answerers", self, function ()
    local list, by_name, last = {}, {}, {}
    for _, model in ipairs(self.models) do
      by_name[model.name] = { name = model.name, word = model.word, arms = {} }
      list[#list + 1] = by_name[model.name]
    end
    for _, arm in ipairs(self.arms) do
      local entry = not arm.control and by_name[arm.model]
      table.insert(entry and entry.arms or last, arm)
    end
    if last[1] then
      list[#list + 1] = { name = "no model", word = "no-model", arms = last }
    end
    return list
  end)
end

-- Whether the benchmark has data for a grouping.
function Board:has(by)
  for _, name in ipairs(scored.available(self.benchmark)) do
    if name == by then return true end
  end
  return false
end

-- The first pair of settings, closed and open, that models were asked in both:
-- {closed=, open=} lists of arms, the same models in both. Nil without one.
function Board:books()
  for _, pair in ipairs(board.pairs) do
    local closed, open = {}, {}
    for _, model in ipairs(self.models) do
      if model.arms[pair[1]] and model.arms[pair[2]] then
        closed[#closed + 1] = model.arms[pair[1]]
        open[#open + 1] = model.arms[pair[2]]
      end
    end
    if closed[1] then return { closed = closed, open = open } end
  end
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

-- An arm's name where it stands alone: whoever answered is named where there
-- are several, and always where it was no model.
function Board:name(arm)
  if not arm.control and #self.models < 2 then return arm.label end
  return arm.label .. (arm.control and " (" .. arm.model .. ")"
    or ", " .. arm.model)
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
