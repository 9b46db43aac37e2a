-- UniProt as a flat file or as a tab-separated download. With --since the
-- entries that came later are the items and those before are the training set,
-- as a model sees the world that was trained before; without it every enzyme is
-- an item.

local cells = require "ecrb.import.cells"
local ec = require "core.ec"
local fail = require "ecrb.fail"
local import = require "core.import"
local own = require "ecrb.import.table"
local writer = require "ecrb.writer"

local uniprot = {}

local function rows(path, dated)
  local columns = { "Entry", "EC number", "Sequence",
    dated and "Date of creation" or "Date of creation?" }
  local next_row, reader, _, closing = import.table(path, columns, "\t")
  return function ()
    local line, id, text, sequence, created = next_row(reader)
    if not line then return nil end
    return line, { id = id, ec = text, sequence = sequence, created = created }
  end, nil, nil, closing
end

-- The entries {id, ec, sequence, created} of a file; a flat file has no tab in
-- its first line.
local function entries(path, dated)
  if #import.columns(path, "\t") > 1 then return rows(path, dated) end
  return import.entries(path)
end

-- The EC numbers of an entry: all of them, and those that are complete.
local function numbers_of(state, path, line, entry)
  local all, complete, seen = {}, {}, {}
  if entry.ec == "" then return all, complete end
  for _, number in ipairs(cells.ecs(state.report, path, line, entry.ec)) do
    local level, kind = select(2, ec.parse(number))
    if not seen[number] then all[#all + 1] = number end
    if not seen[number] and level == 4 and kind ~= "brenda" then
      complete[#complete + 1] = number
    end
    seen[number] = true
  end
  return all, complete
end

local function is_new(args, entry)
  return not args.since or entry.created >= args.since
end

-- Why an entry with these numbers is no item; nil where it is one.
local function reason_of(args, entry, all, complete)
  if #all == 0 then return "bare" end
  if #complete == 0 then return "partial" end
  return not is_new(args, entry) and "older" or nil
end

local function add_items(state, path)
  local skipped, n = { bare = 0, partial = 0, older = 0 }, 0
  for line, entry in entries(path, state.args.since) do
    local all, complete = numbers_of(state, path, line, entry)
    local reason = reason_of(state.args, entry, all, complete)
    n = n + 1
    if reason then
      skipped[reason] = skipped[reason] + 1
    else
      cells.item(state, path, line, { id = entry.id, labels = complete,
        split = state.args.split or "uniprot",
        sequence = cells.sequence(state.report, path, line, entry.sequence) })
    end
  end
  state.report:say("uniprot: %d {entry|entries} of %s; left out: %d without an EC number, %d "
    .. "with incomplete ones alone, %d older", n, path, skipped.bare, skipped.partial,
    skipped.older)
end

-- The older enzymes, save for those with the sequence of an item.
local function add_training(state, path)
  local n, twins = 0, 0
  state.training = {}
  for line, entry in entries(path, true) do
    local all = numbers_of(state, path, line, entry)
    if #all > 0 and not is_new(state.args, entry) then
      if state.builder:holder(entry.sequence) then
        twins = twins + 1
      else
        cells.accept(path, line, state.builder:train(entry.id, all))
        state.training[entry.id] = true
        n = n + 1
      end
    end
  end
  state.report:say("training: %d older {enzyme|enzymes}; %d more {has|have} the sequence of an "
    .. "item and {is|are} left out", n, twins)
end

-- train.fasta in the benchmark's folder, for whoever searches.
local function write_training(state, path, folder)
  local file <close>, n = writer.open(folder .. "/train.fasta"), 0
  for _, entry in entries(path, true) do
    if state.training[entry.id] then
      file:write(">", entry.id, "\n", entry.sequence, "\n")
      n = n + 1
    end
  end
  file:finish()
  return { name = "train.fasta", rows = n, sha256 = import.sha256(folder .. "/train.fasta") }
end

-- Reads the file into an import's state (ecrb/import/build.lua).
function uniprot.read(state)
  local args = state.args
  if args.since and args.train then
    fail("--since makes the training set of the older entries; leave --train out")
  end
  own.read_tree(state)
  add_items(state, args.file)
  if #state.ids == 0 then fail("%s: no entry is an item", args.file) end
  if args.since then
    add_training(state, args.file)
    state.extra = function (folder) return write_training(state, args.file, folder) end
  end
  own.say_splits(state)
  if args.tree then state.tree:say_extra(state.ids) end
end

local function date(text)
  if string.find(text, "^%d%d%d%d%-%d%d%-%d%d$") then return text end
  return nil, "`" .. text .. "` is no date of the form 2024-05-13"
end

-- The options of its own.
function uniprot.configure(p)
  p:argument("FILE", "flat file, or a download with the columns `Entry`, `EC number`, "
    .. "`Sequence` and, for --since, `Date of creation`"):target("file"):argname("FILE")
  p:option("--since", "day (2024-05-13) from which on entries are items; older ones become the "
    .. "training set (default: all are items)"):argname("DATE"):convert(date)
  own.tree_option(p)
  p:option("--split", "split of the items (default: uniprot)"):argname("NAME")
end

return uniprot
