-- CARE's release as it was published: the EC list and the four test splits of
-- task 1. Prefix columns are not read: EC2 went through a float and lost zeros.

local cells = require "ecrb.import.cells"
local fail = require "ecrb.fail"
local import = require "core.import"
local system = require "core.system"

local care = {}

care.splits = { "30", "30-50", "price", "promiscuous" }

-- A file of CARE's repository.
function care.path_of(folder, name)
  local path = folder .. "/" .. name
  if system.exists(path) then return path end
  fail("%s: is missing; DIR is the folder of CARE's repository that holds "
    .. "`processed_data` and `splits`", path)
end

-- EC2 as text is the first two parts of the first label, or it is corrupt.
local function check_prefix(report, path, line, prefix, labels)
  if not prefix or prefix == "" then return end
  local expected = string.match(labels[1], "^%d+%.%d+")
  if prefix ~= expected then
    report:count("{row|rows} whose EC2 column is corrupt, not used", path, line)
  end
end

local function read_split(state, path, split)
  local items, multiple = 0, 0
  local columns = { "Entry", "EC number", "Sequence", "EC2?" }
  for line, id, text, sequence, prefix in import.table(path, columns, ",") do
    local labels = cells.labels(state.report, path, line, text)
    check_prefix(state.report, path, line, prefix, labels)
    cells.item(state, path, line, { id = id, split = split, labels = labels,
      sequence = cells.sequence(state.report, path, line, sequence) })
    items = items + 1
    if #labels > 1 then multiple = multiple + 1 end
  end
  state.report:say("split %s: %d {item|items}, %d with several labels", split, items, multiple)
end

local function note_stale(report, folder)
  local path = folder .. "/splits/task1/fastas/all_test_seqs.fasta"
  if system.exists(path) then
    report:say("%s is stale and is not read", path)
  end
end

-- Reads CARE's folder into an import's state (ecrb/import/build.lua).
function care.read(state)
  local folder = state.args.dir
  local listed = state.tree:leaves(care.path_of(folder, "processed_data/EC_list.txt"))
  state.report:say("tree: %d {leaf|leaves} of CARE's list", listed)
  for _, split in ipairs(care.splits) do
    read_split(state, care.path_of(folder, "splits/task1/" .. split .. "_protein_test.csv"),
      split)
  end
  state.tree:say_extra(state.ids)
  note_stale(state.report, folder)
end

-- The options of its own.
function care.configure(p)
  p:argument("DIR", "folder with CARE's `processed_data` and `splits`"):target("dir")
    :argname("DIR")
end

return care
