-- A training set made ready for searching, once. The folder holds
--
--   index.json    what it was made of
--   targets.fasta the sequences as t1, t2, ...; what is no letter is an X
--   targets.tsv   the columns `enzyme` and `ec`, in that order of the sequences
--   TOOL-VERSION/ a tool's own database of them, made at its first use
--
-- and comes into being whole.

local cells = require "ecrb.import.cells"
local contents = require "ecrb.contents"
local ec = require "core.ec"
local fail = require "ecrb.fail"
local file_word = require "ecrb.file_word"
local import = require "core.import"
local json = require "ecrb.json"
local made = require "ecrb.made"
local reports = require "ecrb.import.report"
local system = require "core.system"
local training = require "ecrb.import.training"
local writer = require "ecrb.writer"

local index = {}

local Index = {}
Index.__index = Index

-- {==================================================================
-- Making one
-- ===================================================================

-- The union of two lists, in EC order.
local function joined(a, b)
  local seen, list = {}, {}
  for _, one in ipairs { a, b } do
    for _, number in ipairs(one) do
      if not seen[number] then list[#list + 1] = number end
      seen[number] = true
    end
  end
  table.sort(list, function (x, y) return ec.compare(x, y) < 0 end)
  return list
end

-- Id to the EC numbers that it carries, as a text.
local function read_numbers(report, path)
  local carried = {}
  training.each(report, path, function (line, id, list)
    local before = carried[id]
    if string.find(id, "%s") or id == "" then
      cells.refuse(path, line, "`%s` is no id: the first word of a FASTA header", id)
    end
    carried[id] = table.concat(joined(before and ec.list(before) or {}, list), ";")
    return not before
  end)
  return carried
end

-- Whether a record becomes a target; if not, it is counted.
local function is_target(report, path, line, record, carried)
  if not carried[record.id] then
    report:count("training {sequence|sequences} whose id the training table lacks, not searched",
      path, line)
  elseif record.sequence == "" then
    report:count("training {sequence that is|sequences that are} empty, not searched", path, line)
  else
    return true
  end
end

-- Writes the sequences that carry something; returns their number.
local function write_targets(folder, report, path, carried)
  local fasta <close> = writer.open(folder .. "/targets.fasta")
  local list <close> = writer.open(folder .. "/targets.tsv")
  local n, taken = 0, {}
  list:write("enzyme\tec\n")
  for line, record in import.fasta(path) do
    if not taken[record.id] and is_target(report, path, line, record, carried) then
      n, taken[record.id] = n + 1, true
      fasta:write(">t", n, "\n", string.gsub(record.sequence, "%A", "X"), "\n")
      list:write(record.id, "\t", carried[record.id], "\n")
    end
  end
  fasta:finish()
  list:finish()
  return n, taken
end

local function note_missing(report, path, carried, taken)
  local missing = 0
  for id in pairs(carried) do
    if not taken[id] then missing = missing + 1 end
  end
  if missing > 0 then
    report:say("training: %d {enzyme|enzymes} of the table {has|have} no sequence in %s: "
      .. "{it|they} can be nobody's neighbour", missing, path)
  end
end

-- What identifies a training set: the digests of its sequences and its table,
-- found out once.
local function identity(source)
  if source.made_of then return source.made_of end
  local survey = import.survey(source.fasta)
  if survey.records == 0 then fail("%s: no sequence", source.fasta) end
  source.made_of = { fasta = survey.sha256, table = import.sha256(source.table) }
  return source.made_of
end

-- Fills an empty folder; returns what index.json holds.
local function fill(folder, source, made_of, report)
  local carried = read_numbers(report, source.table)
  local n, taken = write_targets(folder, report, source.fasta, carried)
  if n == 0 then
    fail("%s: none of its ids stands in %s; the first word of a header is the id",
      source.fasta, source.table)
  end
  note_missing(report, source.fasta, carried, taken)
  return { format = 1, made_of = made_of, sequences = n,
    report = json.array(report:text()) }
end
-- }==================================================================

local function manifest_of(folder)
  local text = contents(folder .. "/index.json")
  local manifest = text and json.decode(text)
  if type(manifest) ~= "table" or manifest.format ~= 1 then return nil end
  return manifest
end

function index.is_index(folder)
  return manifest_of(folder) ~= nil
end

-- Opens the index in a folder. Ids and what they carry are lists by the number
-- of the sequence.
function index.open(folder)
  local manifest = manifest_of(folder)
  if not manifest then fail("%s: holds no index of a training set", folder) end
  local self = setmetatable({ folder = folder, manifest = manifest, ids = {}, ecs = {} }, Index)
  for _, id, list in import.table(folder .. "/targets.tsv", { "enzyme", "ec" }, "\t") do
    self.ids[#self.ids + 1], self.ecs[#self.ecs + 1] = id, list
  end
  if #self.ids ~= manifest.sequences then
    fail("%s/targets.tsv: %d {sequence|sequences}, index.json says %d; remove the folder and it is "
      .. "made anew", folder, #self.ids, manifest.sequences)
  end
  return self
end

-- The index of source = {fasta =, table =} in `folder`, which is made if it is
-- not there. An index of something else is refused. The second result is what
-- there was to say when it was made.
function index.of(folder, source)
  local made_of = identity(source)
  system.mkdir(string.match(folder, "^(.*)/[^/]*$") or ".")
  local _ <close> = system.lock(folder .. ".lock", true)
  local manifest = manifest_of(folder)
  if not manifest then
    made(folder, function (beside)
      local found = fill(beside, source, made_of, reports.new())
      system.write(beside .. "/index.json", json.pretty(found))
    end)
  elseif manifest.made_of.fasta ~= made_of.fasta or manifest.made_of.table ~= made_of.table then
    fail("%s: is the index of another training set; name another folder, or remove it",
      folder)
  end
  local self = index.open(folder)
  return self, self.manifest.report
end

-- A folder name that belongs to the content of a training set alone.
function index.name(source)
  local made_of = identity(source)
  return string.format("%s-%s-%s", file_word(string.match(source.fasta, "([^/]*)$")),
    string.sub(made_of.fasta, 1, 8), string.sub(made_of.table, 1, 8))
end

function Index:targets()
  return self.folder .. "/targets.fasta"
end

-- The database of a tool in this version, made if it is not there: a path as
-- the tool wants it; nil where it reads the FASTA file.
function Index:database(tool, version)
  if not tool.database then return nil end
  local folder = string.format("%s/%s-%s", self.folder, tool.name, version)
  if not system.exists(folder) then
    local _ <close> = system.lock(self.folder .. "/.lock", true)
    if not system.exists(folder) then
      made(folder, function (beside)
        for _, argv in ipairs(tool.database { targets = self:targets(),
            database = beside .. "/targets" }) do
          local code, output = system.run(argv)
          if code ~= 0 then
            fail("%s failed (exit code %d): %s", argv[1], code, string.sub(output, -500))
          end
        end
      end)
    end
  end
  return folder .. "/targets"
end

return index
