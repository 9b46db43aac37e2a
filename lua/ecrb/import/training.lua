-- The training set: a table of ids and EC numbers, and its sequences, which
-- are only checked: none may be a test item's.

local cells = require "ecrb.import.cells"
local ec = require "core.ec"
local fail = require "ecrb.fail"
local import = require "core.import"
local text = require "core.text"

local training = {}

-- The layouts that are known by their column names; the last is CARE's
-- protein_train.csv, one row per protein and EC number.
local layouts = { { "id", "ec" }, { "enzyme", "ec" }, { "Entry", "EC number" } }

local function layout_of(path)
  local there = {}
  for _, name in ipairs(import.columns(path)) do there[name] = true end
  for _, layout in ipairs(layouts) do
    if there[layout[1]] and there[layout[2]] then return layout end
  end
  fail("%s:1: needs the columns `id` and `ec` (or `enzyme` and `ec`, or CARE's "
    .. "`Entry` and `EC number`)", path)
end

local function note_partial(report, path, line, list)
  for _, number in ipairs(list) do
    if ec.level(number) < 4 then
      report:count("training {enzyme|enzymes} with an incomplete EC number, kept: it is no "
        .. "vote", path, line)
      return
    end
  end
end

-- Calls add(line, id, list), which tells whether the id is new, for every row of
-- the table; returns the number of enzymes.
function training.each(report, path, add)
  local n = 0
  for line, id, cell in import.table(path, layout_of(path)) do
    local list = cells.ecs(report, path, line, cell)
    note_partial(report, path, line, list)
    if add(line, id, list) then
      n = n + 1
    else
      report:count("training {row|rows} of an id that was there, joined", path, line)
    end
  end
  if n == 0 then fail("%s: no training enzyme", path) end
  report:say("training: %d {enzyme|enzymes} of %s", n, path)
  return n
end

-- Reads the table into a builder; returns the number of enzymes.
function training.table(builder, report, path)
  return training.each(report, path, function (line, id, list)
    return cells.accept(path, line, builder:train(id, list))
  end)
end

-- A digest stands for a sequence: two of one id are the same or not.
local function check_again(seen, report, path, line, record)
  local before, digest = seen[record.id], text.sha256(record.sequence)
  if before and before.digest == digest then
    report:count("training {sequence that stands|sequences that stand} twice under one id", path,
      line)
  elseif before then
    cells.refuse(path, line, "`%s` stands in line %d with another sequence", record.id,
      before.line)
  end
  seen[record.id] = before or { digest = digest, line = line }
end

local function leak_of(builder, path, line, record)
  local item = builder:holder(record.sequence)
  return item and string.format("%s:%d: %s has the sequence of the item %s", path,
    line, record.id, item)
end

-- Checks the sequences of a FASTA file against the items.
function training.fasta(builder, report, path)
  local seen, leaks, n = {}, {}, 0
  for line, record in import.fasta(path) do
    n = n + 1
    if not builder:trains(record.id) then
      report:count("training {sequence|sequences} whose id the training table lacks", path,
        line)
    end
    check_again(seen, report, path, line, record)
    leaks[#leaks + 1] = leak_of(builder, path, line, record)
  end
  report:say("training: %d {sequence|sequences} of %s checked", n, path)
  return leaks
end

return training
