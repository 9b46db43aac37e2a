-- A run with its scores: the records of a folder, each with what the labels say
-- of it, and the groups that they are reported by. The labels stay in C.

local core_score = require "core.score"
local fail = require "ecrb.fail"
local import = require "core.import"
local kinds = require "ecrb.report.kinds"
local records = require "ecrb.report.records"
local system = require "core.system"

local scored = {}

-- The scorer's version: it changes when a figure would.
scored.version = 1

-- Whether any item of a run has a set for an answer; then all are scored as
-- sets, an item without more as the set of its one leaf.
local function answers_sets(run)
  for _, record in ipairs(run) do
    if record.others then return true end
  end
  return false
end

local function set_of(record)
  local nodes = { record.path[4] }
  return table.move(record.others or {}, 1, #(record.others or {}), #nodes + 1, nodes)
end

-- The bins of difficulty.tsv by item: {bin=, homology_bin=}; nil without the file.
local function read_difficulty(bench)
  local path, rows = bench.folder .. "/difficulty.tsv", {}
  if not system.exists(path) then return nil end
  for _, item, bin, homology in import.table(path, { "item", "bin", "homology_bin" }, "\t") do
    rows[item] = { bin = bin, homology_bin = homology }
  end
  return rows
end

-- A record that says that its EC number does not exist, or that it answered one,
-- must be right about that.
local function check_existence(run, record)
  local says, is = record.outcome, record.score.exists
  if says == "answered" and not is or says == "invalid" and is then
    fail("%s: %s: the outcome is `%s`, but `%s` is %s node of the tree", run.folder,
      record.name, says, record.path[#record.path], is and "a" or "no")
  end
end

-- Gives each record of an opened run its `score` (core.score.items).
function scored.score(run)
  if answers_sets(run) then
    for _, record in ipairs(run) do record.nodes = set_of(record) end
  end
  for i, score in ipairs(core_score.items(run.bench, run)) do
    run[i].score = score
    check_existence(run, run[i])
  end
  return run
end

local function check_labels(run)
  if run.bench:labelled() then return end
  fail("%s: benchmark %s has no labels, so there is nothing to score", run.folder,
    run.benchmark.name)
end

-- The folder's records with their scores. The arguments are those of records.open.
function scored.open(folder, options, for_figures)
  local run = records.open(folder, options, for_figures)
  check_labels(run)
  return scored.score(run)
end

local function from_difficulty(column)
  return function (run)
    run.difficulty = run.difficulty or read_difficulty(run.benchmark)
    if not run.difficulty then
      fail("%s: benchmark %s has no difficulty.tsv to group by", run.folder,
        run.benchmark.name)
    end
    return function (record)
      local row = run.difficulty[record.key]
      return row and { row[column] } or {}
    end
  end
end

-- The top-level classes that the labels name.
local function classes_of(record)
  local names, set, class = {}, record.score.classes, 1
  while set ~= 0 do
    if set & 1 ~= 0 then names[#names + 1] = "class " .. class end
    set, class = set >> 1, class + 1
  end
  return names
end

local rules = {
  split = function () return function (record) return { record.split } end end,
  class = function () return classes_of end,
  difficulty = from_difficulty "bin",
  homology = from_difficulty "homology_bin",
}

scored.groupings = { "split", "class", "difficulty", "homology" }

-- The groupings that a benchmark has data for.
function scored.available(benchmark)
  if system.exists(benchmark.folder .. "/difficulty.tsv") then
    return scored.groupings
  end
  return { "split", "class" }
end

-- `<30` before `30-40`, `D1` before `D2`, `class 1` before `class 2`.
local function place(name)
  local number = tonumber(string.match(name, "%d+"))
  return string.sub(name, 1, 1) == "<" and number - 1 or number
end

-- Splits stand in the order of the benchmark, bins and classes in their own.
local function in_order(by, names)
  if by ~= "split" then
    table.sort(names, function (a, b) return place(a) < place(b) end)
  end
  return names
end

-- A grouping of `run` that is filled item by item: {by=, rule=, rows={[name]=rows}}.
local function grouping(run, by)
  return { by = by, rule = rules[by](run), rows = {} }
end

local function add_to(groups, record, kind)
  for _, name in ipairs(groups.rule(record)) do
    groups.rows[name] = groups.rows[name] or kinds.rows()
    groups.rows[name]:add(kind, record.index, record.usage)
  end
end

-- The groups of a filled grouping, as scored.groups gives them.
local function filled(groups, all)
  local names, list = {}, {}
  for name in pairs(groups.rows) do names[#names + 1] = name end
  table.sort(names, function (a, b) return groups.rows[a].first < groups.rows[b].first end)
  for i, name in ipairs(in_order(groups.by, names)) do
    list[i] = { by = groups.by, name = name, rows = groups.rows[name] }
    list[i].rows:finish(all.sets)
  end
  if #list ~= 1 then list[#list + 1] = { by = groups.by, name = "all", rows = all } end
  return list
end

-- A run without its records, for figures alone: what records.run gives, in `all` the
-- kinds of its items (ecrb.report.kinds), in `groups` those of each group of the
-- groupings that `by` names (`all`: of those that there are). A loss ledger of them
-- needs their paths.
function scored.packed(folder, options, by, with_paths)
  local run = records.run(folder, options)
  check_labels(run)
  local score, shelf = core_score.scorer(run.bench), kinds.shelf(with_paths)
  local all, sets, groupings = kinds.rows(), false, {}
  for i, name in ipairs(by == "all" and scored.available(run.benchmark) or { by }) do
    groupings[i] = grouping(run, name)
  end
  records.each(run, options, true, function (record)
    record.nodes, sets = set_of(record), sets or record.others ~= nil
    record.score = score(record)
    check_existence(run, record)
    local kind = shelf(record)
    all:add(kind, record.index, record.usage)
    for _, groups in ipairs(groupings) do add_to(groups, record, kind) end
  end)
  all:finish(sets)
  run.all, run.groups = all, {}
  for _, groups in ipairs(groupings) do
    local list = filled(groups, all)
    table.move(list, 1, #list, #run.groups + 1, run.groups)
  end
  return run
end

-- The groups of a run: {name=, rows=} each, `all` last. A multi-label item is
-- in every class that its labels name.
function scored.groups(run, by)
  local rule, rows, names = rules[by](run), {}, {}
  for _, record in ipairs(run) do
    for _, name in ipairs(rule(record)) do
      if not rows[name] then
        rows[name] = {}
        names[#names + 1] = name
      end
      table.insert(rows[name], record)
    end
  end
  local groups = {}
  for i, name in ipairs(in_order(by, names)) do
    groups[i] = { name = name, rows = rows[name] }
  end
  if #groups ~= 1 then groups[#groups + 1] = { name = "all", rows = run } end
  return groups
end

return scored
