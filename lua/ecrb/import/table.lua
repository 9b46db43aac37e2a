-- Anyone's enzymes: a table with ids, labels and splits, and their sequences in
-- it or in a FASTA file. Without a table the FASTA file alone makes a benchmark
-- without labels.

local cells = require "ecrb.import.cells"
local counted = require "ecrb.counted"
local fail = require "ecrb.fail"
local import = require "core.import"
local read_sequences = require "ecrb.import.sequences"

local own = {}

-- What a column may be called where the command line does not say.
local usual = {
  id = { "id", "item", "Entry", "accession", "ID" },
  ec = { "ec", "EC number", "EC", "label", "labels" },
  split = { "split" },
  sequence = { "sequence", "Sequence" },
}

local function column_of(path, there, role, given)
  if given then return given end
  for _, name in ipairs(usual[role]) do
    if there[name] then return name end
  end
  if role == "id" or role == "ec" then
    fail("%s:1: no column is called `%s`; name it with --%s-column", path,
      table.concat(usual[role], "` or `"), role)
  end
end

-- The columns to ask for; a role that the table lacks asks for none.
local function columns_of(args)
  local there, list = {}, {}
  for _, name in ipairs(import.columns(args.table)) do there[name] = true end
  for i, role in ipairs { "id", "ec", "split", "sequence" } do
    list[i] = column_of(args.table, there, role, args[role .. "_column"])
      or "(none)?"
  end
  return list
end

local function join(report, path, line, row, labels, split, sequence)
  if row.split ~= split or row.sequence ~= sequence then
    cells.refuse(path, line, "`%s` stands in line %d with another split or sequence",
      row.id, row.line)
  end
  report:count("{row|rows} of an id that was there, {its|their} labels joined", path, line)
  local seen = {}
  for _, label in ipairs(row.labels) do seen[label] = true end
  for _, label in ipairs(labels) do
    if not seen[label] then row.labels[#row.labels + 1] = label end
  end
end

-- The rows by id, and in their order.
local function read_rows(state)
  local args, rows = state.args, {}
  for line, id, text, split, sequence in import.table(args.table, columns_of(args)) do
    local labels = cells.labels(state.report, args.table, line, text)
    if split == "" then cells.refuse(args.table, line, "the split is empty") end
    if rows[id] then
      join(state.report, args.table, line, rows[id], labels, split, sequence)
    else
      rows[id] = { id = id, line = line, labels = labels, split = split,
        sequence = sequence }
      rows[#rows + 1] = rows[id]
    end
  end
  if #rows == 0 then fail("%s: holds no row", args.table) end
  return rows
end

local function refuse_without(args, missing)
  if #missing == 0 then return end
  fail("%s: %s%s: %s%s", args.table, counted("%d {item has|items have} no sequence", #missing),
    args.fasta and " in " .. args.fasta or "; give them with --fasta, or in a column "
    .. "`sequence`", table.concat(missing, ", ", 1, math.min(#missing, 20)),
    #missing > 20 and ", ..." or "")
end

local function add_rows(state, rows, sequences)
  local args, missing = state.args, {}
  for _, row in ipairs(rows) do
    local given = sequences and sequences[row.id]
    local sequence = given and given.sequence or row.sequence
    if sequence and sequence ~= "" then
      cells.item(state, args.table, row.line, { id = row.id, labels = row.labels,
        split = row.split or args.split or "all",
        sequence = cells.sequence(state.report, args.table, row.line, sequence) })
    else
      missing[#missing + 1] = row.id
    end
  end
  refuse_without(args, missing)
end

local function add_unlabelled(state)
  local args = state.args
  local sequences = read_sequences(state.report, args.fasta)
  for _, id in ipairs(sequences) do
    cells.item(state, args.fasta, sequences[id].line, { id = id, labels = {},
      split = args.split or "all", sequence = sequences[id].sequence })
  end
  if #sequences == 0 then fail("%s: holds no sequence", args.fasta) end
end

local function say_splits(state)
  local counts, order = {}, {}
  for _, item in ipairs(state.ids) do
    if not counts[item.split] then
      order[#order + 1], counts[item.split] = item.split, { 0, 0 }
    end
    local count = counts[item.split]
    count[1] = count[1] + 1
    if #item.labels > 1 then count[2] = count[2] + 1 end
  end
  for _, split in ipairs(order) do
    state.report:say("split %s: %d {item|items}, %d with several labels", split,
      table.unpack(counts[split]))
  end
end
own.say_splits = say_splits

local function read_tree(state)
  if not state.args.tree then
    state.report:say("tree: no --tree is given, the leaves are the labels alone")
    return
  end
  state.report:say("tree: %d {leaf|leaves} of %s", state.tree:leaves(state.args.tree),
    state.args.tree)
end
own.read_tree = read_tree

-- Reads table and sequences into an import's state (ecrb/import/build.lua).
function own.read(state)
  local args = state.args
  if not args.table and not args.fasta then
    fail("give a table of labels, or sequences with --fasta, or both")
  end
  if not args.table and not args.tree then
    fail("without labels the tree must come from --tree")
  end
  read_tree(state)
  if args.table then
    local rows = read_rows(state)
    add_rows(state, rows, args.fasta and read_sequences(state.report, args.fasta, rows))
  else
    add_unlabelled(state)
  end
  say_splits(state)
  if args.tree then state.tree:say_extra(state.ids) end
end

function own.tree_option(p)
  p:option("--tree", "leaves of the EC tree: a plain list, or any file that --names takes "
    .. "(default: the labels alone)"):argname("FILE")
end

-- The options of its own.
function own.configure(p)
  p:argument("TABLE", "labels of the items: a table with a header line, comma- or "
    .. "tab-separated"):target("table"):argname("TABLE"):args("?")
  p:option("--fasta", "sequences of the items (default: a column of TABLE)"):argname("FASTA")
  own.tree_option(p)
  p:option("--split", "split of the items where TABLE has no such column (default: all)")
    :argname("NAME")
  for _, role in ipairs { "id", "ec", "split", "sequence" } do
    p:option("--" .. role .. "-column", string.format("column of TABLE with the %s (default: "
      .. "%s)", role, table.concat(usual[role], ", "))):argname("NAME")
  end
end

return own
