-- CARE's task 2 as it was published: test reactions with their EC numbers, and
-- the text that CARE associates with an EC number. A reaction has no accession:
-- it is known by its split and its place there.

local care = require "ecrb.import.care"
local cells = require "ecrb.import.cells"
local import = require "core.import"

local task2 = {}

task2.splits = { "easy", "medium", "hard" }

-- EC number to text.
local function read_texts(folder)
  local texts, path = {}, care.path_of(folder, "processed_data/text2EC.csv")
  for _, number, text in import.table(path, { "EC number", "Text" }, ",") do
    texts[number] = text
  end
  return texts
end

-- The texts of all labels, each once.
local function text_for(texts, labels)
  local parts, seen = {}, {}
  for _, label in ipairs(labels) do
    local text = texts[label]
    if text and not seen[text] then parts[#parts + 1] = text end
    seen[text or ""] = true
  end
  return table.concat(parts, " | ")
end

local function add(state, texts, path, line, row)
  local labels = cells.labels(state.report, path, line, row.label)
  local text = text_for(texts, labels)
  if text == "" then state.report:count("{reaction|reactions} without a text", path, line) end
  if row.equation == "" then
    state.report:count("{reaction|reactions} without words", path, line)
  end
  if state.builder:holder(row.reaction) then
    state.report:count("{item|items} with the reaction of an earlier item", path, line)
  end
  cells.accept(path, line, state.builder:reaction(row.id, row.split,
    { reaction = row.reaction, equation = row.equation, text = text }, labels))
  state.ids[#state.ids + 1] = { id = row.id, split = row.split, labels = labels }
end

local function read_split(state, folder, texts, split)
  local path = care.path_of(folder, "splits/task2/" .. split .. "_reaction_test.csv")
  local columns, n = { "Reaction", "EC number", "Reaction Text?" }, 0
  for line, reaction, label, equation in import.table(path, columns, ",") do
    n = n + 1
    if reaction == "" then cells.refuse(path, line, "the reaction is empty") end
    add(state, texts, path, line, { id = string.format("%s-%03d", split, n), split = split,
      reaction = reaction, label = label, equation = equation or "" })
  end
  state.report:say("split %s: %d {reaction|reactions}", split, n)
end

-- Reads CARE's folder into an import's state (ecrb/import/build.lua).
function task2.read(state)
  local folder = state.args.dir
  state.report:say("tree: %d {leaf|leaves} of CARE's list",
    state.tree:leaves(care.path_of(folder, "processed_data/EC_list.txt")))
  local texts = read_texts(folder)
  for _, split in ipairs(#state.args.split > 0 and state.args.split or task2.splits) do
    read_split(state, folder, texts, split)
  end
  state.tree:say_extra(state.ids)
  state.report:say("text: CARE's text of the label's own EC number; a method that shows "
    .. "it is told the class in words")
end

-- The options of its own.
function task2.configure(p)
  p:argument("DIR", "folder with CARE's `processed_data` and `splits`"):target("dir")
    :argname("DIR")
  p:option("--split", "split to take: easy, medium or hard; may be repeated (default: all)")
    :choices(task2.splits):count("*"):init({}):argname("SPLIT")
end

return task2
