-- CARE's release as it was published: the EC list and the four test splits of
-- task 1. Prefix columns are not read: EC2 went through a float and lost zeros.

local cells = require "ecrb.import.cells"
local ec = require "core.ec"
local fail = require "ecrb.fail"
local import = require "core.import"
local system = require "core.system"
local tree = require "ecrb.import.tree"

local care = {}

care.splits = { "30", "30-50", "price", "promiscuous" }

local function path_of(folder, name)
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
    report:count("rows whose EC2 column is corrupt, not used", path, line)
  end
end

local function check_twin(builder, report, path, line, sequence)
  if builder:holder(sequence) then
    report:count("items with the sequence of an earlier item", path, line)
  end
end

local function read_split(state, path, split)
  local found = { split = split, items = 0, multiple = 0, labels = {} }
  local columns = { "Entry", "EC number", "Sequence", "EC2?" }
  for line, id, text, sequence, prefix in import.table(path, columns, ",") do
    local labels = cells.labels(state.report, path, line, text)
    check_prefix(state.report, path, line, prefix, labels)
    sequence = cells.sequence(state.report, path, line, sequence)
    check_twin(state.builder, state.report, path, line, sequence)
    cells.accept(path, line, state.builder:item(id, split, sequence, labels))
    state.ids[#state.ids + 1] = { id = id, split = split, labels = labels }
    found.items = found.items + 1
    if #labels > 1 then found.multiple = found.multiple + 1 end
  end
  return found
end

-- The leaves that come from labels alone, with the items that bear them.
local function extra_leaves(builder, ids)
  local order, items = {}, {}
  for _, item in ipairs(ids) do
    for _, label in ipairs(item.labels) do
      if items[label] then
        table.insert(items[label], item.id)
      elseif not builder:lists(label) then
        order[#order + 1], items[label] = label, { item.id }
      end
    end
  end
  table.sort(order, function (a, b) return ec.compare(a, b) < 0 end)
  return order, items
end

local function say_extra(report, order, items)
  for i, label in ipairs(order) do
    order[i] = label .. " (" .. table.concat(items[label], ", ") .. ")"
  end
  if #order > 0 then
    report:say("tree: %d leaves come from labels alone: %s", #order,
      table.concat(order, ", "))
  end
end

local function note_stale(report, folder)
  local path = folder .. "/splits/task1/fastas/all_test_seqs.fasta"
  if system.exists(path) then
    report:say("%s is stale and is not read", path)
  end
end

-- Reads the folder into the builder. Returns {ids = {{id, split}...}, splits =
-- {{split, items, multiple}...}, listed = leaves of the list}.
function care.read(builder, report, folder)
  local state = { builder = builder, report = report, ids = {} }
  local listed = tree.list(builder, report,
    path_of(folder, "processed_data/EC_list.txt"))
  report:say("tree: %d leaves of CARE's list", listed)
  local splits = {}
  for i, split in ipairs(care.splits) do
    local file = "splits/task1/" .. split .. "_protein_test.csv"
    splits[i] = read_split(state, path_of(folder, file), split)
    report:say("split %s: %d items, %d with several labels", split,
      splits[i].items, splits[i].multiple)
  end
  say_extra(report, extra_leaves(builder, state.ids))
  note_stale(report, folder)
  return { ids = state.ids, splits = splits, listed = listed }
end

return care
