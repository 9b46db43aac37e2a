-- `ecrb care export RUN -o FILE.csv`: a run's answers as a ranking that CARE's
-- own evaluation reads. With CARE's split file it has that file's columns and
-- rows; without it the columns that the benchmark knows.

local answers = require "ecrb.care.answers"
local counted = require "ecrb.counted"
local fail = require "ecrb.fail"
local output = require "ecrb.care.output"
local split_file = require "ecrb.care.split_file"
local system = require "core.system"

local action = { summary = "a run's answers as rankings for CARE's evaluation" }

function action.configure(p)
  p:argument("run", "run folder"):argname("RUN")
  p:option("-o --out", "the ranking to write, or a folder for one a split")
    :argname("FILE.csv"):count(1)
  p:option("--split", "only this split of the run"):argname("SPLIT")
  p:option("--like", "CARE's split file: all its columns, in its order, every "
    .. "row"):argname("SPLIT.csv")
  p:flag("--partial", "an unfinished run as far as it is")
  p:option("--bench", "where the benchmark of the run stands"):argname("BENCH")
end

local function followed_by(cells, predictions)
  return table.move(predictions, 1, #predictions, #cells + 1, cells)
end

-- {===================================================================
-- The columns that the benchmark knows
-- ====================================================================

local protein = { "Entry", "EC number", "Sequence", "Length" }
local reaction = { "Reaction", "EC number", "Reaction Text", "Text" }

local function known_cells(row)
  local item, labels = row.item, table.concat(row.labels, ";")
  if item.reaction then
    return { item.reaction, labels, item.equation, item.text }
  end
  return { item.id, labels, item.sequence, #item.sequence }
end

local function with_known_columns(split)
  local rows = {}
  for i, row in ipairs(split.rows) do
    rows[i] = followed_by(known_cells(row), row.predictions)
  end
  return split.rows[1].item.reaction and reaction or protein, rows
end
-- }===================================================================

-- {===================================================================
-- The columns of CARE's split file
-- ====================================================================

-- Which answer belongs to a row: by accession, or, since reactions have none,
-- by place.
local function index_of(split)
  local index = {}
  for _, row in ipairs(split.rows) do
    index[row.item.reaction and row.item.ordinal or row.item.id] = row
  end
  return index
end

local function key_of(path, names)
  for i, name in ipairs(names) do
    if name == "Entry" or name == "Reaction" then return i, name == "Reaction" end
  end
  fail("%s:1: has neither a column `Entry` nor `Reaction`", path)
end

local function check_reaction(path, line, row, text)
  if row.item.reaction ~= text then
    fail("%s:%d: is another reaction than %s of the benchmark; name the split "
      .. "file that it was made of", path, line, row.item.name)
  end
end

local function check_all_taken(taken, split, path)
  if taken < #split.rows then
    fail("%s: holds %d of the run's %d {item|items} of split %s; name that split's file",
      path, taken, #split.rows, split.split)
  end
end

local function with_columns_of(path, split, partial)
  local file, index, rows, taken = split_file(path), index_of(split), {}, 0
  local key, reactions = key_of(path, file.names)
  for n, line in ipairs(file.rows) do
    local name = line.cells[key]
    local row = index[reactions and n or name]
    if not row and not partial then
      fail("%s:%d: the run has no answer to `%s`; finish it, or say --partial",
        path, line.line, string.sub(name, 1, 40))
    end
    if row and reactions then check_reaction(path, line.line, row, name) end
    taken = taken + (row and 1 or 0)
    rows[n] = followed_by(line.cells, row and row.predictions or {})
  end
  check_all_taken(taken, split, path)
  return file.names, rows
end
-- }===================================================================

local function write(path, split, args)
  local columns, rows
  if args.like then
    columns, rows = with_columns_of(args.like, split, args.partial)
  else
    columns, rows = with_known_columns(split)
  end
  output(path, columns, split.width, rows)
end

local function chosen(splits, args)
  if not args.split then return splits end
  if splits[args.split] then return { splits[args.split] } end
  fail("%s: the run has no split `%s`", args.run, args.split)
end

-- The name under which CARE's notebook looks for a split.
local function name_for(split)
  return string.format("%s_%s_test_results_df.csv", split.split,
    split.rows[1].item.reaction and "reaction" or "protein")
end

function action.run(args)
  local splits = chosen(answers.of(args.run, { partial = args.partial,
    bench = args.bench }), args)
  local one_file = string.sub(args.out, -4) == ".csv"
  if #splits == 0 then fail("%s: no item is finished yet", args.run) end
  if #splits > 1 and (one_file or args.like) then
    fail("%s: has %d splits and CARE's rankings have one; choose with --split, "
      .. "or name a folder with -o", args.run, #splits)
  end
  if not one_file then system.mkdir(args.out) end
  for _, split in ipairs(splits) do
    local path = one_file and args.out or args.out .. "/" .. name_for(split)
    write(path, split, args)
    io.stderr:write(counted("%s: %d {row|rows}\n", path, #split.rows))
  end
end

return action
