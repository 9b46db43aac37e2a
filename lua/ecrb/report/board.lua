-- Everything that the tables and figures of a report read: the arms, the models
-- in them, the references without a model, and figures that are taken once and
-- kept.

local arms = require "ecrb.report.arms"
local calibration = require "ecrb.report.calibration"
local ledger = require "ecrb.report.ledger"
local lineup = require "ecrb.report.lineup"
local metrics = require "ecrb.report.metrics"
local retrieval = require "ecrb.report.retrieval"
local scored = require "ecrb.report.scored"
local shared = require "ecrb.report.shared"
local statistics = require "core.statistics"
local summary = require "ecrb.report.summary"

local board = {}

local Board = {}
Board.__index = Board

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
-- Fields: arms, empty (runs without a record), what ecrb.report.lineup makes of
-- the arms (models, settings, answerers, books, items, splits, counts), whole (an
-- arm of all items, to be grouped), benchmark, bench, how. Nil where no run has a
-- record.
function board.open(folders, options)
  local self = setmetatable({ options = options, kept = {} }, Board)
  local runs
  runs, self.empty = open_runs(folders, options)
  if not runs[1] then return nil end
  self.arms = arms.of(runs)
  self.models = lineup.models(self.arms)
  self.settings = lineup.settings(self.arms)
  self.answerers = lineup.answerers(self.arms, self.models)
  self.books = lineup.books(self.models)
  self.items = lineup.items(self.arms)
  self.whole = { run = self.items }
  self.splits, self.counts = lineup.splits(self.items)
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
    return ledger.of(arm.run, self.superseded, metrics.along(#arm.run, self.how))
  end)
end

-- Whether an arm's confidences mean what they say (ecrb.report.calibration).
function Board:calibration(arm)
  return keep(self, "calibration", arm, function ()
    return calibration.all(arm.run, metrics.along(#arm.run, self.how))
  end)
end

-- The columns of a score for the arms of a list over a group, nil where their
-- items differ.
local function columns_of(self, list, score, by, name)
  local rows = {}
  for a, arm in ipairs(list) do rows[a] = self:rows(arm, by, name) or {} end
  return shared.columns(rows, score)
end

-- The mean of a score over arms that have the same items, with an interval over
-- the items; nil where they have not.
function Board:mean(list, score, by, name)
  if #list == 1 and string.find(score, "^l%d$") then
    local levels = self:levels(list[1], by, name)
    return levels and levels[score] or nil
  end
  local columns = columns_of(self, list, score, by, name)
  return columns and statistics.means({ shared.averaged(columns, 1, #columns) },
    self.drawn)[1]
end

-- The mean calibration error of arms that have the same items, with an interval
-- over the items; nil where they have not, or where one states no confidence.
function Board:mean_error(list)
  local target = self.how.ece_target == "node" and "node" or "l4"
  local correct = columns_of(self, list, target)
  if not correct then return nil end
  local confidences = {}
  for a, arm in ipairs(list) do
    if self:figures(arm).confidences == 0 then return nil end
    confidences[a] = metrics.column(arm.run, function (r) return r.confidence end)
  end
  return statistics.mean_ece(confidences, correct, { replicates = self.how.replicates,
    seed = self.how.seed, left_edges = self.how.ece_edges == "left" })
end

-- What the arms of a list have on average more than those of another in a
-- score, paired by item: an estimate, nil where the items differ.
function Board:gain(list, others, score, by, name)
  local all = table.move(others, 1, #others, #list + 1,
    table.move(list, 1, #list, 1, {}))
  local columns = list[1] and others[1]
    and columns_of(self, all, score, by, name)
  if not columns then return nil end
  local d = statistics.compare(shared.averaged(columns, 1, #list),
    shared.averaged(columns, #list + 1, #all), self.drawn)
  return { d.mean, d.low, d.high, signed = true }
end

-- Whether the benchmark has data for a grouping.
function Board:has(by)
  for _, name in ipairs(scored.available(self.benchmark)) do
    if name == by then return true end
  end
  return false
end

-- The arms of one key, model by model.
function Board:of_key(key)
  local list = {}
  for _, model in ipairs(self.models) do
    if model.arms[key] then list[#list + 1] = model.arms[key] end
  end
  return list
end

-- What a figure sets side by side, {arm=, name=} each: of several models their
-- arms of `key`, by the models' names; of one model all its settings.
function Board:compared(key)
  local list, several = {}, #self.models > 1
  for _, arm in ipairs(self.arms) do
    if not arm.control and (not several or arm.key == key) then
      list[#list + 1] = { arm = arm, name = several and arm.model or arm.label }
    end
  end
  return list
end

-- The same, of those who state a confidence.
function Board:confident(key)
  local list = {}
  for _, entry in ipairs(self:compared(key)) do
    if self:figures(entry.arm).confidences > 0 then list[#list + 1] = entry end
  end
  return list
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
-- are shards or unfinished.
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
  for _, arm in ipairs(self.arms) do
    add(summary.part_note(arm.run))
    add(pending_note(arm.run))
  end
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
